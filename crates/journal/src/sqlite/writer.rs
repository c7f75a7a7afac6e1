//! The writer thread: writes all queued jobs in one transaction, and answers them once it is on the disk.

use std::sync::mpsc::{Receiver, Sender, channel};

use rusqlite::{Connection, OptionalExtension, params};
use tokio::sync::oneshot;

use super::checkpointer::{self, Checkpointer};
use super::known::{Balances, Changes, Known};
use super::names::Rows;
use super::{meaning, rows};
use crate::Instant;
use crate::key::Vault;
use crate::packed;
use crate::{Batch, SecretRow, StoreError};

/// Jobs that share a flush at most.
const MAX_BATCH: usize = 512;

type Answer<T> = oneshot::Sender<Result<T, StoreError>>;

/// Work for the writer.
pub(super) enum Job {
    /// The batch comes back with the answer: the caller drops it, not the writer thread.
    Append {
        batch: Batch,
        /// The bodies of its entries, packed.
        bodies: Vec<Vec<u8>>,
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
        row: SecretRow,
        answer: Answer<()>,
    },
    /// Bodies that are archived, or restored from archives.
    PutBodies {
        bodies: Vec<(u64, Vec<u8>)>,
        answer: Answer<()>,
    },
    Compact {
        answer: Answer<()>,
    },
    Close {
        answer: Answer<()>,
    },
}

/// An answer to send after the flush.
enum Waiting {
    Numbers(Answer<(Vec<u64>, Batch)>, Result<(Vec<u64>, Batch), StoreError>),
    Done(Answer<()>, Result<(), StoreError>),
    Taken(Answer<Option<SecretRow>>, Result<Option<SecretRow>, StoreError>),
}

impl Waiting {
    fn answer(self, committed: Result<(), StoreError>) {
        // The caller may be gone. A refusal may depend on earlier jobs of the same flush: if the flush fails, so does the refusal.
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
    /// Starts the thread. `second` is another connection to the same file, for checkpoints.
    pub(super) fn start(mut rows: Rows, second: Connection, vault: Vault) -> Result<Writer, StoreError> {
        let (jobs, queue) = channel();
        let wrong = |error: rusqlite::Error| meaning(&error);
        let page: u32 = rows.pragma_query_value(None, "page_size", |row| row.get(0)).map_err(wrong)?;
        let checkpointer =
            Checkpointer::start(&mut rows.connection, second, checkpointer::LOG_BYTES / page.max(512))?;
        let known = Known::read(&rows).map_err(wrong)?;
        let balances = known.balances.clone();
        std::thread::Builder::new()
            .name("journal".to_owned())
            .spawn(move || run(&rows, &queue, known, checkpointer, &vault))
            .map_err(|error| StoreError::Away(error.to_string()))?;
        Ok(Writer { jobs, balances })
    }

    pub(super) fn send(&self, job: Job) -> Result<(), StoreError> {
        self.jobs.send(job).map_err(|_| StoreError::Away("the journal is closed".to_owned()))
    }
}

/// Checkpoints the log and marks the file as complete without it.
const MOVE_LOG: &str = "PRAGMA application_id = 0; PRAGMA wal_checkpoint(TRUNCATE);";

fn run(rows: &Rows, queue: &Receiver<Job>, mut known: Known, mut checkpointer: Checkpointer, vault: &Vault) {
    while let Ok(first) = queue.recv() {
        let (mut closing, mut compacting) = (None, None);
        let mut flush = Flush::begin(rows, &known, vault);
        let mut next = Some(first);
        while let Some(job) = next {
            if let Job::Close { answer } = job {
                closing = Some(answer);
                break;
            }
            if let Job::Compact { answer } = job {
                compacting = Some(answer);
                break;
            }
            flush.run_job(job);
            next = if flush.waiting.len() < MAX_BATCH { queue.try_recv().ok() } else { None };
        }
        let (waiting, flushed) = flush.end();
        let committed = flushed.map(|changes| known.keep(changes));
        for answer in waiting {
            answer.answer(committed.clone());
        }
        checkpointer.flushed(rows);
        if let Some(answer) = compacting {
            let done = rows.execute_batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE);");
            // The caller may be gone.
            drop(answer.send(done.map_err(|error| meaning(&error))));
        }
        if let Some(answer) = closing {
            drop(checkpointer);
            // What stays in the log is read from it at the next start.
            if let Err(error) = rows.execute_batch(MOVE_LOG) {
                tracing::warn!(target: "baize::journal", %error, "the log could not be checkpointed");
            }
            // The caller may be gone.
            let _ = answer.send(Ok(()));
            return;
        }
    }
    // Dropped without `Close`: closing the connection checkpoints the log.
    if let Err(error) = rows.execute_batch("PRAGMA application_id = 0") {
        tracing::warn!(target: "baize::journal", %error, "the log could not be checkpointed");
    }
}

/// A transaction shared by many jobs.
struct Flush<'a> {
    rows: &'a Rows,
    known: &'a Known,
    vault: &'a Vault,
    changes: Changes,
    waiting: Vec<Waiting>,
    /// The disk is full or failed: no job of this flush may be answered as done.
    broken: Option<StoreError>,
}

/// Why a batch was not written.
enum Fault {
    /// It conflicts with the journal; nothing of it was written.
    Refused(StoreError),
    /// A disk error; part of it may have been written.
    Broken(rusqlite::Error),
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Fault {
        Fault::Broken(error)
    }
}

impl<'a> Flush<'a> {
    fn begin(rows: &'a Rows, known: &'a Known, vault: &'a Vault) -> Flush<'a> {
        let broken = execute(rows, "BEGIN IMMEDIATE").err().map(|error| meaning(&error));
        Flush { rows, known, vault, changes: Changes::default(), waiting: Vec::new(), broken }
    }

    fn run_job(&mut self, job: Job) {
        let waiting = match job {
            Job::Append { batch, mut bodies, answer } => {
                let done = self.unless_broken(|flush| flush.append(&batch, &mut bodies));
                Waiting::Numbers(answer, done.map(|numbers| (numbers, batch)))
            }
            Job::PutSecret { row, answer } => {
                Waiting::Done(answer, self.unless_broken(|flush| flush.put_secret(&row)))
            }
            Job::TakeSecret { hash, kind, now, answer } => {
                let done =
                    self.unless_broken(|flush| Ok(take_secret(flush.rows, flush.vault, &hash, &kind, now)?));
                Waiting::Taken(answer, done)
            }
            Job::ExtendSecret { row, answer } => {
                Waiting::Done(answer, self.unless_broken(|flush| flush.extend_secret(&row)))
            }
            Job::PutBodies { bodies, answer } => {
                let put = |flush: &mut Self| {
                    let mut bodies = bodies.iter();
                    Ok(bodies.try_for_each(|(number, body)| rows::put_body(flush.rows, *number, body))?)
                };
                Waiting::Done(answer, self.unless_broken(put))
            }
            Job::Compact { answer } | Job::Close { answer } => Waiting::Done(answer, Ok(())),
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

    fn append(&mut self, batch: &Batch, bodies: &mut [Vec<u8>]) -> Result<Vec<u64>, Fault> {
        for command in batch.entries.iter().filter_map(|entry| entry.command.as_deref()) {
            if self.is_known(command)? {
                return Err(Fault::Refused(StoreError::CommandKnown));
            }
        }
        let sealed = batch.decks.iter().map(|deck| self.vault.sealed(deck)).collect::<Result<Vec<_>, _>>();
        let sealed = sealed.map_err(Fault::Refused)?;
        self.vault.kept_bodies(batch, bodies).map_err(Fault::Refused)?;
        self.changes.take_in(self.known, batch).map_err(Fault::Refused)?;
        let mut numbers = Vec::with_capacity(batch.entries.len());
        for (entry, body) in batch.entries.iter().zip(&*bodies) {
            let stream = entry.stream.as_str();
            let before = self.changes.end(self.known, stream);
            let number = rows::put_entry(self.rows, None, entry, body, Some(before))?;
            self.changes.ends_at(stream, number);
            numbers.push(
                u64::try_from(number).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(0, number))?,
            );
        }
        for (deck, sealed) in batch.decks.iter().zip(&sealed) {
            rows::put_deck(self.rows, deck, (sealed.0, &sealed.1))?;
        }
        for (table, round) in &batch.told {
            rows::drop_deck(self.rows, table, *round)?;
        }
        for row in &batch.rounds {
            rows::put_round(self.rows, row)?;
        }
        for row in &batch.snapshots {
            rows::put_snapshot(self.rows, row)?;
        }
        for how in &batch.unseals {
            rows::unseal(self.rows, self.vault, how)?;
        }
        Ok(numbers)
    }

    fn put_secret(&self, row: &SecretRow) -> Result<(), Fault> {
        let made = self.vault.binding(row).map_err(Fault::Refused)?;
        let sql =
            "INSERT OR REPLACE INTO secrets (hash, kind, actor, expires, made) VALUES (?1, ?2, ?3, ?4, ?5)";
        let values = params![row.hash, row.kind, row.actor, row.expires.0, made];
        self.rows.prepare_cached(sql)?.execute(values)?;
        Ok(())
    }

    /// Extends a session. One that has ended stays ended.
    fn extend_secret(&self, row: &SecretRow) -> Result<(), Fault> {
        let made = self.vault.binding(row).map_err(Fault::Refused)?;
        let sql = "UPDATE secrets SET expires = ?3, made = ?4 WHERE hash = ?1 AND kind = ?2";
        self.rows.prepare_cached(sql)?.execute(params![row.hash, row.kind, row.expires.0, made])?;
        Ok(())
    }

    fn is_known(&self, command: &str) -> Result<bool, rusqlite::Error> {
        self.rows
            .prepare_cached("SELECT 1 FROM entries WHERE command = ?1")?
            .exists([packed::command_bytes(command)])
    }

    /// Commits, or rolls everything back.
    fn end(self) -> (Vec<Waiting>, Result<Changes, StoreError>) {
        let committed = match self.broken {
            Some(error) => Err(error),
            None => self.commit().map_err(|error| meaning(&error)),
        };
        // SQLite may have rolled back by itself.
        if committed.is_err() {
            self.rows.forget();
        }
        if committed.is_err() && !self.rows.is_autocommit() {
            // If the rollback fails, the next BEGIN fails with the same error.
            if let Err(error) = self.rows.execute_batch("ROLLBACK") {
                tracing::error!(target: "baize::journal", %error, "a failed transaction could not be rolled back");
            }
        }
        (self.waiting, committed.map(|()| self.changes))
    }

    fn commit(&self) -> Result<(), rusqlite::Error> {
        for (stream, number) in &self.changes.ends {
            rows::put_end(self.rows, stream, *number)?;
        }
        for (account, cents) in &self.changes.balances {
            rows::put_balance(self.rows, account, *cents)?;
        }
        execute(self.rows, "COMMIT")
    }
}

/// Runs a statement that every flush needs: it is compiled once.
fn execute(connection: &Connection, sql: &str) -> Result<(), rusqlite::Error> {
    connection.prepare_cached(sql)?.execute([]).map(drop)
}

fn take_secret(
    connection: &Connection,
    vault: &Vault,
    hash: &str,
    kind: &str,
    now: Instant,
) -> Result<Option<SecretRow>, rusqlite::Error> {
    connection.prepare_cached("DELETE FROM secrets WHERE expires <= ?1")?.execute([now.0])?;
    let sql = "DELETE FROM secrets WHERE hash = ?1 AND kind = ?2 RETURNING hash, kind, actor, expires, made";
    let secret = |row: &rusqlite::Row<'_>| rows::secret(row, vault);
    let taken = connection.prepare_cached(sql)?.query_row(params![hash, kind], secret).optional()?;
    Ok(taken.filter(|kept| kept.made == Some(true)).map(|kept| kept.row))
}

/// Commits single rows one after another to a separate file, each flushed to disk: the baseline of `baize load`.
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
        match std::fs::remove_file(format!("{path}{ending}")) {
            // Log and index are gone with their last connection.
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                tracing::warn!(target: "baize::journal", file = %format!("{path}{ending}"), %error, "left behind");
            }
            _ => {}
        }
    }
    measured
}
