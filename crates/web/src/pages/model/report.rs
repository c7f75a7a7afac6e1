//! The report of the house as a page.

use baize_house::MoneyKind;
use baize_report::Report;

use super::Shell;
use crate::pages::charts::Luck;

/// The page.
#[derive(Debug, Clone)]
pub struct ReportPage {
    /// What every page shares.
    pub shell: Shell,
    /// The figures.
    pub report: Report,
    /// What was asked for, as the form shows it: first day, last day, what a line stands for, table, practice or cash.
    pub asked: ReportAsk,
    /// The tables to choose from.
    pub tables: Vec<String>,
    /// Hours or days, in order, for the pictures.
    pub labels: Vec<String>,
    /// The place of each line of the report's hours among them.
    pub places: Vec<usize>,
    /// The place of each point of the meters among them.
    pub meter_places: Vec<usize>,
    /// Win against the exact expectation; empty while it is being counted.
    pub luck: Vec<Luck>,
    /// The exact figures are still being counted.
    pub counting: bool,
    /// The query that makes this report, for its downloads.
    pub query: String,
}

/// What was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReportAsk {
    /// The first gaming day.
    pub from: String,
    /// The last.
    pub to: String,
    /// `table`, `game` or `day`.
    pub by: String,
    /// One table, or all.
    pub table: String,
    /// `practice` or `cash`.
    pub money: MoneyKind,
}
