//! What the texts leave open: named switches, each with its default reading.

use serde::{Deserialize, Serialize};

use crate::Cites;

/// I-1: the bonus after a lost hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BonusAfterLoss {
    /// The bonus is settled on the hole cards whatever the showdown; only a fold loses it.
    #[default]
    HoleCards,
    /// The bonus is lost with a hand that ranks lower than the dealer's.
    LostWithHand,
}

/// I-2: one award for each jackpot wager.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AwardChoice {
    /// The highest-ranking award that the cards make is paid, even where a lower one would pay more.
    #[default]
    HighestRanking,
    /// The award that pays most at the meter then displayed is paid.
    HighestPaying,
}

/// I-3: pooled straight flushes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PooledStraightFlush {
    /// Each winner draws his share from the meter as the draw before left it; the draws are added and divided equally.
    #[default]
    Sequential,
    /// One share of the displayed meter and one share of the reset value for each further winner are added and divided equally; only the first lowers the meter.
    Reset,
}

/// I-4: several winners at one table where the text names no order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SeveralWinners {
    /// Lower awards first, a royal last; among equals clockwise, each at the meter then displayed.
    #[default]
    LowerFirst,
    /// Clockwise from the dealer's left, whatever the award.
    Clockwise,
}

/// I-5: awards "for 1".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ForOne {
    /// So many times the wager is paid and the wager itself is kept by the house.
    #[default]
    StakeKept,
    /// The award counts the wager as part of what is paid, so that one wager less is paid on top.
    StakeIncluded,
}

/// I-6: fractions of a cent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rounding {
    /// A payout is rounded up to the cent and lowers the meter by what is paid.
    #[default]
    Up,
    /// A payout is rounded down to the cent; the fraction stays in the meter.
    Down,
}

/// I-7: the bonus of an invalid hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BonusOfInvalid {
    /// An invalid hand returns its bonus too.
    #[default]
    Returned,
    /// Only the wagers that the paragraph names are returned; the bonus is collected.
    Collected,
}

/// I-8: when everybody folds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AllFold {
    /// The community cards are still revealed when a jackpot wager could win on them.
    #[default]
    Revealed,
    /// The round ends with the last fold and the community cards stay face down.
    NotRevealed,
}

/// I-9: the maximum payout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CapOn {
    /// The maximum is on the winnings, not on the returned stake.
    #[default]
    Winnings,
    /// The maximum includes the returned stake.
    Total,
}

/// I-10: who pays which award.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PaidBy {
    /// Only percentage awards come out of the meter; fixed and "for 1" awards are paid by the house.
    #[default]
    PercentFromMeter,
    /// Every award comes out of the meter as far as it reaches.
    AllFromMeter,
}

/// I-11: contributions of wagers that are returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Contribution {
    /// A wager that is returned later is taken out of the meter again unless the meter has been won in between.
    #[default]
    TakenOut,
    /// What was added to the meter when bets closed stays there.
    Kept,
}

/// The reading in force of every open point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Readings {
    /// I-1.
    pub bonus_after_loss: BonusAfterLoss,
    /// I-2.
    pub award_choice: AwardChoice,
    /// I-3.
    pub pooled_straight_flush: PooledStraightFlush,
    /// I-4.
    pub several_winners: SeveralWinners,
    /// I-5.
    pub for_one: ForOne,
    /// I-6.
    pub rounding: Rounding,
    /// I-7.
    pub bonus_of_invalid: BonusOfInvalid,
    /// I-8.
    pub all_fold: AllFold,
    /// I-9.
    pub cap_on: CapOn,
    /// I-10.
    pub paid_by: PaidBy,
    /// I-11.
    pub contribution: Contribution,
}

/// An open point that this rulebook names: its paragraphs and its default reading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Interpretation {
    /// `I-3`.
    pub id: &'static str,
    /// What is open.
    pub title: &'static str,
    /// The readings: name and words, those of [`Readings::choices`].
    pub readings: &'static [(&'static str, &'static str)],
    /// The name of the reading that this rulebook uses.
    pub reading: &'static str,
    /// The paragraphs that leave it open.
    pub cites: Cites,
}

/// An open point: its id, its title and its readings (name and words).
type Point = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

/// Every open point, I-1 to I-11.
const POINTS: [Point; 11] = [
    (
        "I-1",
        "The bonus after a lost hand",
        &[
            (
                "hole-cards",
                "the bonus is settled on the hole cards whatever the showdown; only a fold loses it",
            ),
            ("lost-with-hand", "the bonus is lost with a hand that ranks lower than the dealer's"),
        ],
    ),
    (
        "I-2",
        "One award for each jackpot wager",
        &[
            (
                "highest-ranking",
                "the highest-ranking award that the cards make is paid, even where a lower one would pay more",
            ),
            ("highest-paying", "the award that pays most at the meter then displayed is paid"),
        ],
    ),
    (
        "I-3",
        "Pooled straight flushes",
        &[
            (
                "sequential",
                "each winner draws his share from the meter as the draw before left it; the draws are added and divided equally",
            ),
            (
                "reset",
                "one share of the displayed meter and one share of the reset value for each further winner are added and divided equally; only the first lowers the meter",
            ),
        ],
    ),
    (
        "I-4",
        "Several winners at one table where the text names no order",
        &[
            (
                "lower-first",
                "lower awards first, a royal last; among equals clockwise, each at the meter then displayed",
            ),
            ("clockwise", "clockwise from the dealer's left, whatever the award"),
        ],
    ),
    (
        "I-5",
        "Awards \"for 1\"",
        &[
            ("stake-kept", "so many times the wager is paid and the wager itself is kept by the house"),
            (
                "stake-included",
                "the award counts the wager as part of what is paid, so that one wager less is paid on top",
            ),
        ],
    ),
    (
        "I-6",
        "Fractions of a cent",
        &[
            ("up", "a payout is rounded up to the cent and lowers the meter by what is paid"),
            ("down", "a payout is rounded down to the cent; the fraction stays in the meter"),
        ],
    ),
    (
        "I-7",
        "The bonus of an invalid hand",
        &[
            ("returned", "an invalid hand returns its bonus too"),
            ("collected", "only the wagers that the paragraph names are returned; the bonus is collected"),
        ],
    ),
    (
        "I-8",
        "When everybody folds",
        &[
            ("revealed", "the community cards are still revealed when a jackpot wager could win on them"),
            ("not-revealed", "the round ends with the last fold and the community cards stay face down"),
        ],
    ),
    (
        "I-9",
        "The maximum payout",
        &[
            ("winnings", "the maximum is on the winnings, not on the returned stake"),
            ("total", "the maximum includes the returned stake"),
        ],
    ),
    (
        "I-10",
        "Who pays which award",
        &[
            (
                "percent-from-meter",
                "only percentage awards come out of the meter; fixed and \"for 1\" awards are paid by the house",
            ),
            ("all-from-meter", "every award comes out of the meter as far as it reaches"),
        ],
    ),
    (
        "I-11",
        "Contributions of wagers that are returned",
        &[
            (
                "taken-out",
                "a wager that is returned later is taken out of the meter again unless the meter has been won in between",
            ),
            ("kept", "what was added to the meter when bets closed stays there"),
        ],
    ),
];

impl Readings {
    /// Every open point: its id, its title and its readings (name and words).
    #[must_use]
    pub const fn choices() -> &'static [Point] {
        &POINTS
    }

    /// The name of the reading in force of this open point.
    #[must_use]
    pub fn reading(&self, id: &str) -> Option<&'static str> {
        let at = POINTS.iter().position(|(point, ..)| *point == id)?;
        let choice = match at {
            0 => self.bonus_after_loss as usize,
            1 => self.award_choice as usize,
            2 => self.pooled_straight_flush as usize,
            3 => self.several_winners as usize,
            4 => self.for_one as usize,
            5 => self.rounding as usize,
            6 => self.bonus_of_invalid as usize,
            7 => self.all_fold as usize,
            8 => self.cap_on as usize,
            9 => self.paid_by as usize,
            10 => self.contribution as usize,
            _ => return None,
        };
        POINTS[at].2.get(choice).map(|(name, _)| *name)
    }

    /// The same readings but for this open point.
    ///
    /// # Errors
    /// An open point or a reading that does not exist; the text names those that do.
    pub fn with(mut self, id: &str, reading: &str) -> Result<Readings, String> {
        let Some((_, _, readings)) = POINTS.iter().find(|(point, ..)| *point == id) else {
            return Err(format!("`{id}` is not an open point: they are I-1 to I-11"));
        };
        match (id, reading) {
            ("I-1", "hole-cards") => self.bonus_after_loss = BonusAfterLoss::HoleCards,
            ("I-1", "lost-with-hand") => self.bonus_after_loss = BonusAfterLoss::LostWithHand,
            ("I-2", "highest-ranking") => self.award_choice = AwardChoice::HighestRanking,
            ("I-2", "highest-paying") => self.award_choice = AwardChoice::HighestPaying,
            ("I-3", "sequential") => self.pooled_straight_flush = PooledStraightFlush::Sequential,
            ("I-3", "reset") => self.pooled_straight_flush = PooledStraightFlush::Reset,
            ("I-4", "lower-first") => self.several_winners = SeveralWinners::LowerFirst,
            ("I-4", "clockwise") => self.several_winners = SeveralWinners::Clockwise,
            ("I-5", "stake-kept") => self.for_one = ForOne::StakeKept,
            ("I-5", "stake-included") => self.for_one = ForOne::StakeIncluded,
            ("I-6", "up") => self.rounding = Rounding::Up,
            ("I-6", "down") => self.rounding = Rounding::Down,
            ("I-7", "returned") => self.bonus_of_invalid = BonusOfInvalid::Returned,
            ("I-7", "collected") => self.bonus_of_invalid = BonusOfInvalid::Collected,
            ("I-8", "revealed") => self.all_fold = AllFold::Revealed,
            ("I-8", "not-revealed") => self.all_fold = AllFold::NotRevealed,
            ("I-9", "winnings") => self.cap_on = CapOn::Winnings,
            ("I-9", "total") => self.cap_on = CapOn::Total,
            ("I-10", "percent-from-meter") => self.paid_by = PaidBy::PercentFromMeter,
            ("I-10", "all-from-meter") => self.paid_by = PaidBy::AllFromMeter,
            ("I-11", "taken-out") => self.contribution = Contribution::TakenOut,
            ("I-11", "kept") => self.contribution = Contribution::Kept,
            _ => {
                let names: Vec<&str> = readings.iter().map(|(name, _)| *name).collect();
                return Err(format!("`{reading}` is not a reading of {id}: it has {}", names.join(", ")));
            }
        }
        Ok(self)
    }
}
