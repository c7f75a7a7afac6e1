//! The names of hands, which five cards are shown, and what happens with too few, too many or repeated cards.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod deals;
mod naive;

use baize_cards::{Card, CardSet, Evaluator, Hand, HandSizeError, HandValue};
use deals::deals;

fn cards(text: &str) -> CardSet {
    text.parse().unwrap()
}

#[track_caller]
fn check(text: &str, best_five: &str, words: &str) {
    let five = HandValue::best_five(cards(text)).unwrap().map(Card::code).join(" ");
    assert_eq!((&five[..], &HandValue::describe(cards(text)).unwrap()[..]), (best_five, words));
}

#[test]
fn hands_in_words_and_cards() {
    check("As Ks Qs Js Ts 2c 2d", "As Ks Qs Js Ts", "Royal Flush");
    check("Jc Tc 9c 8c 7c Ad Ah", "Jc Tc 9c 8c 7c", "Straight Flush, Jack high");
    check("Ah 2h 3h 4h 5h 6c 7c", "5h 4h 3h 2h Ah", "Straight Flush, Five high");
    check("Kc Kd Kh Ks Jd Td 2c", "Ks Kh Kd Kc Jd", "Four of a Kind, Kings (Jack)");
    check("Kc Kh Kd Ac Ah 7s 2d", "Kh Kd Kc Ah Ac", "Full House, Kings over Aces");
    check("Kc Kh Kd Qc Qh Qd 2d", "Kh Kd Kc Qh Qd", "Full House, Kings over Queens");
    check("Kd Jd 9d 5d 2d Ac Ah", "Kd Jd 9d 5d 2d", "Flush, King high (K J 9 5 2)");
    check("Ad Td 9d 5d 4d 3d Kc", "Ad Td 9d 5d 4d", "Flush, Ace high (A 10 9 5 4)");
    check("9c 8d 7c 6h 5c 5d 5s", "9c 8d 7c 6h 5s", "Straight, Nine high");
    check("Ac 2d 3c 4h 5c Kd Kh", "5c 4h 3c 2d Ac", "Straight, Five high");
    check("Tc Th Td 6d 3d", "Th Td Tc 6d 3d", "Three of a Kind, Tens (Six, Three)");
    check("Qc Qh 6c 6d 3d 3h 2s", "Qh Qc 6d 6c 3h", "Two Pairs, Queens and Sixes (Three)");
    check("Tc Th Kd 6s 3d 2c", "Th Tc Kd 6s 3d", "One Pair, Tens (King, Six, Three)");
    check("Ac Kd Jh 8s 3c 2d", "Ac Kd Jh 8s 3c", "Five Odd Cards, Ace King Jack Eight Three");
}

#[test]
fn the_best_five_are_among_the_cards_and_have_their_value() {
    for size in 5..=7 {
        for hand in deals(3, size, 20_000) {
            let five = HandValue::best_five(hand).unwrap();
            let set = CardSet::try_from_cards(five).unwrap();
            assert!(set.difference(hand).is_empty(), "{hand}");
            assert_eq!(HandValue::of(set), HandValue::of(hand), "{hand}");
            assert_eq!(five.map(Card::rank), HandValue::of(hand).unwrap().ranks(), "{hand}");
            assert_eq!(naive::five(&five), naive::best(hand), "{hand}");
        }
    }
}

#[test]
fn the_wrong_number_of_cards_is_an_error() {
    for size in (0..=52).filter(|size| !(5..=7).contains(size)) {
        let hand: CardSet = Card::all().take(size).collect();
        assert_eq!(HandValue::of(hand), Err(HandSizeError(size)));
        assert_eq!(HandValue::best_five(hand), Err(HandSizeError(size)));
        assert_eq!(HandValue::describe(hand), Err(HandSizeError(size)));
    }
    assert_eq!(HandSizeError(8).to_string(), "8 cards: a hand is valued on five to seven");
}

/// `Hand` does not check, so it must give some value for any input.
#[test]
fn any_cards_at_all_give_some_value() {
    let in_range = |hand: Hand| (HandValue::MIN..=HandValue::MAX).contains(&hand.value());
    for card in Card::all() {
        let mut hand = Hand::EMPTY;
        for _ in 0..1_000 {
            assert!(in_range(hand));
            hand = hand.add(card);
        }
        let taken_too_often = (0..1_000).fold(Hand::EMPTY, |hand, _| hand.remove(card));
        assert!(in_range(taken_too_often));
    }
    assert!(in_range(Card::all().collect()));
    for size in 0..=20 {
        assert!(deals(4, size, 2_000).all(|cards| in_range(Hand::from(cards))));
    }
}

#[test]
fn hands_are_built_and_taken_apart() {
    let evaluator = Evaluator::get();
    for seven in deals(5, 7, 10_000) {
        let all: Vec<Card> = seven.iter().collect();
        let hole: Hand = all[..2].iter().copied().collect();
        let board: Hand = all[2..].iter().copied().collect();
        let hand = Hand::from(seven);
        assert_eq!((hole.len(), board.len(), hand.len()), (2, 5, 7));
        assert_eq!(hole.join(board), hand);
        assert_eq!(hand.remove(all[1]).remove(all[0]), board);
        assert_eq!(Some(evaluator.value(hand)), HandValue::of(seven).ok());
        assert_eq!(all.iter().fold(hand, |hand, &card| hand.remove(card)), Hand::EMPTY);
    }
    assert!(Hand::default().is_empty());
}
