//! A set of cards in 64 bits.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

use crate::{Card, CardError};

/// A set of cards: bit `i` stands for the card with index `i`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct CardSet(u64);

impl CardSet {
    /// No card.
    pub const EMPTY: CardSet = CardSet(0);
    /// All 52 cards.
    pub const FULL: CardSet = CardSet((1 << 52) - 1);

    /// The bits, bit `i` for the card with index `i`.
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The set of these bits; those above the 52nd are dropped.
    #[must_use]
    pub const fn from_bits(bits: u64) -> CardSet {
        CardSet(bits & CardSet::FULL.0)
    }

    /// How many cards.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is no card.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the card is in the set.
    #[must_use]
    pub const fn contains(self, card: Card) -> bool {
        self.0 & (1 << card.index()) != 0
    }

    /// The set with this card.
    #[must_use]
    pub const fn with(self, card: Card) -> CardSet {
        CardSet(self.0 | 1 << card.index())
    }

    /// The set without this card.
    #[must_use]
    pub const fn without(self, card: Card) -> CardSet {
        CardSet(self.0 & !(1 << card.index()))
    }

    /// Cards in either set.
    #[must_use]
    pub const fn union(self, other: CardSet) -> CardSet {
        CardSet(self.0 | other.0)
    }

    /// Cards in both sets.
    #[must_use]
    pub const fn intersection(self, other: CardSet) -> CardSet {
        CardSet(self.0 & other.0)
    }

    /// Cards of this set that are not in the other.
    #[must_use]
    pub const fn difference(self, other: CardSet) -> CardSet {
        CardSet(self.0 & !other.0)
    }

    /// The cards, lowest index first.
    pub fn iter(self) -> impl Iterator<Item = Card> + Clone {
        let mut bits = self.0;
        std::iter::from_fn(move || {
            let card = Card::from_index(bits.trailing_zeros() as usize)?;
            bits &= bits - 1;
            Some(card)
        })
    }

    /// The set of these cards.
    ///
    /// # Errors
    /// A duplicate card.
    pub fn try_from_cards(cards: impl IntoIterator<Item = Card>) -> Result<CardSet, CardSetError> {
        let mut set = CardSet::EMPTY;
        for card in cards {
            if set.contains(card) {
                return Err(CardSetError::Repeated(card));
            }
            set = set.with(card);
        }
        Ok(set)
    }
}

impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> CardSet {
        cards.into_iter().fold(CardSet::EMPTY, CardSet::with)
    }
}

/// Why a text is not a set of cards.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CardSetError {
    /// A part of it is not a card.
    #[error(transparent)]
    Card(#[from] CardError),
    /// A card is named twice.
    #[error("{0} is named twice: a deck has each card once")]
    Repeated(Card),
}

/// Reads `AsKd`, `As Kd`, `As,Kd` and `10d9h` alike.
impl FromStr for CardSet {
    type Err = CardSetError;

    fn from_str(text: &str) -> Result<CardSet, CardSetError> {
        let mut set = CardSet::EMPTY;
        for word in text.split(|c: char| c.is_whitespace() || c == ',').filter(|w| !w.is_empty()) {
            let mut start = 0;
            let ends: Vec<usize> = word
                .char_indices()
                .filter(|(_, c)| c.is_alphabetic() && "cdhsCDHS".contains(*c) || "♣♦♥♠".contains(*c))
                .map(|(at, c)| at + c.len_utf8())
                .collect();
            let tail = ends.last().is_none_or(|&end| end < word.len()).then_some(word.len());
            for end in ends.into_iter().chain(tail) {
                let card: Card = word[start..end].parse()?;
                if set.contains(card) {
                    return Err(CardSetError::Repeated(card));
                }
                set = set.with(card);
                start = end;
            }
        }
        Ok(set)
    }
}

impl fmt::Debug for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// The cards from the highest, separated by spaces: `A♠ K♦`.
impl fmt::Display for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut cards: Vec<Card> = self.iter().collect();
        cards.reverse();
        for (n, card) in cards.into_iter().enumerate() {
            if n > 0 {
                f.write_str(" ")?;
            }
            write!(f, "{card}")?;
        }
        Ok(())
    }
}

impl Serialize for CardSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for CardSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<CardSet, D::Error> {
        let cards = Vec::<Card>::deserialize(deserializer)?;
        CardSet::try_from_cards(cards).map_err(serde::de::Error::custom)
    }
}
