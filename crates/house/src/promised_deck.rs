//! The promise of a round's deck, and the deck revealed after the round.

use std::sync::OnceLock;

use baize_cards::Card;
use serde::{Deserialize, Serialize};

use crate::shoe::DeckProof;

/// The published promise of a round's deck.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Promise {
    pub(crate) round: u32,
    pub(crate) commitment: String,
}

/// The revealed deck of the last finished round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RevealedDeck {
    pub(crate) promise: Promise,
    pub(crate) salt: String,
    pub(crate) deck: Vec<Card>,
    pub(crate) dealt: usize,
    /// Computed on first use and shared by all viewers.
    #[serde(skip)]
    pub(crate) proof: CachedProof,
}

/// The lazily computed proof of a deck. It is derived from the deck, so it does not count in comparisons of tables.
#[derive(Debug, Clone, Default)]
pub(crate) struct CachedProof(OnceLock<DeckProof>);

impl PartialEq for CachedProof {
    fn eq(&self, _: &CachedProof) -> bool {
        true
    }
}

impl Eq for CachedProof {}

impl RevealedDeck {
    pub(crate) fn proof(&self) -> &DeckProof {
        self.proof.0.get_or_init(|| DeckProof::of(&self.promise.commitment, &self.salt, &self.deck))
    }
}
