//! The house's figures for finance and the cage: handle, win, hold, contributions, awards, jackpots, buy-ins and cash-outs.
//!
//! Every figure is made of the journal's ledger entries and belongs to the gaming day on which its entry was written: a correction or an
//! award of the next day is the next day's, and the report of a day that is over never changes. `docs/house.md` says what each figure
//! means.

mod days;
mod hours;
mod jackpots;
mod print;
mod tally;
mod walk;

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

/// What a line of a report stands for.
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
    /// What a line stands for, in a word.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            By::Table => "table",
            By::Game => "game",
            By::Day => "day",
        }
    }
}

/// Which report is asked for. The days are gaming days and both are in it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReportFilter {
    /// What a line stands for.
    pub by: By,
    /// From this day; nothing: from the first.
    pub from: Option<Date>,
    /// To this day; nothing: to the last.
    pub to: Option<Date>,
    /// Of this table only: then without jackpots and cage, which are the whole house's.
    pub table: Option<TableId>,
    /// Of this game only: the id of its rulebook.
    pub game: Option<String>,
    /// Of tables for this; nothing: for cash where any table is, else for practice. The two are never added up.
    pub money: Option<MoneyKind>,
    /// Which 24 hours are a day.
    pub day: GamingDay,
    /// With figures by the hour.
    pub hours: bool,
}

/// A report that cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReportFault {
    /// The days are the wrong way round.
    #[error("a report cannot run from {from} back to {to}: the first day comes first")]
    Backwards {
        /// The first day that was asked for.
        from: Date,
        /// The last.
        to: Date,
    },
    /// No such table.
    #[error("there is no table `{asked}`: the tables are {known}")]
    NoTable {
        /// What was asked for.
        asked: String,
        /// What there is.
        known: String,
    },
    /// No table plays it.
    #[error("no table plays `{asked}`: the games are {known}")]
    NoGame {
        /// What was asked for.
        asked: String,
        /// What there is.
        known: String,
    },
}

/// Why there is no report.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReportError {
    /// It cannot be made as it was asked for.
    #[error(transparent)]
    Asked(#[from] ReportFault),
    /// The house said no, or cannot read its journal.
    #[error(transparent)]
    House(#[from] HouseError),
}

impl From<StoreError> for ReportError {
    fn from(error: StoreError) -> ReportError {
        ReportError::House(error.into())
    }
}

/// One line: what happened at the tables.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(into = "WrittenLine", from = "WrittenLine")]
pub struct ReportLine {
    /// The table, game or day.
    pub key: String,
    /// Rounds that were settled.
    pub rounds: u64,
    /// Rounds that were void, also those that were settled before.
    pub voids: u64,
    /// All stakes of settled rounds; those of a settled round that became void are taken off again.
    pub handle: Money,
    /// What the floats gained by wagers, before contributions and awards.
    pub win: Money,
    /// What floats gave to jackpots.
    pub contributions: Money,
    /// Awards that jackpots paid.
    pub awards_from_meter: Money,
    /// Awards, or parts of them, that the floats paid.
    pub awards_by_house: Money,
    /// What the house brought to floats. No part of the win.
    pub float_fills: Money,
}

impl ReportLine {
    /// What is left to the tables: win less contributions less awards paid by the house. Together with what was brought to the floats
    /// it is exactly what the floats' accounts changed by.
    #[must_use]
    pub fn net_win(&self) -> Money {
        self.win - self.contributions - self.awards_by_house
    }

    /// Win in parts of the handle, in hundredths of a per cent, rounded to the nearest: `12.34`. Nothing without a handle.
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

    /// Something other than chips for a float.
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

/// A line as data: with what is worked out from it.
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

/// The hold is the exact fraction, and a decimal of it for people.
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

/// The pools of a jackpot at one moment, with their fractions of a cent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct PoolsStood {
    /// The meter, which the sign shows rounded down.
    pub meter: Exact,
    /// What is set aside for the next reset.
    pub reserve: Exact,
    /// What came in above the ceiling.
    pub overflow: Exact,
}

impl PoolsStood {
    /// All of it.
    #[must_use]
    pub fn total(&self) -> Exact {
        self.meter + self.reserve + self.overflow
    }
}

/// One jackpot on one day. Opening pools and all that came in, less all that went out, are the closing pools.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JackpotLine {
    /// Which.
    pub jackpot: JackpotId,
    /// The gaming day.
    pub day: Date,
    /// The pools when the day began.
    pub opening: PoolsStood,
    /// What the house opened it with, on its first day.
    pub opened_with: Exact,
    /// Contributions of wagers, less those taken out again.
    pub contributions: Exact,
    /// What the house paid for resets.
    pub resets_by_house: Exact,
    /// What came from jackpots that closed, less what went to another when it closed itself.
    pub moved: Exact,
    /// What hits drew from the meter: locked for the winner when the hit is entered, and given back if it is rejected.
    pub awards_from_meter: Exact,
    /// What of such awards was handed over on this day.
    pub handed_over: Money,
    /// The pools when the day ended, or now.
    pub closing: PoolsStood,
    /// Hits entered.
    pub hits: u64,
    /// Hits paid.
    pub paid: u64,
    /// Hits that did not qualify.
    pub rejected: u64,
    /// Hits whose round or hand was undone after the settlement.
    pub reversed: u64,
}

impl JackpotLine {
    fn is_activity(&self) -> bool {
        let moved = [self.contributions, self.resets_by_house, self.moved, self.awards_from_meter];
        !moved.iter().all(|amount| amount.is_zero())
            || self.hits + self.paid + self.rejected + self.reversed > 0
    }
}

/// What one cashier did on one day.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct CageLine {
    /// The gaming day; nothing in the total.
    pub day: Option<Date>,
    /// Who; `house` for play chips that nobody paid for.
    pub cashier: String,
    /// How many times chips were sold.
    pub buy_ins: u64,
    /// For how much: the drop.
    pub bought: Money,
    /// How many times chips were taken back.
    pub cash_outs: u64,
    /// For how much.
    pub cashed: Money,
    /// Play chips that were given for nothing.
    pub play_chips: Money,
}

impl CageLine {
    /// Cash that stayed in the cage.
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

/// A report. One in which nothing happened says so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Report {
    /// What a line stands for.
    pub by: By,
    /// The first day that was asked for.
    pub from: Option<Date>,
    /// The last.
    pub to: Option<Date>,
    /// Of one table.
    pub table: Option<TableId>,
    /// Of one game.
    pub game: Option<String>,
    /// What the tables and jackpots of the report are played with.
    pub money: MoneyKind,
    /// Which 24 hours are a day.
    pub gaming_day: GamingDay,
    /// Whether anything happened.
    pub activity: bool,
    /// `no activity`, where nothing did.
    pub note: Option<&'static str>,
    /// The lines.
    pub lines: Vec<ReportLine>,
    /// All of them together.
    pub total: ReportLine,
    /// The jackpots by name and day; none in a report of one table or game.
    pub jackpots: Vec<JackpotLine>,
    /// The cage by day and cashier; nothing in a report of one table or game.
    pub cage: Vec<CageLine>,
    /// All of it together.
    pub cage_total: CageLine,
    /// What players owe now, because rounds that were put right took back more than their purses held.
    pub owed: BTreeMap<String, Money>,
    /// By hour, table and dealer, where it was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hours: Vec<HourLine>,
    /// What was staked at each table, where it was asked for.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub staked: BTreeMap<String, Staked>,
    /// Where meters stood, where it was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub meters: Vec<MeterPoint>,
}

/// What a report without activity says.
const NO_ACTIVITY: &str = "no activity";
