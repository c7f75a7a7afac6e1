//! The promise of a deck before the round, and its proof after it.

use baize_cards::{Card, CardSet};
use schemars::JsonSchema;
use serde::Serialize;

use crate::RoundId;

/// The promise of a deck, published before bets open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Commitment {
    /// The number of the round.
    pub round: u32,
    /// SHA-256 of [`ShuffleProof::text`], in hexadecimal.
    pub hash: String,
}

/// One card of a promised deck, as far as the viewer may see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PromisedCard {
    /// The promise: SHA-256 of the position from 1, the salt and the card, separated by colons. Absent if the deck has a single promise.
    pub promise: Option<String>,
    /// Its salt, if the viewer may see the card.
    pub salt: Option<String>,
    /// The card, if the viewer may see it.
    pub card: Option<Card>,
}

/// The proof of a deck after its round, with the cards that the viewer may see. Anyone can check it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ShuffleProof {
    /// The round.
    pub round: RoundId,
    /// The promise.
    pub commitment: String,
    /// The salt of a deck with a single promise, in hexadecimal.
    pub salt: Option<String>,
    /// The deck in the order of the deal.
    pub cards: Vec<PromisedCard>,
    /// Number of cards dealt.
    pub dealt: usize,
}

impl ShuffleProof {
    /// The proof of a deck with the visible cards. `None` for a deck with a single promise unless all cards are visible.
    pub(crate) fn of(
        round: RoundId,
        told: &crate::promised_deck::RevealedDeck,
        open: CardSet,
    ) -> Option<ShuffleProof> {
        let (proof, deck) = (told.proof(), &told.deck);
        let single_promise = proof.single_promise;
        if single_promise && deck.iter().any(|card| !open.contains(*card)) {
            return None;
        }
        let one = |((card, salt), promise): ((&Card, &String), &String)| {
            let seen = open.contains(*card);
            PromisedCard {
                promise: (!single_promise).then(|| promise.clone()),
                salt: (seen && !single_promise).then(|| salt.clone()),
                card: seen.then_some(*card),
            }
        };
        let cards = deck.iter().zip(&proof.salts).zip(&proof.promises).map(one).collect();
        let (commitment, salt) = (told.promise.commitment.clone(), single_promise.then(|| told.salt.clone()));
        Some(ShuffleProof { round, commitment, salt, cards, dealt: told.dealt })
    }

    /// The text whose SHA-256 is the commitment: the promises of the cards, separated by spaces; or, for a single promise, the salt, a
    /// colon, and the cards separated by spaces.
    #[must_use]
    pub fn text(&self) -> String {
        match &self.salt {
            Some(salt) => crate::shoe::committed_text(salt, &self.deck()),
            None => {
                self.cards.iter().filter_map(|card| card.promise.as_deref()).collect::<Vec<_>>().join(" ")
            }
        }
    }

    /// The text whose SHA-256 is the promise of the card at this position from 1, if the viewer may see it.
    #[must_use]
    pub fn card_text(&self, at: usize) -> Option<String> {
        let one = self.cards.get(at.checked_sub(1)?)?;
        Some(crate::shoe::card_text(at, one.salt.as_deref()?, one.card?))
    }

    /// The visible cards, in the order of the deal.
    #[must_use]
    pub fn deck(&self) -> Vec<Card> {
        self.cards.iter().filter_map(|one| one.card).collect()
    }

    /// Whether the promise of the deck and those of the visible cards hold.
    #[must_use]
    pub fn holds(&self) -> bool {
        let kept = |(at, one): (usize, &PromisedCard)| match self.card_text(at) {
            Some(text) => one.promise.as_ref() == Some(&crate::secret::digest(text.as_bytes())),
            None => true,
        };
        crate::secret::digest(self.text().as_bytes()) == self.commitment && (1..).zip(&self.cards).all(kept)
    }

    /// Whether these are the first cards of the deck, as far as they are visible.
    #[must_use]
    pub fn begins_with(&self, dealt: &[Card]) -> bool {
        let fits = |(one, card): (&PromisedCard, &Card)| one.card.is_none_or(|promised| promised == *card);
        dealt.len() <= self.cards.len() && self.cards.iter().zip(dealt).all(fits)
    }
}
