//! The round so far, told from what a reader sees of it: no event is needed, so nothing can be told that they may not know.

use baize_rules::Rulebook;
use baize_table::{RoundView, recap};

use super::model::Happened;

/// What happened in this round, the latest first. The numbers grow as the round goes on.
#[must_use]
pub fn story(book: &Rulebook, view: &RoundView) -> Vec<Happened> {
    let first = u64::from(view.number) * 1000;
    let numbered = (first..).zip(recap(book, view));
    let mut lines: Vec<Happened> = numbered
        .map(|(number, told)| Happened { number, words: told.sentence(), cites: told.cites.to_string() })
        .collect();
    lines.reverse();
    lines
}
