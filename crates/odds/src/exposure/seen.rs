//! The hidden cards that a player sees, and why an exposure cannot be analysed.

use std::fmt;
use std::str::FromStr;

use baize_cards::Rank;
use baize_rules::{Family, Rulebook};
use serde::{Serialize, Serializer};
use thiserror::Error;

use crate::GameError;
use crate::holdem::Early;

/// A set of ranks, such as those whose backs look different.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RankSet(u16);

impl RankSet {
    /// Whether the rank with this index is in it.
    #[must_use]
    pub const fn has(self, rank: usize) -> bool {
        self.0 >> rank & 1 == 1
    }

    /// How many of the cards, given by their ranks, are in it.
    #[must_use]
    pub fn count(self, ranks: &[u8; 13]) -> usize {
        ranks.iter().enumerate().filter(|(rank, _)| self.has(*rank)).map(|(_, n)| usize::from(*n)).sum()
    }
}

/// Reads `high` (Ten to Ace), `low` (Two to Six), `court` (Jack to King), ranks, and ranges of ranks: `ACE-KING`, `A,K`, `10-Q 2`.
impl FromStr for RankSet {
    type Err = ExposureError;

    fn from_str(text: &str) -> Result<RankSet, ExposureError> {
        let wrong = |part: &str| ExposureError::Ranks(part.to_owned());
        let mut set = 0u16;
        for word in text.split([',', ' ', '+']).filter(|word| !word.is_empty()) {
            let (from, to) = match word.to_ascii_lowercase().as_str() {
                "high" => (Rank::Ten, Rank::Ace),
                "low" => (Rank::Two, Rank::Six),
                "court" => (Rank::Jack, Rank::King),
                _ => match word.split_once('-') {
                    Some((one, other)) => {
                        (rank(one).ok_or_else(|| wrong(word))?, rank(other).ok_or_else(|| wrong(word))?)
                    }
                    None => match rank(word) {
                        Some(rank) => (rank, rank),
                        None => {
                            // Letters written together: `AK`.
                            for letter in word.chars() {
                                let rank = rank(&letter.to_string()).ok_or_else(|| wrong(word))?;
                                set |= 1 << rank.index();
                            }
                            continue;
                        }
                    },
                },
            };
            let (low, high) = (from.min(to).index(), from.max(to).index());
            set |= (low..=high).fold(0, |set, rank| set | 1 << rank);
        }
        if set == 0 || set == (1 << 13) - 1 {
            return Err(wrong(text));
        }
        Ok(RankSet(set))
    }
}

fn rank(text: &str) -> Option<Rank> {
    Rank::ALL.into_iter().find(|rank| {
        [rank.short(), rank.name(), rank.plural()].iter().any(|name| text.eq_ignore_ascii_case(name))
            || text.eq_ignore_ascii_case(&rank.letter().to_string())
    })
}

/// `A K`, highest first.
impl fmt::Display for RankSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ranks = Rank::ALL.into_iter().rev().filter(|rank| self.has(rank.index())).map(Rank::short);
        f.pad(&ranks.collect::<Vec<_>>().join(" "))
    }
}

impl Serialize for RankSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Hidden cards that are seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Exposed {
    /// Number of the dealer's face-down cards.
    pub dealer: usize,
    /// Number of flop cards seen before the first decision.
    pub flop: usize,
    /// The turn, before the first decision.
    pub turn: bool,
    /// The river, before the first decision.
    pub river: bool,
    /// Number of other boxes whose cards are seen.
    pub boxes: usize,
    /// Of the dealer's cards only whether they are of these ranks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ranks: Option<RankSet>,
}

/// Why an exposure cannot be analysed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ExposureError {
    /// More cards than the dealer has face down.
    #[error("{found} of the dealer's face-down cards: {family} has {most}, so give 1 to {most}")]
    Dealer {
        /// What was asked for.
        found: usize,
        /// How many there are.
        most: usize,
        /// The family.
        family: &'static str,
    },
    /// Community cards in stud.
    #[error("{family} has no community cards: omit --flop, --turn and --river")]
    Community {
        /// The family.
        family: &'static str,
    },
    /// More cards than a flop has.
    #[error("{0} cards of the flop: it has 3, so give 1 to 3")]
    Flop(usize),
    /// More boxes than there are.
    #[error("{found} other boxes: with the player's own, {id} has {most} at most, so give 1 to {}", most - 1)]
    Boxes {
        /// The rulebook.
        id: String,
        /// What was asked for.
        found: usize,
        /// The boxes of a layout.
        most: usize,
    },
    /// Not a set of ranks, or one of all ranks or none.
    #[error(
        "`{0}` is not a set of ranks: write `high`, `low`, `court`, ranks such as `A,K`, or a range such as `ACE-KING`; not all thirteen"
    )]
    Ranks(String),
    /// Nothing is seen.
    #[error("state what is seen, with {0}")]
    Nothing(&'static str),
    /// A simulation too small to estimate its error.
    #[error("a simulation needs at least 2 deals for a margin of error, not {0}")]
    TooFewDeals(u64),
    /// The rulebook or the amounts.
    #[error(transparent)]
    Game(#[from] GameError),
}

impl Exposed {
    /// Checks that a game has these cards; cards known by their backs are all of the dealer's if no number was given.
    ///
    /// # Errors
    /// More cards or boxes than the game has, community cards in stud, or nothing seen.
    pub fn checked(mut self, rulebook: &Rulebook) -> Result<Exposed, ExposureError> {
        let family = rulebook.family.name();
        let hidden = match rulebook.family {
            Family::Stud => 4,
            Family::Holdem => 2,
        };
        if self.dealer > hidden {
            return Err(ExposureError::Dealer { found: self.dealer, most: hidden, family });
        }
        if self.ranks.is_some() && self.dealer == 0 {
            self.dealer = hidden;
        }
        if rulebook.family == Family::Stud && (self.flop > 0 || self.turn || self.river) {
            return Err(ExposureError::Community { family });
        }
        if self.flop > 3 {
            return Err(ExposureError::Flop(self.flop));
        }
        let served = (52 - rulebook.board_size()) / rulebook.hand_size() - 1;
        let most = usize::from(rulebook.boxes.value.most).min(served);
        if self.boxes >= most {
            return Err(ExposureError::Boxes { id: rulebook.id.clone(), found: self.boxes, most });
        }
        if rulebook.family == Family::Holdem && self == Exposed::default() {
            return Err(ExposureError::Nothing(
                "--dealer 1 or 2, --flop, --turn, --river, --boxes or --ranks",
            ));
        }
        Ok(self)
    }

    /// The community cards that are seen before the first decision.
    #[must_use]
    pub const fn early(&self) -> Early {
        Early { flop: self.flop, turn: self.turn, river: self.river }
    }

    /// Whether every deal is counted. The cards of other boxes are too many to count.
    #[must_use]
    pub const fn countable(&self) -> bool {
        self.boxes == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_ranks() {
        for (text, set) in [
            ("ACE-KING", "A K"),
            ("A,K", "A K"),
            ("AK", "A K"),
            ("high", "A K Q J 10"),
            ("10-Q 2", "Q J 10 2"),
            ("T", "10"),
        ] {
            assert_eq!(text.parse::<RankSet>().unwrap().to_string(), set);
        }
        for text in ["", "2-A", "1", "ace-joker", "x"] {
            assert!(text.parse::<RankSet>().is_err(), "{text}");
        }
    }
}
