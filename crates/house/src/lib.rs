//! The casino as a service: tables, players, staff, jackpots and cage, all recorded in a journal.
//!
//! [`House`] is the entry point. The journal is the source of truth: what is not in it did not happen, and its entries can be replayed.
//! I/O, time and randomness are handled here; the rules are in other crates. [`record`], [`replay`] and [`ledger`] are for readers of the
//! journal.

mod actor;
mod assignment;
mod between_rounds;
mod clock;
mod config;
mod error;
mod event_names;
mod facts;
mod gaming_day;
mod house;
mod ids;
pub mod ledger;
mod live_table;
pub mod load;
mod memory;
mod metrics;
mod order;
mod own_limits;
mod people;
mod presence;
mod preview;
mod program;
mod promised_deck;
mod recent_play;
pub mod record;
mod register;
pub mod replay;
mod rulebooks;
mod shoe;
mod shuffle_proof;
mod significant;
mod snapshots;
mod stored;
mod turn;
mod views;

// The futures of public functions are boxed: an `async fn` is compiled again in each crate that awaits it, with all that it awaits.
pub use actor::{Actor, Duty};
use async_recursion::async_recursion as boxed;
pub use baize_journal::archive::Moved;
use baize_journal::{self as journal, secret};
pub use baize_journal::{Instant, Standbys, Throwaway, new_key_file};
pub use clock::{Clock, SetClock, WallClock};
pub use config::{FromEarlier, JackpotConfig, MoneyKind, Pace, Shoe, TableConfig};
pub use error::HouseError;
pub use gaming_day::{Date, DayBegins, DayFault, GamingDay, UtcOffset};
pub use house::{
    Answer, CASH_REPORT, CashDay, CashReport, ConsoleAnswer, ConsoleCommand, Drawer, DrawerCount,
    FiledReport, HitPicture, House, IDENTIFY_FROM, LINK_MINUTES, PastRound, Task, TaskKind, Upgrade, console,
    for_libpq, jackpot_notice,
};
pub use ids::{CommandId, JackpotId, NameFault, PlayerId, RoundId, StaffId, TableId};
pub use metrics::{Histogram, HouseMetrics};
pub use order::{Chips, Order, OrderKind};
pub use own_limits::{OwnLimits, OwnRules};
pub use people::{IdleLimits, OneTimeLink, PlayerLine, Session, StaffLine, Suspension};
pub use preview::Preview;
pub use program::Program;
pub use recent_play::{PlayedRound, SessionView};
pub use shoe::Shuffler;
pub use shuffle_proof::{Commitment, PromisedCard, ShuffleProof};
pub use significant::SignificantKind;
pub use views::{
    CageMovement, CageReceipt, Change, Changed, ClockKind, ClockView, Displayed, Frame, HitStatus, HitView,
    JackpotView, JournalFilter, JournalLine, NextLimits, OutcomeName, Receipt, Recorded, RoundFilter,
    RoundLine, RoundRecord, Significant, TableInfo, TableView,
};
