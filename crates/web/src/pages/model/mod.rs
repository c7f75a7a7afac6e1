//! The data of each page. The server's view models create them; the renderers turn them into HTML.
//!
//! Everything about a round is a [`baize_table::RoundView`], so a page cannot show a card that its reader may not see. Nothing here reads a clock, a
//! database or a request.

mod audit;
mod cage;
mod dealer;
mod history;
mod house;
mod jackpot;
mod lobby;
mod odds;
mod pit;
mod report;
mod session;
mod staff;
mod table;

pub(crate) use audit::{AuditPage, ChainStatus, Export, JournalFilter, JournalLine};
pub(crate) use cage::{CageConfirmation, CageLine, CagePage, CageReceipt};
pub(crate) use dealer::{DealerPage, DealerTables, NextStep};
pub(crate) use history::{HistoryFilter, HistoryPage, Proof, ProofCard, ReplayStep, RoundLine, RoundPage};
pub(crate) use house::{HouseJackpot, HousePage, HouseTable, Parameter, ParameterChange};
pub(crate) use jackpot::{HitLine, Meter, PendingHit, SignPage};
pub(crate) use lobby::{LobbyPage, TableCard};
pub(crate) use odds::{
    Calculator, Exact, HeatCell, JackpotReturn, OddsIndex, OddsPage, OutcomeLine, SolveProgress,
    StrategyLine, WagerOdds,
};
pub(crate) use pit::{
    DeskPage, DeskPreview, PitPage, PitTable, SetUp, SignificantEvent, TaskLine, WaitingRuling, rulings_of,
};
pub(crate) use report::{ReportForm, ReportPage};
pub(crate) use session::{SessionPage, SessionPoint};
pub(crate) use staff::{
    DutyChoice, StaffConfirmation, StaffLink, StaffMember, StaffPage, StaffRow, StaffSuspended,
};
pub(crate) use table::{Advice, AdviceLine, Award, BetDraft, Clock, Dealing, LogLine, NextLimits, TablePage};
