//! The house: what the web and the command line use.
//!
//! Cheap to clone. Every method that changes something is one transaction: it is in the journal when the method answers, or nothing
//! happened. Every method checks who asks.

mod acting;
mod cage;
mod closing;
mod console;
mod delays;
mod doors;
mod jackpots;
mod money_kinds;
mod noting;
mod opening;
mod parameters;
mod people;
mod reading;
mod receipts;
mod records;
mod rounds;
mod rulebooks;
mod setting_up;
mod staff;
mod turning;
mod two_persons;
mod views;
mod writing;

pub use console::{ConsoleAnswer, ConsoleCommand, console};
pub(crate) use delays::left;
pub use doors::LINK_MINUTES;
pub(crate) use jackpots::person;
pub(crate) use reading::follows;
pub(crate) use rounds::dealt_cards;

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, PoisonError, RwLock};

use tokio::sync::{Mutex, broadcast};

use crate::journal::Store;
use crate::slots::{JackpotSlot, Register, RegisterWork, Shown, TableSlot};
use crate::{Change, Clock, CommandId, HouseError, IdleLimits, JackpotId, TableId};

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
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) changes: broadcast::Sender<Change>,
    pub(crate) tables: RwLock<BTreeMap<TableId, Arc<TableSlot>>>,
    pub(crate) jackpots: RwLock<BTreeMap<JackpotId, Arc<JackpotSlot>>>,
    pub(crate) register: Mutex<RegisterWork>,
    pub(crate) shown: Shown<Register>,
    pub(crate) log_ins: doors::LogIns,
    pub(crate) idle: Shown<IdleLimits>,
    pub(crate) closed: AtomicBool,
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
