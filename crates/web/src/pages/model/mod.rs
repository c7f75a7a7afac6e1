//! The data of each page. The server's view models create them; the renderers turn them into HTML.
//!
//! Everything about a round is a [`baize_table::RoundView`], so a page cannot show a card that its reader may not see. Nothing here reads a clock, a
//! database or a request.

mod audit;
mod history;
mod odds;
mod report;
mod session;

pub(crate) use audit::{AuditPage, ChainStatus, Export, JournalFilter, JournalLine};
pub(crate) use history::{HistoryFilter, HistoryPage, Proof, ProofCard, ReplayStep, RoundLine, RoundPage};
pub(crate) use odds::{
    Calculator, Exact, HeatCell, JackpotReturn, OddsIndex, OddsPage, OutcomeLine, SolveProgress,
    StrategyLine, WagerOdds,
};
pub(crate) use report::{ReportForm, ReportPage};
pub(crate) use session::{SessionPage, SessionPoint};
