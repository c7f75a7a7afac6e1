//! Notifies streams of changes: one task reads the house's changes and wakes the subscribers of their topics. A notification carries only a
//! number; each stream then reads the view of its own user, so no card travels through here.
//!
//! A topic keeps only the number of its latest change: a slow reader skips intermediate states, and nothing queues up.
//!
//! Tables are written concurrently, so a change may arrive after one with a higher number. Anything that is cached or compared by age
//! therefore uses the number of changes received ([`ChangeFeed::received`]): a view that is read afterwards includes all of them.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use baize_house::{Actor, Change, Changed, CommandId, House, JackpotId, PlayerId, TableId};
use tokio::sync::{broadcast, watch};

/// What a stream subscribes to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Topic {
    /// One table.
    Table(TableId),
    /// One jackpot.
    Jackpot(JackpotId),
    /// One player's purse.
    Player(PlayerId),
    /// Everything.
    All,
}

impl Topic {
    /// Whether the change belongs to the topic.
    pub(crate) fn matches(&self, what: &Changed) -> bool {
        match (self, what) {
            (Topic::All, _) => true,
            (Topic::Table(one), Changed::Table(other)) => one == other,
            (Topic::Jackpot(one), Changed::Jackpot(other)) => one == other,
            (Topic::Player(one), Changed::Player(other)) => one == other,
            _ => false,
        }
    }

    /// The purse of this actor, if they are a player.
    pub(crate) fn purse(actor: &Actor) -> Option<Topic> {
        actor.as_player().cloned().map(Topic::Player)
    }

    /// What a table's page or stream follows: the table and the reader's purse.
    pub(crate) fn table_and_purse(table: &TableId, actor: &Actor) -> Vec<Topic> {
        std::iter::once(Topic::Table(table.clone())).chain(Topic::purse(actor)).collect()
    }
}

#[derive(Default)]
struct Inner {
    /// Identifies this run of the server: each run counts changes from 0.
    run: String,
    latest: AtomicU64,
    received: AtomicU64,
    topics: Mutex<HashMap<Topic, watch::Sender<u64>>>,
}

/// The changes of a house. Cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct ChangeFeed(Arc<Inner>);

impl ChangeFeed {
    /// Follows this house. Needs a running Tokio runtime.
    pub(crate) fn follow(house: &House) -> ChangeFeed {
        let feed = ChangeFeed(Arc::new(Inner { run: CommandId::random().to_string(), ..Inner::default() }));
        let inner = Arc::downgrade(&feed.0);
        let mut changes = house.changes();
        tokio::spawn(async move {
            loop {
                let change = changes.recv().await;
                let Some(inner) = inner.upgrade() else { return };
                match change {
                    Ok(change) => inner.publish(&change),
                    Err(broadcast::error::RecvError::Lagged(_)) => inner.notify_all(),
                    Err(broadcast::error::RecvError::Closed) => return,
                }
            }
        });
        feed
    }

    /// The highest number of a change received so far; 0 before the first.
    pub(crate) fn latest(&self) -> u64 {
        self.0.latest.load(Ordering::SeqCst)
    }

    /// How many changes have been received.
    pub(crate) fn received(&self) -> u64 {
        self.0.received.load(Ordering::SeqCst)
    }

    /// The version of a page that is about to be read, for the page's `#change` element: `RUN.NUMBER`.
    pub(crate) fn page_version(&self) -> String {
        // Fixed width: the length of a page must not depend on it.
        format!("{}.{:012}", self.0.run, self.received())
    }

    /// The numbers of the topic's changes from now on.
    pub(crate) fn subscribe(&self, topic: &Topic) -> watch::Receiver<u64> {
        let mut topics = self.0.topics.lock().unwrap_or_else(PoisonError::into_inner);
        let now = self.latest();
        topics.entry(topic.clone()).or_insert_with(|| watch::channel(now).0).subscribe()
    }
}

impl Inner {
    fn publish(&self, change: &Change) {
        self.latest.fetch_max(change.number, Ordering::SeqCst);
        self.received.fetch_add(1, Ordering::SeqCst);
        self.notify(|topic| topic.matches(&change.what), change.number);
    }

    fn notify_all(&self) {
        self.received.fetch_add(1, Ordering::SeqCst);
        self.notify(|_| true, self.latest.load(Ordering::SeqCst));
    }

    /// Notifies the subscribers of these topics, and drops topics without subscribers.
    fn notify(&self, wanted: impl Fn(&Topic) -> bool, number: u64) {
        let mut topics = self.topics.lock().unwrap_or_else(PoisonError::into_inner);
        topics.retain(|topic, sender| !wanted(topic) || sender.send(number).is_ok());
    }
}
