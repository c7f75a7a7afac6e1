//! The report page.

use baize_house::MoneyKind;
use baize_report::Report;

use crate::pages::charts::Luck;
use crate::pages::shell::Shell;

/// The report page.
#[derive(Debug, Clone)]
pub(crate) struct ReportPage {
    /// What every page shares.
    pub(crate) shell: Shell,
    /// The figures.
    pub(crate) report: Report,
    /// The filter.
    pub(crate) form: ReportForm,
    /// The tables to choose from.
    pub(crate) tables: Vec<String>,
    /// The labels of the charts: hours or days, in order.
    pub(crate) labels: Vec<String>,
    /// The index of the label of each of the report's hours.
    pub(crate) places: Vec<usize>,
    /// The index of the label of each meter reading.
    pub(crate) meter_places: Vec<usize>,
    /// Win compared with the exact expectation; empty while it is being computed.
    pub(crate) luck: Vec<Luck>,
    /// Whether the exact expectation is still being computed.
    pub(crate) computing: bool,
    /// The query of this report, for downloads.
    pub(crate) query: String,
}

/// The filter, as the form shows it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct ReportForm {
    /// The first gaming day.
    pub(crate) from: String,
    /// The last.
    pub(crate) to: String,
    /// `table`, `game` or `day`.
    pub(crate) by: String,
    /// One table, or all.
    pub(crate) table: String,
    /// `practice` or `cash`.
    pub(crate) money: MoneyKind,
}
