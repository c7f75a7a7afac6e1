//! The writer thread: takes what has gathered, writes it in one transaction, answers when it is on the disk.

use std::sync::mpsc::{Receiver, Sender, channel};

use rusqlite::{Connection, OptionalExtension, params};
use tokio::sync::oneshot;

use super::checkpointer::{self, Sweeper};
use super::known::{Balances, Changes, Known};
use super::names::Rows;
use super::{meaning, rows};
use crate::Instant;
use crate::key::Vault;
use crate::packed;
use crate::{Batch, SecretRow, StoreError};

/// The most commands that share one flush.
const MOST_TOGETHER: usize = 512;

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
    /// Bodies that go into archives, or come back.
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

/// An answer that waits for the flush.
enum Waiting {
    Numbers(Answer<(Vec<u64>, Batch)>, Result<(Vec<u64>, Batch), StoreError>),
    Done(Answer<()>, Result<(), StoreError>),
    Taken(Answer<Option<SecretRow>>, Result<Option<SecretRow>, StoreError>),
}

impl Waiting {
    fn answer(self, committed: Result<(), StoreError>) {
        // The caller may have gone. A refusal may rest on what came before it in the flush: if that was undone, it
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
    pub(super) fn start(mut rows: Rows, second: Connection, vault: Vault) -> Result<Writer, StoreError> {
        let (jobs, queue) = channel();
        let wrong = |error: rusqlite::Error| meaning(&error);
        let page: u32 = rows.pragma_query_value(None, "page_size", |row| row.get(0)).map_err(wrong)?;
        let sweeper = Sweeper::start(&mut rows.connection, second, checkpointer::EVERY / page.max(512))?;
        let known = Known::read(&rows).map_err(wrong)?;
        let balances = known.balances.clone();
        std::thread::Builder::new()
            .name("journal".to_owned())
            .spawn(move || run(&rows, &queue, known, sweeper, &vault))
            .map_err(|error| StoreError::Away(error.to_string()))?;
        Ok(Writer { jobs, balances })
    }

    pub(super) fn send(&self, job: Job) -> Result<(), StoreError> {
        self.jobs.send(job).map_err(|_| StoreError::Away("the journal is closed".to_owned()))
    }
}

/// The file is whole without its log, and says so.
const MOVE_LOG: &str = "PRAGMA application_id = 0; PRAGMA wal_checkpoint(TRUNCATE);";

fn run(rows: &Rows, queue: &Receiver<Job>, mut known: Known, mut sweeper: Sweeper, vault: &Vault) {
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
            flush.carry_out(job);
            next = if flush.waiting.len() < MOST_TOGETHER { queue.try_recv().ok() } else { None };
        }
        let (waiting, flushed) = flush.end();
        let committed = flushed.map(|changes| known.keep(changes));
        for answer in waiting {
            answer.answer(committed.clone());
        }
        sweeper.flushed(rows);
        if let Some(answer) = compacting {
            let done = rows.execute_batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE);");
            // The caller may have given up.
            drop(answer.send(done.map_err(|error| meaning(&error))));
        }
        if let Some(answer) = closing {
            drop(sweeper);
            // What stays in the log is read from there at the next start.
            if let Err(error) = rows.execute_batch(MOVE_LOG) {
                tracing::warn!(target: "baize::journal", %error, "the log stays beside the file");
            }
            // The caller may have given up.
            let _ = answer.send(Ok(()));
            return;
        }
    }
    // Nobody writes any more, and nobody has closed it: the connection moves the log when it goes.
    if let Err(error) = rows.execute_batch("PRAGMA application_id = 0") {
        tracing::warn!(target: "baize::journal", %error, "the log stays beside the file");
    }
}

/// A transaction that many commands share.
struct Flush<'a> {
    rows: &'a Rows,
    known: &'a Known,
    vault: &'a Vault,
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
    fn begin(rows: &'a Rows, known: &'a Known, vault: &'a Vault) -> Flush<'a> {
        let broken = rows.execute_batch("BEGIN IMMEDIATE").err().map(|error| meaning(&error));
        Flush { rows, known, vault, changes: Changes::default(), waiting: Vec::new(), broken }
    }

    fn carry_out(&mut self, job: Job) {
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

    /// A session that was ended meanwhile stays ended.
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

    /// Commits, or undoes everything.
    fn end(self) -> (Vec<Waiting>, Result<Changes, StoreError>) {
        let committed = match self.broken {
            Some(error) => Err(error),
            None => self.commit().map_err(|error| meaning(&error)),
        };
        // SQLite may have undone it by itself.
        if committed.is_err() {
            self.rows.forget();
        }
        if committed.is_err() && !self.rows.is_autocommit() {
            // The next transaction begins with the same error if this one cannot end.
            if let Err(error) = self.rows.execute_batch("ROLLBACK") {
                tracing::error!(target: "baize::journal", %error, "a transaction that failed could not be undone");
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
        self.rows.execute_batch("COMMIT")
    }
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
