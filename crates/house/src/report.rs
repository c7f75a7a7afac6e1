//! Drop, win, hold: the house's figures.

use baize_rules::Money;
use serde::Serialize;

/// What a line of a report stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum By {
    Table,
    Game,
    Day,
}

/// One line.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct ReportLine {
    /// The table, game or day.
    pub key: String,
    /// Rounds that were settled.
    pub rounds: u64,
    /// Rounds that were void.
    pub voids: u64,
    /// All that was staked in settled rounds.
    pub drop: Money,
    /// What the house won of it.
    pub win: Money,
    /// Win in hundredths of a per cent of the drop.
    pub hold_hundredths: i64,
    /// What wagers added to jackpots.
    pub contributed: Money,
    /// What jackpots paid.
    pub awarded: Money,
}

/// A report. Without lines it says "no activity".
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    /// What a line stands for.
    pub by: By,
    /// The lines.
    pub lines: Vec<ReportLine>,
    /// All of them together.
    pub total: ReportLine,
}
