//! One position of stud, by looking at every hand that the dealer may have.

use baize_cards::{Card, CardSet, Hand, HandSizeError, HandValue};

use super::{DealerCounts, StudOutcome};
use crate::DeckSpec;

/// The value of the player's hand and the dealer's hands by outcome, given his face-up card.
///
/// # Errors
/// A hand that is not of five cards. The face-up card must not be one of them.
pub fn position(
    deck: DeckSpec,
    qualifies_from: Option<HandValue>,
    hand: CardSet,
    up: Card,
) -> Result<(HandValue, DealerCounts), HandSizeError> {
    if hand.len() != 5 {
        return Err(HandSizeError(hand.len()));
    }
    let value = HandValue::of(hand)?;
    let unseen: Vec<Card> = deck.cards().difference(hand.with(up)).iter().collect();
    let mut counts = DealerCounts::default();
    let shown = Hand::EMPTY.add(up);
    for (i, &first) in unseen.iter().enumerate() {
        let two = shown.add(first);
        for (j, &second) in unseen.iter().enumerate().skip(i + 1) {
            let three = two.add(second);
            for (k, &third) in unseen.iter().enumerate().skip(j + 1) {
                let four = three.add(third);
                for &fourth in &unseen[k + 1..] {
                    let dealer = four.add(fourth).value();
                    counts.add(outcome(qualifies_from, value, dealer));
                }
            }
        }
    }
    Ok((value, counts))
}

fn outcome(qualifies_from: Option<HandValue>, player: HandValue, dealer: HandValue) -> StudOutcome {
    if qualifies_from.is_some_and(|from| dealer < from) {
        return StudOutcome::NotQualified;
    }
    match player.cmp(&dealer) {
        std::cmp::Ordering::Greater => StudOutcome::Higher,
        std::cmp::Ordering::Less => StudOutcome::Lower,
        std::cmp::Ordering::Equal => StudOutcome::Equal,
    }
}
