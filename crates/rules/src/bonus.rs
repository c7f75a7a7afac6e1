//! The bonus: a wager on the player's hole cards.

use baize_cards::Card;
use serde::Serialize;

use crate::{Cites, Odds, StartingHand, StartingHands};

/// One line of the bonus pay table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BonusLine {
    /// The name of the line.
    pub name: String,
    /// The player's hole cards that it pays.
    pub holes: StartingHands,
    /// The dealer's hole cards that it also needs, if any.
    pub dealer: Option<StartingHands>,
    /// What it pays.
    pub odds: Odds,
}

/// The bonus pay table: the first matching line is paid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BonusTable {
    /// The lines, the highest first.
    pub lines: Vec<BonusLine>,
    /// The paragraphs of the table.
    pub cites: Cites,
}

impl BonusTable {
    /// The line that pays these hole cards. While the dealer's cards are unknown, lines that need them do not
    /// match.
    #[must_use]
    pub fn line(&self, player: [Card; 2], dealer: Option<[Card; 2]>) -> Option<&BonusLine> {
        let hole = StartingHand::of(player[0], player[1]);
        let dealer = dealer.map(|[one, other]| StartingHand::of(one, other));
        self.lines.iter().find(|line| {
            line.holes.contains(hole)
                && line.dealer.as_ref().is_none_or(|needed| dealer.is_some_and(|d| needed.contains(d)))
        })
    }
}
