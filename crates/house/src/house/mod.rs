//! The house: what the web and the command line use.
//!
//! Cheap to clone. Every method that changes something is one transaction: it is in the journal when the method answers, or nothing
//! happened. Every method checks who asks.

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
pub(crate) use login_delays::left;
pub use past_rounds::PastRound;
pub(crate) use planned_stop::PLANNED_STOP;
pub use rounds::dealt_cards;
pub use tasks::{HitPicture, Task, TaskKind};
pub use two_persons::{Lineage, Tie};
pub use views::jackpot_notice;

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use tokio::sync::{Mutex, broadcast};

use crate::clock::HouseClock;
use crate::journal::{KeyPlace, Store, Vault};
use crate::memory::{JackpotSlot, Published, TableSlot};
use crate::register::{Register, RegisterWork};
use crate::{Change, CommandId, GamingDay, HouseError, HouseMetrics, IdleLimits, JackpotId, TableId};

/// What every method answers.
pub type Answer<T> = Result<T, HouseError>;

/// How often an order is worked out again when others were faster.
pub(crate) const TRIES: u32 = 12;

/// The casino.
#[derive(Clone)]
pub struct House {
    pub(crate) inner: Arc<Inner>,
    pub(crate) request: Request,
}

/// How a request came.
#[derive(Debug, Clone, Default)]
pub(crate) struct Request {
    /// The id that its sender chose.
    pub(crate) id: Option<CommandId>,
    pub(crate) address: Option<IpAddr>,
}

pub(crate) struct Inner {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) clock: HouseClock,
    /// Where the key is, and the key.
    pub(crate) key_place: KeyPlace,
    pub(crate) vault: Vault,
    /// The database has less than is known here: what.
    pub(crate) behind: Published<Option<String>>,
    /// The database was opened to look at it.
    pub(crate) looking: bool,
    pub(crate) changes: broadcast::Sender<Change>,
    pub(crate) tables: RwLock<BTreeMap<TableId, Arc<TableSlot>>>,
    pub(crate) jackpots: RwLock<BTreeMap<JackpotId, Arc<JackpotSlot>>>,
    pub(crate) register: Mutex<RegisterWork>,
    pub(crate) shown: Published<Register>,
    pub(crate) log_ins: login::LogIns,
    pub(crate) idle: Published<IdleLimits>,
    pub(crate) day: Published<GamingDay>,
    pub(crate) closed: AtomicBool,
    pub(crate) measures: Arc<HouseMetrics>,
    /// The socket that the console talks to.
    console: Arc<console::Console>,
}

impl House {
    /// The house for one request: under an id that its sender chose, so that the request acts once however often it is sent, and from an
    /// address that log-ins record. For requests that take no id of their own: new people, links, locks, hits.
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

    /// The database, for reading: whatever is written goes through an order.
    #[must_use]
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.inner.store
    }

    /// Whether it was closed, or opened to look at it only.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.inner.closed.load(Ordering::SeqCst)
    }

    /// Whether the key of the house is here.
    #[must_use]
    pub fn has_key(&self) -> bool {
        self.inner.vault.key().is_some()
    }

    /// What the house counts about itself.
    #[must_use]
    pub fn measures(&self) -> &HouseMetrics {
        &self.inner.measures
    }

    /// Which 24 hours are a day at the cage of this house.
    pub fn set_gaming_day(&self, day: GamingDay) {
        self.inner.day.set(day);
    }

    /// Which 24 hours are a day.
    #[must_use]
    pub fn gaming_day(&self) -> GamingDay {
        *self.inner.day.get()
    }

    /// The time in this house.
    #[must_use]
    pub fn now(&self) -> crate::Instant {
        self.inner.clock.now()
    }

    /// Changes from now on, of all tables, jackpots and purses. A reader that falls behind gets the number of changes that it missed
    /// (`RecvError::Lagged`) and asks for its views again.
    #[must_use]
    pub fn changes(&self) -> broadcast::Receiver<Change> {
        self.inner.changes.subscribe()
    }
}
