//! News: one task reads the house's changes and tells those who wait for a topic. What changed is not told, only that it did;
//! each listener then asks for their own view, so news never contains a card.
//!
//! A topic remembers only the number of its latest change. A reader that is slow sees the latest state and misses nothing but
//! steps in between; nothing piles up for them.
//!
//! Tables are written at the same time, so a change may be heard after one with a higher number. What is kept for later or compared by
//! age therefore counts what was heard ([`News::heard`]): a view that is read afterwards holds all of it.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use baize_house::{Actor, Change, Changed, CommandId, House, JackpotId, PlayerId, TableId};
use tokio::sync::{broadcast, watch};

/// What a page listens to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Topic {
    /// One table.
    Table(TableId),
    /// One jackpot.
    Jackpot(JackpotId),
    /// One purse.
    Player(PlayerId),
    /// Everything.
    All,
}

impl Topic {
    /// Whether a change belongs to the topic.
    pub(crate) fn has(&self, what: &Changed) -> bool {
        match (self, what) {
            (Topic::All, _) => true,
            (Topic::Table(one), Changed::Table(other)) => one == other,
            (Topic::Jackpot(one), Changed::Jackpot(other)) => one == other,
            (Topic::Player(one), Changed::Player(other)) => one == other,
            _ => false,
        }
    }

    /// The purse of this person, if they are a player.
    pub(crate) fn purse(actor: &Actor) -> Option<Topic> {
        actor.as_player().cloned().map(Topic::Player)
    }
}

#[derive(Default)]
struct Board {
    /// Tells this run of the server from others, which count for themselves.
    run: String,
    latest: AtomicU64,
    heard: AtomicU64,
    topics: Mutex<HashMap<Topic, watch::Sender<u64>>>,
}

/// Who waits for what.
#[derive(Clone, Default)]
pub(crate) struct News(Arc<Board>);

impl News {
    /// Follows this house until it is gone.
    pub(crate) fn follow(house: &House) -> News {
        let news = News(Arc::new(Board { run: CommandId::random().to_string(), ..Board::default() }));
        let board = Arc::downgrade(&news.0);
        let mut changes = house.changes();
        tokio::spawn(async move {
            loop {
                let heard = changes.recv().await;
                let Some(board) = board.upgrade() else { return };
                match heard {
                    Ok(change) => board.tell(&change),
                    Err(broadcast::error::RecvError::Lagged(_)) => board.tell_everybody(),
                    Err(broadcast::error::RecvError::Closed) => return,
                }
            }
        });
        news
    }

    /// The number of the latest change that was heard of; zero before the first.
    pub(crate) fn latest(&self) -> u64 {
        self.0.latest.load(Ordering::SeqCst)
    }

    /// How many changes were heard of.
    pub(crate) fn heard(&self) -> u64 {
        self.0.heard.load(Ordering::SeqCst)
    }

    /// The same for a page that is about to be read, in a form that pages compare: `RUN.NUMBER`.
    pub(crate) fn change(&self) -> String {
        // As many digits always: the length of a page tells nothing of it.
        format!("{}.{:012}", self.0.run, self.heard())
    }

    /// Waits for changes of a topic from now on.
    pub(crate) fn listen(&self, topic: &Topic) -> watch::Receiver<u64> {
        let mut topics = self.0.topics.lock().unwrap_or_else(PoisonError::into_inner);
        let now = self.latest();
        topics.entry(topic.clone()).or_insert_with(|| watch::channel(now).0).subscribe()
    }
}

impl Board {
    fn tell(&self, change: &Change) {
        self.latest.fetch_max(change.number, Ordering::SeqCst);
        self.heard.fetch_add(1, Ordering::SeqCst);
        self.each(|topic| topic.has(&change.what), change.number);
    }

    fn tell_everybody(&self) {
        self.heard.fetch_add(1, Ordering::SeqCst);
        self.each(|_| true, self.latest.load(Ordering::SeqCst));
    }

    /// Tells those who wait, and forgets topics that nobody waits for.
    fn each(&self, concerned: impl Fn(&Topic) -> bool, number: u64) {
        let mut topics = self.topics.lock().unwrap_or_else(PoisonError::into_inner);
        topics.retain(|topic, sender| {
            if concerned(topic) {
                return sender.send(number).is_ok();
            }
            true
        });
    }
}
