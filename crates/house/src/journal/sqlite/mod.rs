//! SQLite: one writer thread that commits many commands with one flush to disk, and a few readers.
//!
//! WAL with `synchronous=FULL`: what is answered is on the disk. A command that cannot be written is refused before any of its rows is,
//! so that it takes nothing with it out of the transaction that many share.

mod known;
mod rows;
mod schema;
mod writer;

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::{Connection, OpenFlags, OptionalExtension, params};
use tokio::sync::{mpsc, oneshot};

use super::store::{Doing, Mode};
use super::{
    Batch, DeckRow, Entry, EntryFilter, Head, LastFailure, RoundRow, SecretRow, SnapshotFilter, SnapshotRow,
    Store, StoreError, Stream,
};
use crate::{Instant, RoundFilter};
use writer::{Job, Writer};

/// How many connections read.
const READERS: usize = 3;

/// A casino in a file.
pub(crate) struct SqliteStore {
    writer: Option<Writer>,
    readers: Readers,
    path: String,
    failure: LastFailure,
    /// Held as long as the casino runs.
    _lock: Option<File>,
}

#[derive(Clone)]
struct Readers {
    idle: Arc<Mutex<Vec<Connection>>>,
    path: String,
}

/// What an error of SQLite means to the house.
fn meaning(error: &rusqlite::Error) -> StoreError {
    use rusqlite::ErrorCode;
    let text = error.to_string();
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => StoreError::Corrupt(text),
        Some(ErrorCode::DiskFull) => StoreError::Away(format!("the disk is full ({text})")),
        _ => StoreError::Away(text),
    }
}

fn connect(path: &str, mode: Mode) -> Result<Connection, rusqlite::Error> {
    let flags = match mode {
        Mode::Serve => OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE,
        Mode::Read => OpenFlags::SQLITE_OPEN_READ_WRITE,
    };
    let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.busy_timeout(std::time::Duration::from_secs(10))?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

/// `casino.sqlite?max_pages=5000`: the file, and the most pages of 4096 bytes that it may have.
fn most_pages(address: &str) -> Result<(&str, Option<u32>), StoreError> {
    match address.split_once("?max_pages=") {
        None => Ok((address, None)),
        Some((path, pages)) => match pages.parse() {
            Ok(pages) => Ok((path, Some(pages))),
            Err(_) => Err(StoreError::Away(format!("`{pages}` is not a number of pages"))),
        },
    }
}

impl SqliteStore {
    /// Opens the file, makes it and its folder where they are missing.
    pub(crate) fn open(address: &str, mode: Mode) -> Result<SqliteStore, StoreError> {
        let (path, most_pages) = most_pages(address)?;
        let away = |error: std::io::Error| StoreError::Away(format!("{path}: {error}"));
        let serve = mode == Mode::Serve;
        if !serve && !Path::new(path).exists() {
            return Err(StoreError::Away(format!("{path}: there is no such file")));
        }
        if let Some(folder) =
            Path::new(path).parent().filter(|folder| serve && !folder.as_os_str().is_empty())
        {
            std::fs::create_dir_all(folder).map_err(away)?;
        }
        let lock = if serve {
            let file = File::create(format!("{path}.lock")).map_err(away)?;
            file.try_lock().map_err(|_| StoreError::InUse)?;
            Some(file)
        } else {
            None
        };
        let connection = connect(path, mode).map_err(|error| meaning(&error))?;
        if let Some(pages) = most_pages {
            connection.pragma_update(None, "max_page_count", pages).map_err(|error| meaning(&error))?;
        }
        schema::prepare(&connection, serve)?;
        let readers = Readers { idle: Arc::new(Mutex::new(Vec::new())), path: path.to_owned() };
        let writer = if serve { Some(Writer::start(connection)?) } else { None };
        Ok(SqliteStore {
            writer,
            readers,
            path: path.to_owned(),
            failure: LastFailure::default(),
            _lock: lock,
        })
    }

    fn read_with<T, F>(&self, ask: F) -> Doing<'static, T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T, rusqlite::Error> + Send + 'static,
    {
        let readers = self.readers.clone();
        Box::pin(async move {
            let asked = tokio::task::spawn_blocking(move || readers.with(ask)).await;
            asked.unwrap_or_else(|stopped| Err(StoreError::Away(stopped.to_string())))
        })
    }

    fn job<T: Send + 'static>(
        &self,
        job: impl FnOnce(oneshot::Sender<Result<T, StoreError>>) -> Job,
    ) -> Doing<'static, T> {
        let (answer, answered) = oneshot::channel();
        let sent = match &self.writer {
            Some(writer) => writer.send(job(answer)),
            None => Err(StoreError::Away("the database was opened for reading only".to_owned())),
        };
        Box::pin(async move {
            sent?;
            answered.await.unwrap_or_else(|_| Err(StoreError::Away("the writer has stopped".to_owned())))
        })
    }
}

impl Readers {
    fn with<T>(&self, ask: impl FnOnce(&Connection) -> Result<T, rusqlite::Error>) -> Result<T, StoreError> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let connection = match idle {
            Some(connection) => connection,
            None => connect(&self.path, Mode::Read).map_err(|error| meaning(&error))?,
        };
        let answer = ask(&connection).map_err(|error| meaning(&error));
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < READERS {
            idle.push(connection);
        }
        answer
    }
}

impl Store for SqliteStore {
    fn append(&self, batch: Batch) -> Doing<'static, Vec<u64>> {
        let (queued, failure) = (self.job(|answer| Job::Append { batch, answer }), self.failure.clone());
        Box::pin(async move {
            let went = queued.await;
            failure.note(&went);
            went
        })
    }

    fn can_write(&self) -> Doing<'_, ()> {
        let tried = self.job(|answer| Job::PutSecret { row: LastFailure::probe(), answer });
        Box::pin(async move {
            tried.await?;
            self.failure.check()
        })
    }

    fn ordered(&self) -> bool {
        true
    }

    fn read(&self, stream: &Stream, after: u64, limit: u32) -> Doing<'_, Vec<Entry>> {
        let stream = stream.clone();
        self.read_with(move |connection| rows::read(connection, &stream, after, limit))
    }

    fn by_command(&self, command: &str) -> Doing<'_, Option<Entry>> {
        let command = command.to_owned();
        self.read_with(move |connection| rows::by_command(connection, &command))
    }

    fn entries(&self, filter: EntryFilter) -> Doing<'_, Vec<Entry>> {
        self.read_with(move |connection| rows::entries(connection, &filter))
    }

    fn heads(&self) -> Doing<'_, BTreeMap<Stream, Head>> {
        self.read_with(rows::heads)
    }

    fn balance(&self, account: &str) -> Doing<'_, i64> {
        let Some(writer) = &self.writer else {
            let account = account.to_owned();
            return self.read_with(move |connection| rows::balance(connection, &account));
        };
        Box::pin(std::future::ready(Ok(writer.balances.of(account))))
    }

    fn balances(&self) -> Doing<'_, BTreeMap<String, i64>> {
        self.read_with(|connection| Ok(rows::balances(connection)?.into_iter().collect()))
    }

    fn deck(&self, table: &str, round: u32) -> Doing<'_, Option<DeckRow>> {
        let table = table.to_owned();
        self.read_with(move |connection| {
            let sql = "SELECT tab, round, salt, cards FROM decks WHERE tab = ?1 AND round = ?2";
            connection.prepare_cached(sql)?.query_row(params![table, round], rows::deck).optional()
        })
    }

    fn decks(&self, table: &str) -> Doing<'_, Vec<DeckRow>> {
        let table = table.to_owned();
        self.read_with(move |connection| {
            let sql = "SELECT tab, round, salt, cards FROM decks WHERE tab = ?1 ORDER BY round";
            connection.prepare_cached(sql)?.query_map([table], rows::deck)?.collect()
        })
    }

    fn rounds(&self, filter: RoundFilter) -> Doing<'_, Vec<RoundRow>> {
        self.read_with(move |connection| rows::rounds(connection, &filter))
    }

    fn round(&self, table: &str, round: u32) -> Doing<'_, Option<RoundRow>> {
        let table = table.to_owned();
        self.read_with(move |connection| rows::one_round(connection, &table, round))
    }

    fn snapshots(&self, filter: SnapshotFilter) -> Doing<'_, Vec<SnapshotRow>> {
        self.read_with(move |connection| rows::snapshots(connection, &filter))
    }

    fn put_secret(&self, row: SecretRow) -> Doing<'_, ()> {
        self.job(|answer| Job::PutSecret { row, answer })
    }

    fn secret(&self, hash: &str, kind: &str, now: Instant) -> Doing<'_, Option<SecretRow>> {
        let (hash, kind) = (hash.to_owned(), kind.to_owned());
        self.read_with(move |connection| {
            let sql = "SELECT hash, kind, actor, expires FROM secrets WHERE hash = ?1 AND kind = ?2 AND expires > ?3";
            connection.prepare_cached(sql)?.query_row(params![hash, kind, now.0], rows::secret).optional()
        })
    }

    fn take_secret(&self, hash: &str, kind: &str, now: Instant) -> Doing<'_, Option<SecretRow>> {
        let (hash, kind) = (hash.to_owned(), kind.to_owned());
        self.job(|answer| Job::TakeSecret { hash, kind, now, answer })
    }

    fn alone(&self) -> bool {
        self.writer.is_some()
    }

    fn news(&self) -> Option<mpsc::UnboundedReceiver<Stream>> {
        None
    }

    fn close(&self) -> Doing<'_, ()> {
        self.job(|answer| Job::Close { answer })
    }

    fn floor(&self, commits: u32) -> Doing<'_, ()> {
        let path = format!("{}.floor", self.path);
        Box::pin(async move {
            let measured = tokio::task::spawn_blocking(move || writer::floor(&path, commits)).await;
            measured.unwrap_or_else(|stopped| Err(StoreError::Away(stopped.to_string())))
        })
    }
}
