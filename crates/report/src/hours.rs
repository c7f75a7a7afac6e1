//! A report by the hour: what each table and dealer did, where meters stood, and what was staked, which separates luck from skill.

use baize_rules::{Area, Money};
use baize_table::BoxSettlement;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use baize_house::{Instant, JackpotId};

/// What a table did in one hour under one dealer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HourLine {
    /// When the hour began.
    pub at: Instant,
    /// The table.
    pub table: String,
    /// Who settled the rounds: a dealer's log-in, or `house`.
    pub dealer: String,
    /// Rounds that were settled.
    pub rounds: u64,
    /// Boxes that were settled: the trade's decisions.
    pub decisions: u64,
    /// All stakes of them.
    pub handle: Money,
    /// What the float gained by wagers.
    pub win: Money,
}

/// What was staked at a table in settled rounds: sums, and for the band of luck sums of squares over rounds. In cents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Staked {
    /// All antes.
    pub ante: i128,
    /// All bonus wagers.
    pub bonus: i128,
    /// All jackpot wagers.
    pub jackpot: i128,
    /// The antes of a round, squared.
    pub ante_squares: i128,
    /// The bonus wagers of a round, squared.
    pub bonus_squares: i128,
    /// The antes of a round times its bonus wagers.
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

    /// Both together.
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

/// Where a meter stood at the end of an hour in which it moved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MeterPoint {
    /// The jackpot.
    pub jackpot: JackpotId,
    /// When the hour began.
    pub at: Instant,
    /// What the sign showed.
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
