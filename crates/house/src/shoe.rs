//! The computer's shoe: shuffle, promise, proof.

use baize_cards::Card;

/// The text that a commitment is the hash of.
pub(crate) fn committed_text(salt: &str, deck: &[Card]) -> String {
    let cards: Vec<String> = deck.iter().map(|card| card.code()).collect();
    format!("{salt}:{}", cards.join(" "))
}
