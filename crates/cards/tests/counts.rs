//! Every hand of five and of seven cards, counted by class against the published counts.

use std::collections::BTreeSet;

use baize_cards::{Card, Evaluator, Hand, HandClass, HandValue};

/// How many hands have each value; the first entry stays empty.
type Histogram = Vec<u64>;

/// Counts all hands of `size` cards that a hand can become by adding cards after the last one.
fn count(evaluator: &Evaluator, hand: Hand, last: Option<Card>, size: usize, histogram: &mut Histogram) {
    let first = last.map_or(0, |card| card.index() + 1);
    for card in Card::all().skip(first) {
        let hand = hand.add(card);
        if size == 1 {
            histogram[usize::from(evaluator.value(hand).number())] += 1;
        } else {
            count(evaluator, hand, Some(card), size - 1, histogram);
        }
    }
}

fn histogram(size: usize) -> Histogram {
    let mut histogram = vec![0; usize::from(HandValue::MAX.number()) + 1];
    count(Evaluator::get(), Hand::EMPTY, None, size, &mut histogram);
    assert_eq!(histogram[0], 0);
    histogram
}

#[track_caller]
fn check(histogram: &Histogram, expected: [(HandClass, u64); 10]) {
    for (class, count) in expected {
        let values = usize::from(class.lowest().number())..=usize::from(class.highest().number());
        assert_eq!(histogram[values].iter().sum::<u64>(), count, "{class}");
    }
}

#[test]
fn five_cards() {
    let histogram = histogram(5);
    assert_eq!(histogram.iter().sum::<u64>(), 2_598_960);
    assert_eq!(histogram.iter().filter(|&&count| count > 0).count(), 7_462);
    check(
        &histogram,
        [
            (HandClass::RoyalFlush, 4),
            (HandClass::StraightFlush, 36),
            (HandClass::FourOfAKind, 624),
            (HandClass::FullHouse, 3_744),
            (HandClass::Flush, 5_108),
            (HandClass::Straight, 10_200),
            (HandClass::ThreeOfAKind, 54_912),
            (HandClass::TwoPairs, 123_552),
            (HandClass::OnePair, 1_098_240),
            (HandClass::FiveOddCards, 1_302_540),
        ],
    );
}

#[test]
fn seven_cards() {
    let histogram = histogram(7);
    assert_eq!(histogram.iter().sum::<u64>(), 133_784_560);
    check(
        &histogram,
        [
            (HandClass::RoyalFlush, 4_324),
            (HandClass::StraightFlush, 41_584 - 4_324),
            (HandClass::FourOfAKind, 224_848),
            (HandClass::FullHouse, 3_473_184),
            (HandClass::Flush, 4_047_644),
            (HandClass::Straight, 6_180_020),
            (HandClass::ThreeOfAKind, 6_461_620),
            (HandClass::TwoPairs, 31_433_400),
            (HandClass::OnePair, 58_627_800),
            (HandClass::FiveOddCards, 23_294_460),
        ],
    );
}

#[test]
fn the_classes_share_out_the_values() {
    let mut next = HandValue::MIN.number();
    for class in HandClass::ALL {
        assert_eq!(class.lowest().number(), next, "{class}");
        next = class.highest().number() + 1;
        for number in class.lowest().number()..next {
            assert_eq!(HandValue::from_number(number).map(HandValue::class), Some(class));
        }
    }
    assert_eq!((next, HandValue::MAX.number()), (7_463, 7_462));
    assert_eq!((HandValue::from_number(0), HandValue::from_number(7_463)), (None, None));
    assert_eq!(HandValue::all().count(), 7_462);
    let texts: BTreeSet<String> = HandValue::all().map(|value| value.to_string()).collect();
    assert_eq!(texts.len(), 7_462, "each value has words of its own");
}
