//! The progressive jackpot's pay table and order of payment, and the claim that a round makes.

use std::fmt;
use std::str::FromStr;

use baize_cards::HandClass;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{BoxNumber, Cited, Cites, Money};

/// A percentage with up to two decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Percent {
    hundredths: u32,
}

impl Percent {
    /// All of it.
    pub const WHOLE: Percent = Percent { hundredths: 10_000 };
    /// None of it.
    pub const ZERO: Percent = Percent { hundredths: 0 };

    /// This many hundredths of a per cent: 10,000 is all.
    #[must_use]
    pub const fn from_hundredths(hundredths: u32) -> Percent {
        Percent { hundredths }
    }

    /// Hundredths of a per cent.
    #[must_use]
    pub const fn hundredths(self) -> u32 {
        self.hundredths
    }
}

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.hundredths / 100, self.hundredths % 100);
        if rest == 0 {
            f.pad(&format!("{whole}%"))
        } else {
            let text = format!("{whole}.{rest:02}");
            f.pad(&format!("{}%", text.trim_end_matches('0')))
        }
    }
}

/// `20%`, `12.5%`, `0.25%`.
impl FromStr for Percent {
    type Err = String;

    fn from_str(text: &str) -> Result<Percent, String> {
        let wrong = || format!("`{text}` is not a percentage: write it like 20% or 12.5%");
        let number = text.strip_suffix('%').ok_or_else(wrong)?;
        let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        if !digits(whole) || !digits(fraction) || fraction.len() > 2 || whole.len() > 6 {
            return Err(wrong());
        }
        let hundredths = format!("{whole}{fraction:0<2}").parse().map_err(|_| wrong())?;
        Ok(Percent { hundredths })
    }
}

impl Serialize for Percent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Percent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Percent, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// The cards that an award uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AwardCards {
    /// The player's five cards.
    Hand,
    /// The hole cards and the flop.
    HoleAndFlop,
    /// The hole cards, the flop and the turn.
    HoleFlopAndTurn,
    /// All seven, and the best five must include a hole card.
    SevenWithHole,
    /// The best five of all seven.
    BestOfSeven,
    /// The five community cards.
    Community,
}

/// What an award pays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AwardPay {
    /// This share of the jackpot, from the meter.
    Share(Percent),
    /// A fixed amount.
    Fixed(Money),
    /// This many times the wager, which is not returned.
    ForOne(u32),
}

/// `100%`, `SGD 1,500` or `400 for 1`.
impl FromStr for AwardPay {
    type Err = String;

    fn from_str(text: &str) -> Result<AwardPay, String> {
        let wrong = || format!("`{text}` is no award: write it like 10%, SGD 1,500 or 400 for 1");
        if let Some(amount) = text.strip_prefix("SGD ") {
            let amount = amount.parse().map_err(|error| format!("`{text}`: {error}"))?;
            return Ok(AwardPay::Fixed(amount));
        }
        if let Some(times) = text.strip_suffix(" for 1") {
            let times = times.parse::<u32>().ok().filter(|n| (1..=1_000_000).contains(n));
            return times.map(AwardPay::ForOne).ok_or_else(wrong);
        }
        text.parse().map(AwardPay::Share).map_err(|_| wrong())
    }
}

/// `100%`, `SGD 1,500.00`, `400 for 1`.
impl fmt::Display for AwardPay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AwardPay::Share(share) => f.pad(&share.to_string()),
            AwardPay::Fixed(amount) => f.pad(&format!("SGD {}", amount.grouped())),
            AwardPay::ForOne(times) => f.pad(&format!("{times} for 1")),
        }
    }
}

/// One line of the jackpot pay table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Award {
    /// The name of the line: "Royal Flush on the Flop".
    pub name: String,
    /// The hand that it needs, exactly this class.
    pub class: HandClass,
    /// The cards that it uses.
    pub cards: AwardCards,
    /// What it pays.
    pub pays: AwardPay,
    /// Whether a wager of several times the minimum multiplies it.
    pub multiplied: bool,
    /// The paragraphs.
    pub cites: Cites,
}

/// What a jackpot wager can still win after a fold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AfterFold {
    /// Everything, as without the fold.
    Everything,
    /// Awards on the community cards only.
    CommunityOnly,
    /// Nothing.
    Nothing,
}

/// Who is paid first when tables win at nearly the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AcrossTables {
    /// The hand that was entered into the system first.
    EnteredFirst,
    /// The hand that was dealt first.
    DealtFirst,
}

/// Order and sharing between winners of one round at one table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WithinTable {
    /// Clockwise in the order of the deal, whatever the award (RS). Otherwise lower awards first, a royal last.
    pub clockwise: Cited<bool>,
    /// Several royals: the jackpot and its resets are added and divided equally.
    pub royals_pooled: Option<Cites>,
    /// Several straight flushes: their shares are added and divided equally.
    pub straight_flushes_pooled: Option<Cites>,
}

/// The jackpot's rules in this game. Wager, reset value and rates are configured by the house.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JackpotRules {
    /// The awards, the highest-ranking first. A wager is paid the first one that it makes (I-2).
    pub awards: Vec<Award>,
    /// The paragraphs of the pay table, for a wager that wins nothing.
    pub table: Cites,
    /// What remains after a fold.
    pub after_fold: Cited<AfterFold>,
    /// The jackpot is paid in addition to everything else, whatever the dealer's hand.
    pub in_addition: Cites,
    /// Order between tables.
    pub across_tables: Cited<AcrossTables>,
    /// Order and sharing at one table.
    pub within_table: WithinTable,
    /// The meter grows with accepted wagers and returns to its reset value.
    pub meter: Cites,
    /// A winning hand is left face up until it is paid.
    pub shown: Cites,
}

/// A round's claim for one winning jackpot wager: the interface between the table and the jackpot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// The box, counted clockwise from the dealer's left: also the order of the deal.
    pub seat: BoxNumber,
    /// The index of the award in [`JackpotRules::awards`]: the highest-ranking one that the cards make.
    pub award: usize,
    /// Every award that the cards make, bit `n` for award `n`: what the other reading of I-2 chooses from.
    #[serde(default)]
    pub made: u32,
    /// The jackpot wager.
    pub wager: Money,
    /// How many times the minimum wager it is.
    pub multiple: u32,
}
