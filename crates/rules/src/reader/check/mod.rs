//! Checks that the parts of a draft are consistent. Each check works on what could be parsed, so that a fault in one
//! part does not hide those of another.

mod pay;
mod play;
mod trouble;

use super::Draft;
use super::source::{At, Source};

/// Reports everything that is inconsistent.
pub(super) fn check(source: &Source<'_>, draft: &Draft) {
    play::areas(source, draft);
    play::decisions(source, draft);
    play::procedures(source, draft);
    pay::settlement(source, draft);
    pay::bonus(source, draft);
    pay::awards(source, draft);
    trouble::reports(source, draft);
    trouble::interpretations(source, draft);
}

/// Reports each entry with the same key as an earlier one.
fn duplicates<T, K: PartialEq>(
    source: &Source<'_>,
    list: &[At<T>],
    key: impl Fn(&T) -> K,
    words: impl Fn(&T) -> String,
) {
    for (n, entry) in list.iter().enumerate() {
        if list[..n].iter().any(|before| key(&before.value) == key(&entry.value)) {
            source.inconsistent(
                &entry.place,
                format!("{} is here twice", words(&entry.value)),
                "leave one of the two",
            );
        }
    }
}
