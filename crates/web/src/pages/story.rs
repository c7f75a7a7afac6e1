//! The round so far, told from what a reader sees of it: no event is needed, so nothing can be told that they may not know.

use baize_rules::Rulebook;
use baize_table::describe::Who;
use baize_table::{Player, RoundView, recap};

use super::model::{Happened, Names};

/// What happened in this round, the latest first. The numbers grow as the round goes on.
#[must_use]
pub fn story(book: &Rulebook, view: &RoundView, names: &Names) -> Vec<Happened> {
    let first = u64::from(view.number) * 1000;
    let numbered = (first..).zip(recap(book, view));
    let mut lines: Vec<Happened> = numbered
        .map(|(number, mut told)| {
            if let Who::Box { player: Some(player), .. } = &mut told.who {
                *player = Player::from(names.of(&player.0));
            }
            Happened { number, words: told.sentence(), cites: told.cites.to_string() }
        })
        .collect();
    lines.reverse();
    lines
}
