//! In-memory state: for each table and jackpot, the state after the last entry (behind a lock, for writers) and a copy for readers.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, PoisonError, RwLock};

use baize_jackpot::{Jackpot, Status};
use tokio::sync::Mutex;

use crate::journal::Head;
use crate::live_table::LiveTable;
use crate::presence::Presence;
use crate::shoe::{Shuffled, Shuffler};
use crate::{Instant, JackpotId, TableId};

/// A copy for readers that is always replaced as a whole.
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

/// A table's state for its writer.
pub(crate) struct TableWork {
    /// Shared with readers until the next entry.
    pub(crate) live: Arc<LiveTable>,
    pub(crate) head: Head,
    /// The deck of the current or next round, with that round's number.
    pub(crate) deck: Option<(u32, Shuffled)>,
    pub(crate) shuffler: Shuffler,
    /// The journal may have newer entries: read them before writing.
    pub(crate) stale: bool,
    /// Entries of another host were read, so the jackpot may have newer entries too: read them before it is used. A turn that only reads
    /// the jackpot writes nothing to its chain and would get no conflict.
    pub(crate) jackpot_behind: bool,
    /// The last entry that was read from the journal.
    pub(crate) read: Option<LastRead>,
}

/// Number and time of an entry.
pub(crate) type LastRead = (u64, Instant);

/// A table's state for readers.
#[derive(Debug, Clone)]
pub(crate) struct TableShown {
    pub(crate) live: Arc<LiveTable>,
    pub(crate) version: u64,
    /// This host wrote the last entry: the table sticks to it.
    pub(crate) kept_here: bool,
    /// Why the table is halted.
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
        let shown = TableShown { live: Arc::clone(&live), version: 0, kept_here: false, halted: None };
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

    /// Shows the state after an entry. `kept_here`: this host wrote it.
    pub(crate) fn publish(&self, work: &TableWork, kept_here: bool) {
        let live = Arc::clone(&work.live);
        self.shown.set(TableShown { live, version: work.head.version, kept_here, halted: None });
    }

    pub(crate) fn halt(&self, why: &str) {
        let shown = self.shown.get();
        self.shown.set(TableShown { halted: Some(why.to_owned()), ..(*shown).clone() });
    }
}

/// A jackpot's state for its writer.
pub(crate) struct JackpotWork {
    /// Shared with readers and turns until the next entry.
    pub(crate) state: Arc<Jackpot>,
    pub(crate) head: Head,
    pub(crate) stale: bool,
    /// The last entry that was read from the journal.
    pub(crate) read: Option<LastRead>,
}

/// A jackpot's state for readers.
#[derive(Debug, Clone)]
pub(crate) struct JackpotShown {
    pub(crate) state: Arc<Jackpot>,
    pub(crate) version: u64,
    pub(crate) stopped: Option<String>,
}

pub(crate) struct JackpotSlot {
    pub(crate) id: JackpotId,
    /// In an `Arc`, so that the owned lock can be released before the database answers.
    pub(crate) work: Arc<Mutex<JackpotWork>>,
    pub(crate) shown: Published<JackpotShown>,
    /// A turn released the lock before its write was answered, and was then given up: the state in `work` may never be written.
    pub(crate) doubtful: AtomicBool,
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
            doubtful: AtomicBool::new(false),
        }
    }

    /// Publishes a written state, unless a later one is published already. Returns whether it was published.
    pub(crate) fn publish(&self, state: &Arc<Jackpot>, version: u64) -> bool {
        let new = self.shown.get().version < version;
        if new {
            let closed = match &state.status {
                Status::Closed(into) => Some(format!("it is closed; its pools moved to {into}")),
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
