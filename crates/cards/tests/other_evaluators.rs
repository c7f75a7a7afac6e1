//! Other evaluators order hands as ours does. Their numbers differ from ours, but must rise where ours rise.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod deals;

use std::collections::BTreeMap;
use std::fmt::Debug;

use baize_cards::{Card, CardSet, HandValue};
use deals::deals;
use rs_poker::core::{SevenCardAccum, Suit, Value};

fn pokers(cards: CardSet) -> u16 {
    let hand = cards.iter().fold(pokers::Hand::default(), |hand, card| hand + pokers::CARDS[card.index()]);
    hand.evaluate()
}

fn rs_poker(cards: CardSet) -> rs_poker::core::Rank {
    let mut hand = SevenCardAccum::new();
    for card in cards.iter() {
        let value = Value::from_u8(u8::try_from(card.rank().index()).unwrap());
        let suit = Suit::from_u8(u8::try_from(card.suit().index()).unwrap());
        hand.add(rs_poker::core::Card::new(value, suit));
    }
    hand.rank()
}

/// Each of our values corresponds to one of theirs, and both rise together.
#[track_caller]
fn check<V: Ord + Copy + Debug>(
    hands: impl Iterator<Item = CardSet>,
    theirs: impl Fn(CardSet) -> V,
) -> usize {
    let mut pairs: BTreeMap<HandValue, V> = BTreeMap::new();
    for cards in hands {
        let (ours, theirs) = (HandValue::of(cards).unwrap(), theirs(cards));
        assert_eq!(*pairs.entry(ours).or_insert(theirs), theirs, "{cards} is {ours:?}");
    }
    assert!(pairs.values().is_sorted_by(|low, high| low < high));
    pairs.len()
}

fn all_fives() -> impl Iterator<Item = CardSet> {
    let with_more = |set: CardSet, last: Card| last.after().map(move |card| (set.with(card), card));
    Card::all()
        .map(|card| (CardSet::EMPTY.with(card), card))
        .flat_map(move |(set, last)| with_more(set, last))
        .flat_map(move |(set, last)| with_more(set, last))
        .flat_map(move |(set, last)| with_more(set, last))
        .flat_map(move |(set, last)| with_more(set, last))
        .map(|(set, _)| set)
}

#[test]
fn all_hands_of_five_cards() {
    assert_eq!(check(all_fives(), pokers), 7_462);
    assert_eq!(check(all_fives(), rs_poker), 7_462);
}

#[test]
fn random_hands_of_six_and_seven_cards() {
    for size in [6, 7] {
        check(deals(1, size, 500_000), pokers);
        check(deals(2, size, 500_000), rs_poker);
    }
}
