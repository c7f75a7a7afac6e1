//! The log of the round so far, told from the reader's view: it needs no events, so it cannot reveal anything that the reader may not see.

use baize_rules::Rulebook;
use baize_table::describe::Who;
use baize_table::{Player, RoundView, recap};

use super::model::LogLine;
use super::names::Names;

/// What happened in this round, the latest first. Numbers increase as the round goes on.
pub(crate) fn round_log(book: &Rulebook, view: &RoundView, names: &Names) -> Vec<LogLine> {
    let first = u64::from(view.number) * 1000;
    let numbered = (first..).zip(recap(book, view));
    let mut lines: Vec<LogLine> = numbered
        .map(|(number, mut told)| {
            if let Who::Box { player: Some(player), .. } = &mut told.who {
                *player = Player::from(names.of(&player.0));
            }
            LogLine { number, words: told.sentence(), cites: told.cites.to_string() }
        })
        .collect();
    lines.reverse();
    lines
}
