//! The promise of a deck before the round, and its proof after it.

use baize_cards::{Card, CardSet};
use schemars::JsonSchema;
use serde::Serialize;

use crate::RoundId;

/// A promise made before bets opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Commitment {
    /// The round that it is for.
    pub round: u32,
    /// SHA-256 of [`ShuffleProof::text`], in hexadecimal.
    pub hash: String,
}

/// One card of a promised deck.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PromisedCard {
    /// What promises it: SHA-256 of its place from 1, its salt and the card, separated by colons. Absent where the deck was promised as one.
    pub promise: Option<String>,
    /// Its salt, if the viewer may see the card.
    pub salt: Option<String>,
    /// The card, if the viewer may see it.
    pub card: Option<Card>,
}

/// The promise and, after the round, the cards that the viewer may see: anybody can check it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ShuffleProof {
    /// The round.
    pub round: RoundId,
    /// The promise.
    pub commitment: String,
    /// The salt of a deck that was promised as one, in hexadecimal.
    pub salt: Option<String>,
    /// The deck in the order of the deal.
    pub cards: Vec<PromisedCard>,
    /// How many cards of it were dealt.
    pub dealt: usize,
}

impl ShuffleProof {
    /// The proof of a deck, with the cards that may be seen. A deck that was promised as one is shown whole or not at all.
    pub(crate) fn of(
        round: RoundId,
        told: &crate::promised_deck::RevealedDeck,
        open: CardSet,
    ) -> Option<ShuffleProof> {
        let (proof, deck) = (told.proof(), &told.deck);
        let as_one = proof.as_one;
        if as_one && deck.iter().any(|card| !open.contains(*card)) {
            return None;
        }
        let one = |((card, salt), promise): ((&Card, &String), &String)| {
            let seen = open.contains(*card);
            PromisedCard {
                promise: (!as_one).then(|| promise.clone()),
                salt: (seen && !as_one).then(|| salt.clone()),
                card: seen.then_some(*card),
            }
        };
        let cards = deck.iter().zip(&proof.salts).zip(&proof.promises).map(one).collect();
        let (commitment, salt) = (told.promise.commitment.clone(), as_one.then(|| told.salt.clone()));
        Some(ShuffleProof { round, commitment, salt, cards, dealt: told.dealt })
    }

    /// The text whose SHA-256 is the commitment: the promises of the cards, separated by spaces; of a deck that was promised as one, its
    /// salt, a colon, and the cards separated by spaces.
    #[must_use]
    pub fn text(&self) -> String {
        match &self.salt {
            Some(salt) => crate::shoe::committed_text(salt, &self.deck()),
            None => {
                self.cards.iter().filter_map(|card| card.promise.as_deref()).collect::<Vec<_>>().join(" ")
            }
        }
    }

    /// The text whose SHA-256 is the promise of the card at this place from 1, if the viewer may see it.
    #[must_use]
    pub fn card_text(&self, at: usize) -> Option<String> {
        let one = self.cards.get(at.checked_sub(1)?)?;
        Some(crate::shoe::card_text(at, one.salt.as_deref()?, one.card?))
    }

    /// The cards that may be seen, in the order of the deal.
    #[must_use]
    pub fn deck(&self) -> Vec<Card> {
        self.cards.iter().filter_map(|one| one.card).collect()
    }

    /// Whether the promise was kept: the deck's, and that of each card that may be seen.
    #[must_use]
    pub fn holds(&self) -> bool {
        let kept = |(at, one): (usize, &PromisedCard)| match self.card_text(at) {
            Some(text) => one.promise.as_ref() == Some(&crate::secret::digest(text.as_bytes())),
            None => true,
        };
        crate::secret::digest(self.text().as_bytes()) == self.commitment && (1..).zip(&self.cards).all(kept)
    }

    /// Whether these are the first cards of the deck, as far as they may be seen.
    #[must_use]
    pub fn begins_with(&self, dealt: &[Card]) -> bool {
        let fits = |(one, card): (&PromisedCard, &Card)| one.card.is_none_or(|promised| promised == *card);
        dealt.len() <= self.cards.len() && self.cards.iter().zip(dealt).all(fits)
    }
}
