//! Outcomes of each value against each face-up card, separately for positions that best play bets and folds.
//!
//! Strategies depend on the value of the hand, the rank of the face-up card, and perhaps on best play. So one pass over all positions
//! serves all of them.

use baize_cards::{HandValue, Rank};

use super::solution::ClassTotals;
use super::{StudGame, StudOutcome, StudPosition, StudSolution, survey};
use crate::DeckSpec;

/// Positions that are treated the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Cell {
    /// Deals of player's cards and face-up card.
    pub deals: i64,
    /// Rounds by outcome, if they are bet.
    pub outcomes: [i64; 4],
}

/// By rank of the face-up card, then by whether the position is bet.
pub(super) type ValueRow = [[Cell; 2]; 13];

/// All positions of a game, by value.
#[derive(Debug)]
pub struct StudTable {
    /// The game.
    pub game: StudGame,
    pub(super) rows: Vec<(HandValue, ValueRow)>,
}

impl StudTable {
    /// The positions, separated by best play.
    #[must_use]
    pub fn best(deck: DeckSpec, game: &StudGame) -> StudTable {
        StudTable::new(deck, game, |position| position.gain(game) > 0)
    }

    /// The positions, separated by `bets`.
    pub(super) fn new(
        deck: DeckSpec,
        game: &StudGame,
        bets: impl Fn(&StudPosition) -> bool + Sync,
    ) -> StudTable {
        let rows = survey(deck, game.qualifies_from, |row: &mut ValueRow, position| {
            let cell = &mut row[position.up().index()][usize::from(bets(position))];
            cell.deals += position.deals;
            for outcome in StudOutcome::ALL {
                cell.outcomes[outcome as usize] += position.deals * position.counts().of(outcome);
            }
        });
        StudTable { game: game.clone(), rows }
    }

    /// Results of a strategy: `bets` gets the value, the rank of the face-up card, and the table's separation.
    #[must_use]
    pub fn solution(&self, bets: impl Fn(HandValue, Rank, bool) -> bool) -> StudSolution {
        let mut classes = [ClassTotals::default(); 10];
        for (value, row) in &self.rows {
            let class = value.class() as usize;
            for (up, cells) in Rank::ALL.into_iter().zip(row) {
                for (cell, says) in cells.iter().zip([false, true]).filter(|(cell, _)| cell.deals > 0) {
                    let bet = bets(*value, up, says);
                    let totals = &mut classes[class];
                    if bet {
                        for (sum, rounds) in totals.bet.iter_mut().zip(cell.outcomes) {
                            *sum += rounds;
                        }
                    } else {
                        totals.folded += cell.outcomes.iter().sum::<i64>();
                    }
                }
            }
        }
        StudSolution { game: self.game.clone(), classes }
    }
}
