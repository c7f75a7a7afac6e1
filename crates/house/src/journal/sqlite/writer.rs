//! The writer thread: takes what has gathered, writes it in one transaction, answers when it is on the disk.

use std::collections::HashMap;
use std::sync::mpsc::{Receiver, Sender, channel};

use rusqlite::{Connection, OptionalExtension, params};
use tokio::sync::oneshot;

use super::{meaning, rows};
use crate::Instant;
use crate::journal::{Batch, Entry, Head, SecretRow, StoreError};

/// The most commands that share one flush.
const MOST_TOGETHER: usize = 512;

type Answer<T> = oneshot::Sender<Result<T, StoreError>>;

/// Work for the writer.
pub(super) enum Job {
    Append { batch: Batch, answer: Answer<Vec<u64>> },
    PutSecret { row: SecretRow, answer: Answer<()> },
    TakeSecret { hash: String, kind: String, now: Instant, answer: Answer<Option<SecretRow>> },
    Close { answer: Answer<()> },
}

/// An answer that waits for the flush.
enum Waiting {
    Numbers(Answer<Vec<u64>>, Result<Vec<u64>, StoreError>),
    Done(Answer<()>, Result<(), StoreError>),
    Taken(Answer<Option<SecretRow>>, Result<Option<SecretRow>, StoreError>),
}

impl Waiting {
    fn answer(self, committed: Result<(), StoreError>) {
        // Whoever asked may have gone: that is his affair.
        match self {
            Waiting::Numbers(answer, done) => drop(answer.send(committed.and(done))),
            Waiting::Done(answer, done) => drop(answer.send(committed.and(done))),
            Waiting::Taken(answer, done) => drop(answer.send(committed.and(done))),
        }
    }
}

pub(super) struct Writer {
    jobs: Sender<Job>,
}

impl Writer {
    pub(super) fn start(connection: Connection) -> Result<Writer, StoreError> {
        let (jobs, queue) = channel();
        let heads = rows::heads(&connection).map_err(|error| meaning(&error))?;
        let heads = heads.into_iter().map(|(stream, head)| (stream.as_str().to_owned(), head)).collect();
        std::thread::Builder::new()
            .name("journal".to_owned())
            .spawn(move || run(&connection, &queue, heads))
            .map_err(|error| StoreError::Away(error.to_string()))?;
        Ok(Writer { jobs })
    }

    pub(super) fn send(&self, job: Job) -> Result<(), StoreError> {
        self.jobs.send(job).map_err(|_| StoreError::Away("the journal is closed".to_owned()))
    }
}

type Heads = HashMap<String, Head>;

fn run(connection: &Connection, queue: &Receiver<Job>, mut heads: Heads) {
    while let Ok(first) = queue.recv() {
        let mut closing = None;
        let mut waiting = Vec::new();
        let mut moved: Heads = HashMap::new();
        let mut begun = connection.execute_batch("BEGIN IMMEDIATE").map_err(|error| meaning(&error));
        let mut next = Some(first);
        while let Some(job) = next {
            if let Job::Close { answer } = job {
                closing = Some(answer);
                break;
            }
            waiting.push(match &begun {
                Ok(()) => carry_out(connection, job, &heads, &mut moved),
                Err(error) => refuse(job, error),
            });
            // A full disk or a failing one makes SQLite undo the whole transaction: nothing of it may be answered as done.
            if begun.is_ok() && connection.is_autocommit() {
                begun =
                    Err(StoreError::Away("the disk is full or fails: the transaction was undone".to_owned()));
            }
            next = if waiting.len() < MOST_TOGETHER { queue.try_recv().ok() } else { None };
        }
        let committed = begun.and_then(|()| {
            connection.execute_batch("COMMIT").map_err(|error| {
                let why = meaning(&error);
                // A failed commit may leave the transaction open.
                let _ = connection.execute_batch("ROLLBACK");
                why
            })
        });
        if committed.is_ok() {
            heads.extend(moved);
        }
        for answer in waiting {
            answer.answer(committed.clone());
        }
        if let Some(answer) = closing {
            let _ = connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)");
            let _ = answer.send(Ok(()));
            return;
        }
    }
}

fn refuse(job: Job, error: &StoreError) -> Waiting {
    match job {
        Job::Append { answer, .. } => Waiting::Numbers(answer, Err(error.clone())),
        Job::PutSecret { answer, .. } | Job::Close { answer } => Waiting::Done(answer, Err(error.clone())),
        Job::TakeSecret { answer, .. } => Waiting::Taken(answer, Err(error.clone())),
    }
}

fn carry_out(connection: &Connection, job: Job, heads: &Heads, moved: &mut Heads) -> Waiting {
    match job {
        Job::Append { batch, answer } => {
            let done = saved(connection, || append(connection, &batch, heads, moved));
            if done.is_ok() {
                moved.extend(
                    batch.entries.iter().map(|entry| (entry.stream.as_str().to_owned(), entry.head())),
                );
            }
            Waiting::Numbers(answer, done)
        }
        Job::PutSecret { row, answer } => {
            Waiting::Done(answer, saved(connection, || put_secret(connection, &row)))
        }
        Job::TakeSecret { hash, kind, now, answer } => {
            Waiting::Taken(answer, saved(connection, || take_secret(connection, &hash, &kind, now)))
        }
        Job::Close { answer } => Waiting::Done(answer, Ok(())),
    }
}

/// Does it whole or not at all.
fn saved<T>(connection: &Connection, act: impl FnOnce() -> Result<T, StoreError>) -> Result<T, StoreError> {
    let run = |sql: &str| connection.prepare_cached(sql)?.execute([]).map(drop);
    run("SAVEPOINT command").map_err(|error| meaning(&error))?;
    let done = act();
    let end = match &done {
        Ok(_) => run("RELEASE command"),
        // A full disk may have rolled back everything, the savepoint too: then there is nothing left to undo.
        Err(_) => run("ROLLBACK TO command").and_then(|()| run("RELEASE command")).or(Ok(())),
    };
    end.map_err(|error| meaning(&error))?;
    done
}

fn append(
    connection: &Connection,
    batch: &Batch,
    heads: &Heads,
    moved: &Heads,
) -> Result<Vec<u64>, StoreError> {
    let mut numbers = Vec::with_capacity(batch.entries.len());
    let mut within: HashMap<&str, Head> = HashMap::new();
    for entry in &batch.entries {
        let name = entry.stream.as_str();
        let head = within.get(name).or_else(|| moved.get(name)).or_else(|| heads.get(name));
        let (version, hash) = head.map_or((0, ""), |head| (head.version, head.hash.as_str()));
        if entry.version != version + 1 || entry.previous != hash {
            return Err(StoreError::Conflict(entry.stream.clone()));
        }
        within.insert(name, entry.head());
        numbers.push(insert(connection, entry)?);
    }
    for deck in &batch.decks {
        let sql = "INSERT OR REPLACE INTO decks (tab, round, salt, cards) VALUES (?1, ?2, ?3, ?4)";
        execute(connection, sql, params![deck.table, deck.round, deck.salt, deck.cards])?;
    }
    for row in &batch.rounds {
        rows::put_round(connection, row).map_err(|error| meaning(&error))?;
    }
    for row in &batch.snapshots {
        rows::put_snapshot(connection, row).map_err(|error| meaning(&error))?;
    }
    Ok(numbers)
}

fn execute(connection: &Connection, sql: &str, params: impl rusqlite::Params) -> Result<usize, StoreError> {
    let done = connection.prepare_cached(sql).and_then(|mut statement| statement.execute(params));
    done.map_err(|error| meaning(&error))
}

fn insert(connection: &Connection, entry: &Entry) -> Result<u64, StoreError> {
    let sql = "INSERT INTO entries (stream, version, at, actor, command, kinds, significant, body, link, previous, hash)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";
    let inserted = connection.prepare_cached(sql).and_then(|mut statement| {
        statement.execute(params![
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
            entry.hash
        ])
    });
    if let Err(error) = inserted {
        let text = error.to_string();
        return Err(if text.contains("entries.command") {
            StoreError::CommandKnown
        } else if text.contains("entries.stream") {
            StoreError::Conflict(entry.stream.clone())
        } else {
            meaning(&error)
        });
    }
    let number = connection.last_insert_rowid();
    for (line, posting) in (0_i64..).zip(&entry.postings) {
        let sql = "INSERT INTO postings (number, line, account, cents) VALUES (?1, ?2, ?3, ?4)";
        execute(connection, sql, params![number, line, posting.account, posting.cents])?;
        // Not an upsert: the check would look at the row to be inserted, which holds the change alone.
        let put = |sql: &str| {
            let mut statement = connection.prepare_cached(sql)?;
            statement.execute(params![posting.account, posting.cents])
        };
        let posted = match put("UPDATE balances SET cents = cents + ?2 WHERE account = ?1") {
            Ok(0) => put("INSERT INTO balances (account, cents) VALUES (?1, ?2)"),
            other => other,
        };
        if let Err(error) = posted {
            let short = error.sqlite_error_code() == Some(rusqlite::ErrorCode::ConstraintViolation);
            return Err(if short { StoreError::Short(posting.account.clone()) } else { meaning(&error) });
        }
    }
    u64::try_from(number).map_err(|_| StoreError::Corrupt("a negative entry number".to_owned()))
}

fn put_secret(connection: &Connection, row: &SecretRow) -> Result<(), StoreError> {
    let sql = "INSERT OR REPLACE INTO secrets (hash, kind, actor, expires) VALUES (?1, ?2, ?3, ?4)";
    execute(connection, sql, params![row.hash, row.kind, row.actor, row.expires.0]).map(drop)
}

fn take_secret(
    connection: &Connection,
    hash: &str,
    kind: &str,
    now: Instant,
) -> Result<Option<SecretRow>, StoreError> {
    execute(connection, "DELETE FROM secrets WHERE expires <= ?1", params![now.0])?;
    let sql = "DELETE FROM secrets WHERE hash = ?1 AND kind = ?2 RETURNING hash, kind, actor, expires";
    connection
        .prepare_cached(sql)
        .and_then(|mut statement| statement.query_row(params![hash, kind], rows::secret).optional())
        .map_err(|error| meaning(&error))
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
