//! The 169 kinds of two hole cards, and sets of them as pay tables name them.

use std::fmt;
use std::str::FromStr;

use baize_cards::{Card, Rank, Suit};
use serde::{Serialize, Serializer};

/// A kind of two hole cards: a pair, two suited or two unsuited ranks. `AKs`, `AKo`, `TT`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StartingHand {
    high: Rank,
    low: Rank,
    suited: bool,
}

impl StartingHand {
    /// The kind of these two cards.
    #[must_use]
    pub fn of(first: Card, second: Card) -> StartingHand {
        let (high, low) = (first.rank().max(second.rank()), first.rank().min(second.rank()));
        StartingHand { high, low, suited: high != low && first.suit() == second.suit() }
    }

    /// The kind of these ranks. A pair is never suited.
    #[must_use]
    pub fn new(one: Rank, other: Rank, suited: bool) -> StartingHand {
        StartingHand { high: one.max(other), low: one.min(other), suited: suited && one != other }
    }

    /// All 169 kinds, in the order of their index.
    pub fn all() -> impl Iterator<Item = StartingHand> {
        Rank::ALL.into_iter().flat_map(|row| {
            Rank::ALL.into_iter().map(move |column| StartingHand::new(row, column, row > column))
        })
    }

    /// 0 to 168: 13 × row + column, suited kinds below the diagonal.
    #[must_use]
    pub const fn index(self) -> usize {
        if self.suited {
            self.high as usize * 13 + self.low as usize
        } else {
            self.low as usize * 13 + self.high as usize
        }
    }

    /// The higher rank.
    #[must_use]
    pub const fn high(self) -> Rank {
        self.high
    }

    /// The lower rank.
    #[must_use]
    pub const fn low(self) -> Rank {
        self.low
    }

    /// Whether both cards are of one suit.
    #[must_use]
    pub const fn suited(self) -> bool {
        self.suited
    }

    /// Whether it is a pair.
    #[must_use]
    pub fn is_pair(self) -> bool {
        self.high == self.low
    }

    /// How many of the 1,326 pairs of cards are of this kind: 4, 6 or 12.
    #[must_use]
    pub fn combinations(self) -> u32 {
        if self.is_pair() {
            6
        } else if self.suited {
            4
        } else {
            12
        }
    }

    /// Two cards of this kind: Clubs, and Diamonds where they are of two suits.
    #[must_use]
    pub const fn example(self) -> [Card; 2] {
        let second = if self.suited { Suit::Clubs } else { Suit::Diamonds };
        [Card::new(self.high, Suit::Clubs), Card::new(self.low, second)]
    }
}

impl fmt::Display for StartingHand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.is_pair() {
            ""
        } else if self.suited {
            "s"
        } else {
            "o"
        };
        f.pad(&format!("{}{}{kind}", self.high.letter(), self.low.letter()))
    }
}

/// `AKs`, `AKo`, `TT`.
impl FromStr for StartingHand {
    type Err = String;

    fn from_str(text: &str) -> Result<StartingHand, String> {
        let wrong = || format!("`{text}` is not a kind of hole cards: write AKs, AKo or TT");
        let rank = |c: char| Rank::ALL.into_iter().find(|r| r.letter() == c.to_ascii_uppercase());
        let letters: Vec<char> = text.chars().collect();
        let (&[one, other], suffix) = letters.split_first_chunk::<2>().ok_or_else(wrong)?;
        let (one, other) = (rank(one).ok_or_else(wrong)?, rank(other).ok_or_else(wrong)?);
        match (one == other, suffix) {
            (true, []) | (false, ['o']) => Ok(StartingHand::new(one, other, false)),
            (false, ['s']) => Ok(StartingHand::new(one, other, true)),
            _ => Err(wrong()),
        }
    }
}

impl Serialize for StartingHand {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A set of kinds of hole cards, written `KK QQ JJ`, `TT-22`, `AKs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartingHands {
    members: [bool; 169],
}

impl StartingHands {
    /// Whether the kind is in the set.
    #[must_use]
    pub const fn contains(&self, hand: StartingHand) -> bool {
        self.members[hand.index()]
    }

    /// The kinds in the set.
    pub fn iter(&self) -> impl Iterator<Item = StartingHand> + '_ {
        StartingHand::all().filter(|hand| self.contains(*hand))
    }
}

/// Kinds separated by spaces; `TT-22` is every pair from tens down to twos.
impl FromStr for StartingHands {
    type Err = String;

    fn from_str(text: &str) -> Result<StartingHands, String> {
        let mut members = [false; 169];
        if text.trim().is_empty() {
            return Err("no hole cards are named: write them like AKs, KK QQ or TT-22".to_owned());
        }
        for word in text.split_whitespace() {
            if let Some((from, to)) = word.split_once('-') {
                let (from, to): (StartingHand, StartingHand) = (from.parse()?, to.parse()?);
                if !from.is_pair() || !to.is_pair() {
                    return Err(format!("`{word}`: only pairs make a range, such as TT-22"));
                }
                let (low, high) = (from.high.min(to.high), from.high.max(to.high));
                for rank in Rank::ALL.into_iter().filter(|r| (low..=high).contains(r)) {
                    members[StartingHand::new(rank, rank, false).index()] = true;
                }
            } else {
                members[word.parse::<StartingHand>()?.index()] = true;
            }
        }
        Ok(StartingHands { members })
    }
}

impl Serialize for StartingHands {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}
