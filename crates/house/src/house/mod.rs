//! The house: what the web and the command line use.
//!
//! Cheap to clone. Every method that changes something is one transaction: it is in the journal when the method answers, or nothing
//! happened. Every method checks who asks.

mod acting;
mod append;
mod backup;
mod behind;
pub(crate) mod blind;
#[cfg(test)]
mod blind_tests;
mod cage;
mod cash_rules;
mod closing;
mod console;
mod discretion;
mod house_chain;
mod jackpots;
mod keys;
mod login;
mod login_delays;
mod money_kinds;
mod names;
mod opening;
mod parameters;
mod past_rounds;
mod people;
mod reaching;
#[cfg(test)]
mod reaching_tests;
mod reading;
mod receipts;
mod records;
mod retry;
mod rounds;
mod rulebooks;
mod scripts;
mod sessions;
mod setting_up;
#[cfg(feature = "stacked")]
mod stacked;
mod staff;
mod stopping;
mod two_persons;
mod views;
mod waiting;
mod writing;

pub use backup::{Upgrade, for_libpq};
pub use cash_rules::{CASH_REPORT, CashDay, CashReport, Drawer, DrawerCount, FiledReport, IDENTIFY_FROM};
pub use console::{ConsoleAnswer, ConsoleCommand, console};
pub(crate) use jackpots::person;
pub use login::LINK_MINUTES;
pub(crate) use login_delays::left;
pub use past_rounds::PastRound;
pub use reading::follows;
pub use rounds::dealt_cards;
pub(crate) use stopping::PLANNED_STOP;
pub use two_persons::{Lineage, Tie};
pub use views::jackpot_notice;
pub use waiting::{HitPicture, Task, TaskKind};

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use tokio::sync::{Mutex, broadcast};

use crate::clock::HouseClock;
use crate::journal::{KeyPlace, Store, Vault};
use crate::slots::{JackpotSlot, Register, RegisterWork, Shown, TableSlot};
use crate::{Change, CommandId, GamingDay, HouseError, IdleLimits, JackpotId, Measures, TableId};

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
    pub(crate) behind: Shown<Option<String>>,
    /// The database was opened to look at it.
    pub(crate) looking: bool,
    pub(crate) changes: broadcast::Sender<Change>,
    pub(crate) tables: RwLock<BTreeMap<TableId, Arc<TableSlot>>>,
    pub(crate) jackpots: RwLock<BTreeMap<JackpotId, Arc<JackpotSlot>>>,
    pub(crate) register: Mutex<RegisterWork>,
    pub(crate) shown: Shown<Register>,
    pub(crate) log_ins: login::LogIns,
    pub(crate) idle: Shown<IdleLimits>,
    pub(crate) day: Shown<GamingDay>,
    pub(crate) closed: AtomicBool,
    pub(crate) measures: Arc<Measures>,
    /// The socket that the console talks to.
    console: Arc<console::Console>,
}

impl House {
    /// The house for one request: under an id that its sender chose, so that the request acts once however often it is sent, and from an
    /// address that is noted where somebody comes in. For requests that take no id of their own: new people, links, locks, hits.
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
    pub fn measures(&self) -> &Measures {
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

    /// Changes from now on, of all tables, jackpots and purses. A reader that falls behind is told how many it missed
    /// (`RecvError::Lagged`) and asks for its views again.
    #[must_use]
    pub fn changes(&self) -> broadcast::Receiver<Change> {
        self.inner.changes.subscribe()
    }
}
