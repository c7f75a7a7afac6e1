//! WAL checkpointer: runs passive checkpoints on a second connection.
//!
//! SQLite itself would checkpoint in the commit that fills the log, and every command would wait for thousands of pages. Here a second
//! connection copies nearly all pages while the writer continues. The writer then copies the few that were added meanwhile, after which
//! SQLite restarts the log. A log that stays long (because a reader holds an old snapshot, say) costs disk space, never data.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

use rusqlite::Connection;
use rusqlite::hooks::Wal;

use super::meaning;
use crate::StoreError;

/// Log size in bytes that triggers a checkpoint. In a longer log more pages are rewritten before they are copied, so less is copied in
/// total.
pub(super) const LOG_BYTES: u32 = 64 * 1_024 * 1_024;

const IDLE: u8 = 0;
const RUNNING: u8 = 1;
const DONE: u8 = 2;

/// The checkpoint thread of a file.
pub(super) struct Checkpointer {
    requests: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
    state: Arc<AtomicU8>,
    /// Pages in the log.
    pages: Arc<AtomicU32>,
    /// Pages that trigger a checkpoint.
    every: u32,
    /// Pages at the last check, and the number of pages at which the next checkpoint is due.
    seen: u32,
    due: u32,
}

fn passive(connection: &Connection) {
    // What fails now is copied later: the log is as durable as the file.
    if let Err(error) = connection.execute_batch("PRAGMA wal_checkpoint(PASSIVE)") {
        tracing::warn!(target: "baize::journal", %error, "checkpoint failed");
    }
}

fn run(connection: &Connection, requests: &Receiver<()>, state: &AtomicU8) {
    while requests.recv().is_ok() {
        passive(connection);
        state.store(DONE, Ordering::SeqCst);
    }
}

impl Checkpointer {
    /// Starts the thread. `own` is its connection to the writer's file.
    pub(super) fn start(
        writer: &mut Connection,
        own: Connection,
        every: u32,
    ) -> Result<Checkpointer, StoreError> {
        let pages = Arc::new(AtomicU32::new(0));
        let counter = Arc::clone(&pages);
        let count = move |_: &mut Wal, pages| {
            counter.store(u32::try_from(pages).unwrap_or(0), Ordering::SeqCst);
            Ok(())
        };
        // This hook replaces SQLite's automatic checkpoints.
        writer.wal_hook(Some(count)).map_err(|error| meaning(&error))?;
        let state = Arc::new(AtomicU8::new(IDLE));
        let (requests, queue) = sync_channel(1);
        let shared = Arc::clone(&state);
        let thread = std::thread::Builder::new()
            .name("checkpointer".to_owned())
            .spawn(move || run(&own, &queue, &shared))
            .map_err(|error| StoreError::Away(error.to_string()))?;
        Ok(Checkpointer {
            requests: Some(requests),
            thread: Some(thread),
            state,
            pages,
            every,
            seen: 0,
            due: every,
        })
    }

    /// Called by the writer after each commit.
    pub(super) fn flushed(&mut self, writer: &Connection) {
        let pages = self.pages.load(Ordering::SeqCst);
        if pages < self.seen {
            // The log has restarted.
            self.due = self.every;
        }
        self.seen = pages;
        match self.state.load(Ordering::SeqCst) {
            DONE => {
                passive(writer);
                self.due = pages.saturating_add(self.every);
                self.state.store(IDLE, Ordering::SeqCst);
            }
            IDLE if pages >= self.due => {
                self.state.store(RUNNING, Ordering::SeqCst);
                // If the queue is full, a checkpoint is already requested; if the thread is gone, closing will do it.
                let _ = self.requests.as_ref().map(|requests| requests.try_send(()));
            }
            _ => {}
        }
    }
}

impl Drop for Checkpointer {
    fn drop(&mut self) {
        self.requests = None;
        if let Some(thread) = self.thread.take() {
            // The thread ends when the channel is closed.
            if thread.join().is_err() {
                tracing::error!(target: "baize::journal", "the checkpoint thread panicked");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_restarts_while_the_writer_goes_on() {
        let folder = std::env::temp_dir().join(format!("baize-checkpointer-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("log.sqlite");
        let mut writer = Connection::open(&path).unwrap();
        writer.pragma_update(None, "journal_mode", "WAL").unwrap();
        writer.pragma_update(None, "synchronous", "OFF").unwrap();
        let mut checkpointer =
            Checkpointer::start(&mut writer, Connection::open(&path).unwrap(), 32).unwrap();
        writer.execute_batch("CREATE TABLE written (number INTEGER PRIMARY KEY)").unwrap();
        let (mut rows, mut restarts) = (0_u32, 0);
        // A bound far above what it takes.
        while restarts < 3 && rows < 200_000 {
            writer.execute("INSERT INTO written DEFAULT VALUES", []).unwrap();
            rows += 1;
            let before = checkpointer.seen;
            checkpointer.flushed(&writer);
            restarts += u32::from(checkpointer.seen < before);
        }
        assert_eq!(restarts, 3, "after {rows} rows the log has {} pages", checkpointer.seen);
        drop(checkpointer);
        let found: u32 = writer.query_row("SELECT count(*) FROM written", [], |row| row.get(0)).unwrap();
        assert_eq!(found, rows);
        drop(writer);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
