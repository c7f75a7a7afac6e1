//! The dealer's possible hands for every position of stud: computed once, looked up in well under a microsecond.

use baize_cards::{Card, Hand, HandValue};

use super::{DealerCounts, survey};
use crate::DeckSpec;

/// Every position with one card seen.
#[derive(Debug)]
pub struct StudPositions {
    /// By value, in ascending order of the player's ranks in the suit of the face-up card and of its rank.
    rows: Vec<(HandValue, Row)>,
}

type Row = Vec<((u16, u8), DealerCounts)>;

impl StudPositions {
    /// All positions of a full deck; they depend on the game only through the dealer's qualification.
    #[must_use]
    pub fn new(qualifies_from: Option<HandValue>) -> StudPositions {
        let mut rows = survey(DeckSpec::FULL, qualifies_from, |row: &mut Row, position| {
            let rank = u8::try_from(position.up().index()).unwrap_or(0);
            row.push(((position.in_suit, rank), *position.counts()));
        });
        rows.iter_mut().for_each(|(_, row)| row.sort_unstable_by_key(|(key, _)| *key));
        StudPositions { rows }
    }

    /// The value of the hand and the dealer's hands by outcome. `None` for cards that are not a valid position.
    #[must_use]
    pub fn at(&self, hand: &[Card], up: Card) -> Option<(HandValue, DealerCounts)> {
        if hand.len() != 5 || hand.contains(&up) {
            return None;
        }
        let value = hand.iter().copied().collect::<Hand>().value();
        let suited = hand.iter().filter(|card| card.suit() == up.suit());
        let in_suit = suited.fold(0u16, |mask, card| mask | 1 << card.rank().index());
        let row = &self.rows[self.rows.binary_search_by_key(&value, |(value, _)| *value).ok()?].1;
        let key = (in_suit, u8::try_from(up.rank().index()).ok()?);
        let found = row.binary_search_by_key(&key, |(key, _)| *key).ok()?;
        Some((value, row[found].1))
    }
}
