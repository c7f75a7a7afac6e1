//! The ten classes of hands, named and ordered as in the rule texts.
//!
//! A class says what kind of hand it is, not which of two hands of the same class is higher: that is [`HandValue`].

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::HandValue;

/// The order of hands, from the lowest to the highest, with the names of the rule texts (3.1.2, 3.11).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names are those of the rule texts")]
// RWS 3.1.2
pub enum HandClass {
    // MBS 3.11.10
    FiveOddCards,
    // MBS 3.11.9
    OnePair,
    // MBS 3.11.8
    TwoPairs,
    // MBS 3.11.7
    ThreeOfAKind,
    // MBS 3.11.6
    Straight,
    // MBS 3.11.5
    Flush,
    // MBS 3.11.4
    FullHouse,
    // MBS 3.11.3
    FourOfAKind,
    // MBS 3.11.2
    StraightFlush,
    // MBS 3.11.1
    RoyalFlush,
}

/// How many values each class has, in the order of [`HandClass::ALL`].
///
/// Suits have no rank, so hands differ only by the ranks of their five cards:
///
/// | class | choices | values |
/// |---|---|---|
/// | Five Odd Cards | 5 of 13 ranks, less the 10 straights | 1,287 − 10 = 1,277 |
/// | One Pair | a pair, 3 of the 12 other ranks | 13 × 220 = 2,860 |
/// | Two Pairs | 2 of 13 ranks, 1 of the 11 others | 78 × 11 = 858 |
/// | Three of a Kind | a rank, 2 of the 12 others | 13 × 66 = 858 |
/// | Straight | the highest card: Five to Ace | 10 |
/// | Flush | as Five Odd Cards | 1,277 |
/// | Full House | the three, then the pair | 13 × 12 = 156 |
/// | Four of a Kind | the four, then the fifth card | 13 × 12 = 156 |
/// | Straight Flush | as Straight, less the royal one | 9 |
/// | Royal Flush | | 1 |
///
/// Together they are 7,462.
const VALUES: [u16; 10] = [1277, 2860, 858, 858, 10, 1277, 156, 156, 9, 1];

/// The number of the highest value of each class: the running total of [`VALUES`].
const HIGHEST: [u16; 10] = {
    let mut highest = VALUES;
    let mut class = 1;
    while class < 10 {
        highest[class] += highest[class - 1];
        class += 1;
    }
    highest
};

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

    /// Whether all five cards are of one suit.
    #[must_use]
    pub const fn is_flush(self) -> bool {
        matches!(self, HandClass::Flush | HandClass::StraightFlush | HandClass::RoyalFlush)
    }

    /// The lowest value of this class.
    #[must_use]
    pub const fn lowest(self) -> HandValue {
        HandValue(HIGHEST[self as usize] - VALUES[self as usize] + 1)
    }

    /// The highest value of this class.
    #[must_use]
    pub const fn highest(self) -> HandValue {
        HandValue(HIGHEST[self as usize])
    }
}

impl HandValue {
    /// The lowest value: 7-5-4-3-2 of more than one suit.
    pub const MIN: HandValue = HandValue(1);
    /// The highest value: a Royal Flush.
    pub const MAX: HandValue = HandValue(HIGHEST[9]);

    /// The hand's class.
    #[must_use]
    #[inline]
    pub fn class(self) -> HandClass {
        // Adding up nine comparisons costs less than a search with unpredictable branches.
        let below: usize = HIGHEST[..9].iter().map(|&highest| usize::from(self.0 > highest)).sum();
        HandClass::ALL[below]
    }
}

/// The name for people.
impl fmt::Display for HandClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
