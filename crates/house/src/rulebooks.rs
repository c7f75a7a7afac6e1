//! The rulebooks recorded in the journal: each text once, by its hash.
//!
//! A table is always played under the text that it was set up with, whatever a later program contains. Tables from before texts were
//! recorded use the built-in rulebook with their id if its hash matches.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use baize_rules::Rulebook;
use serde::{Deserialize, Serialize};

use crate::HouseError;

/// A recorded text, parsed on first use.
#[derive(Debug)]
struct Recorded {
    text: String,
    read: OnceLock<Option<Arc<Rulebook>>>,
}

impl PartialEq for Recorded {
    fn eq(&self, other: &Recorded) -> bool {
        self.text == other.text
    }
}

impl Eq for Recorded {}

/// The recorded texts by hash.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(from = "BTreeMap<String, String>", into = "BTreeMap<String, String>")]
pub struct Rulebooks(BTreeMap<String, Arc<Recorded>>);

impl From<BTreeMap<String, String>> for Rulebooks {
    fn from(texts: BTreeMap<String, String>) -> Rulebooks {
        let recorded = |text| Arc::new(Recorded { text, read: OnceLock::new() });
        Rulebooks(texts.into_iter().map(|(hash, text)| (hash, recorded(text))).collect())
    }
}

impl From<Rulebooks> for BTreeMap<String, String> {
    fn from(books: Rulebooks) -> BTreeMap<String, String> {
        books.0.into_iter().map(|(hash, recorded)| (hash, recorded.text.clone())).collect()
    }
}

impl Rulebooks {
    /// Adds a text.
    pub fn record(&mut self, hash: &str, text: &str) {
        let recorded = Recorded { text: text.to_owned(), read: OnceLock::new() };
        self.0.entry(hash.to_owned()).or_insert_with(|| Arc::new(recorded));
    }

    pub(crate) fn holds(&self, hash: &str) -> bool {
        self.0.contains_key(hash)
    }

    /// The text with this hash.
    pub(crate) fn text(&self, hash: &str) -> Option<&str> {
        self.0.get(hash).map(|recorded| recorded.text.as_str())
    }

    /// The recorded rulebook with this hash. `None` if there is none, or if the text has another hash.
    fn recorded(&self, hash: &str) -> Option<Arc<Rulebook>> {
        let recorded = self.0.get(hash)?;
        recorded.read.get_or_init(|| read(&recorded.text)).clone().filter(|book| book.hash == hash)
    }

    /// The rulebook that a table was set up with.
    ///
    /// # Errors
    /// [`HouseError::RulebookGone`] if neither the journal nor the program has it.
    pub fn find(&self, id: &str, hash: &str) -> Result<Arc<Rulebook>, HouseError> {
        let own =
            || Rulebook::builtin(id).filter(|book| book.hash == hash).map(|book| Arc::new(book.clone()));
        self.recorded(hash)
            .filter(|book| book.id == id)
            .or_else(own)
            .ok_or_else(|| HouseError::RulebookGone { id: id.to_owned(), hash: hash.to_owned() })
    }
}

/// Parses a recorded text. Built-in texts are not parsed again.
#[must_use]
pub fn read(text: &str) -> Option<Arc<Rulebook>> {
    let own = Rulebook::builtins().iter().find(|book| Rulebook::builtin_text(&book.id) == Some(text));
    own.cloned().or_else(|| Rulebook::parse("the recorded rulebook", text).ok()).map(Arc::new)
}

/// Whether this is a built-in rulebook of the program.
#[must_use]
pub fn is_programs_own(book: &Rulebook) -> bool {
    Rulebook::builtin(&book.id).is_some_and(|own| own.hash == book.hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn a_builtin() -> (&'static Rulebook, &'static str) {
        let book = &Rulebook::builtins()[0];
        (book, Rulebook::builtin_text(&book.id).unwrap())
    }

    #[test]
    fn an_unrecorded_text_falls_back_to_the_builtin_with_the_same_hash() {
        let (book, _) = a_builtin();
        let none = Rulebooks::default();
        assert_eq!(none.find(&book.id, &book.hash).unwrap().hash, book.hash);
        let gone = none.find(&book.id, "00").unwrap_err();
        assert_eq!(gone, HouseError::RulebookGone { id: book.id.clone(), hash: "00".to_owned() });
        assert_eq!(gone.code(), "rulebook");
    }

    #[test]
    fn a_recorded_text_is_found_only_by_its_own_hash() {
        let (builtin, text) = a_builtin();
        let changed = format!("{text}\n# changed\n");
        let book = Rulebook::parse("changed", &changed).unwrap();
        let mut books = Rulebooks::default();
        books.record(&book.hash, &changed);
        assert_eq!(*books.find(&book.id, &book.hash).unwrap(), book);
        assert_eq!(*books.find(&builtin.id, &builtin.hash).unwrap(), *builtin);
        assert!(books.find("another-game", &book.hash).is_err(), "the text belongs to another game");
        let mut false_name = Rulebooks::default();
        false_name.record("00", &changed);
        assert!(
            false_name.find(&book.id, "00").is_err(),
            "the text has another hash than it is recorded under"
        );
    }
}
