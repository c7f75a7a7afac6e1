//! The casino as a service: many tables, players, staff and jackpots. Nothing is ever lost, everything can be proved.
//!
//! [`House`] is the whole of it. The journal is the truth: what is not in it has not happened, and what is in it can be replayed. Files,
//! sockets, time and randomness live here; the rules do not.

mod actor;
mod assignment;
mod audit;
mod between;
mod clock;
mod config;
mod error;
mod facts;
mod gaming_day;
mod house;
mod ids;
mod journal;
mod key;
mod kinds;
mod ledger;
mod live;
pub mod load;
mod order;
mod people;
mod presence;
mod preview;
mod program;
mod report;
mod rulebooks;
mod secret;
mod shoe;
mod shown;
mod slots;
mod snapshots;
mod turn;

pub use actor::{Actor, Duty};
pub use audit::{AuditFault, AuditReport, AuditedState, Expected};
pub use clock::{Clock, Instant, SetClock, WallClock};
pub use config::{FromEarlier, JackpotConfig, MoneyKind, Pace, Shoe, TableConfig};
pub use error::HouseError;
pub use gaming_day::{Date, DayBegins, DayFault, GamingDay, UtcOffset};
pub use house::{Answer, ConsoleAnswer, ConsoleCommand, House, LINK_MINUTES, console};
pub use ids::{CommandId, JackpotId, NameFault, PlayerId, RoundId, StaffId, TableId};
pub use journal::postgres::Throwaway;
pub use key::new_key_file;
pub use kinds::LARGE_CASH;
pub use order::{Chips, Order};
pub use people::{IdleLimits, OneTimeLink, PlayerLine, Session, StaffLine, Suspension};
pub use preview::Preview;
pub use program::Program;
pub use report::{
    By, CageLine, JackpotLine, Part, PoolsStood, Report, ReportFault, ReportFilter, ReportLine,
    WORDS as REPORT_WORDS,
};
pub use shoe::Shuffler;
pub use shown::{
    CageMovement, CageReceipt, Change, Changed, ClockView, Commitment, Frame, HitView, JackpotView,
    JournalFilter, JournalLine, NextLimits, PromisedCard, Receipt, RoundFilter, RoundLine, RoundRecord,
    ShuffleProof, Significant, TableInfo, TableView,
};
