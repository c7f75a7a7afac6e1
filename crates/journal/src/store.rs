//! The interface of a database. SQLite and PostgreSQL implement it; one contract suite tests both.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use thiserror::Error;
use tokio::sync::mpsc;

use super::{Batch, DeckRow, Entry, Head, RoundRow, SecretRow, SnapshotRow, Stream};
use crate::Instant;
use crate::archive::{Archives, PackedBody};
use crate::boxed;
use crate::key::Vault;

/// Why an operation failed. Nothing was written, except that [`StoreError::Unknown`] leaves it open.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum StoreError {
    /// The chain has newer entries: decide again.
    #[error("{0} has newer entries")]
    Conflict(Stream),
    /// The journal already has a command with this id.
    #[error("the command has already been carried out")]
    CommandKnown,
    /// An account that must not be negative would become so.
    #[error("{0} would become negative")]
    Short(String),
    /// The database cannot be reached or written to.
    #[error("{0}")]
    Away(String),
    /// The database's answer was lost: the batch may or may not have been written.
    #[error("{0}")]
    Unknown(String),
    /// The database is damaged.
    #[error("{0}")]
    Corrupt(String),
    /// Not a database, or another program's.
    #[error("{0}")]
    NotOurs(String),
    /// The file does not exist.
    #[error("no database at {0}")]
    Missing(String),
    /// The database has a newer schema than this program.
    #[error("version {0}")]
    Newer(u32),
    /// The database has an older schema and was opened read-only.
    #[error("version {0}")]
    Older(u32),
    /// Another process has the file open.
    #[error("{0} is in use")]
    InUse(String),
    /// The database address cannot be parsed.
    #[error("`{0}` is not a database")]
    Address(String),
    /// An option in the address is invalid.
    #[error("{0}")]
    Option(String),
    /// The database must be empty and is not.
    #[error("{0}")]
    NotEmpty(String),
    /// The house's key is missing or does not belong to this database.
    #[error("{0}")]
    Key(String),
}

/// The future returned by a store's methods.
pub type StoreFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// Round summaries and decks, in the order of the request.
pub type RowsOfRounds = (Vec<Option<RoundRow>>, Vec<Option<DeckRow>>);

/// Selects entries.
#[derive(Debug, Clone, Default)]
pub struct EntryFilter {
    /// In this chain.
    pub stream: Option<Stream>,
    /// With an event of one of these kinds; empty means any.
    pub kinds: Vec<String>,
    /// By this person.
    pub actor: Option<String>,
    /// Only significant events.
    pub significant: bool,
    /// At this time or later.
    pub from: Option<Instant>,
    /// Before this time.
    pub until: Option<Instant>,
    /// Containing this text in chain, kinds, actor, body or accounts, ignoring case.
    pub text: Option<String>,
    /// With a ledger entry on this account.
    pub account: Option<String>,
    /// Number greater than this, oldest first.
    pub after: Option<u64>,
    /// Number less than this, newest first.
    pub before: Option<u64>,
    /// At most so many.
    pub limit: u32,
}

impl EntryFilter {
    /// Whether an entry matches `text`. Sealed bodies do not match.
    pub(crate) fn says(&self, entry: &Entry) -> bool {
        let Some(words) = self.text.as_ref().map(|text| text.to_ascii_lowercase()) else { return true };
        let body = if entry.is_sealed() { "" } else { entry.body.as_str() };
        let text = format!("{} {} {} {body}", entry.stream, entry.kinds, entry.actor).to_ascii_lowercase();
        let has = |account: &str| account.to_ascii_lowercase().contains(&words);
        text.contains(&words) || entry.postings.iter().any(|posting| has(&posting.account))
    }
}

/// Selects finished rounds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RoundFilter {
    /// Of this table.
    pub table: Option<String>,
    /// With this player.
    pub player: Option<String>,
    /// Ended before this time.
    pub before: Option<Instant>,
    /// Maximum number of rows; 50 by default.
    pub limit: Option<u32>,
}

/// Selects snapshots.
#[derive(Debug, Clone)]
pub struct SnapshotFilter {
    /// In this chain.
    pub stream: Stream,
    /// First version.
    pub from: u64,
    /// Last version.
    pub to: u64,
    /// Stored before this time.
    pub before: Option<Instant>,
    /// At most so many.
    pub limit: u32,
}

/// A difference between the database's schema and the one this program creates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// What is wrong.
    pub what: String,
    /// Whether it could change what is written, or accept what must be refused.
    pub serious: bool,
}

impl Difference {
    /// Compares the expected and the actual schema objects, each name and definition. `acts`: whether an unexpected object of this name
    /// acts by itself (a trigger).
    pub fn between(
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

/// A row outside the journal that contradicts it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LooseRow {
    /// Where.
    pub place: String,
    /// What is wrong.
    pub what: String,
}

impl LooseRow {
    /// A ledger row without a journal entry.
    pub fn posting(place: String) -> LooseRow {
        LooseRow { place, what: "the journal has no entry that it belongs to".to_owned() }
    }
}

/// A session or link as stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptSecret {
    /// The row.
    pub row: SecretRow,
    /// Whether the house created it; `None` if the key is missing.
    pub made: Option<bool>,
}

/// The last failed write. A probe row says less, because a database may accept a small row and refuse a large one. Failures expire after 30
/// seconds without orders.
#[derive(Clone, Default)]
pub struct LastFailure(Arc<Mutex<Option<(std::time::Instant, StoreError)>>>);

impl LastFailure {
    /// Records the outcome of an order.
    pub fn note<T>(&self, went: &Result<T, StoreError>) {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match went {
            Err(error @ (StoreError::Away(_) | StoreError::Unknown(_) | StoreError::Corrupt(_))) => {
                *last = Some((std::time::Instant::now(), error.clone()));
            }
            Ok(_) => *last = None,
            // A refusal: the database works.
            Err(_) => {}
        }
    }

    /// Returns the last failure if it is recent.
    pub fn check(&self) -> Result<(), StoreError> {
        let last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match last.as_ref() {
            Some((at, error)) if at.elapsed() < std::time::Duration::from_secs(30) => Err(error.clone()),
            _ => Ok(()),
        }
    }

    /// The row written to probe the database. It authenticates nobody.
    pub fn probe() -> SecretRow {
        let (hash, kind, actor) = ("health".to_owned(), "health".to_owned(), String::new());
        SecretRow { hash, kind, actor, expires: Instant(0) }
    }
}

/// Replication standbys of a server.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Standbys {
    /// Number of standbys by `sync_state`: `sync`, `quorum`, `potential`, `async`.
    pub by_state: BTreeMap<String, u64>,
    /// Bytes of WAL that the slowest standby has not replayed yet.
    pub behind_bytes: Option<u64>,
}

/// A database.
pub trait Store: Send + Sync + 'static {
    /// Writes the batch atomically and returns the numbers of its entries. Its place in the queue is taken by this call, not by the first
    /// poll of the future.
    fn append(&self, batch: Batch) -> StoreFuture<'static, Vec<u64>>;
    /// Whether batches are written in call order, so that a batch may build on an earlier one that is still pending.
    fn ordered(&self) -> bool;
    /// Entries of a chain after `after`, in order.
    fn read(&self, stream: &Stream, after: u64, limit: u32) -> StoreFuture<'_, Vec<Entry>>;
    /// The entry that this command produced.
    fn by_command(&self, command: &str) -> StoreFuture<'_, Option<Entry>>;
    /// Entries of any chain.
    fn entries(&self, filter: EntryFilter) -> StoreFuture<'_, Vec<Entry>>;
    /// Lowest and highest entry number in a time range.
    fn numbers(&self, from: Option<Instant>, until: Option<Instant>) -> StoreFuture<'_, Option<(u64, u64)>>;
    /// All chains, without reading their entries.
    fn streams(&self) -> StoreFuture<'_, Vec<Stream>>;
    /// The heads of all chains.
    fn heads(&self) -> StoreFuture<'_, BTreeMap<Stream, Head>>;
    /// Balance of an account.
    fn balance(&self, account: &str) -> StoreFuture<'_, i64>;
    /// All balances.
    fn balances(&self) -> StoreFuture<'_, BTreeMap<String, i64>>;
    /// A deck.
    fn deck(&self, table: &str, round: u32) -> StoreFuture<'_, Option<DeckRow>>;
    /// The stored decks of a table.
    fn decks(&self, table: &str) -> StoreFuture<'_, Vec<DeckRow>>;
    /// Finished rounds, newest first.
    fn rounds(&self, filter: RoundFilter) -> StoreFuture<'_, Vec<RoundRow>>;
    /// One finished round.
    fn round(&self, table: &str, round: u32) -> StoreFuture<'_, Option<RoundRow>>;
    /// Summaries and decks of these rounds, in the order of the request.
    fn rows_of_rounds(
        &self,
        lines: Vec<(String, u32)>,
        decks: Vec<(String, u32)>,
    ) -> StoreFuture<'_, RowsOfRounds> {
        Box::pin(async move {
            let (mut of_lines, mut of_decks) = (Vec::new(), Vec::new());
            for (table, round) in &lines {
                of_lines.push(self.round(table, *round).await?);
            }
            for (table, round) in &decks {
                of_decks.push(self.deck(table, *round).await?);
            }
            Ok((of_lines, of_decks))
        })
    }
    /// Number of round summaries and decks, by table.
    fn rounds_kept(&self) -> StoreFuture<'_, BTreeMap<String, (u64, u64)>>;
    /// Snapshots of a chain, newest first.
    fn snapshots(&self, filter: SnapshotFilter) -> StoreFuture<'_, Vec<SnapshotRow>>;
    /// Names with this prefix, of chains and anything else that has snapshots.
    fn names_from(&self, prefix: &str) -> StoreFuture<'_, Vec<String>>;
    /// Stores a session or link.
    fn put_secret(&self, row: SecretRow) -> StoreFuture<'_, ()>;
    /// The session or link with this hash, unless it has expired.
    fn secret(&self, hash: &str, kind: &str, now: Instant) -> StoreFuture<'_, Option<SecretRow>> {
        let found = self.secrets(vec![hash.to_owned()], kind, now);
        Box::pin(async move { Ok(found.await?.pop()) })
    }
    /// All sessions and links.
    fn kept_secrets(&self) -> StoreFuture<'_, Vec<KeptSecret>>;
    /// Removes and returns it. Of several concurrent callers at most one gets it.
    fn take_secret(&self, hash: &str, kind: &str, now: Instant) -> StoreFuture<'_, Option<SecretRow>>;
    /// Those with these hashes that have not expired, in one query.
    fn secrets(&self, hashes: Vec<String>, kind: &str, now: Instant) -> StoreFuture<'_, Vec<SecretRow>>;
    /// Changes a session's expiry. A session that was removed meanwhile stays removed.
    fn extend_secret(&self, row: SecretRow) -> StoreFuture<'_, ()>;
    /// Rows outside the journal that contradict it.
    fn loose(&self) -> StoreFuture<'_, Vec<LooseRow>>;
    /// Highest entry number ever assigned, if numbers have no gaps.
    fn given(&self) -> StoreFuture<'_, Option<u64>>;
    /// Differences between the database's schema and the one this program creates.
    fn differences(&self) -> StoreFuture<'_, Vec<Difference>>;
    /// A read-only view of the database at one moment. It answers one query at a time.
    fn frozen(&self) -> StoreFuture<'_, Arc<dyn Store>>;
    /// Whether a frozen view was consistent: a file read without a lock has not changed meanwhile.
    fn undisturbed(&self) -> bool {
        true
    }
    /// Writes a probe row. Also fails if an order failed recently.
    fn can_write(&self) -> StoreFuture<'_, ()>;
    /// Whether this process was the only one on the database when it opened it: rounds in progress were then interrupted.
    fn alone(&self) -> bool;
    /// Reports that the casino is open. A process that came first keeps others out until this call, so that if it dies before, the next one
    /// also finds itself alone. Fails if the process has lost its lock meanwhile.
    fn opened(&self) -> StoreFuture<'_, ()> {
        Box::pin(std::future::ready(Ok(())))
    }
    /// Whether the file needed its write-ahead log but had none beside it when it was opened.
    fn without_log(&self) -> bool {
        false
    }
    /// Warnings for the operator.
    fn warnings(&self) -> Vec<String> {
        Vec::new()
    }
    /// Standbys by replication state, and the largest lag in bytes.
    fn standbys(&self) -> StoreFuture<'_, Standbys> {
        Box::pin(std::future::ready(Ok(Standbys::default())))
    }
    /// Whether other processes run the casino on this database now.
    fn others(&self) -> StoreFuture<'_, bool> {
        Box::pin(std::future::ready(Ok(false)))
    }
    /// Archives of bodies that were moved out of the database.
    fn archives(&self) -> Option<&Archives> {
        None
    }
    /// Last version of each table's chain that may be archived: of rounds that ended before `before`, and before the last snapshot.
    fn archivable(&self, _before: Instant) -> StoreFuture<'_, BTreeMap<Stream, u64>> {
        Box::pin(std::future::ready(Ok(BTreeMap::new())))
    }
    /// Stored bodies of the entries numbered `after + 1` to `last`, in order.
    fn bodies(&self, _after: u64, _last: u64, _limit: u32) -> StoreFuture<'_, Vec<PackedBody>> {
        Box::pin(std::future::ready(Ok(Vec::new())))
    }
    /// Replaces the stored bodies of these entries, in one transaction.
    fn put_bodies(&self, _bodies: Vec<(u64, Vec<u8>)>) -> StoreFuture<'_, ()> {
        Box::pin(std::future::ready(Err(StoreError::Away(
            "this database does not support archives".to_owned(),
        ))))
    }
    /// Returns unused space to the disk, if the database does not do so by itself.
    fn compact(&self) -> StoreFuture<'_, ()> {
        Box::pin(std::future::ready(Ok(())))
    }
    /// Names of chains that other processes have written to. Can be taken once.
    fn news(&self) -> Option<mpsc::UnboundedReceiver<Stream>>;
    /// Finishes all pending writes and closes the database.
    fn close(&self) -> StoreFuture<'_, ()>;
    /// Commits single rows one after another: the baseline that a load test compares with.
    fn floor(&self, commits: u32) -> StoreFuture<'_, ()>;
}

/// How a database is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Run the casino.
    Serve,
    /// Read only; the casino may be running.
    Read,
    /// Change an account from the command line: on PostgreSQL beside a running casino, without counting as one of its hosts.
    Console,
}

/// Whether an address is that of a PostgreSQL server.
pub(crate) fn on_server(address: &str) -> bool {
    address.starts_with("postgres://") || address.starts_with("postgresql://")
}

/// The path in the address of a file.
fn file_of(address: &str) -> Result<String, StoreError> {
    let path = address.strip_prefix("sqlite:").unwrap_or(address);
    if path.is_empty() || path.contains("://") {
        return Err(StoreError::Address(without_password(address)));
    }
    if path.split_whitespace().any(|word| word.starts_with("host=") || word.starts_with("password=")) {
        return Err(StoreError::Option(
            "write the address of a server as postgres://USER@HOST/DATABASE".to_owned(),
        ));
    }
    Ok(path.to_owned())
}

/// Checks a database address and the files that it names, without opening anything.
pub fn check_address(address: &str) -> Result<(), StoreError> {
    if on_server(address) {
        return super::postgres::PostgresStore::check_address(address);
    }
    file_of(address).map(drop)
}

/// Removes a casino from a server: one that was restored a moment ago and must not stay, because its restoring was not finished. A file is
/// removed as a file.
#[boxed]
pub async fn remove_restored(address: &str) -> Result<(), StoreError> {
    if on_server(address) {
        return super::postgres::PostgresStore::remove_restored(address).await;
    }
    Err(StoreError::Address(without_password(address)))
}

/// Opens a database by its address.
#[boxed]
pub async fn open(address: &str, mode: Mode, vault: Vault) -> Result<Arc<dyn Store>, StoreError> {
    if on_server(address) {
        let store = super::postgres::PostgresStore::open(address, mode, vault).await?;
        return Ok(Arc::new(store) as Arc<dyn Store>);
    }
    let path = file_of(address)?;
    let shown = path.clone();
    let opened =
        tokio::task::spawn_blocking(move || super::sqlite::SqliteStore::open(&path, mode, vault)).await;
    match opened {
        Ok(Ok(store)) => Ok(Arc::new(store) as Arc<dyn Store>),
        Ok(Err(error)) => Err(naming(&shown, error)),
        Err(stopped) => Err(StoreError::Away(stopped.to_string())),
    }
}

/// Adds the path to errors that concern the whole file.
pub(crate) fn naming(path: &str, error: StoreError) -> StoreError {
    if let StoreError::NotOurs(why) = error {
        return StoreError::NotOurs(format!("{path}: {why}"));
    }
    if let StoreError::Away(why) = &error
        && !why.contains(path)
    {
        return StoreError::Away(format!("{path}: {why}"));
    }
    if matches!(error, StoreError::InUse(_)) { StoreError::InUse(path.to_owned()) } else { error }
}

/// Schema version of a database; `None` if it does not exist or is empty. Changes nothing.
#[boxed]
pub async fn version(address: &str) -> Result<Option<u32>, StoreError> {
    if on_server(address) {
        return super::postgres::PostgresStore::version(address).await;
    }
    let path = file_of(address)?;
    let shown = path.clone();
    let found = tokio::task::spawn_blocking(move || super::sqlite::version(&path)).await;
    found.map_err(|stopped| StoreError::Away(stopped.to_string()))?.map_err(|error| naming(&shown, error))
}

/// The address without user, password and options, any of which may be secret.
pub fn without_password(address: &str) -> String {
    let address = address.split_once('?').map_or(address, |(place, _)| place);
    match (address.find("://"), address.rfind('@')) {
        (Some(scheme), Some(at)) if at > scheme => {
            format!("{}…@{}", &address[..scheme + 3], &address[at + 1..])
        }
        _ => address.to_owned(),
    }
}
