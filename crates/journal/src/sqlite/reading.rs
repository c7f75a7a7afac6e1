//! The reading side: connections that change nothing, and one that sees the file as it was at one moment.
//!
//! A reader leaves no byte changed: its connections are read-only and never move the write-ahead log into the file. A file
//! without such a log is read as it lies, without a lock, so that a copy on a medium that cannot be written can be looked at too.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::meaning;
use super::names::Rows;
use crate::StoreError;
use crate::store::Mode;

/// How many connections read.
const READERS: usize = 3;

/// What a file looks like from outside: its length, and when it was last written.
type Stamp = (u64, Option<SystemTime>);

/// A connection that reads.
pub(super) struct Reader {
    pub(super) rows: Rows,
    /// The file is read as it lies: it looked like this then.
    lies: Option<Stamp>,
}

/// Whether there is no write-ahead log to read. A casino that runs always has one.
fn without_log(path: &str) -> bool {
    std::fs::metadata(format!("{path}-wal")).map_or(true, |log| log.len() == 0)
}

/// What a file holds as its application's number while its casino runs, and nothing once the log is moved into it by plan ("Bzop").
pub(super) const OPEN: u32 = 0x427A_6F70;

/// Where the header of a file holds that number.
const NUMBER: std::ops::Range<usize> = 68..72;

/// Whether a file was copied while its casino ran, without the log beside it.
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

/// The address of a file that is read as it lies, without locks or files beside it.
fn as_it_lies(path: &str) -> String {
    let path = if cfg!(windows) { path.replace('\\', "/") } else { path.to_owned() };
    let path = path.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    let root = if path.as_bytes().get(1) == Some(&b':') && cfg!(windows) { "/" } else { "" };
    format!("file:{root}{path}?immutable=1")
}

impl Reader {
    /// A connection of the running casino itself, or of a program that only reads.
    pub(super) fn connect(path: &str, mode: Mode) -> Result<Reader, StoreError> {
        let flags = match mode {
            Mode::Serve | Mode::Console => OpenFlags::SQLITE_OPEN_READ_WRITE,
            Mode::Read => OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI,
        } | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let lies = (mode == Mode::Read && without_log(path)).then(|| stamp(path));
        let opened = || {
            let connection = match lies {
                Some(_) => Connection::open_with_flags(as_it_lies(path), flags)?,
                None => Connection::open_with_flags(path, flags - OpenFlags::SQLITE_OPEN_URI)?,
            };
            connection.busy_timeout(std::time::Duration::from_secs(10))?;
            connection.set_prepared_statement_cache_capacity(64);
            if mode == Mode::Read {
                connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
            }
            // The first look: a log beside the file must be read with it.
            connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
            Ok(connection)
        };
        let connection = opened().map_err(|error: rusqlite::Error| match error.sqlite_error_code() {
            Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly) if lies.is_none() && mode == Mode::Read => {
                StoreError::Away(format!(
                    "{path} has a log ({path}-wal) that cannot be read where the folder cannot be written: copy both files into \
                     a folder of your own and look at the copy ({error})"
                ))
            }
            _ => meaning(&error),
        })?;
        Ok(Reader { rows: Rows::new(connection), lies })
    }

    /// Whether the file is still what this connection takes it for.
    fn fits(&self, path: &str) -> bool {
        self.lies.is_none_or(|seen| without_log(path) && stamp(path) == seen)
    }
}

/// Connections that read.
#[derive(Clone)]
pub(super) struct Readers {
    idle: Arc<Mutex<Vec<Reader>>>,
    path: String,
    mode: Mode,
    /// There is one connection, and all that it sees is from one moment.
    pub(super) frozen: bool,
}

impl Readers {
    pub(super) fn new(path: &str, mode: Mode) -> Readers {
        Readers { idle: Arc::default(), path: path.to_owned(), mode, frozen: false }
    }

    /// Readers that see everything as it is now, whatever is written meanwhile.
    pub(super) fn frozen(&self) -> Result<Readers, StoreError> {
        let reader = Reader::connect(&self.path, self.mode)?;
        let sql = "BEGIN; SELECT count(*) FROM sqlite_schema;";
        reader.rows.execute_batch(sql).map_err(|error| meaning(&error))?;
        Ok(Readers { idle: Arc::new(Mutex::new(vec![reader])), frozen: true, ..self.clone() })
    }

    /// Whether nobody has written into a file that is read as it lies.
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
                return Err(StoreError::Away("another reader holds this moment".to_owned()));
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
