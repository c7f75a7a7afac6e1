//! SQLite backend: one writer thread that commits many commands per flush, and a few readers.
//!
//! WAL with `synchronous=FULL`: answered commands are on disk. A command is checked before any of its rows is written, so a refusal does
//! not affect the other commands of the shared transaction.

mod chains;
mod checkpointer;
mod convert;
mod known;
mod names;
mod plain;
mod pointers;
mod reading;
mod rows;
mod schema;
mod writer;

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use rusqlite::{Connection, OpenFlags, OptionalExtension, params};
use tokio::sync::{mpsc, oneshot};

use super::store::{Mode, StoreFuture, naming};
use super::{
    Batch, DeckRow, Difference, Entry, EntryFilter, Head, KeptSecret, LastFailure, LooseRow, RoundRow,
    RowsOfRounds, SecretRow, SnapshotFilter, SnapshotRow, Store, StoreError, Stream,
};
use crate::archive::{self, Archives, PackedBody};
use crate::key::Vault;
use crate::packed;
use crate::{Instant, RoundFilter};
use names::Rows;
pub(crate) use plain::{all_rows, put_all_rows};
use reading::{Reader, Readers};
use writer::{Job, Writer};

/// A casino in a file.
pub(crate) struct SqliteStore {
    writer: Option<Writer>,
    readers: Readers,
    path: String,
    failure: LastFailure,
    vault: Vault,
    archives: Archives,
    /// The file needed its write-ahead log but had none beside it.
    without_log: bool,
    /// File lock, held while the casino runs.
    _lock: Option<File>,
}

/// Maps an SQLite error.
fn meaning(error: &rusqlite::Error) -> StoreError {
    use rusqlite::ErrorCode;
    let text = error.to_string();
    // A cell with a value that this program never writes.
    let misread = matches!(
        error,
        rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::Utf8Error(..)
    );
    if misread {
        return StoreError::Corrupt(text);
    }
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseCorrupt) => StoreError::Corrupt(text),
        Some(ErrorCode::NotADatabase) => StoreError::NotOurs(format!("{text}, or its first page is damaged")),
        Some(ErrorCode::DiskFull) => StoreError::Away(format!("the disk is full ({text})")),
        Some(ErrorCode::SystemIoFailure) => StoreError::Away(format!("{text}: the disk is full, or broken")),
        _ => StoreError::Away(text),
    }
}

/// Opens the writer's connection.
fn connect(path: &str) -> Result<Connection, rusqlite::Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
    let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.busy_timeout(std::time::Duration::from_secs(10))?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

/// Opens or creates a file that only its owner can access, since it holds future decks and password hashes. The files that SQLite creates
/// beside it inherit its permissions.
fn private_file(path: &str) -> std::io::Result<File> {
    let mut options = File::options();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Splits `casino.sqlite?max_pages=5000` into the path and the maximum number of pages.
fn max_pages(address: &str) -> Result<(&str, Option<u32>), StoreError> {
    match address.split_once("?max_pages=") {
        None => Ok((address, None)),
        Some((path, pages)) => match pages.parse() {
            Ok(pages) => Ok((path, Some(pages))),
            Err(_) => Err(StoreError::Away(format!("`{pages}` is not a number of pages"))),
        },
    }
}

/// The warning about a file that was copied without its log from a running casino.
pub const WITHOUT_LOG: &str = "the file was copied without its log (the file of the same name with -wal) while the casino was running: the newest entries may be \
                           missing; copy with `baize backup`";

/// Schema version of a file; `None` if it does not exist or is empty.
pub(crate) fn version(address: &str) -> Result<Option<u32>, StoreError> {
    let (path, _) = max_pages(address)?;
    match std::fs::metadata(path) {
        Ok(file) if file.is_dir() => {
            return Err(StoreError::Away(format!("{path} is a folder: name a file in it")));
        }
        Ok(file) if file.len() == 0 => return Ok(None),
        Ok(_) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(StoreError::Away(format!("{path}: {error}"))),
    }
    // The system's error is plainer than SQLite's.
    File::open(path).map_err(|error| StoreError::Away(format!("{path}: {error}")))?;
    schema::version(&Reader::connect(path, Mode::Read)?.rows)
}

/// Copies the file of a running casino as of one moment, log included. The copy is on disk on return. If the file lacks its log, so does
/// the copy, and its header still says so.
pub fn copy(address: &str, to: &Path) -> Result<(), StoreError> {
    let (path, _) = max_pages(address)?;
    let wrong = |error: rusqlite::Error| naming(&to.display().to_string(), meaning(&error));
    let whole = !reading::needs_missing_log(path);
    let reader = Reader::connect(path, Mode::Read)?;
    private_file(&to.display().to_string())
        .map_err(|error| StoreError::Away(format!("{}: {error}", to.display())))?;
    let mut copy = Connection::open(to).map_err(wrong)?;
    {
        // One transaction over all steps: concurrent writes are excluded and do not restart the copy.
        reader.rows.connection.execute_batch("BEGIN; SELECT count(*) FROM sqlite_schema;").map_err(wrong)?;
        let backup = rusqlite::backup::Backup::new(&reader.rows.connection, &mut copy).map_err(wrong)?;
        backup.run_to_completion(10_000, std::time::Duration::ZERO, None).map_err(wrong)?;
    }
    // A backup has no log beside it.
    copy.pragma_update(None, "journal_mode", "DELETE").map_err(wrong)?;
    if whole {
        copy.pragma_update(None, "application_id", 0).map_err(wrong)?;
    }
    copy.close().map_err(|(_, error)| wrong(error))?;
    let synced = File::open(to).and_then(|file| file.sync_all());
    synced.map_err(|error| StoreError::Away(format!("{}: {error}", to.display())))
}

impl SqliteStore {
    /// Opens the file. Except for reading, creates it and its folder if they do not exist.
    pub(crate) fn open(address: &str, mode: Mode, vault: Vault) -> Result<SqliteStore, StoreError> {
        let (path, max_pages) = max_pages(address)?;
        let away = |error: std::io::Error| StoreError::Away(format!("{path}: {error}"));
        let readers = Readers::new(path, mode);
        let archives = Archives::new(Some(archive::default_folder(path)));
        let without_log = reading::needs_missing_log(path);
        if mode == Mode::Read {
            if !Path::new(path).exists() {
                return Err(StoreError::Missing(path.to_owned()));
            }
            if version(address)?.is_none() {
                return Err(StoreError::Missing(path.to_owned()));
            }
            schema::prepare(&Reader::connect(path, mode)?.rows, false)?;
            return Ok(SqliteStore {
                writer: None,
                readers,
                path: path.to_owned(),
                failure: LastFailure::default(),
                vault,
                archives,
                without_log,
                _lock: None,
            });
        }
        if let Some(folder) = Path::new(path).parent().filter(|folder| !folder.as_os_str().is_empty()) {
            archive::private_folder(folder).map_err(away)?;
        }
        let lock = private_file(&format!("{path}.lock")).map_err(away)?;
        lock.try_lock().map_err(|_| StoreError::InUse(path.to_owned()))?;
        private_file(path).map_err(away)?;
        let rows = Rows::new(connect(path).map_err(|error| meaning(&error))?);
        if let Some(pages) = max_pages {
            rows.pragma_update(None, "max_page_count", pages).map_err(|error| meaning(&error))?;
        }
        schema::prepare(&rows, true)?;
        if mode == Mode::Serve {
            // The mark is in the file itself, so a copy without the log carries it.
            let mark = format!("PRAGMA application_id = {}; PRAGMA wal_checkpoint(PASSIVE);", reading::OPEN);
            rows.execute_batch(&mark).map_err(|error| meaning(&error))?;
        }
        let second = connect(path).map_err(|error| meaning(&error))?;
        let writer = Some(Writer::start(rows, second, vault.clone())?);
        let failure = LastFailure::default();
        let path = path.to_owned();
        Ok(SqliteStore { writer, readers, path, failure, vault, archives, without_log, _lock: Some(lock) })
    }

    fn read_with<T, F>(&self, ask: F) -> StoreFuture<'static, T>
    where
        T: Send + 'static,
        F: FnOnce(&Rows) -> Result<T, rusqlite::Error> + Send + 'static,
    {
        let readers = self.readers.clone();
        Box::pin(async move {
            let asked = tokio::task::spawn_blocking(move || readers.with(ask)).await;
            asked.unwrap_or_else(|stopped| Err(StoreError::Away(stopped.to_string())))
        })
    }

    /// A function that opens sealed bodies and reads archived ones.
    fn bodies_of(&self) -> impl FnOnce(Vec<Entry>) -> Vec<Entry> + Send + use<> {
        let (vault, archives) = (self.vault.clone(), self.archives.clone());
        move |entries| archives.whole(vault.open_bodies(entries))
    }

    fn job<T: Send + 'static>(
        &self,
        job: impl FnOnce(oneshot::Sender<Result<T, StoreError>>) -> Job,
    ) -> StoreFuture<'static, T> {
        let (answer, answered) = oneshot::channel();
        let sent = match &self.writer {
            Some(writer) => writer.send(job(answer)),
            None => Err(StoreError::Away("the database was opened for reading only".to_owned())),
        };
        Box::pin(async move {
            sent?;
            answered.await.unwrap_or_else(|_| Err(StoreError::Unknown("the writer has stopped".to_owned())))
        })
    }
}

impl Store for SqliteStore {
    fn append(&self, batch: Batch) -> StoreFuture<'static, Vec<u64>> {
        // Compressed here, off the writer thread.
        let bodies = batch.entries.iter().map(|entry| packed::pack(&entry.body)).collect();
        let queued = self.job(|answer| Job::Append { batch, bodies, answer });
        let failure = self.failure.clone();
        Box::pin(async move {
            let went = queued.await;
            failure.note(&went);
            went.map(|(numbers, _batch)| numbers)
        })
    }

    fn can_write(&self) -> StoreFuture<'_, ()> {
        let tried = self.job(|answer| Job::PutSecret { row: LastFailure::probe(), answer });
        Box::pin(async move {
            tried.await?;
            self.failure.check()
        })
    }

    fn ordered(&self) -> bool {
        true
    }

    fn read(&self, stream: &Stream, after: u64, limit: u32) -> StoreFuture<'_, Vec<Entry>> {
        let stream = stream.clone();
        let bodies = self.bodies_of();
        self.read_with(move |rows| Ok(bodies(chains::read(rows, &stream, after, limit)?)))
    }

    fn by_command(&self, command: &str) -> StoreFuture<'_, Option<Entry>> {
        let (command, bodies) = (command.to_owned(), self.bodies_of());
        self.read_with(move |rows| {
            let found = rows::by_command(rows, &command)?;
            Ok(bodies(found.into_iter().collect()).pop())
        })
    }

    fn entries(&self, filter: EntryFilter) -> StoreFuture<'_, Vec<Entry>> {
        let bodies = self.bodies_of();
        self.read_with(move |rows| Ok(bodies(rows::entries(rows, &filter)?)))
    }

    fn numbers(&self, from: Option<Instant>, until: Option<Instant>) -> StoreFuture<'_, Option<(u64, u64)>> {
        self.read_with(move |rows| rows::numbers(rows, from, until))
    }

    fn streams(&self) -> StoreFuture<'_, Vec<Stream>> {
        self.read_with(|rows| Ok(rows::ends(rows)?.into_keys().map(Stream::named).collect()))
    }

    fn heads(&self) -> StoreFuture<'_, BTreeMap<Stream, Head>> {
        self.read_with(rows::heads)
    }

    fn balance(&self, account: &str) -> StoreFuture<'_, i64> {
        let Some(writer) = &self.writer else {
            let account = account.to_owned();
            return self.read_with(move |rows| rows::balance(rows, &account));
        };
        Box::pin(std::future::ready(Ok(writer.balances.of(account))))
    }

    fn balances(&self) -> StoreFuture<'_, BTreeMap<String, i64>> {
        self.read_with(|rows| Ok(rows::balances(rows)?.into_iter().collect()))
    }

    fn deck(&self, table: &str, round: u32) -> StoreFuture<'_, Option<DeckRow>> {
        let (table, vault) = (table.to_owned(), self.vault.clone());
        self.read_with(move |rows| {
            Ok(rows::decks(rows, &table, Some(round))?.pop().map(|row| vault.opened(row)))
        })
    }

    fn decks(&self, table: &str) -> StoreFuture<'_, Vec<DeckRow>> {
        let (table, vault) = (table.to_owned(), self.vault.clone());
        self.read_with(move |rows| {
            Ok(rows::decks(rows, &table, None)?.into_iter().map(|row| vault.opened(row)).collect())
        })
    }

    fn rounds(&self, filter: RoundFilter) -> StoreFuture<'_, Vec<RoundRow>> {
        self.read_with(move |rows| rows::rounds(rows, &filter))
    }

    fn round(&self, table: &str, round: u32) -> StoreFuture<'_, Option<RoundRow>> {
        let table = table.to_owned();
        self.read_with(move |rows| rows::one_round(rows, &table, round))
    }

    fn rows_of_rounds(
        &self,
        lines: Vec<(String, u32)>,
        decks: Vec<(String, u32)>,
    ) -> StoreFuture<'_, RowsOfRounds> {
        let vault = self.vault.clone();
        self.read_with(move |rows| {
            let line = |(table, round): &(String, u32)| rows::one_round(rows, table, *round);
            let deck = |(table, round): &(String, u32)| {
                Ok(rows::decks(rows, table, Some(*round))?.pop().map(|row| vault.opened(row)))
            };
            let lines = lines.iter().map(line).collect::<Result<_, _>>()?;
            Ok((lines, decks.iter().map(deck).collect::<Result<_, rusqlite::Error>>()?))
        })
    }

    fn rounds_kept(&self) -> StoreFuture<'_, BTreeMap<String, (u64, u64)>> {
        self.read_with(rows::rounds_kept)
    }

    fn snapshots(&self, filter: SnapshotFilter) -> StoreFuture<'_, Vec<SnapshotRow>> {
        self.read_with(move |rows| rows::snapshots(rows, &filter))
    }

    fn names_from(&self, prefix: &str) -> StoreFuture<'_, Vec<String>> {
        let prefix = prefix.to_owned();
        self.read_with(move |rows| rows::names_from(rows, &prefix))
    }

    fn put_secret(&self, row: SecretRow) -> StoreFuture<'_, ()> {
        self.job(|answer| Job::PutSecret { row, answer })
    }

    fn kept_secrets(&self) -> StoreFuture<'_, Vec<KeptSecret>> {
        let vault = self.vault.clone();
        self.read_with(move |rows| {
            let mut asked = rows.prepare("SELECT hash, kind, actor, expires, made FROM secrets")?;
            asked.query_map([], |row| rows::secret(row, &vault))?.collect()
        })
    }

    fn take_secret(&self, hash: &str, kind: &str, now: Instant) -> StoreFuture<'_, Option<SecretRow>> {
        let (hash, kind) = (hash.to_owned(), kind.to_owned());
        self.job(|answer| Job::TakeSecret { hash, kind, now, answer })
    }

    fn secrets(&self, hashes: Vec<String>, kind: &str, now: Instant) -> StoreFuture<'_, Vec<SecretRow>> {
        let (kind, vault) = (kind.to_owned(), self.vault.clone());
        self.read_with(move |rows| {
            let sql = "SELECT hash, kind, actor, expires, made FROM secrets WHERE hash = ?1 AND kind = ?2 AND expires > ?3";
            let mut statement = rows.prepare_cached(sql)?;
            let mut found = Vec::new();
            for hash in &hashes {
                let secret = |row: &rusqlite::Row<'_>| rows::secret(row, &vault);
                let kept = statement.query_row(params![hash, kind, now.0], secret).optional()?;
                found.extend(kept.filter(|kept| kept.made == Some(true)).map(|kept| kept.row));
            }
            Ok(found)
        })
    }

    fn extend_secret(&self, row: SecretRow) -> StoreFuture<'_, ()> {
        self.job(|answer| Job::ExtendSecret { row, answer })
    }

    fn loose(&self) -> StoreFuture<'_, Vec<LooseRow>> {
        let frozen = self.readers.frozen;
        self.read_with(move |rows| if frozen { pointers::wrong_pointers(rows) } else { Ok(Vec::new()) })
    }

    fn given(&self) -> StoreFuture<'_, Option<u64>> {
        self.read_with(|rows| {
            let sql = "SELECT seq FROM sqlite_sequence WHERE name = 'entries'";
            let given: Option<i64> = rows.query_row(sql, [], |row| row.get(0)).optional()?;
            Ok(Some(given.and_then(|given| u64::try_from(given).ok()).unwrap_or(0)))
        })
    }

    fn differences(&self) -> StoreFuture<'_, Vec<Difference>> {
        self.read_with(|rows| schema::differences(rows))
    }

    fn frozen(&self) -> StoreFuture<'_, Arc<dyn Store>> {
        let (readers, path, vault) = (self.readers.clone(), self.path.clone(), self.vault.clone());
        let archives = self.archives.clone();
        Box::pin(async move {
            let frozen = tokio::task::spawn_blocking(move || readers.frozen()).await;
            let readers = frozen.unwrap_or_else(|stopped| Err(StoreError::Away(stopped.to_string())))?;
            let store: Arc<dyn Store> = Arc::new(SqliteStore {
                writer: None,
                readers,
                path,
                failure: LastFailure::default(),
                vault,
                archives,
                without_log: false,
                _lock: None,
            });
            Ok(store)
        })
    }

    fn archives(&self) -> Option<&Archives> {
        Some(&self.archives)
    }

    fn archivable(&self, before: Instant) -> StoreFuture<'_, BTreeMap<Stream, u64>> {
        self.read_with(move |rows| rows::archivable(rows, before))
    }

    fn bodies(&self, after: u64, last: u64, limit: u32) -> StoreFuture<'_, Vec<PackedBody>> {
        self.read_with(move |rows| rows::bodies(rows, after, last, limit))
    }

    fn put_bodies(&self, bodies: Vec<(u64, Vec<u8>)>) -> StoreFuture<'_, ()> {
        self.job(|answer| Job::PutBodies { bodies, answer })
    }

    fn compact(&self) -> StoreFuture<'_, ()> {
        self.job(|answer| Job::Compact { answer })
    }

    fn without_log(&self) -> bool {
        self.without_log
    }

    fn undisturbed(&self) -> bool {
        self.readers.undisturbed()
    }

    fn alone(&self) -> bool {
        self.writer.is_some()
    }

    fn news(&self) -> Option<mpsc::UnboundedReceiver<Stream>> {
        None
    }

    fn close(&self) -> StoreFuture<'_, ()> {
        self.job(|answer| Job::Close { answer })
    }

    fn floor(&self, commits: u32) -> StoreFuture<'_, ()> {
        let path = format!("{}.floor", self.path);
        Box::pin(async move {
            let measured = tokio::task::spawn_blocking(move || writer::floor(&path, commits)).await;
            measured.unwrap_or_else(|stopped| Err(StoreError::Away(stopped.to_string())))
        })
    }
}
