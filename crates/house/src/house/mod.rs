//! The house, as the web server and the command line use it.
//!
//! Cheap to clone. Every method that changes something is one transaction: when it succeeds, the change is in the journal; otherwise
//! nothing changed (except [`HouseError::NotKnown`]). Every method checks its actor.

mod append;
mod attempt;
mod backup;
mod cage;
mod cage_receipts;
mod cash_rules;
mod catch_up;
mod close_jackpot;
mod console;
mod create;
mod display_names;
pub(crate) mod hidden_cards;
#[cfg(test)]
mod hidden_cards_tests;
mod house_chain;
mod jackpot_parameters;
mod jackpots;
mod journal_lines;
mod keys;
mod login;
mod login_delays;
mod money_kinds;
mod older_database;
mod open_close;
mod orders;
mod other_tables;
#[cfg(test)]
mod other_tables_tests;
mod past_rounds;
mod people;
mod planned_stop;
mod recent_play;
mod retry;
mod round_privacy;
mod rounds;
mod rulebooks;
mod script_export;
#[cfg(feature = "stacked")]
mod stacked_decks;
mod staff;
mod tasks;
mod two_persons;
mod views;

pub use backup::{Upgrade, for_libpq};
pub use cash_rules::{CASH_REPORT, CashDay, CashReport, Drawer, DrawerCount, FiledReport, IDENTIFY_FROM};
pub use catch_up::follows;
pub use console::{ConsoleAnswer, ConsoleCommand, console};
pub(crate) use jackpots::person;
pub use login::LINK_MINUTES;
pub(crate) use login_delays::seconds_left;
pub use past_rounds::PastRound;
pub(crate) use planned_stop::PLANNED_STOP;
pub use rounds::dealt_cards;
pub use tasks::{HitPicture, Task, TaskKind};
pub use two_persons::{Lineage, Tie};
pub use views::jackpot_notice;

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use tokio::sync::{Mutex, broadcast};

use crate::clock::HouseClock;
use crate::journal::{KeyPlace, Store, Vault};
use crate::memory::{JackpotSlot, Published, TableSlot};
use crate::register::{Register, RegisterWork};
use crate::{Change, CommandId, GamingDay, HouseError, HouseMetrics, IdleLimits, JackpotId, TableId};

/// The result of the house's methods.
pub type Answer<T> = Result<T, HouseError>;

/// Future of a private method with generic arguments, boxed so that it is compiled once and not for each of them.
pub(crate) type Boxed<'a, T> = Pin<Box<dyn Future<Output = Answer<T>> + Send + 'a>>;

/// Maximum attempts after version conflicts.
pub(crate) const MAX_ATTEMPTS: u32 = 12;

/// The casino.
#[derive(Clone)]
pub struct House {
    pub(crate) inner: Arc<Inner>,
    pub(crate) request: Request,
}

/// The origin of a request.
#[derive(Debug, Clone, Default)]
pub(crate) struct Request {
    /// The id chosen by its sender.
    pub(crate) id: Option<CommandId>,
    pub(crate) address: Option<IpAddr>,
}

pub(crate) struct Inner {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) clock: HouseClock,
    /// Where the key is stored.
    pub(crate) key_place: KeyPlace,
    pub(crate) vault: Vault,
    /// Why the database counts as behind, if it lacks entries known here.
    pub(crate) behind: Published<Option<String>>,
    /// The database was opened read-only.
    pub(crate) read_only: bool,
    pub(crate) changes: broadcast::Sender<Change>,
    pub(crate) tables: RwLock<BTreeMap<TableId, Arc<TableSlot>>>,
    pub(crate) jackpots: RwLock<BTreeMap<JackpotId, Arc<JackpotSlot>>>,
    pub(crate) register: Mutex<RegisterWork>,
    pub(crate) shown: Published<Register>,
    pub(crate) log_ins: login::LogIns,
    pub(crate) idle: Published<IdleLimits>,
    pub(crate) day: Published<GamingDay>,
    pub(crate) closed: AtomicBool,
    pub(crate) metrics: Arc<HouseMetrics>,
    /// The console's socket.
    console: Arc<console::Console>,
}

impl House {
    /// A handle for one request, with an id chosen by its sender, so that the request acts once however often it is sent, and with an
    /// address for the records of log-ins. For requests that take no id of their own: new people, links, locks, hits.
    #[must_use]
    pub fn for_request(&self, id: Option<CommandId>, address: Option<IpAddr>) -> House {
        House { inner: Arc::clone(&self.inner), request: Request { id, address } }
    }

    pub(crate) fn table_slot(&self, id: &TableId) -> Answer<Arc<TableSlot>> {
        let tables = self.inner.tables.read().unwrap_or_else(PoisonError::into_inner);
        tables.get(id).cloned().ok_or_else(|| HouseError::UnknownTable(id.clone()))
    }

    pub(crate) fn jackpot_slot(&self, id: &JackpotId) -> Answer<Arc<JackpotSlot>> {
        let jackpots = self.inner.jackpots.read().unwrap_or_else(PoisonError::into_inner);
        jackpots.get(id).cloned().ok_or_else(|| HouseError::UnknownJackpot(id.clone()))
    }

    pub(crate) fn table_slots(&self) -> Vec<Arc<TableSlot>> {
        self.inner.tables.read().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }

    pub(crate) fn jackpot_slots(&self) -> Vec<Arc<JackpotSlot>> {
        self.inner.jackpots.read().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }

    /// The database, for reading.
    #[must_use]
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.inner.store
    }

    /// Whether the house was closed, or opened read-only.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.inner.closed.load(Ordering::SeqCst)
    }

    /// Whether the house's key is available.
    #[must_use]
    pub fn has_key(&self) -> bool {
        self.inner.vault.key().is_some()
    }

    /// The metrics of this house.
    #[must_use]
    pub fn metrics(&self) -> &HouseMetrics {
        &self.inner.metrics
    }

    /// Sets the gaming day of this house.
    pub fn set_gaming_day(&self, day: GamingDay) {
        self.inner.day.set(day);
    }

    /// The gaming day of this house.
    #[must_use]
    pub fn gaming_day(&self) -> GamingDay {
        *self.inner.day.get()
    }

    /// The current time of this house.
    #[must_use]
    pub fn now(&self) -> crate::Instant {
        self.inner.clock.now()
    }

    /// Subscribes to changes of all tables, jackpots and purses. A subscriber that falls behind gets `RecvError::Lagged` and asks for its
    /// views again.
    #[must_use]
    pub fn changes(&self) -> broadcast::Receiver<Change> {
        self.inner.changes.subscribe()
    }
}
