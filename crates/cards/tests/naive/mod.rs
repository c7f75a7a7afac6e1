//! An evaluator that follows the rule texts word by word, without tables. The tests compare the real one with it.

use std::cmp::Reverse;

use baize_cards::{Card, CardSet, HandClass, Rank};

/// A class and the ranks that decide within it, most important first.
pub(crate) type NaiveValue = (HandClass, Vec<Rank>);

/// The best value of all choices of five cards.
pub(crate) fn best(cards: CardSet) -> NaiveValue {
    let cards: Vec<Card> = cards.iter().collect();
    fives(&cards).iter().map(five).max().unwrap()
}

/// All choices of five of the cards: 1, 6 or 21.
pub(crate) fn fives(cards: &[Card]) -> Vec<[Card; 5]> {
    match cards.len() {
        5 => vec![<[Card; 5]>::try_from(cards).unwrap()],
        _ => {
            let mut all: Vec<[Card; 5]> = (0..cards.len())
                .flat_map(|left_out| {
                    let mut others = cards.to_vec();
                    others.remove(left_out);
                    fives(&others)
                })
                .collect();
            all.sort_unstable();
            all.dedup();
            all
        }
    }
}

/// The value of five cards.
pub(crate) fn five(cards: &[Card; 5]) -> NaiveValue {
    // Ranks with their counts, the most frequent first, then the highest.
    let mut groups: Vec<(usize, Rank)> = Vec::new();
    for rank in Rank::ALL {
        let count = cards.iter().filter(|card| card.rank() == rank).count();
        if count > 0 {
            groups.push((count, rank));
        }
    }
    groups.sort_by_key(|&group| Reverse(group));
    let counts: Vec<usize> = groups.iter().map(|group| group.0).collect();
    let ranks: Vec<Rank> = groups.iter().map(|group| group.1).collect();

    let one_suit = cards.iter().all(|card| card.suit() == cards[0].suit());
    let straight = straight(&ranks);
    match (&counts[..], one_suit, straight) {
        (_, true, Some(Rank::Ace)) => (HandClass::RoyalFlush, vec![]),
        (_, true, Some(high)) => (HandClass::StraightFlush, vec![high]),
        ([4, 1], _, _) => (HandClass::FourOfAKind, ranks),
        ([3, 2], _, _) => (HandClass::FullHouse, ranks),
        (_, true, None) => (HandClass::Flush, ranks),
        (_, false, Some(high)) => (HandClass::Straight, vec![high]),
        ([3, 1, 1], _, _) => (HandClass::ThreeOfAKind, ranks),
        ([2, 2, 1], _, _) => (HandClass::TwoPairs, ranks),
        ([2, 1, 1, 1], _, _) => (HandClass::OnePair, ranks),
        _ => (HandClass::FiveOddCards, ranks),
    }
}

/// The highest card of a straight, given the different ranks from the highest.
fn straight(ranks: &[Rank]) -> Option<Rank> {
    use Rank::{Ace, Five, Four, Three, Two};
    if ranks == [Ace, Five, Four, Three, Two] {
        return Some(Five);
    }
    let in_sequence = ranks.windows(2).all(|pair| pair[0].index() == pair[1].index() + 1);
    (ranks.len() == 5 && in_sequence).then_some(ranks[0])
}
