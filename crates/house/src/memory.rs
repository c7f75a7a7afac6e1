//! The house's memory: for each table and jackpot its state after the last entry, behind a lock for writers, and a copy for readers.

use std::sync::{Arc, PoisonError, RwLock};

use baize_jackpot::{Jackpot, Status};
use tokio::sync::Mutex;

use crate::journal::Head;
use crate::live_table::LiveTable;
use crate::presence::Presence;
use crate::shoe::{Shuffled, Shuffler};
use crate::{Instant, JackpotId, TableId};

/// A copy for readers that is replaced whole.
#[derive(Debug)]
pub(crate) struct Published<T>(RwLock<Arc<T>>);

impl<T> Published<T> {
    pub(crate) fn new(value: T) -> Published<T> {
        Published(RwLock::new(Arc::new(value)))
    }

    pub(crate) fn get(&self) -> Arc<T> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn set(&self, value: T) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(value);
    }
}

/// A table for its writer.
pub(crate) struct TableWork {
    /// Shared with the readers until the next entry.
    pub(crate) live: Arc<LiveTable>,
    pub(crate) head: Head,
    /// The deck of the round that is open or comes next, with the number of that round.
    pub(crate) deck: Option<(u32, Shuffled)>,
    pub(crate) shuffler: Shuffler,
    /// The journal may have gone on: read before writing.
    pub(crate) stale: bool,
    /// Entries of another host were read, and its jackpot may have gone on with them: read that too before it is asked. A turn that only asks
    /// writes nothing to the jackpot's chain, so that no conflict would tell.
    pub(crate) jackpot_behind: bool,
    /// The last entry of another host that was read.
    pub(crate) read: Option<LastRead>,
}

/// The number and the time of an entry.
pub(crate) type LastRead = (u64, Instant);

/// A table for its readers.
#[derive(Debug, Clone)]
pub(crate) struct TableShown {
    pub(crate) live: Arc<LiveTable>,
    pub(crate) version: u64,
    /// The record is damaged: why.
    pub(crate) halted: Option<String>,
}

pub(crate) struct TableSlot {
    pub(crate) id: TableId,
    pub(crate) work: Mutex<TableWork>,
    pub(crate) shown: Published<TableShown>,
    pub(crate) presence: Presence,
}

impl TableSlot {
    pub(crate) fn new(live: LiveTable) -> TableSlot {
        let live = Arc::new(live);
        let shown = TableShown { live: Arc::clone(&live), version: 0, halted: None };
        TableSlot {
            id: live.id.clone(),
            work: Mutex::new(TableWork {
                live,
                head: Head::default(),
                deck: None,
                shuffler: Shuffler::new(),
                stale: true,
                jackpot_behind: true,
                read: None,
            }),
            shown: Published::new(shown),
            presence: Presence::default(),
        }
    }

    pub(crate) fn publish(&self, work: &TableWork) {
        let live = Arc::clone(&work.live);
        self.shown.set(TableShown { live, version: work.head.version, halted: None });
    }

    pub(crate) fn halt(&self, why: &str) {
        let shown = self.shown.get();
        self.shown.set(TableShown { halted: Some(why.to_owned()), ..(*shown).clone() });
    }
}

/// A jackpot for its writer.
pub(crate) struct JackpotWork {
    /// Shared with the readers and with turns until the next entry.
    pub(crate) state: Arc<Jackpot>,
    pub(crate) head: Head,
    pub(crate) stale: bool,
    /// The last entry of another host that was read.
    pub(crate) read: Option<LastRead>,
}

/// A jackpot for its readers.
#[derive(Debug, Clone)]
pub(crate) struct JackpotShown {
    pub(crate) state: Arc<Jackpot>,
    pub(crate) version: u64,
    pub(crate) stopped: Option<String>,
}

pub(crate) struct JackpotSlot {
    pub(crate) id: JackpotId,
    /// Shared, so that a lock can be handed on and let go before the database answers.
    pub(crate) work: Arc<Mutex<JackpotWork>>,
    pub(crate) shown: Published<JackpotShown>,
}

impl JackpotSlot {
    pub(crate) fn new(id: JackpotId) -> JackpotSlot {
        JackpotSlot {
            id,
            work: Arc::new(Mutex::new(JackpotWork {
                state: Arc::default(),
                head: Head::default(),
                stale: true,
                read: None,
            })),
            shown: Published::new(JackpotShown { state: Arc::default(), version: 0, stopped: None }),
        }
    }

    /// Shows a state that is written, unless a later one is shown already. Returns whether it is new.
    pub(crate) fn publish(&self, state: &Arc<Jackpot>, version: u64) -> bool {
        let new = self.shown.get().version < version;
        if new {
            let closed = match &state.status {
                Status::Closed(into) => Some(format!("it is closed, and its pools went to {into}")),
                Status::Unopened | Status::Open => None,
            };
            let stopped = state.reconcile().err().map(|imbalance| imbalance.to_string()).or(closed);
            self.shown.set(JackpotShown { state: Arc::clone(state), version, stopped });
        }
        new
    }

    pub(crate) fn stop(&self, why: &str) {
        let shown = self.shown.get();
        self.shown.set(JackpotShown { stopped: Some(why.to_owned()), ..(*shown).clone() });
    }
}
