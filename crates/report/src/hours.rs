//! The hourly report: results by table and dealer, meters, and amounts staked, which separate luck from skill.

use baize_rules::{Area, Money};
use baize_table::BoxSettlement;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use baize_house::{Instant, JackpotId};

/// Results of one table and dealer in one hour.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HourLine {
    /// Start of the hour.
    pub at: Instant,
    /// The table.
    pub table: String,
    /// Who settled the rounds: a dealer's login, or `house`.
    pub dealer: String,
    /// Rounds settled.
    pub rounds: u64,
    /// Boxes settled ("decisions").
    pub decisions: u64,
    /// Total staked on them.
    pub handle: Money,
    /// Win of the float from wagers.
    pub win: Money,
}

/// Amounts staked at a table in settled rounds, in cents: sums, and sums of squares over rounds for the expected range of results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Staked {
    /// Antes.
    pub ante: i128,
    /// Bonus wagers.
    pub bonus: i128,
    /// Jackpot wagers.
    pub jackpot: i128,
    /// Squares of each round's antes.
    pub ante_squares: i128,
    /// Squares of each round's bonus wagers.
    pub bonus_squares: i128,
    /// Products of each round's antes and bonus wagers.
    pub products: i128,
}

impl Staked {
    pub(super) fn add(&mut self, of: &Stakes, sign: i128) {
        let [ante, bonus, jackpot] = [of.ante, of.bonus, of.jackpot].map(|money| i128::from(money.cents()));
        self.ante += sign * ante;
        self.bonus += sign * bonus;
        self.jackpot += sign * jackpot;
        self.ante_squares += sign * ante * ante;
        self.bonus_squares += sign * bonus * bonus;
        self.products += sign * ante * bonus;
    }

    /// The sum of both.
    #[must_use]
    pub fn with(self, other: Staked) -> Staked {
        Staked {
            ante: self.ante + other.ante,
            bonus: self.bonus + other.bonus,
            jackpot: self.jackpot + other.jackpot,
            ante_squares: self.ante_squares + other.ante_squares,
            bonus_squares: self.bonus_squares + other.bonus_squares,
            products: self.products + other.products,
        }
    }
}

/// Value of a meter at the end of an hour in which it changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MeterPoint {
    /// The jackpot.
    pub jackpot: JackpotId,
    /// Start of the hour.
    pub at: Instant,
    /// The value displayed.
    pub meter: Money,
}

/// The stakes of one settled round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Stakes {
    pub(super) handle: Money,
    ante: Money,
    bonus: Money,
    jackpot: Money,
}

impl HourLine {
    pub(super) fn add(&mut self, other: &HourLine) {
        self.rounds += other.rounds;
        self.decisions += other.decisions;
        self.handle += other.handle;
        self.win += other.win;
    }
}

impl Stakes {
    pub(super) fn of(slips: &[BoxSettlement]) -> Stakes {
        let on = |area: Option<Area>| -> Money {
            let stakes = slips.iter().flat_map(|slip| &slip.stakes);
            stakes.filter(|stake| area.is_none_or(|area| stake.area == area)).map(|stake| stake.amount).sum()
        };
        Stakes {
            handle: on(None),
            ante: on(Some(Area::Ante)),
            bonus: on(Some(Area::Bonus)),
            jackpot: on(Some(Area::Jackpot)),
        }
    }
}
