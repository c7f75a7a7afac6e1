//! What a database must do for the house. SQLite and PostgreSQL do it; one contract suite holds them to it.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use thiserror::Error;
use tokio::sync::mpsc;

use super::{Batch, DeckRow, Entry, Head, RoundRow, SecretRow, SnapshotRow, Stream};
use crate::Instant;
use crate::archive::{Archives, PackedBody};
use crate::key::Vault;

/// Why a database did not do it. In every case nothing was written, except where [`StoreError::Unknown`] says that it is not known.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum StoreError {
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
    /// The answer of the database was lost: whether it was written is not known.
    #[error("{0}")]
    Unknown(String),
    /// The database is damaged.
    #[error("{0}")]
    Corrupt(String),
    /// It is no database, or another program's.
    #[error("{0}")]
    NotOurs(String),
    /// There is no such file.
    #[error("no database at {0}")]
    Missing(String),
    /// The database belongs to a newer program.
    #[error("version {0}")]
    Newer(u32),
    /// The database belongs to an older program, and was opened to look at it.
    #[error("version {0}")]
    Older(u32),
    /// Another process has this file.
    #[error("{0} is in use")]
    InUse(String),
    /// An address of a database that cannot be read.
    #[error("`{0}` is not a database")]
    Address(String),
    /// An option in an address of a database that cannot be.
    #[error("{0}")]
    Option(String),
    /// A database that must be empty, and is not.
    #[error("{0}")]
    NotEmpty(String),
    /// The key of the house is missing or not the one of this database.
    #[error("{0}")]
    Key(String),
}

/// A future of a store.
pub type Doing<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// Lines of rounds, and decks.
pub type RowsOfRounds = (Vec<Option<RoundRow>>, Vec<Option<DeckRow>>);

/// Which entries are asked for.
#[derive(Debug, Clone, Default)]
pub struct EntryFilter {
    /// Of this chain.
    pub stream: Option<Stream>,
    /// With something of one of these kinds; none: of any.
    pub kinds: Vec<String>,
    /// By this person.
    pub actor: Option<String>,
    /// Only significant events.
    pub significant: bool,
    /// At this time or later.
    pub from: Option<Instant>,
    /// Before this time.
    pub until: Option<Instant>,
    /// With these words in chain, kinds, actor, body or accounts, in capitals or not.
    pub text: Option<String>,
    /// With a ledger entry of this account.
    pub account: Option<String>,
    /// Number above this, oldest first.
    pub after: Option<u64>,
    /// Number below this, newest first.
    pub before: Option<u64>,
    /// At most so many.
    pub limit: u32,
}

impl EntryFilter {
    /// Whether an entry has the words that are asked for. A sealed body says nothing.
    pub(crate) fn says(&self, entry: &Entry) -> bool {
        let Some(words) = self.text.as_ref().map(|text| text.to_ascii_lowercase()) else { return true };
        let body = if entry.is_sealed() { "" } else { entry.body.as_str() };
        let text = format!("{} {} {} {body}", entry.stream, entry.kinds, entry.actor).to_ascii_lowercase();
        let has = |account: &str| account.to_ascii_lowercase().contains(&words);
        text.contains(&words) || entry.postings.iter().any(|posting| has(&posting.account))
    }
}

/// Which finished rounds are asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RoundFilter {
    /// Of this table.
    pub table: Option<String>,
    /// With this player.
    pub player: Option<String>,
    /// That ended before this.
    pub before: Option<Instant>,
    /// At most so many; nothing means 50.
    pub limit: Option<u32>,
}

/// Which snapshots are asked for.
#[derive(Debug, Clone)]
pub struct SnapshotFilter {
    /// Of this chain.
    pub stream: Stream,
    /// Versions from this to that.
    pub from: u64,
    /// The last version.
    pub to: u64,
    /// Kept before this.
    pub before: Option<Instant>,
    /// At most so many.
    pub limit: u32,
}

/// Something in which a database's tables, checks and triggers are not those that the program made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// What is wrong.
    pub what: String,
    /// It could change what is written, or let through what is refused.
    pub serious: bool,
}

impl Difference {
    /// What differs between the program's own things and those that were found: name and text of each. `acts`: a thing that acts by itself.
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

/// A row beside the journal that does not fit it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LooseRow {
    /// Where.
    pub place: String,
    /// What is wrong.
    pub what: String,
}

impl LooseRow {
    /// A ledger entry that belongs to no entry of the journal.
    pub fn posting(place: String) -> LooseRow {
        LooseRow { place, what: "the journal has no entry that it belongs to".to_owned() }
    }
}

/// A session or a link as it lies in the database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptSecret {
    /// The row.
    pub row: SecretRow,
    /// The house made it; nothing where the key is not here.
    pub made: Option<bool>,
}

/// The last order that could not be written. A database may take a small row and refuse a large one, so that trying says less than
/// what just happened; after half a minute without orders it says nothing any more.
#[derive(Clone, Default)]
pub struct LastFailure(Arc<Mutex<Option<(std::time::Instant, StoreError)>>>);

impl LastFailure {
    /// Notes how an order went.
    pub fn note<T>(&self, went: &Result<T, StoreError>) {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match went {
            Err(error @ (StoreError::Away(_) | StoreError::Unknown(_) | StoreError::Corrupt(_))) => {
                *last = Some((std::time::Instant::now(), error.clone()));
            }
            Ok(_) => *last = None,
            // The database has answered; it has only said no.
            Err(_) => {}
        }
    }

    /// An order failed just now.
    pub fn check(&self) -> Result<(), StoreError> {
        let last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match last.as_ref() {
            Some((at, error)) if at.elapsed() < std::time::Duration::from_secs(30) => Err(error.clone()),
            _ => Ok(()),
        }
    }

    /// The row that is written to see whether anything can be: it lets nobody in.
    pub fn probe() -> SecretRow {
        let (hash, kind, actor) = ("health".to_owned(), "health".to_owned(), String::new());
        SecretRow { hash, kind, actor, expires: Instant(0) }
    }
}

/// Who follows a server.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Standbys {
    /// How many follow in which way: `sync`, `quorum`, `potential`, `async`.
    pub by_state: BTreeMap<String, u64>,
    /// The bytes of the log that the slowest has not replayed yet.
    pub behind_bytes: Option<u64>,
}

/// A database.
pub trait Store: Send + Sync + 'static {
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
    /// The lines and the decks of these rounds, in the order in which they were asked for.
    fn rows_of_rounds(
        &self,
        lines: Vec<(String, u32)>,
        decks: Vec<(String, u32)>,
    ) -> Doing<'_, RowsOfRounds> {
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
    /// How many lines of rounds and how many decks each table has.
    fn rounds_kept(&self) -> Doing<'_, BTreeMap<String, (u64, u64)>>;
    /// Snapshots of a chain, newest first.
    fn snapshots(&self, filter: SnapshotFilter) -> Doing<'_, Vec<SnapshotRow>>;
    /// Names that begin so, of chains and of whatever else has snapshots.
    fn names_from(&self, prefix: &str) -> Doing<'_, Vec<String>>;
    /// Keeps a session or link.
    fn put_secret(&self, row: SecretRow) -> Doing<'_, ()>;
    /// The session or link of this hash that holds at this time.
    fn secret(&self, hash: &str, kind: &str, now: Instant) -> Doing<'_, Option<SecretRow>>;
    /// All sessions and links.
    fn kept_secrets(&self) -> Doing<'_, Vec<KeptSecret>>;
    /// Takes it away and says what it was: at most one taker gets it.
    fn take_secret(&self, hash: &str, kind: &str, now: Instant) -> Doing<'_, Option<SecretRow>>;
    /// Those of these hashes that hold at this time, read together.
    fn secrets(&self, hashes: Vec<String>, kind: &str, now: Instant) -> Doing<'_, Vec<SecretRow>>;
    /// Lets a session hold until another time. One that was taken away meanwhile stays away.
    fn extend_secret(&self, row: SecretRow) -> Doing<'_, ()>;
    /// Rows beside the journal that do not fit it.
    fn loose(&self) -> Doing<'_, Vec<LooseRow>>;
    /// The highest number that was ever given to an entry, where numbers have no gaps.
    fn given(&self) -> Doing<'_, Option<u64>>;
    /// In what the tables, checks and triggers are not those that the program made.
    fn differences(&self) -> Doing<'_, Vec<Difference>>;
    /// A store that reads all from one moment, whatever is written meanwhile. It writes nothing, and answers one question at a time.
    fn frozen(&self) -> Doing<'_, Arc<dyn Store>>;
    /// Whether what was read from one moment can be relied on: nobody has changed a file that was read without a lock.
    fn undisturbed(&self) -> bool {
        true
    }
    /// Writes a row beside the journal. Fails too where an order could not be written just now.
    fn can_write(&self) -> Doing<'_, ()>;
    /// Whether this process is the only one on the database: then rounds under way were interrupted.
    fn alone(&self) -> bool;
    /// This process has opened the casino. One that came alone kept others out until now, so that of one that dies before the next one finds
    /// itself alone too. Fails where it has lost its place meanwhile.
    fn opened(&self) -> Doing<'_, ()> {
        Box::pin(std::future::ready(Ok(())))
    }
    /// Whether the database is a file that needs its log, and had none beside it when it was opened.
    fn without_log(&self) -> bool {
        false
    }
    /// What the operator should know about the database.
    fn warnings(&self) -> Vec<String> {
        Vec::new()
    }
    /// Standbys by how they follow (`sync`, `quorum`, `async`), each with its number, and the bytes that the last one is behind.
    fn standbys(&self) -> Doing<'_, Standbys> {
        Box::pin(std::future::ready(Ok(Standbys::default())))
    }
    /// Whether other processes run the casino on the same database now.
    fn others(&self) -> Doing<'_, bool> {
        Box::pin(std::future::ready(Ok(false)))
    }
    /// Where bodies that were moved out of the database are.
    fn archives(&self) -> Option<&Archives> {
        None
    }
    /// The last version of each table's chain that may go into an archive: of rounds that ended before a time, and before its last snapshot.
    fn archivable(&self, _before: Instant) -> Doing<'_, BTreeMap<Stream, u64>> {
        Box::pin(std::future::ready(Ok(BTreeMap::new())))
    }
    /// Bodies as the rows have them, of numbers after one and up to another, in order.
    fn bodies(&self, _after: u64, _last: u64, _limit: u32) -> Doing<'_, Vec<PackedBody>> {
        Box::pin(std::future::ready(Ok(Vec::new())))
    }
    /// Puts bodies into rows: all of them, or none.
    fn put_bodies(&self, _bodies: Vec<(u64, Vec<u8>)>) -> Doing<'_, ()> {
        Box::pin(std::future::ready(Err(StoreError::Away(
            "bodies are not moved in this database".to_owned(),
        ))))
    }
    /// Gives space that is not needed any more back to the disk, where the database does not do that by itself.
    fn compact(&self) -> Doing<'_, ()> {
        Box::pin(std::future::ready(Ok(())))
    }
    /// News of entries that other processes wrote: chain names. Once.
    fn news(&self) -> Option<mpsc::UnboundedReceiver<Stream>>;
    /// Waits until everything is written and closes.
    fn close(&self) -> Doing<'_, ()>;
    /// Writes one row and waits for it to be durable, many times: the floor that a load test measures itself against.
    fn floor(&self, commits: u32) -> Doing<'_, ()>;
}

/// How a database is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// To run a casino.
    Serve,
    /// To look: beside a running casino.
    Read,
    /// To change an account at the console: beside a running casino on PostgreSQL, without being one of its hosts.
    Console,
}

fn on_server(address: &str) -> bool {
    address.starts_with("postgres://") || address.starts_with("postgresql://")
}

/// The file of an address that is not a server's.
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

/// Reads the address of a database and the files that it names. Nothing is opened.
pub fn check_address(address: &str) -> Result<(), StoreError> {
    if on_server(address) {
        return super::postgres::PostgresStore::check_address(address);
    }
    file_of(address).map(drop)
}

/// Removes a casino from a server: one that was restored a moment ago and must not stay, because its restoring was not finished. A file is
/// removed as a file.
pub async fn remove_restored(address: &str) -> Result<(), StoreError> {
    if on_server(address) {
        return super::postgres::PostgresStore::remove_restored(address).await;
    }
    Err(StoreError::Address(without_password(address)))
}

/// Opens a database by its address.
pub async fn open(address: &str, mode: Mode, vault: Vault) -> Result<Arc<dyn Store>, StoreError> {
    if on_server(address) {
        let store = super::postgres::PostgresStore::open(address, mode, vault).await?;
        return Ok(Arc::new(store));
    }
    let path = file_of(address)?;
    let shown = path.clone();
    let opened =
        tokio::task::spawn_blocking(move || super::sqlite::SqliteStore::open(&path, mode, vault)).await;
    match opened {
        Ok(Ok(store)) => Ok(Arc::new(store)),
        Ok(Err(error)) => Err(naming(&shown, error)),
        Err(stopped) => Err(StoreError::Away(stopped.to_string())),
    }
}

/// Errors about a whole file name it.
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

/// The version of the tables of a database; `None`: there is none, or it is empty. Nothing is changed.
pub async fn version(address: &str) -> Result<Option<u32>, StoreError> {
    if on_server(address) {
        return super::postgres::PostgresStore::version(address).await;
    }
    let path = file_of(address)?;
    let shown = path.clone();
    let found = tokio::task::spawn_blocking(move || super::sqlite::version(&path)).await;
    found.map_err(|stopped| StoreError::Away(stopped.to_string()))?.map_err(|error| naming(&shown, error))
}

/// An address without what stands before the `@` and its options: both may hold a password.
pub fn without_password(address: &str) -> String {
    let address = address.split_once('?').map_or(address, |(place, _)| place);
    match (address.find("://"), address.rfind('@')) {
        (Some(scheme), Some(at)) if at > scheme => {
            format!("{}…@{}", &address[..scheme + 3], &address[at + 1..])
        }
        _ => address.to_owned(),
    }
}
