//! A deck: all 52 cards in some order.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

use crate::{Card, CardSet};

/// The 52 cards, each once, in the order in which they will be dealt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deck([Card; 52]);

impl Deck {
    /// The deck in a fixed order: the order of the cards' indices.
    #[must_use]
    pub fn ordered() -> Deck {
        let mut cards = [Card::new(crate::Rank::Two, crate::Suit::Clubs); 52];
        for (slot, card) in cards.iter_mut().zip(Card::all()) {
            *slot = card;
        }
        Deck(cards)
    }

    /// The deck with these cards in this order.
    ///
    /// # Errors
    /// A duplicate card, or more or fewer than 52 cards.
    pub fn try_from_cards(cards: impl IntoIterator<Item = Card>) -> Result<Deck, DeckError> {
        let cards: Vec<Card> = cards.into_iter().collect();
        let mut seen = CardSet::EMPTY;
        for &card in &cards {
            if seen.contains(card) {
                return Err(DeckError::Repeated(card));
            }
            seen = seen.with(card);
        }
        <[Card; 52]>::try_from(cards).map(Deck).map_err(|cards| DeckError::Size(cards.len()))
    }

    /// The cards in the order in which they will be dealt.
    #[must_use]
    pub fn cards(&self) -> &[Card; 52] {
        &self.0
    }
}

/// A list of 52 cards, in dealing order.
impl Serialize for Deck {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0)
    }
}

impl<'de> Deserialize<'de> for Deck {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Deck, D::Error> {
        let cards = Vec::<Card>::deserialize(deserializer)?;
        Deck::try_from_cards(cards).map_err(serde::de::Error::custom)
    }
}

/// Why some cards are not a deck.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DeckError {
    /// A card occurs twice.
    #[error("{0} is in the deck twice: a deck has each of the 52 cards once")]
    Repeated(Card),
    /// There are not 52 cards.
    #[error("{0} cards: a deck has 52")]
    Size(usize),
}
