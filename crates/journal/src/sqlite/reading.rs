//! Read connections, and frozen views of the file at one moment.
//!
//! A reader changes no byte of the file: its connections are read-only and never checkpoint the log. A file without a log is read as
//! immutable, without locks, so a copy on a read-only medium can be read too.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::meaning;
use super::names::Rows;
use crate::StoreError;
use crate::store::Mode;

/// Maximum number of idle read connections.
const READERS: usize = 3;

/// Size and modification time of a file.
type Stamp = (u64, Option<SystemTime>);

/// A read connection.
pub(super) struct Reader {
    pub(super) rows: Rows,
    /// The file's stamp when it was opened as immutable, without locks.
    immutable: Option<Stamp>,
}

/// Whether there is no write-ahead log to read. A running casino always has one.
fn without_log(path: &str) -> bool {
    std::fs::metadata(format!("{path}-wal")).map_or(true, |log| log.len() == 0)
}

/// `application_id` of the file of a running casino ("Bzop"); reset once the log is checkpointed on closing.
pub(super) const OPEN: u32 = 0x427A_6F70;

/// Offset of `application_id` in the file header.
const NUMBER: std::ops::Range<usize> = 68..72;

/// Whether a file was copied from a running casino without its log.
pub(super) fn needs_missing_log(path: &str) -> bool {
    use std::io::Read as _;
    let mut header = [0; NUMBER.end];
    let read = std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut header));
    read.is_ok()
        && header[NUMBER] == OPEN.to_be_bytes()
        && !std::path::Path::new(&format!("{path}-wal")).exists()
}

fn stamp(path: &str) -> Stamp {
    std::fs::metadata(path).map_or((0, None), |file| (file.len(), file.modified().ok()))
}

/// SQLite URI that opens a file as immutable, without locks or files beside it.
fn immutable_uri(path: &str) -> String {
    let path = if cfg!(windows) { path.replace('\\', "/") } else { path.to_owned() };
    let path = path.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    let root = if path.as_bytes().get(1) == Some(&b':') && cfg!(windows) { "/" } else { "" };
    format!("file:{root}{path}?immutable=1")
}

impl Reader {
    /// Opens a connection: of the running casino, or of a program that only reads.
    pub(super) fn connect(path: &str, mode: Mode) -> Result<Reader, StoreError> {
        let flags = match mode {
            Mode::Serve | Mode::Console => OpenFlags::SQLITE_OPEN_READ_WRITE,
            Mode::Read => OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI,
        } | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let immutable = (mode == Mode::Read && without_log(path)).then(|| stamp(path));
        let opened = || {
            let connection = match immutable {
                Some(_) => Connection::open_with_flags(immutable_uri(path), flags)?,
                None => Connection::open_with_flags(path, flags - OpenFlags::SQLITE_OPEN_URI)?,
            };
            connection.busy_timeout(std::time::Duration::from_secs(10))?;
            connection.set_prepared_statement_cache_capacity(64);
            if mode == Mode::Read {
                connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
            }
            // Forces SQLite to open the log, if there is one.
            connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
            Ok(connection)
        };
        let connection = opened().map_err(|error: rusqlite::Error| match error.sqlite_error_code() {
            Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly) if immutable.is_none() && mode == Mode::Read => {
                StoreError::Away(format!(
                    "{path} has a log ({path}-wal) that cannot be read because the folder is not writable: copy both files to \
                     a folder that you can write to and read the copy ({error})"
                ))
            }
            _ => meaning(&error),
        })?;
        Ok(Reader { rows: Rows::new(connection), immutable })
    }

    /// Whether an immutable file has not changed since it was opened.
    fn fits(&self, path: &str) -> bool {
        self.immutable.is_none_or(|seen| without_log(path) && stamp(path) == seen)
    }
}

/// A pool of read connections.
#[derive(Clone)]
pub(super) struct Readers {
    idle: Arc<Mutex<Vec<Reader>>>,
    path: String,
    mode: Mode,
    /// There is a single connection, inside one read transaction.
    pub(super) frozen: bool,
}

impl Readers {
    pub(super) fn new(path: &str, mode: Mode) -> Readers {
        Readers { idle: Arc::default(), path: path.to_owned(), mode, frozen: false }
    }

    /// A frozen view of the file as it is now.
    pub(super) fn frozen(&self) -> Result<Readers, StoreError> {
        let reader = Reader::connect(&self.path, self.mode)?;
        let sql = "BEGIN; SELECT count(*) FROM sqlite_schema;";
        reader.rows.execute_batch(sql).map_err(|error| meaning(&error))?;
        Ok(Readers { idle: Arc::new(Mutex::new(vec![reader])), frozen: true, ..self.clone() })
    }

    /// Whether a file opened as immutable has not changed.
    pub(super) fn undisturbed(&self) -> bool {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.iter().all(|reader| reader.fits(&self.path))
    }

    pub(super) fn with<T>(
        &self,
        ask: impl FnOnce(&Rows) -> Result<T, rusqlite::Error>,
    ) -> Result<T, StoreError> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let reader = match idle {
            Some(reader) if self.frozen || reader.fits(&self.path) => reader,
            None if self.frozen => {
                return Err(StoreError::Away("the frozen view is in use by another query".to_owned()));
            }
            _ => Reader::connect(&self.path, self.mode)?,
        };
        let answer = ask(&reader.rows).map_err(|error| meaning(&error));
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < READERS {
            idle.push(reader);
        }
        answer
    }
}
