//! The report page.

use baize_house::MoneyKind;
use baize_report::Report;

use super::Shell;
use crate::pages::charts::Luck;

/// The report page.
#[derive(Debug, Clone)]
pub struct ReportPage {
    /// What every page shares.
    pub shell: Shell,
    /// The figures.
    pub report: Report,
    /// The filter.
    pub form: ReportForm,
    /// The tables to choose from.
    pub tables: Vec<String>,
    /// The labels of the charts: hours or days, in order.
    pub labels: Vec<String>,
    /// The index of the label of each of the report's hours.
    pub places: Vec<usize>,
    /// The index of the label of each meter reading.
    pub meter_places: Vec<usize>,
    /// Win compared with the exact expectation; empty while it is being computed.
    pub luck: Vec<Luck>,
    /// Whether the exact expectation is still being computed.
    pub computing: bool,
    /// The query of this report, for downloads.
    pub query: String,
}

/// The filter, as the form shows it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReportForm {
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
