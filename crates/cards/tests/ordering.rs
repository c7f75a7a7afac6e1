//! The order of hands: the rule texts' own examples, and a naive evaluator on random hands.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod deals;
mod naive;

use baize_cards::{Card, CardSet, HandClass, HandValue};
use deals::deals;

fn value(cards: &str) -> HandValue {
    HandValue::of(cards.parse().unwrap()).unwrap()
}

/// Each line beats the next. A line with `=` has hands that stand off.
#[track_caller]
fn check_table(table: &str) {
    let mut above: Option<HandValue> = None;
    for line in table.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let [hands, class, _paragraph] = line.split('|').map(str::trim).collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let values: Vec<HandValue> = hands.split('=').map(value).collect();
        assert!(values.iter().all(|&v| v == values[0]), "these stand off: {line}");
        assert_eq!(values[0].class().code(), class, "{line}");
        assert!(above.is_none_or(|above| above > values[0]), "this is not lower than the line above: {line}");
        above = Some(values[0]);
    }
}

/// Hold'em Bonus, 3.11 and 3.12: its own examples, and hands that its comparisons distinguish.
#[test]
fn examples_of_3_11_and_3_12() {
    check_table(
        "
        AD KD QD JD 10D = AS KS QS JS 10S = AS KS QS JS 10S 9S 8S      | royal-flush     | 3.11.1
        KC QC JC 10C 9C                                               | straight-flush  | 3.11.2
        JC 10C 9C 8C 7C = JH 10H 9H 8H 7H                             | straight-flush  | 3.11.2, 3.12.6
        6C 5C 4C 3C 2C                                                | straight-flush  | 3.12.4
        5D 4D 3D 2D AD = 5D 4D 3D 2D AD AC AS                         | straight-flush  | 3.12.4
        AC AH AD AS JH = AC AH AD AS JH JC JD                         | four-of-a-kind  | 3.11.3
        AC AH AD AS 10H                                               | four-of-a-kind  | 3.12
        KC KH KD KS AH                                                | four-of-a-kind  | 3.12
        AC AH AD 2C 2H                                                | full-house      | 3.12.5
        KC KH KD AC AH                                                | full-house      | 3.11.4
        KC KH KD QC QH = KC KH KD QC QH QD 2S                         | full-house      | 3.12.5
        AH 8H 6H 5H 2H                                                | flush           | 3.12
        JH 8H 6H 5H 2H = JS 8S 6S 5S 2S = JH 8H 6H 5H 2H JS JC        | flush           | 3.11.5, 3.12.1
        JH 8H 6H 4H 3H                                                | flush           | 3.12
        AC KD QC JH 10C                                               | straight        | 3.11.6
        QC JD 10C 9H 8C = QS JH 10D 9C 8D                             | straight        | 3.12.6
        9C 8D 7C 6H 5C = 9C 8D 7C 6H 5C 5D 5H                         | straight        | 3.11.6
        6C 5D 4C 3H 2C                                                | straight        | 3.12.4
        5C 4D 3C 2H AC = 5C 4D 3C 2H AC AD AH                         | straight        | 3.12.4
        AC AH AD 3D 2D                                                | three-of-a-kind | 3.12
        10C 10H 10D 6D 3D                                             | three-of-a-kind | 3.11.7
        10C 10H 10D 5D 4D                                             | three-of-a-kind | 3.12
        AC AH 2C 2D 3D                                                | two-pairs       | 3.12.2
        QC QH 7C 7D 2D                                                | two-pairs       | 3.12.2
        QC QH 6C 6D 4D                                                | two-pairs       | 3.12.2
        QC QH 6C 6D 3D = QS QD 6H 6S 3C = QS QD 6H 6S 3C 2C 2D        | two-pairs       | 3.11.8, 3.12.2
        AC AH 9D 6H 5C                                                | one-pair        | 3.12.3
        AC AH 8D 6H 5C = AS AD 8C 6D 5H = AC AH 8D 6H 5C 4C 2D        | one-pair        | 3.11.9, 3.12.3
        AC AH 8D 6H 4C                                                | one-pair        | 3.12.3
        KC KH AD QH JC                                                | one-pair        | 3.12.3
        AC KH QD JC 9H                                                | five-odd-cards  | 3.12
        AC KH 4D 3C 2H                                                | five-odd-cards  | 3.12
        AC QH JD 10C 9H                                               | five-odd-cards  | 3.12
        QC 10H 6D 5C 2H = QD 10S 6H 5D 2C                             | five-odd-cards  | 3.11.10, 3.12.1
        7C 5H 4D 3C 2H                                                | five-odd-cards  | 3.12
    ",
    );
    assert_eq!(value("As Ks Qs Js 10s"), HandValue::MAX);
    assert_eq!(value("7c 5h 4d 3c 2h"), HandValue::MIN);
}

/// Casino Stud Poker, 3.1.2 and 3.1.3. Its example of a Three of a Kind prints the Queen of Spades twice; here one is of Diamonds.
#[test]
fn examples_of_3_1_2_and_3_1_3() {
    check_table(
        "
        AD KD QD JD 10D   | royal-flush     | 3.1.2
        QC JC 10C 9C 8C   | straight-flush  | 3.1.2
        KC KH KD KS JH    | four-of-a-kind  | 3.1.2
        KC KH KD JS JH    | full-house      | 3.1.2
        KH JH 9H 5H 2H    | flush           | 3.1.2
        KC QH JD 10S 9C   | straight        | 3.1.3 a
        JC 10H 9D 8S 7C   | straight        | 3.1.3 a
        5C 4D 3C 2H AS    | straight        | 3.1.2
        QS QH QD 8H 3D    | three-of-a-kind | 3.1.2
        7S 7H 4C 4H JD    | two-pairs       | 3.1.2
        10C 10H KD 6H 3S  | one-pair        | 3.1.2
        5C 5H KD 10S 2C   | one-pair        | 3.1.3 b
        5C 5H QD JS 10C   | one-pair        | 3.1.3 b
        AC KH JD 5S 2C    | five-odd-cards  | 3.1.3 c
        AC KH 10D 6S 4C   | five-odd-cards  | 3.1.3 c
        QC 10H 6D 4S 2H   | five-odd-cards  | 3.1.2
        ",
    );
}

/// The table and the naive evaluator give every pair of neighbours in a long list of hands the same order.
#[track_caller]
fn check_order(size: usize, count: usize) {
    let mut hands: Vec<(HandValue, naive::NaiveValue, CardSet)> = deals(7, size, count)
        .map(|cards| (HandValue::of(cards).unwrap(), naive::best(cards), cards))
        .collect();
    hands.sort();
    for (value, naive, cards) in &hands {
        assert_eq!(value.class(), naive.0, "{cards}");
    }
    for pair in hands.windows(2) {
        assert_eq!(pair[0].0.cmp(&pair[1].0), pair[0].1.cmp(&pair[1].1), "{} and {}", pair[0].2, pair[1].2);
    }
}

#[test]
fn five_cards_as_the_naive_evaluator() {
    check_order(5, 200_000);
}

#[test]
fn six_cards_as_the_naive_evaluator() {
    check_order(6, 60_000);
}

#[test]
fn seven_cards_as_the_naive_evaluator() {
    check_order(7, 20_000);
}

#[test]
fn seven_cards_are_worth_their_best_five() {
    for cards in deals(21, 7, 100_000) {
        let all: Vec<Card> = cards.iter().collect();
        let fives = naive::fives(&all);
        assert_eq!(fives.len(), 21);
        let best = fives.iter().map(|five| HandValue::of(five.iter().copied().collect()).unwrap()).max();
        assert_eq!(HandValue::of(cards).ok(), best, "{cards}");
    }
}

#[test]
fn every_flush_of_five_to_seven_cards() {
    let mut seen = 0;
    for ranks in (0u64..1 << 13).filter(|ranks| (5..=7).contains(&ranks.count_ones())) {
        let cards: CardSet =
            Card::all().filter(|c| c.suit().index() == 2 && ranks >> c.rank().index() & 1 == 1).collect();
        let naive = naive::best(cards);
        let value = HandValue::of(cards).unwrap();
        assert_eq!(value.class(), naive.0, "{cards}");
        if naive.0 == HandClass::Flush {
            assert_eq!(value.ranks().to_vec(), naive.1, "{cards}");
        }
        seen += 1;
    }
    assert_eq!(seen, 1_287 + 1_716 + 1_716);
}
