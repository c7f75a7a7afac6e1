//! One position of stud, by enumerating all hands of the dealer.

use baize_cards::{Card, CardSet, Hand, HandSizeError, HandValue};

use super::{DealerCounts, StudOutcome};
use crate::DeckSpec;

/// The value of the player's hand and the dealer's hands by outcome, given their face-up card.
///
/// # Errors
/// A hand that is not of five cards. The face-up card must not be one of them.
pub fn position(
    deck: DeckSpec,
    qualifies_from: Option<HandValue>,
    hand: CardSet,
    up: Card,
) -> Result<(HandValue, DealerCounts), HandSizeError> {
    position_seen(deck, qualifies_from, hand, CardSet::EMPTY.with(up), CardSet::EMPTY)
}

/// The same when these one to five cards of the dealer's are seen, and others elsewhere.
///
/// # Errors
/// A hand that is not of five cards. No card may be in two places.
pub fn position_seen(
    deck: DeckSpec,
    qualifies_from: Option<HandValue>,
    hand: CardSet,
    dealer: CardSet,
    elsewhere: CardSet,
) -> Result<(HandValue, DealerCounts), HandSizeError> {
    if hand.len() != 5 {
        return Err(HandSizeError(hand.len()));
    }
    let value = HandValue::of(hand)?;
    let out = hand.union(dealer).union(elsewhere);
    let unseen: Vec<Card> = deck.cards().difference(out).iter().collect();
    let mut counts = DealerCounts::default();
    let more = 5usize.saturating_sub(dealer.len());
    complete(&unseen, Hand::from(dealer), more, &Hand::add, &mut |dealer| {
        counts.add_many(outcome_of(qualifies_from, value, dealer.value()), 1);
    });
    Ok((value, counts))
}

/// All results of adding `more` of the cards to `so_far`.
pub(crate) fn complete<T: Copy>(
    cards: &[Card],
    so_far: T,
    more: usize,
    add: &impl Fn(T, Card) -> T,
    meet: &mut impl FnMut(T),
) {
    if more == 0 {
        return meet(so_far);
    }
    for (n, &card) in cards.iter().enumerate() {
        complete(&cards[n + 1..], add(so_far, card), more - 1, add, meet);
    }
}

/// How the hands compare.
pub(crate) fn outcome_of(
    qualifies_from: Option<HandValue>,
    player: HandValue,
    dealer: HandValue,
) -> StudOutcome {
    if qualifies_from.is_some_and(|from| dealer < from) {
        return StudOutcome::NotQualified;
    }
    match player.cmp(&dealer) {
        std::cmp::Ordering::Greater => StudOutcome::Higher,
        std::cmp::Ordering::Less => StudOutcome::Lower,
        std::cmp::Ordering::Equal => StudOutcome::Equal,
    }
}
