//! Checks that the parts of a draft fit together.

use super::Draft;
use super::source::Source;

/// Notes everything that does not fit.
pub(super) fn check(source: &Source<'_>, draft: &Draft) {
    let _ = (source, draft);
}
