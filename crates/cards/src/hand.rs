//! The ranking of hands.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{Card, CardSet, Rank, Suit};

/// The order of hands, from the lowest to the highest, with the names of the rule texts (3.1.2, 3.11).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names are those of the rule texts")]
pub enum HandClass {
    FiveOddCards,
    OnePair,
    TwoPairs,
    ThreeOfAKind,
    Straight,
    Flush,
    FullHouse,
    FourOfAKind,
    StraightFlush,
    RoyalFlush,
}

impl HandClass {
    /// All ten classes, lowest first.
    pub const ALL: [HandClass; 10] = [
        HandClass::FiveOddCards,
        HandClass::OnePair,
        HandClass::TwoPairs,
        HandClass::ThreeOfAKind,
        HandClass::Straight,
        HandClass::Flush,
        HandClass::FullHouse,
        HandClass::FourOfAKind,
        HandClass::StraightFlush,
        HandClass::RoyalFlush,
    ];

    /// The name in rulebooks and scripts: `full-house`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        [
            "five-odd-cards",
            "one-pair",
            "two-pairs",
            "three-of-a-kind",
            "straight",
            "flush",
            "full-house",
            "four-of-a-kind",
            "straight-flush",
            "royal-flush",
        ][self as usize]
    }

    /// The name for people: "Full House".
    #[must_use]
    pub const fn name(self) -> &'static str {
        [
            "Five Odd Cards",
            "One Pair",
            "Two Pairs",
            "Three of a Kind",
            "Straight",
            "Flush",
            "Full House",
            "Four of a Kind",
            "Straight Flush",
            "Royal Flush",
        ][self as usize]
    }
}

/// The value of a hand: a higher one beats a lower one, equal ones stand off. 7,462 values exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HandValue(u32);

impl HandValue {
    /// The value of the best five of five to seven cards.
    ///
    /// # Errors
    /// Fewer than five or more than seven cards.
    pub fn of(cards: CardSet) -> Result<HandValue, HandSizeError> {
        if !(5..=7).contains(&cards.len()) {
            return Err(HandSizeError(cards.len()));
        }
        Ok(cards.iter().fold(Hand::EMPTY, Hand::add).value())
    }

    /// The hand's class.
    #[must_use]
    pub fn class(self) -> HandClass {
        HandClass::ALL[(self.0 >> 20) as usize]
    }

    /// The best five of five to seven cards, in the order in which people name them (pairs before odd cards, 5 before A in 5-4-3-2-A).
    ///
    /// # Errors
    /// Fewer than five or more than seven cards.
    pub fn best_five(cards: CardSet) -> Result<[Card; 5], HandSizeError> {
        let value = HandValue::of(cards)?;
        let all: Vec<Card> = cards.iter().collect();
        for mask in 0u32..1 << all.len() {
            if mask.count_ones() == 5 {
                let five: CardSet =
                    all.iter().enumerate().filter(|(n, _)| mask >> n & 1 == 1).map(|(_, &c)| c).collect();
                if HandValue::of(five)? == value {
                    let mut five: Vec<Card> = five.iter().collect();
                    five.sort_by_key(|c| {
                        let count = five_count(&all, *c);
                        (std::cmp::Reverse(count), std::cmp::Reverse(c.rank()))
                    });
                    return <[Card; 5]>::try_from(five).map_err(|f| HandSizeError(f.len()));
                }
            }
        }
        Err(HandSizeError(all.len()))
    }
}

fn five_count(all: &[Card], card: Card) -> usize {
    all.iter().filter(|c| c.rank() == card.rank()).count()
}

/// There must be five to seven cards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("{0} cards: a hand is valued on five to seven")]
pub struct HandSizeError(pub usize);

/// Cards added one at a time, so that enumerations share the work for common prefixes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Hand(CardSet);

impl Hand {
    /// No cards yet.
    pub const EMPTY: Hand = Hand(CardSet::EMPTY);

    /// The hand with one more card.
    #[must_use]
    pub fn add(self, card: Card) -> Hand {
        Hand(self.0.with(card))
    }

    /// The value of the best five cards. Five to seven cards must have been added.
    #[must_use]
    pub fn value(self) -> HandValue {
        let mut counts = [0u32; 13];
        let mut suits = [0u32; 4];
        let mut ranks = 0u32;
        for card in self.0.iter() {
            counts[card.rank().index()] += 1;
            suits[card.suit().index()] |= 1 << card.rank().index();
            ranks |= 1 << card.rank().index();
        }
        let flush = Suit::ALL.iter().map(|s| suits[s.index()]).find(|s| s.count_ones() >= 5);
        let pack = |class: HandClass, kickers: &[usize]| {
            let mut value = class as u32;
            for n in 0..5 {
                value = value << 4 | kickers.get(n).map_or(0, |&k| u32::try_from(k).unwrap_or(0));
            }
            HandValue(value)
        };
        if let Some(high) = flush.and_then(straight_high) {
            let class =
                if high == Rank::Ace.index() { HandClass::RoyalFlush } else { HandClass::StraightFlush };
            return pack(class, &[high]);
        }
        let by_count = |n: u32| (0..13).rev().filter(move |&r| counts[r] == n).collect::<Vec<_>>();
        let (fours, threes, pairs) = (by_count(4), by_count(3), by_count(2));
        let odd = |skip: &[usize], n: usize| {
            (0..13).rev().filter(|r| counts[*r] > 0 && !skip.contains(r)).take(n).collect::<Vec<_>>()
        };
        if let Some(&four) = fours.first() {
            return pack(HandClass::FourOfAKind, &[vec![four], odd(&[four], 1)].concat());
        }
        if let Some(&three) = threes.first() {
            let pair = threes.get(1).copied().max(pairs.first().copied());
            if let Some(pair) = pair {
                return pack(HandClass::FullHouse, &[three, pair]);
            }
        }
        if let Some(flush) = flush {
            let cards: Vec<usize> = (0..13).rev().filter(|r| flush >> r & 1 == 1).take(5).collect();
            return pack(HandClass::Flush, &cards);
        }
        if let Some(high) = straight_high(ranks) {
            return pack(HandClass::Straight, &[high]);
        }
        if let Some(&three) = threes.first() {
            return pack(HandClass::ThreeOfAKind, &[vec![three], odd(&[three], 2)].concat());
        }
        if let [high, low, ..] = pairs[..] {
            return pack(HandClass::TwoPairs, &[vec![high, low], odd(&[high, low], 1)].concat());
        }
        if let [pair] = pairs[..] {
            return pack(HandClass::OnePair, &[vec![pair], odd(&[pair], 3)].concat());
        }
        pack(HandClass::FiveOddCards, &odd(&[], 5))
    }
}

fn straight_high(ranks: u32) -> Option<usize> {
    let wheel = ranks << 1 | ranks >> 12 & 1;
    (3..13).rev().find(|high| wheel >> (high - 3) & 0b1_1111 == 0b1_1111)
}
