//! What becomes of the wagers: decisions, qualification, outcomes, odds.

use std::str::FromStr;

use baize_cards::{HandClass, Rank};
use serde::{Deserialize, Serialize};

use crate::{Area, Cited, Cites, Money, MoneyError};

/// What a player does who does not raise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Otherwise {
    /// He is out.
    Fold,
    /// He goes on without adding chips.
    Check,
}

/// A decision of the player, in order: each is made before the reveal of the same position in the procedure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct DecisionRule {
    /// The area of the raise.
    pub area: Area,
    /// The raise is so many times the ante.
    pub times_ante: u32,
    /// What a player does who does not raise.
    pub otherwise: Otherwise,
    /// The paragraphs that fix the size of the raise.
    pub cites: Cites,
}

/// What the dealer needs to qualify.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Qualification {
    /// Five odd cards with these two ranks, or any higher hand (Ace and King).
    TwoCards(#[serde(serialize_with = "rank_pair")] (Rank, Rank)),
    /// A hand of this class or better.
    Class(HandClass),
}

/// `A-K`, or the code of a hand: `one-pair`.
impl FromStr for Qualification {
    type Err = String;

    fn from_str(text: &str) -> Result<Qualification, String> {
        let wrong = || format!("`{text}` is neither two ranks, such as A-K, nor a hand, such as one-pair");
        if let Some(class) = HandClass::ALL.into_iter().find(|class| class.code() == text) {
            return Ok(Qualification::Class(class));
        }
        let rank = |word: &str| Rank::ALL.into_iter().find(|rank| rank.short() == word).ok_or_else(wrong);
        let (high, low) = text.split_once('-').ok_or_else(wrong)?;
        let (high, low) = (rank(high)?, rank(low)?);
        if high <= low {
            return Err(format!("`{text}`: write two different ranks, the higher one first"));
        }
        Ok(Qualification::TwoCards((high, low)))
    }
}

fn rank_pair<S: serde::Serializer>(ranks: &(Rank, Rank), serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{}-{}", ranks.0.short(), ranks.1.short()))
}

/// `win` to `stake`: 20 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Odds {
    /// What is paid…
    pub win: u32,
    /// …for so much staked.
    pub stake: u32,
}

impl Odds {
    /// One to one.
    pub const EVEN: Odds = Odds { win: 1, stake: 1 };

    /// What a winning stake is paid on top. A fraction of a cent is rounded up, in the player's favour (I-6).
    ///
    /// # Errors
    /// An amount beyond the largest.
    pub fn pay(self, stake: Money) -> Result<Money, MoneyError> {
        let product = stake.times(self.win)?;
        let per = i64::from(self.stake.max(1));
        Ok(Money::from_cents((product.cents() + per - 1).div_euclid(per)))
    }

    /// Whether these odds pay more than the others.
    #[must_use]
    pub fn exceeds(self, other: Odds) -> bool {
        u64::from(self.win) * u64::from(other.stake) > u64::from(other.win) * u64::from(self.stake)
    }
}

/// `20 to 1`.
impl FromStr for Odds {
    type Err = String;

    fn from_str(text: &str) -> Result<Odds, String> {
        let number = |word: &str| word.parse::<u32>().ok().filter(|n| (1..=1_000_000).contains(n));
        let odds = text.split_once(" to ").and_then(|(win, stake)| Some((number(win)?, number(stake)?)));
        match odds {
            Some((win, stake)) => Ok(Odds { win, stake }),
            None => Err(format!("`{text}` are no odds: write them like 20 to 1")),
        }
    }
}

impl std::fmt::Display for Odds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&format!("{} to {}", self.win, self.stake))
    }
}

impl Serialize for Odds {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Odds by the class of the winning hand, indexed by class from the lowest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HandOdds(pub [Odds; 10]);

/// `{"royal-flush": "250 to 1", …}`, the highest first.
impl Serialize for HandOdds {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(HandClass::ALL.into_iter().rev().map(|class| (class, self.of(class))))
    }
}

impl HandOdds {
    /// The odds for a hand of this class.
    #[must_use]
    pub const fn of(&self, class: HandClass) -> Odds {
        self.0[class as usize]
    }
}

/// What becomes of one area in one outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// Paid at these odds.
    Pays(Odds),
    /// Paid at these odds when the winning hand is of this class or better; otherwise neither paid nor collected.
    PaysFrom {
        /// The odds.
        odds: Odds,
        /// The lowest class that is paid.
        from: HandClass,
    },
    /// Paid by the class of the winning hand.
    PaysByHand(HandOdds),
    /// Collected.
    Loses,
    /// Neither paid nor collected: a stand-off.
    StandsOff,
    /// Handed back for another reason.
    Returned,
}

/// What becomes of the ante and the raises in one outcome. Bonus and jackpot have rules of their own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutcomeRule {
    /// The fate of each area, by [`Area::index`]; `None` where the outcome does not speak of it.
    pub fates: [Option<Cited<Fate>>; Area::COUNT],
}

/// `{"ante": …, "bet": …}`: the areas of which the outcome speaks.
impl Serialize for OutcomeRule {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(Area::ALL.into_iter().filter_map(|area| Some((area, self.of(area)?))))
    }
}

impl OutcomeRule {
    /// The fate of this area.
    #[must_use]
    pub const fn of(&self, area: Area) -> Option<&Cited<Fate>> {
        self.fates[area as usize].as_ref()
    }
}

/// The settlement of ante and raises.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SettlementRules {
    /// The player's hand ranks higher than the dealer's.
    pub higher: OutcomeRule,
    /// It ranks lower.
    pub lower: OutcomeRule,
    /// It ranks the same.
    pub equal: OutcomeRule,
    /// The dealer does not qualify. `None` where every hand of the dealer plays.
    pub not_qualified: Option<OutcomeRule>,
    /// Areas lost by a fold (a settlement line cites that of the procedure's decision).
    pub fold_loses: Vec<Area>,
    /// The paragraphs of a fold, over all procedures.
    pub fold: Cites,
    /// The player does not show his hand: every area, bonus and jackpot included, is lost; the paragraphs behind it.
    pub declined: Cites,
    /// Bet areas whose winnings are capped for each box, with the cap.
    #[serde(serialize_with = "caps_by_area")]
    pub caps: Vec<(Area, Cited<Money>)>,
    /// The ranking of hands.
    pub ranking: Cites,
}

fn caps_by_area<S: serde::Serializer>(
    caps: &[(Area, Cited<Money>)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(caps.iter().copied())
}
