//! The writer thread: takes what has gathered, writes it in one transaction, answers when it is on the disk.

use std::sync::mpsc::{Receiver, Sender, channel};

use rusqlite::{Connection, OptionalExtension, params};
use tokio::sync::oneshot;

use super::known::{Balances, Changes, Known};
use super::sweeper::{self, Sweeper};
use super::{meaning, rows};
use crate::Instant;
use crate::journal::{Batch, Entry, SecretRow, StoreError};

/// The most commands that share one flush.
const MOST_TOGETHER: usize = 512;

type Answer<T> = oneshot::Sender<Result<T, StoreError>>;

/// Work for the writer.
pub(super) enum Job {
    /// The batch comes back with the answer: whoever made it throws it away, and the writer has one thing less to do.
    Append {
        batch: Batch,
        answer: Answer<(Vec<u64>, Batch)>,
    },
    PutSecret {
        row: SecretRow,
        answer: Answer<()>,
    },
    TakeSecret {
        hash: String,
        kind: String,
        now: Instant,
        answer: Answer<Option<SecretRow>>,
    },
    ExtendSecret {
        hash: String,
        kind: String,
        expires: Instant,
        answer: Answer<()>,
    },
    Close {
        answer: Answer<()>,
    },
}

/// An answer that waits for the flush.
enum Waiting {
    Numbers(Answer<(Vec<u64>, Batch)>, Result<(Vec<u64>, Batch), StoreError>),
    Done(Answer<()>, Result<(), StoreError>),
    Taken(Answer<Option<SecretRow>>, Result<Option<SecretRow>, StoreError>),
}

impl Waiting {
    fn answer(self, committed: Result<(), StoreError>) {
        // Whoever asked may have gone: that is his affair. A refusal may rest on what came before it in the flush: if that was undone, it
        // does not hold either.
        match self {
            Waiting::Numbers(answer, done) => drop(answer.send(committed.and(done))),
            Waiting::Done(answer, done) => drop(answer.send(committed.and(done))),
            Waiting::Taken(answer, done) => drop(answer.send(committed.and(done))),
        }
    }
}

pub(super) struct Writer {
    jobs: Sender<Job>,
    pub(super) balances: Balances,
}

impl Writer {
    /// A writer on its connection, with a second one to the same file for the log.
    pub(super) fn start(mut connection: Connection, second: Connection) -> Result<Writer, StoreError> {
        let (jobs, queue) = channel();
        let wrong = |error: rusqlite::Error| meaning(&error);
        let page: u32 = connection.pragma_query_value(None, "page_size", |row| row.get(0)).map_err(wrong)?;
        let sweeper = Sweeper::start(&mut connection, second, sweeper::EVERY / page.max(512))?;
        let known = Known::read(&connection).map_err(wrong)?;
        let balances = known.balances.clone();
        std::thread::Builder::new()
            .name("journal".to_owned())
            .spawn(move || run(&connection, &queue, known, sweeper))
            .map_err(|error| StoreError::Away(error.to_string()))?;
        Ok(Writer { jobs, balances })
    }

    pub(super) fn send(&self, job: Job) -> Result<(), StoreError> {
        self.jobs.send(job).map_err(|_| StoreError::Away("the journal is closed".to_owned()))
    }
}

fn run(connection: &Connection, queue: &Receiver<Job>, mut known: Known, mut sweeper: Sweeper) {
    while let Ok(first) = queue.recv() {
        let mut closing = None;
        let mut flush = Flush::begin(connection, &known);
        let mut next = Some(first);
        while let Some(job) = next {
            if let Job::Close { answer } = job {
                closing = Some(answer);
                break;
            }
            flush.carry_out(job);
            next = if flush.waiting.len() < MOST_TOGETHER { queue.try_recv().ok() } else { None };
        }
        let (waiting, flushed) = flush.end();
        let committed = flushed.map(|changes| known.keep(changes));
        for answer in waiting {
            answer.answer(committed.clone());
        }
        sweeper.flushed(connection);
        if let Some(answer) = closing {
            drop(sweeper);
            let _ = connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)");
            let _ = answer.send(Ok(()));
            return;
        }
    }
}

/// A transaction that many commands share.
struct Flush<'a> {
    connection: &'a Connection,
    known: &'a Known,
    changes: Changes,
    waiting: Vec<Waiting>,
    /// The disk is full or fails: nothing of the flush may be answered as done.
    broken: Option<StoreError>,
}

/// Why a batch was not written.
enum Fault {
    /// It does not follow from what is known: nothing of it was written.
    Refused(StoreError),
    /// The disk: part of it may have been written.
    Broken(rusqlite::Error),
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Fault {
        Fault::Broken(error)
    }
}

impl<'a> Flush<'a> {
    fn begin(connection: &'a Connection, known: &'a Known) -> Flush<'a> {
        let broken = connection.execute_batch("BEGIN IMMEDIATE").err().map(|error| meaning(&error));
        Flush { connection, known, changes: Changes::default(), waiting: Vec::new(), broken }
    }

    fn carry_out(&mut self, job: Job) {
        let waiting = match job {
            Job::Append { batch, answer } => {
                let done = self.unless_broken(|flush| flush.append(&batch));
                Waiting::Numbers(answer, done.map(|numbers| (numbers, batch)))
            }
            Job::PutSecret { row, answer } => {
                Waiting::Done(answer, self.unless_broken(|flush| Ok(put_secret(flush.connection, &row)?)))
            }
            Job::TakeSecret { hash, kind, now, answer } => {
                let done = self.unless_broken(|flush| Ok(take_secret(flush.connection, &hash, &kind, now)?));
                Waiting::Taken(answer, done)
            }
            Job::ExtendSecret { hash, kind, expires, answer } => {
                let done =
                    self.unless_broken(|flush| Ok(extend_secret(flush.connection, &hash, &kind, expires)?));
                Waiting::Done(answer, done)
            }
            Job::Close { answer } => Waiting::Done(answer, Ok(())),
        };
        self.waiting.push(waiting);
    }

    fn unless_broken<T>(&mut self, act: impl FnOnce(&mut Self) -> Result<T, Fault>) -> Result<T, StoreError> {
        if let Some(error) = &self.broken {
            return Err(error.clone());
        }
        act(self).map_err(|fault| match fault {
            Fault::Refused(error) => error,
            Fault::Broken(error) => {
                let error = meaning(&error);
                self.broken = Some(error.clone());
                error
            }
        })
    }

    fn append(&mut self, batch: &Batch) -> Result<Vec<u64>, Fault> {
        for command in batch.entries.iter().filter_map(|entry| entry.command.as_deref()) {
            if self.is_known(command)? {
                return Err(Fault::Refused(StoreError::CommandKnown));
            }
        }
        self.changes.take_in(self.known, batch).map_err(Fault::Refused)?;
        let mut numbers = Vec::with_capacity(batch.entries.len());
        for entry in &batch.entries {
            let stream = entry.stream.as_str();
            let number = insert(self.connection, entry, self.changes.end(self.known, stream))?;
            self.changes.ends_at(stream, number);
            numbers.push(
                u64::try_from(number).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(0, number))?,
            );
        }
        for deck in &batch.decks {
            rows::put_deck(self.connection, deck)?;
        }
        for row in &batch.rounds {
            rows::put_round(self.connection, row)?;
        }
        for row in &batch.snapshots {
            rows::put_snapshot(self.connection, row)?;
        }
        Ok(numbers)
    }

    fn is_known(&self, command: &str) -> Result<bool, rusqlite::Error> {
        self.connection.prepare_cached("SELECT 1 FROM entries WHERE command = ?1")?.exists([command])
    }

    /// Commits, or undoes everything.
    fn end(self) -> (Vec<Waiting>, Result<Changes, StoreError>) {
        let committed = match self.broken {
            Some(error) => Err(error),
            None => self.commit().map_err(|error| meaning(&error)),
        };
        // SQLite may have undone it by itself.
        if committed.is_err() && !self.connection.is_autocommit() {
            let _ = self.connection.execute_batch("ROLLBACK");
        }
        (self.waiting, committed.map(|()| self.changes))
    }

    fn commit(&self) -> Result<(), rusqlite::Error> {
        for (stream, number) in &self.changes.ends {
            rows::put_end(self.connection, stream, *number)?;
        }
        for (account, cents) in &self.changes.balances {
            rows::put_balance(self.connection, account, *cents)?;
        }
        self.connection.execute_batch("COMMIT")
    }
}

/// Writes an entry after the one of its chain that has this number.
fn insert(connection: &Connection, entry: &Entry, before: i64) -> Result<i64, rusqlite::Error> {
    let sql = "INSERT INTO entries (stream, version, at, actor, command, kinds, significant, body, link, previous, hash, before)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)";
    connection.prepare_cached(sql)?.execute(params![
        entry.stream.as_str(),
        rows::stored(entry.version),
        entry.at.0,
        entry.actor,
        entry.command,
        entry.kinds,
        entry.significant,
        entry.body,
        entry.link,
        entry.previous,
        entry.hash,
        before
    ])?;
    let number = connection.last_insert_rowid();
    if !entry.postings.is_empty() {
        let sql = "INSERT INTO postings (number, line, account, cents) VALUES (?1, ?2, ?3, ?4)";
        let mut statement = connection.prepare_cached(sql)?;
        for (line, posting) in (0_i64..).zip(&entry.postings) {
            statement.execute(params![number, line, posting.account, posting.cents])?;
        }
    }
    Ok(number)
}

fn put_secret(connection: &Connection, row: &SecretRow) -> Result<(), rusqlite::Error> {
    let sql = "INSERT OR REPLACE INTO secrets (hash, kind, actor, expires) VALUES (?1, ?2, ?3, ?4)";
    let values = params![row.hash, row.kind, row.actor, row.expires.0];
    connection.prepare_cached(sql)?.execute(values).map(drop)
}

fn take_secret(
    connection: &Connection,
    hash: &str,
    kind: &str,
    now: Instant,
) -> Result<Option<SecretRow>, rusqlite::Error> {
    connection.prepare_cached("DELETE FROM secrets WHERE expires <= ?1")?.execute([now.0])?;
    let sql = "DELETE FROM secrets WHERE hash = ?1 AND kind = ?2 RETURNING hash, kind, actor, expires";
    connection.prepare_cached(sql)?.query_row(params![hash, kind], rows::secret).optional()
}

fn extend_secret(
    connection: &Connection,
    hash: &str,
    kind: &str,
    expires: Instant,
) -> Result<(), rusqlite::Error> {
    let sql = "UPDATE secrets SET expires = ?3 WHERE hash = ?1 AND kind = ?2";
    connection.prepare_cached(sql)?.execute(params![hash, kind, expires.0]).map(drop)
}

/// Commits single rows one after another into a file of its own, each flushed to disk.
pub(super) fn floor(path: &str, commits: u32) -> Result<(), StoreError> {
    let measure = || -> Result<(), rusqlite::Error> {
        let connection = Connection::open(path)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection
            .execute_batch("CREATE TABLE IF NOT EXISTS floor (number INTEGER PRIMARY KEY, body TEXT)")?;
        for _ in 0..commits {
            connection.prepare_cached("INSERT INTO floor (body) VALUES ('one row')")?.execute([])?;
        }
        Ok(())
    };
    let measured = measure().map_err(|error| meaning(&error));
    for ending in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{path}{ending}"));
    }
    measured
}
