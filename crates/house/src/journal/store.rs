//! What a database must do for the house. SQLite and PostgreSQL do it; one contract suite holds them to it.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use thiserror::Error;
use tokio::sync::mpsc;

use super::{Batch, DeckRow, Entry, Head, RoundRow, SecretRow, SnapshotRow, Stream};
use crate::{HouseError, Instant, RoundFilter};

/// Why a database did not do it. In every case nothing was written, except where [`StoreError::Away`] says that it is not known.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum StoreError {
    /// The chain has gone on: decide again.
    #[error("{0} has gone on")]
    Conflict(Stream),
    /// A command of this id is in the journal.
    #[error("the command is known")]
    CommandKnown,
    /// An account that must not go below nothing would.
    #[error("{0} would go below nothing")]
    Short(String),
    /// The database cannot be reached or written.
    #[error("{0}")]
    Away(String),
    /// The database is damaged.
    #[error("{0}")]
    Corrupt(String),
    /// It is no database, or another program's.
    #[error("{0}")]
    NotOurs(String),
    /// The database belongs to a newer program.
    #[error("version {0}")]
    Newer(u32),
    /// Another process has the file.
    #[error("in use")]
    InUse,
}

impl From<StoreError> for HouseError {
    fn from(error: StoreError) -> HouseError {
        match error {
            StoreError::Conflict(stream) => HouseError::Conflict { stream: stream.to_string(), tries: 1 },
            StoreError::CommandKnown => HouseError::NotNow("the command id is known"),
            StoreError::Short(account) => HouseError::Unavailable(format!("{account} does not hold so much")),
            StoreError::Away(why) => HouseError::Unavailable(why),
            StoreError::Corrupt(why) => HouseError::Corrupt(why),
            StoreError::NotOurs(why) => HouseError::NotACasino(why),
            StoreError::Newer(found) => HouseError::Newer { found, known: super::SCHEMA },
            StoreError::InUse => HouseError::InUse("file".to_owned()),
        }
    }
}

/// A future of a store.
pub(crate) type Doing<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// Which entries are asked for.
#[derive(Debug, Clone, Default)]
pub(crate) struct EntryFilter {
    pub(crate) stream: Option<Stream>,
    /// With something of one of these kinds; none: of any.
    pub(crate) kinds: Vec<String>,
    pub(crate) actor: Option<String>,
    pub(crate) significant: bool,
    /// At this time or later.
    pub(crate) from: Option<Instant>,
    /// Before this time.
    pub(crate) until: Option<Instant>,
    /// With these words in chain, kinds, actor, body or accounts, in capitals or not.
    pub(crate) text: Option<String>,
    /// With a ledger entry of this account.
    pub(crate) account: Option<String>,
    /// Number above this, oldest first.
    pub(crate) after: Option<u64>,
    /// Number below this, newest first.
    pub(crate) before: Option<u64>,
    pub(crate) limit: u32,
}

/// Which snapshots are asked for.
#[derive(Debug, Clone)]
pub(crate) struct SnapshotFilter {
    pub(crate) stream: Stream,
    /// Versions from this to that.
    pub(crate) from: u64,
    pub(crate) to: u64,
    /// Kept before this.
    pub(crate) before: Option<Instant>,
    pub(crate) limit: u32,
}

/// Something in which a database's tables, checks and triggers are not those that the program made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Difference {
    pub(crate) what: String,
    /// It could change what is written, or let through what is refused.
    pub(crate) serious: bool,
}

impl Difference {
    /// What differs between the program's own things and those that were found: name and text of each. `acts`: a thing that acts by itself.
    pub(crate) fn between(
        own: &BTreeMap<String, String>,
        found: &BTreeMap<String, String>,
        acts: impl Fn(&str) -> bool,
    ) -> Vec<Difference> {
        let altered = own.iter().filter_map(|(name, text)| match found.get(name) {
            None => Some(Difference { what: format!("the {name} is missing"), serious: true }),
            Some(other) if other != text => {
                Some(Difference { what: format!("the {name} was altered"), serious: true })
            }
            Some(_) => None,
        });
        let added = found.keys().filter(|name| !own.contains_key(*name)).map(|name| Difference {
            what: format!("the database has a {name} that is not this program's"),
            serious: acts(name),
        });
        altered.chain(added).collect()
    }
}

/// A row beside the journal that does not fit it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LooseRow {
    pub(crate) place: String,
    pub(crate) what: String,
}

impl LooseRow {
    /// A ledger entry that belongs to no entry of the journal.
    pub(crate) fn posting(place: String) -> LooseRow {
        LooseRow { place, what: "the journal has no entry that it belongs to".to_owned() }
    }
}

/// The last order that could not be written. A database may take a small row and refuse a large one, so that trying says less than
/// what just happened; after half a minute without orders it says nothing any more.
#[derive(Clone, Default)]
pub(crate) struct LastFailure(Arc<Mutex<Option<(std::time::Instant, StoreError)>>>);

impl LastFailure {
    /// Notes how an order went.
    pub(crate) fn note<T>(&self, went: &Result<T, StoreError>) {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match went {
            Err(error @ (StoreError::Away(_) | StoreError::Corrupt(_))) => {
                *last = Some((std::time::Instant::now(), error.clone()));
            }
            Ok(_) => *last = None,
            // The database has answered; it has only said no.
            Err(_) => {}
        }
    }

    /// An order failed just now.
    pub(crate) fn check(&self) -> Result<(), StoreError> {
        let last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match last.as_ref() {
            Some((at, error)) if at.elapsed() < std::time::Duration::from_secs(30) => Err(error.clone()),
            _ => Ok(()),
        }
    }

    /// The row that is written to see whether anything can be: it lets nobody in.
    pub(crate) fn probe() -> SecretRow {
        let (hash, kind, actor) = ("health".to_owned(), "health".to_owned(), String::new());
        SecretRow { hash, kind, actor, expires: Instant(0) }
    }
}

/// A database.
pub(crate) trait Store: Send + Sync + 'static {
    /// Writes all of it or nothing, and gives the numbers of the entries. The place in the queue is taken when this is called, not when
    /// its future is first polled.
    fn append(&self, batch: Batch) -> Doing<'static, Vec<u64>>;
    /// Whether batches are written in the order of the calls, so that a call may build on one before it that is not answered yet.
    fn ordered(&self) -> bool;
    /// Entries of a chain after a version, in order.
    fn read(&self, stream: &Stream, after: u64, limit: u32) -> Doing<'_, Vec<Entry>>;
    /// The entry that answers this command.
    fn by_command(&self, command: &str) -> Doing<'_, Option<Entry>>;
    /// Entries over all chains.
    fn entries(&self, filter: EntryFilter) -> Doing<'_, Vec<Entry>>;
    /// The lowest and the highest number of the entries from a time on and before another, if there are any.
    fn numbers(&self, from: Option<Instant>, until: Option<Instant>) -> Doing<'_, Option<(u64, u64)>>;
    /// The names of all chains, without a look at their entries.
    fn streams(&self) -> Doing<'_, Vec<Stream>>;
    /// The heads of all chains.
    fn heads(&self) -> Doing<'_, BTreeMap<Stream, Head>>;
    /// What is in an account.
    fn balance(&self, account: &str) -> Doing<'_, i64>;
    /// All accounts.
    fn balances(&self) -> Doing<'_, BTreeMap<String, i64>>;
    /// A deck.
    fn deck(&self, table: &str, round: u32) -> Doing<'_, Option<DeckRow>>;
    /// All decks of a table.
    fn decks(&self, table: &str) -> Doing<'_, Vec<DeckRow>>;
    /// Finished rounds, newest first.
    fn rounds(&self, filter: RoundFilter) -> Doing<'_, Vec<RoundRow>>;
    /// One finished round.
    fn round(&self, table: &str, round: u32) -> Doing<'_, Option<RoundRow>>;
    /// Snapshots of a chain, newest first.
    fn snapshots(&self, filter: SnapshotFilter) -> Doing<'_, Vec<SnapshotRow>>;
    /// Keeps a session or link.
    fn put_secret(&self, row: SecretRow) -> Doing<'_, ()>;
    /// The session or link of this hash that holds at this time.
    fn secret(&self, hash: &str, kind: &str, now: Instant) -> Doing<'_, Option<SecretRow>>;
    /// Takes it away and says what it was: at most one taker gets it.
    fn take_secret(&self, hash: &str, kind: &str, now: Instant) -> Doing<'_, Option<SecretRow>>;
    /// Those of these hashes that hold at this time, read together.
    fn secrets(&self, hashes: Vec<String>, kind: &str, now: Instant) -> Doing<'_, Vec<SecretRow>>;
    /// Lets a session hold until another time. One that was taken away meanwhile stays away.
    fn extend_secret(&self, hash: &str, kind: &str, expires: Instant) -> Doing<'_, ()>;
    /// Rows beside the journal that do not fit it.
    fn loose(&self) -> Doing<'_, Vec<LooseRow>>;
    /// The highest number that was ever given to an entry, where numbers have no gaps.
    fn given(&self) -> Doing<'_, Option<u64>>;
    /// In what the tables, checks and triggers are not those that the program made.
    fn differences(&self) -> Doing<'_, Vec<Difference>>;
    /// A store that reads all from one moment, whatever is written meanwhile. It writes nothing.
    fn frozen(&self) -> Doing<'_, Arc<dyn Store>>;
    /// Whether what was read from one moment can be relied on: nobody has changed a file that was read without a lock.
    fn undisturbed(&self) -> bool {
        true
    }
    /// Writes a row beside the journal. Fails too where an order could not be written just now.
    fn can_write(&self) -> Doing<'_, ()>;
    /// Whether this process is the only one on the database: then rounds under way were interrupted.
    fn alone(&self) -> bool;
    /// News of entries that other processes wrote: chain names. Once.
    fn news(&self) -> Option<mpsc::UnboundedReceiver<Stream>>;
    /// Waits until everything is written and closes.
    fn close(&self) -> Doing<'_, ()>;
    /// Writes one row and waits for it to be durable, many times: the floor that a load test measures itself against.
    fn floor(&self, commits: u32) -> Doing<'_, ()>;
}

/// How a database is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// To run a casino.
    Serve,
    /// To look: beside a running casino.
    Read,
    /// To change an account at the console: beside a running casino on PostgreSQL, without being one of its hosts.
    Console,
}

/// Opens a database by its address.
pub(crate) async fn open(address: &str, mode: Mode) -> Result<Arc<dyn Store>, HouseError> {
    if address.starts_with("postgres://") || address.starts_with("postgresql://") {
        let store = super::postgres::PostgresStore::open(address, mode).await?;
        return Ok(Arc::new(store));
    }
    let path = address.strip_prefix("sqlite:").unwrap_or(address);
    if path.is_empty() || path.contains("://") {
        return Err(HouseError::DatabaseAddress(without_password(address)));
    }
    let path = path.to_owned();
    let shown = path.clone();
    let opened = tokio::task::spawn_blocking(move || super::sqlite::SqliteStore::open(&path, mode)).await;
    match opened {
        Ok(Ok(store)) => Ok(Arc::new(store)),
        Ok(Err(StoreError::InUse)) => Err(HouseError::InUse(shown)),
        Ok(Err(error)) => Err(error.into()),
        Err(stopped) => Err(HouseError::Unavailable(stopped.to_string())),
    }
}

/// An address without what stands before the `@`: it may hold a password.
pub(crate) fn without_password(address: &str) -> String {
    match (address.find("://"), address.rfind('@')) {
        (Some(scheme), Some(at)) if at > scheme => {
            format!("{}…@{}", &address[..scheme + 3], &address[at + 1..])
        }
        _ => address.to_owned(),
    }
}
