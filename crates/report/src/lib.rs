//! Reports for finance and the cage: handle, win, hold, contributions, awards, jackpots, buy-ins and cash-outs.
//!
//! Every figure is computed from the journal's ledger entries and belongs to the gaming day on which its entry was written. A correction or
//! an award of the next day counts for the next day, so the report of a finished day never changes. `docs/house.md` defines the figures.

mod days;
mod hours;
mod jackpots;
mod print;
mod tally;
mod walk;

// Boxed, as the methods of the house: compiled once, and not in each crate that awaits it.
use async_recursion::async_recursion as boxed;

pub use days::{Day, keep_days, kept, rules_kept};
pub use hours::{HourLine, MeterPoint, Staked};
pub use print::{Part, WORDS};
pub use tally::Tally;
pub use walk::{added_up, report};

use std::collections::BTreeMap;

use baize_jackpot::Exact;
use baize_journal::StoreError;
use baize_rules::Money;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use baize_house::{Date, GamingDay, HouseError, JackpotId, MoneyKind, TableId};

/// What a line of a report is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum By {
    #[default]
    Table,
    Game,
    Day,
}

impl By {
    /// The word for it.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            By::Table => "table",
            By::Game => "game",
            By::Day => "day",
        }
    }
}

/// Selects a report. Days are gaming days, inclusive.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReportFilter {
    /// What a line is about.
    pub by: By,
    /// First day; by default the first of the journal.
    pub from: Option<Date>,
    /// Last day; by default the last of the journal.
    pub to: Option<Date>,
    /// Only this table, without jackpots and cage, which belong to the whole house.
    pub table: Option<TableId>,
    /// Only this game: the id of its rulebook.
    pub game: Option<String>,
    /// Only tables for cash, or for practice. By default cash if there is any such table. The two are never summed.
    pub money: Option<MoneyKind>,
    /// Definition of the gaming day.
    pub day: GamingDay,
    /// Include hourly figures.
    pub hours: bool,
}

/// An invalid report request.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReportFault {
    /// The first day is after the last.
    #[error("the first day, {from}, is after the last, {to}")]
    Backwards {
        /// The first day requested.
        from: Date,
        /// The last day requested.
        to: Date,
    },
    /// No such table.
    #[error("there is no table `{asked}`: the tables are {known}")]
    NoTable {
        /// The one requested.
        asked: String,
        /// Those that exist.
        known: String,
    },
    /// No table plays this game.
    #[error("no table plays `{asked}`: the games are {known}")]
    NoGame {
        /// The one requested.
        asked: String,
        /// Those that exist.
        known: String,
    },
}

/// Why a report failed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReportError {
    /// The request is invalid.
    #[error(transparent)]
    Asked(#[from] ReportFault),
    /// The house refused, or cannot read its journal.
    #[error(transparent)]
    House(#[from] HouseError),
}

impl From<StoreError> for ReportError {
    fn from(error: StoreError) -> ReportError {
        ReportError::House(error.into())
    }
}

/// One line about the tables.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(into = "WrittenLine", from = "WrittenLine")]
pub struct ReportLine {
    /// The table, game or day.
    pub key: String,
    /// Rounds settled.
    pub rounds: u64,
    /// Rounds voided, including those settled before.
    pub voids: u64,
    /// Total staked in settled rounds, less those voided after settlement.
    pub handle: Money,
    /// Win of the floats from wagers, before contributions and awards.
    pub win: Money,
    /// Contributions of the floats to jackpots.
    pub contributions: Money,
    /// Awards paid by jackpots.
    pub awards_from_meter: Money,
    /// Awards, or parts of them, paid by the floats.
    pub awards_by_house: Money,
    /// Chips that the house added to floats. Not part of the win.
    pub float_fills: Money,
}

impl ReportLine {
    /// Win less contributions less awards paid by the house. Together with the float fills this is exactly the change of the floats'
    /// accounts.
    #[must_use]
    pub fn net_win(&self) -> Money {
        self.win - self.contributions - self.awards_by_house
    }

    /// Win divided by handle in per cent, rounded to two decimals: `12.34`. `None` if the handle is 0.
    #[must_use]
    pub fn hold_percent(&self) -> Option<String> {
        let (win, handle) = (i128::from(self.win.cents()), i128::from(self.handle.cents()));
        if handle <= 0 {
            return None;
        }
        let hundredths = (win * 20_000 + handle * win.signum()) / (2 * handle);
        let sign = if hundredths < 0 { "-" } else { "" };
        Some(format!("{sign}{}.{:02}", hundredths.abs() / 100, hundredths.abs() % 100))
    }

    /// Whether anything but float fills happened.
    fn is_activity(&self) -> bool {
        let brought = ReportLine { key: self.key.clone(), float_fills: self.float_fills, ..Self::default() };
        *self != brought
    }

    fn add(&mut self, other: &ReportLine) {
        self.rounds += other.rounds;
        self.voids += other.voids;
        self.handle += other.handle;
        self.win += other.win;
        self.contributions += other.contributions;
        self.awards_from_meter += other.awards_from_meter;
        self.awards_by_house += other.awards_by_house;
        self.float_fills += other.float_fills;
    }
}

/// A line as serialised, with the derived figures.
#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ReportLine")]
struct WrittenLine {
    key: String,
    rounds: u64,
    voids: u64,
    handle: Money,
    win: Money,
    hold: Option<Hold>,
    contributions: Money,
    awards_from_meter: Money,
    awards_by_house: Money,
    net_win: Money,
    float_fills: Money,
}

/// The hold as an exact fraction and as a decimal.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Hold {
    numerator: i64,
    denominator: i64,
    percent: String,
}

impl From<ReportLine> for WrittenLine {
    fn from(line: ReportLine) -> WrittenLine {
        let hold = line.hold_percent().map(|percent| Hold {
            numerator: line.win.cents(),
            denominator: line.handle.cents(),
            percent,
        });
        let net_win = line.net_win();
        let ReportLine { key, rounds, voids, handle, win, contributions, awards_from_meter, .. } = line;
        let ReportLine { awards_by_house, float_fills, .. } = line;
        WrittenLine {
            key,
            rounds,
            voids,
            handle,
            win,
            hold,
            contributions,
            awards_from_meter,
            awards_by_house,
            net_win,
            float_fills,
        }
    }
}

impl From<WrittenLine> for ReportLine {
    fn from(line: WrittenLine) -> ReportLine {
        let WrittenLine { key, rounds, voids, handle, win, contributions, awards_from_meter, .. } = line;
        let WrittenLine { awards_by_house, float_fills, .. } = line;
        ReportLine {
            key,
            rounds,
            voids,
            handle,
            win,
            contributions,
            awards_from_meter,
            awards_by_house,
            float_fills,
        }
    }
}

/// Pools of a jackpot at one moment, with fractions of a cent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct PoolsStood {
    /// The meter; displayed rounded down.
    pub meter: Exact,
    /// Set aside for the next reset.
    pub reserve: Exact,
    /// Received above the ceiling.
    pub overflow: Exact,
}

impl PoolsStood {
    /// The sum of all pools.
    #[must_use]
    pub fn total(&self) -> Exact {
        self.meter + self.reserve + self.overflow
    }
}

/// One jackpot on one day. Opening pools plus everything received less everything paid are the closing pools.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JackpotLine {
    /// The jackpot.
    pub jackpot: JackpotId,
    /// The gaming day.
    pub day: Date,
    /// The pools when the day began.
    pub opening: PoolsStood,
    /// Paid in by the house when it was opened.
    pub opened_with: Exact,
    /// Contributions of wagers, less those withdrawn.
    pub contributions: Exact,
    /// Paid by the house for resets.
    pub resets_by_house: Exact,
    /// Received from closed jackpots, less what it moved to another when it closed.
    pub moved: Exact,
    /// Drawn from the meter by hits: locked for the winner when the hit is entered, returned if it is rejected.
    pub awards_from_meter: Exact,
    /// Part of such awards handed over on this day.
    pub handed_over: Money,
    /// The pools at the end of the day, or now.
    pub closing: PoolsStood,
    /// Hits entered.
    pub hits: u64,
    /// Hits paid.
    pub paid: u64,
    /// Hits rejected because they did not qualify.
    pub rejected: u64,
    /// Hits whose round or hand was reversed after the settlement.
    pub reversed: u64,
}

impl JackpotLine {
    fn is_activity(&self) -> bool {
        let moved = [self.contributions, self.resets_by_house, self.moved, self.awards_from_meter];
        !moved.iter().all(|amount| amount.is_zero())
            || self.hits + self.paid + self.rejected + self.reversed > 0
    }
}

/// One cashier on one day.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct CageLine {
    /// The gaming day; none in the total.
    pub day: Option<Date>,
    /// The cashier; `house` for play chips.
    pub cashier: String,
    /// Number of buy-ins.
    pub buy_ins: u64,
    /// Amount of buy-ins: the drop.
    pub bought: Money,
    /// Number of cash-outs.
    pub cash_outs: u64,
    /// Amount of cash-outs.
    pub cashed: Money,
    /// Play chips given out.
    pub play_chips: Money,
}

impl CageLine {
    /// Net cash received.
    #[must_use]
    pub fn net(&self) -> Money {
        self.bought - self.cashed
    }

    fn add(&mut self, other: &CageLine) {
        self.buy_ins += other.buy_ins;
        self.bought += other.bought;
        self.cash_outs += other.cash_outs;
        self.cashed += other.cashed;
        self.play_chips += other.play_chips;
    }
}

/// A report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Report {
    /// What a line is about.
    pub by: By,
    /// The first day requested.
    pub from: Option<Date>,
    /// The last day requested.
    pub to: Option<Date>,
    /// The only table, if requested.
    pub table: Option<TableId>,
    /// The only game, if requested.
    pub game: Option<String>,
    /// Whether it covers tables and jackpots for cash or for practice.
    pub money: MoneyKind,
    /// Definition of the gaming day.
    pub gaming_day: GamingDay,
    /// Whether anything happened.
    pub activity: bool,
    /// `no activity` if nothing did.
    pub note: Option<&'static str>,
    /// The lines.
    pub lines: Vec<ReportLine>,
    /// Total of the lines.
    pub total: ReportLine,
    /// The jackpots by name and day; none in a report of one table or game.
    pub jackpots: Vec<JackpotLine>,
    /// The cage by day and cashier; none in a report of one table or game.
    pub cage: Vec<CageLine>,
    /// Total of the cage.
    pub cage_total: CageLine,
    /// Current debts of players, from corrections that took back more than their purses held.
    pub owed: BTreeMap<String, Money>,
    /// By hour, table and dealer, if requested.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hours: Vec<HourLine>,
    /// Amounts staked at each table, if requested.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub staked: BTreeMap<String, Staked>,
    /// Meter values by hour, if requested.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub meters: Vec<MeterPoint>,
}

/// Note of a report without activity.
const NO_ACTIVITY: &str = "no activity";
