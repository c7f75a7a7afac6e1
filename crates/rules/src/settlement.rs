//! What happens to the wagers: decisions, qualification, outcomes, odds.

use std::str::FromStr;
use std::sync::OnceLock;

use baize_cards::{Card, HandClass, HandValue, Rank, Suit};
use serde::{Deserialize, Serialize};

use crate::{Area, Cited, Cites, Money, MoneyError, Role};

/// The alternative to a raise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Otherwise {
    /// The player is out.
    Fold,
    /// The player stays in without adding chips.
    Check,
}

/// A decision of the player, in order: each is made before the reveal at the same position in the procedure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct DecisionRule {
    /// The area of the raise.
    pub area: Area,
    /// The raise is this many times the ante.
    pub times_ante: u32,
    /// The alternative to the raise.
    pub otherwise: Otherwise,
    /// The paragraphs that fix the size of the raise.
    pub cites: Cites,
}

/// What the dealer needs to qualify.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Qualification {
    /// The lowest five odd cards with these two ranks as their highest, or any higher hand (Ace and King).
    TwoCards(#[serde(serialize_with = "rank_pair")] (Rank, Rank)),
    /// A hand of this class or better.
    Class(HandClass),
}

impl Qualification {
    /// The lowest hand that qualifies. `None` for two ranks that no five odd cards have as their highest, such as 6-5.
    #[must_use]
    pub fn lowest(self) -> Option<HandValue> {
        // Every settled round asks this, so the answers for pairs of ranks are cached.
        static OF_TWO_CARDS: OnceLock<[[Option<HandValue>; 13]; 13]> = OnceLock::new();
        match self {
            Qualification::Class(class) => Some(class.lowest()),
            Qualification::TwoCards((one, other)) => {
                let table = OF_TWO_CARDS.get_or_init(|| {
                    Rank::ALL.map(|one| Rank::ALL.map(|other| lowest_odd(one.max(other), one.min(other))))
                });
                table[one.index()][other.index()]
            }
        }
    }
}

/// The lowest five odd cards whose highest two are these.
fn lowest_odd(high: Rank, low: Rank) -> Option<HandValue> {
    let suits = [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades, Suit::Clubs];
    // The lowest three ranks; if they make a straight, the third goes up by one.
    let thirds = Rank::ALL.into_iter().filter(|third| (Rank::Four..low).contains(third));
    let mut values = thirds.filter_map(|third| {
        let cards = [high, low, third, Rank::Three, Rank::Two].into_iter().zip(suits);
        HandValue::of(cards.map(|(rank, suit)| Card::new(rank, suit)).collect()).ok()
    });
    values.find(|value| high != low && value.class() == HandClass::FiveOddCards)
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
        let qualification = Qualification::TwoCards((high, low));
        if qualification.lowest().is_none() {
            return Err(format!("`{text}`: no five odd cards have these as their highest two"));
        }
        Ok(qualification)
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
    /// …for this much staked.
    pub stake: u32,
}

impl Odds {
    /// What a winning stake is paid on top. A fraction of a cent is rounded up, in the player's favour (I-6).
    ///
    /// # Errors
    /// An amount above the largest.
    #[inline]
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
            None => Err(format!("`{text}` is not valid odds; write it like 20 to 1")),
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

/// What happens to one area in one outcome.
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
    /// Returned for another reason.
    Returned,
}

/// What happens to the ante and the raises in one outcome. Bonus and jackpot have their own rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutcomeRule {
    /// What happens to each area, by [`Area::index`]; `None` if the outcome does not cover it.
    pub fates: [Option<Cited<Fate>>; Area::COUNT],
}

/// `{"ante": …, "bet": …}`: the areas that the outcome covers.
impl Serialize for OutcomeRule {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(Area::ALL.into_iter().filter_map(|area| Some((area, self.of(area)?))))
    }
}

impl OutcomeRule {
    /// What happens to this area.
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
    /// The dealer does not qualify. `None` if every hand of the dealer qualifies.
    pub not_qualified: Option<OutcomeRule>,
    /// Areas lost by a fold (a settlement line cites that of the procedure's decision).
    pub fold_loses: Vec<Area>,
    /// The paragraphs of a fold, over all procedures.
    pub fold: Cites,
    /// The player does not show the hand: the paragraphs.
    pub declined: Cites,
    /// Who may view a hand that its player did not show, if the rules name a position.
    pub declined_viewed: Option<Cited<Role>>,
    /// A hand that is not shown is deemed lower than the dealer's and without a jackpot award. Otherwise I-13 says what it loses.
    pub deemed_lower: bool,
    /// A hand that wins the jackpot is announced and left face up until it is paid (RWS). `None` if the text does not require it.
    pub left_face_up: Option<Cites>,
    /// Jackpot awards when the dealer has no qualifying hand, if a separate paragraph pays them.
    pub award_without_hand: Cites,
    /// Jackpot awards when the dealer has a qualifying hand, if a separate paragraph pays them.
    pub award_with_hand: Cites,
    /// Bet areas whose winnings are capped per box, with the cap.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_cards_qualify_from_the_lowest_odd_hand_that_has_them_on_top() {
        let value = |cards: &str| HandValue::of(cards.parse().unwrap()).unwrap();
        let lowest = |text: &str| text.parse::<Qualification>().map(Qualification::lowest);
        assert_eq!(lowest("A-K"), Ok(Some(value("As Kd 4c 3h 2s"))));
        // A-Q-4-3-2 and everything above it: A-K with no Queen too.
        assert!(value("As Kd 4c 3h 2s") >= lowest("A-Q").unwrap().unwrap());
        assert_eq!(lowest("7-5"), Ok(Some(value("7c 5d 4h 3s 2c"))));
        // 6-5-4-3-2 is a straight, and so is 5-4-3-2 with an Ace: A-5-4-3-2.
        assert!(lowest("6-5").is_err() && lowest("A-5").is_err() && lowest("A-4").is_err());
        assert_eq!(lowest("one-pair"), Ok(Some(value("2c 2d 5h 4s 3c"))));
    }
}
