//! The promise of a round's deck, and the revealed deck once the round is over.

use std::sync::OnceLock;

use baize_cards::Card;
use serde::{Deserialize, Serialize};

use crate::shoe::DeckProof;

/// What was promised for a round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Promise {
    pub(crate) round: u32,
    pub(crate) commitment: String,
}

/// The deck of the last finished round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RevealedDeck {
    pub(crate) promise: Promise,
    pub(crate) salt: String,
    pub(crate) deck: Vec<Card>,
    pub(crate) dealt: usize,
    /// Shown to everybody at the table.
    #[serde(skip)]
    pub(crate) proven: Proven,
}

/// What proves a deck card by card, worked out when it is first asked for. It follows from the deck: two tables differ in no way by it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Proven(OnceLock<DeckProof>);

impl PartialEq for Proven {
    fn eq(&self, _: &Proven) -> bool {
        true
    }
}

impl Eq for Proven {}

impl RevealedDeck {
    pub(crate) fn proof(&self) -> &DeckProof {
        self.proven.0.get_or_init(|| DeckProof::of(&self.promise.commitment, &self.salt, &self.deck))
    }
}
