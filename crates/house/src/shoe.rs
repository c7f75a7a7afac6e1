//! The computer's shoe: shuffle, promise, proof.
//!
//! One ChaCha20 stream a table and process, seeded by the operating system; Fisher–Yates with rejection, so that every order of the deck
//! is equally likely. The hash of salt and deck is told before bets open, salt and deck after the round.

use baize_cards::{Card, Deck};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::TableId;
use crate::journal::DeckRow;
use crate::secret;

/// The text that a commitment is the hash of.
pub(crate) fn committed_text(salt: &str, deck: &[Card]) -> String {
    format!("{salt}:{}", cards_text(deck))
}

fn cards_text(deck: &[Card]) -> String {
    let mut text = String::with_capacity(3 * deck.len());
    for card in deck {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push(card.rank().letter());
        text.push(card.suit().letter());
    }
    text
}

/// A deck in the order of the deal, with the salt that hides it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shuffled {
    pub(crate) salt: String,
    pub(crate) deck: Vec<Card>,
}

impl Shuffled {
    pub(crate) fn commitment(&self) -> String {
        secret::digest(committed_text(&self.salt, &self.deck).as_bytes())
    }

    pub(crate) fn row(&self, table: &TableId, round: u32) -> DeckRow {
        DeckRow { table: table.to_string(), round, salt: self.salt.clone(), cards: cards_text(&self.deck) }
    }

    /// The deck of a row, if it is one.
    pub(crate) fn from_row(row: &DeckRow) -> Option<Shuffled> {
        let cards: Option<Vec<Card>> = row.cards.split(' ').map(|card| card.parse().ok()).collect();
        let deck = Deck::try_from_cards(cards?).ok()?;
        Some(Shuffled { salt: row.salt.clone(), deck: deck.cards().to_vec() })
    }
}

/// Shuffles decks.
pub struct Shuffler {
    stream: ChaCha20Rng,
}

impl Shuffler {
    /// A shuffler that nobody can predict.
    #[must_use]
    pub fn new() -> Shuffler {
        let mut seed = [0; 32];
        secret::fill(&mut seed);
        Shuffler::from_seed(seed)
    }

    /// A shuffler that always deals the same: for tests of the shuffle.
    #[must_use]
    pub fn from_seed(seed: [u8; 32]) -> Shuffler {
        Shuffler { stream: ChaCha20Rng::from_seed(seed) }
    }

    /// A number below `bound`, each equally likely: numbers of the last, incomplete stretch are drawn again.
    fn below(&mut self, bound: u32) -> u32 {
        let usable = u32::MAX - u32::MAX % bound;
        loop {
            let drawn = self.stream.next_u32();
            if drawn < usable {
                return drawn % bound;
            }
        }
    }

    /// The 52 cards, every order equally likely.
    pub fn deck(&mut self) -> Vec<Card> {
        let mut deck = Deck::ordered().cards().to_vec();
        for last in (1..deck.len()).rev() {
            let bound = u32::try_from(last + 1).unwrap_or(1);
            let other = usize::try_from(self.below(bound)).unwrap_or(0);
            deck.swap(last, other);
        }
        deck
    }

    pub(crate) fn shuffled(&mut self) -> Shuffled {
        // The salt comes from the operating system: knowing the stream of decks must not tell it.
        Shuffled { salt: secret::token(32), deck: self.deck() }
    }
}

impl Default for Shuffler {
    fn default() -> Shuffler {
        Shuffler::new()
    }
}
