//! The computer's shoe: shuffle, promise, proof.
//!
//! Each table and process has one ChaCha20 stream, seeded by the operating system. Decks are shuffled by Fisher–Yates with rejection
//! sampling, so every order is equally likely. Each card is promised by a hash with its own salt, and the deck by the hash of these. The
//! deck's hash is published before bets open; after the round each viewer gets the cards that they may see. Promises of older programs are
//! one hash over one salt and all cards.

use baize_cards::{Card, Deck};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::TableId;
use crate::journal::DeckRow;
use crate::secret;

/// The salt of the card at position `at`, from 1. It reveals neither the deck's salt nor another card's.
fn card_salt(salt: &str, at: usize) -> String {
    secret::digest_of([salt, "/", &at.to_string()])
}

/// The text whose hash promises one card: position, salt, card.
pub(crate) fn card_text(at: usize, salt: &str, card: Card) -> String {
    let mut text = at.to_string();
    text.reserve(salt.len() + 4);
    text.push(':');
    text.push_str(salt);
    text.push(':');
    text.extend([card.rank().letter(), card.suit().letter()]);
    text
}

/// The promise of each card of a deck.
fn card_promises(salt: &str, deck: &[Card]) -> Vec<String> {
    let promise =
        |(at, card): (usize, &Card)| secret::digest(card_text(at, &card_salt(salt, at), *card).as_bytes());
    (1..).zip(deck).map(promise).collect()
}

/// The promises and salts of a deck.
#[derive(Debug, Clone)]
pub(crate) struct DeckProof {
    /// The deck has a single promise, as older programs made it.
    pub(crate) single_promise: bool,
    /// The salt of each card.
    pub(crate) salts: Vec<String>,
    /// The promise of each card.
    pub(crate) promises: Vec<String>,
}

impl DeckProof {
    pub(crate) fn of(commitment: &str, salt: &str, deck: &[Card]) -> DeckProof {
        DeckProof {
            single_promise: is_single_promise(commitment, salt, deck),
            salts: (1..=deck.len()).map(|at| card_salt(salt, at)).collect(),
            promises: card_promises(salt, deck),
        }
    }
}

/// Whether the commitment is the promise of this deck, in the present scheme or that of older programs.
#[must_use]
pub fn promised_by(commitment: &str, salt: &str, deck: &[Card]) -> bool {
    let by_card = secret::digest(card_promises(salt, deck).join(" ").as_bytes());
    by_card == commitment || is_single_promise(commitment, salt, deck)
}

/// Whether the commitment is a single promise of an older program.
fn is_single_promise(commitment: &str, salt: &str, deck: &[Card]) -> bool {
    secret::digest(committed_text(salt, deck).as_bytes()) == commitment
}

fn card_name(card: Card) -> String {
    [card.rank().letter(), card.suit().letter()].into_iter().collect()
}

/// The text whose hash is a single promise of an older program.
pub(crate) fn committed_text(salt: &str, deck: &[Card]) -> String {
    format!("{salt}:{}", cards_text(deck))
}

fn cards_text(deck: &[Card]) -> String {
    let mut text = String::with_capacity(3 * deck.len());
    for card in deck {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&card_name(*card));
    }
    text
}

/// A shuffled deck in the order of the deal, with its salt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shuffled {
    /// The salt.
    pub salt: String,
    /// The cards.
    pub deck: Vec<Card>,
}

impl Shuffled {
    pub(crate) fn commitment(&self) -> String {
        secret::digest(card_promises(&self.salt, &self.deck).join(" ").as_bytes())
    }

    pub(crate) fn row(&self, table: &TableId, round: u32) -> DeckRow {
        DeckRow {
            table: table.to_string(),
            round,
            salt: self.salt.clone(),
            cards: cards_text(&self.deck),
            sealed: false,
        }
    }

    /// Parses a row of the database.
    #[must_use]
    pub fn from_row(row: &DeckRow) -> Option<Shuffled> {
        let cards: Option<Vec<Card>> = row.cards.split(' ').map(|card| card.parse().ok()).collect();
        let deck = Deck::try_from_cards(cards?).ok()?;
        Some(Shuffled { salt: row.salt.clone(), deck: deck.cards().to_vec() })
    }
}

/// The random source of a table's decks.
pub struct Shuffler {
    stream: ChaCha20Rng,
}

impl Shuffler {
    /// A shuffler seeded by the operating system.
    #[must_use]
    pub fn new() -> Shuffler {
        let mut seed = [0; 32];
        secret::fill(&mut seed);
        Shuffler::from_seed(seed)
    }

    /// A shuffler with a fixed seed, for tests.
    #[must_use]
    pub fn from_seed(seed: [u8; 32]) -> Shuffler {
        Shuffler { stream: ChaCha20Rng::from_seed(seed) }
    }

    /// A uniformly distributed number below `bound`. Values in the last, incomplete range are drawn again.
    fn below(&mut self, bound: u32) -> u32 {
        let usable = u32::MAX - u32::MAX % bound;
        loop {
            let drawn = self.stream.next_u32();
            if drawn < usable {
                return drawn % bound;
            }
        }
    }

    /// The 52 cards in random order.
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
        // The salt comes from the operating system, so that the stream of decks does not reveal it.
        Shuffled { salt: secret::token(32), deck: self.deck() }
    }
}

impl Default for Shuffler {
    fn default() -> Shuffler {
        Shuffler::new()
    }
}
