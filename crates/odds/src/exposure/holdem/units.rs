//! Everything that may be known of the dealer's cards before the community cards, up to suits.

use std::collections::BTreeMap;

use baize_cards::{Card, CardSet, Rank, Suit};
use baize_rules::StartingHand;

use super::super::{Exposed, RankSet};
use crate::DeckSpec;
use crate::holdem::DealerKnown;

/// Hole cards and what is seen of the dealer's, up to suits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unit {
    pub(super) hand: StartingHand,
    pub(super) dealer: DealerKnown,
    /// How many deals of these cards are the same up to suits.
    pub(super) deals: i64,
}

/// Units with cards of the same ranks: what was counted for one serves the next.
pub(super) type Family = Vec<Unit>;

/// Everything that may be known before the community cards, up to suits, in an order that has nothing to do with the cards: so that the
/// first of them are a fair sample.
pub(super) fn families(deck: DeckSpec, seen: &Exposed) -> Vec<Family> {
    let mut by_ranks: BTreeMap<(Rank, Rank, Vec<usize>), Family> = BTreeMap::new();
    for hand in
        StartingHand::all().filter(|hand| deck.has(hand.high().index()) && deck.has(hand.low().index()))
    {
        let combinations = i64::from(hand.combinations());
        let mut add = |key: Vec<usize>, dealer: DealerKnown, deals: i64| {
            let unit = Unit { hand, dealer, deals: combinations * deals };
            by_ranks.entry((hand.high(), hand.low(), key)).or_default().push(unit);
        };
        match seen.ranks {
            Some(set) => {
                for (signal, weights) in signals(set, seen.dealer).into_iter().enumerate() {
                    add(vec![signal], DealerKnown::Ranks(weights), 1);
                }
            }
            None => {
                for (cards, deals) in dealers(deck, hand, seen.dealer) {
                    let ranks = cards.iter().flatten().map(|card| card.rank().index()).collect();
                    add(ranks, DealerKnown::Cards(cards), deals);
                }
            }
        }
    }
    let mut families: Vec<Family> = by_ranks.into_values().collect();
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    for last in (1..families.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let other = usize::try_from(state >> 33).unwrap_or(0) % (last + 1);
        families.swap(last, other);
    }
    families
}

/// How often each pair of the dealer's ranks shows each signal when `seen` cards are known to belong to a set or not.
pub(super) fn signals(set: RankSet, seen: usize) -> Vec<[[u8; 13]; 13]> {
    (0..=seen)
        .map(|signal| {
            std::array::from_fn(|one| {
                std::array::from_fn(|other| {
                    let marked = usize::from(set.has(one)) + usize::from(set.has(other));
                    match (seen, signal) {
                        // Both cards: as many as belong to it.
                        (2, signal) => u8::from(marked == signal),
                        // One of two cards: which one it is counts.
                        (_, 0) => u8::try_from(2 - marked).unwrap_or(0),
                        _ => u8::try_from(marked).unwrap_or(0),
                    }
                })
            })
        })
        .collect()
}

/// The sets of `count` dealer's cards against this hand, up to suits that the hand does not tell apart, with the number of each.
fn dealers(deck: DeckSpec, hand: StartingHand, count: usize) -> Vec<([Option<Card>; 2], i64)> {
    let hole: CardSet = hand.example().into_iter().collect();
    let left: Vec<Card> = deck.cards().difference(hole).iter().collect();
    let renamings: Vec<[Suit; 4]> =
        renamings().into_iter().filter(|suits| renamed(hole, *suits) == hole).collect();
    let mut classes: BTreeMap<CardSet, i64> = BTreeMap::new();
    let mut add = |set: CardSet| {
        let first = renamings.iter().map(|suits| renamed(set, *suits)).min().unwrap_or(set);
        *classes.entry(first).or_default() += 1;
    };
    match count {
        0 => add(CardSet::EMPTY),
        1 => left.iter().for_each(|card| add(CardSet::EMPTY.with(*card))),
        _ => {
            for (n, &one) in left.iter().enumerate() {
                left[n + 1..].iter().for_each(|other| add(CardSet::EMPTY.with(one).with(*other)));
            }
        }
    }
    let cards = |set: CardSet| {
        let mut cards = set.iter();
        [cards.next(), cards.next()]
    };
    classes.into_iter().map(|(set, deals)| (cards(set), deals)).collect()
}

pub(super) fn renamings() -> Vec<[Suit; 4]> {
    let mut all = Vec::new();
    for a in Suit::ALL {
        for b in Suit::ALL {
            for c in Suit::ALL {
                for d in Suit::ALL {
                    let suits = [a, b, c, d];
                    if Suit::ALL.iter().all(|suit| suits.contains(suit)) {
                        all.push(suits);
                    }
                }
            }
        }
    }
    all
}

pub(super) fn renamed(cards: CardSet, suits: [Suit; 4]) -> CardSet {
    cards.iter().map(|card| Card::new(card.rank(), suits[card.suit().index()])).collect()
}

/// The kind of these hole cards, and how suits are renamed so that they are its example: Clubs, and Diamonds where they are of two suits.
pub(crate) fn as_example([one, other]: [Card; 2]) -> (StartingHand, [Suit; 4]) {
    let (high, low) = if one.rank() >= other.rank() { (one, other) } else { (other, one) };
    let mut order = vec![high.suit()];
    order.extend([low.suit()].into_iter().filter(|suit| *suit != high.suit()));
    order.extend(Suit::ALL.into_iter().filter(|suit| *suit != high.suit() && *suit != low.suit()));
    let mut suits = Suit::ALL;
    for (suit, name) in order.into_iter().zip(Suit::ALL) {
        suits[suit.index()] = name;
    }
    (StartingHand::of(high, low), suits)
}
