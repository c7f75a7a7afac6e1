//! The data of each page. The server's view models create them; the renderers turn them into HTML.
//!
//! Everything about a round is a [`baize_table::RoundView`], so a page cannot show a card that its reader may not see. Nothing here reads a clock, a
//! database or a request.

mod audit;
mod cage;
mod dealer;
pub mod expected;
mod history;
mod house;
mod jackpot;
mod lobby;
mod names;
mod odds;
mod pit;
mod report;
mod session;
mod shell;
mod staff;
mod table;

pub use audit::{AuditPage, ChainStatus, Export, JournalFilter, JournalLine};
pub use cage::{CageConfirmation, CageLine, CagePage, CageReceipt};
pub use dealer::{DealerPage, DealerTables, NextStep};
pub use history::{HistoryFilter, HistoryPage, Proof, ProofCard, ReplayStep, RoundLine, RoundPage};
pub use house::{HouseJackpot, HousePage, HouseTable, Parameter, ParameterChange};
pub use jackpot::{HitLine, Meter, PendingHit, SignPage};
pub use lobby::{LobbyPage, TableCard};
pub use names::Names;
pub use odds::{
    Calculator, Exact, HeatCell, JackpotReturn, OddsIndex, OddsPage, OutcomeLine, SolveProgress,
    StrategyLine, WagerOdds,
};
pub use pit::{
    DeskPage, DeskPreview, PitPage, PitTable, SetUp, SignificantEvent, TaskLine, WaitingRuling, rulings_of,
};
pub use report::{ReportForm, ReportPage};
pub use session::{SessionPage, SessionPoint};
pub use shell::{LoginPage, Notice, Shell, Theme, Tone, Who};
pub use staff::{
    DutyChoice, PasswordPage, StaffConfirmation, StaffLink, StaffMember, StaffPage, StaffRow, StaffSuspended,
};
pub use table::{Advice, AdviceLine, Award, BetDraft, Clock, Dealing, LogLine, NextLimits, TablePage};
