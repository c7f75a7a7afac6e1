//! WAL checkpointer: runs passive checkpoints on a second connection.
//!
//! SQLite would do it in the commit that fills the log, and every command of the house would wait for thousands of pages. Here a second
//! connection moves nearly all of them while the writer goes on; the writer itself then moves the few that came meanwhile, after which
//! SQLite starts the log again. A log that is longer than usual (while a reader holds an old state, say) costs disk space, never data.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

use rusqlite::Connection;
use rusqlite::hooks::Wal;

use super::meaning;
use crate::StoreError;

/// Bytes of the log after which it is moved. The longer it is, the more often a page of it was written in between, and the less
/// there is to move.
pub(super) const EVERY: u32 = 64 * 1_024 * 1_024;

const IDLE: u8 = 0;
const SWEEPING: u8 = 1;
const SWEPT: u8 = 2;

/// Moves the log of a file.
pub(super) struct Sweeper {
    orders: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
    state: Arc<AtomicU8>,
    /// Pages that are in the log.
    pages: Arc<AtomicU32>,
    /// It is moved after so many.
    every: u32,
    /// As many as there were at the last look, and how many make the next move due.
    seen: u32,
    due: u32,
}

fn passive(connection: &Connection) {
    // Whatever is not moved now is moved later: the log is as durable as the file.
    if let Err(error) = connection.execute_batch("PRAGMA wal_checkpoint(PASSIVE)") {
        tracing::warn!(target: "baize::journal", %error, "the log could not be moved into the file");
    }
}

fn sweep(connection: &Connection, orders: &Receiver<()>, state: &AtomicU8) {
    while orders.recv().is_ok() {
        passive(connection);
        state.store(SWEPT, Ordering::SeqCst);
    }
}

impl Sweeper {
    /// For the writer's connection, with a connection of its own to the same file.
    pub(super) fn start(writer: &mut Connection, own: Connection, every: u32) -> Result<Sweeper, StoreError> {
        let pages = Arc::new(AtomicU32::new(0));
        let told = Arc::clone(&pages);
        let count = move |_: &mut Wal, pages| {
            told.store(u32::try_from(pages).unwrap_or(0), Ordering::SeqCst);
            Ok(())
        };
        // This takes the place of SQLite's own checkpoints.
        writer.wal_hook(Some(count)).map_err(|error| meaning(&error))?;
        let state = Arc::new(AtomicU8::new(IDLE));
        let (orders, queue) = sync_channel(1);
        let shared = Arc::clone(&state);
        let thread = std::thread::Builder::new()
            .name("sweeper".to_owned())
            .spawn(move || sweep(&own, &queue, &shared))
            .map_err(|error| StoreError::Away(error.to_string()))?;
        Ok(Sweeper { orders: Some(orders), thread: Some(thread), state, pages, every, seen: 0, due: every })
    }

    /// The writer has flushed.
    pub(super) fn flushed(&mut self, writer: &Connection) {
        let pages = self.pages.load(Ordering::SeqCst);
        if pages < self.seen {
            // The log has started again.
            self.due = self.every;
        }
        self.seen = pages;
        match self.state.load(Ordering::SeqCst) {
            SWEPT => {
                passive(writer);
                self.due = pages.saturating_add(self.every);
                self.state.store(IDLE, Ordering::SeqCst);
            }
            IDLE if pages >= self.due => {
                self.state.store(SWEEPING, Ordering::SeqCst);
                // A full queue holds the order already; a thread that is gone has left the work to the close.
                let _ = self.orders.as_ref().map(|orders| orders.try_send(()));
            }
            _ => {}
        }
    }
}

impl Drop for Sweeper {
    fn drop(&mut self) {
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            // It ends when it has no more orders.
            if thread.join().is_err() {
                tracing::error!(target: "baize::journal", "the thread that moves the log panicked");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_begins_restarts_while_the_writer_goes_on() {
        let folder = std::env::temp_dir().join(format!("baize-sweeper-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("log.sqlite");
        let mut writer = Connection::open(&path).unwrap();
        writer.pragma_update(None, "journal_mode", "WAL").unwrap();
        writer.pragma_update(None, "synchronous", "OFF").unwrap();
        let mut sweeper = Sweeper::start(&mut writer, Connection::open(&path).unwrap(), 32).unwrap();
        writer.execute_batch("CREATE TABLE written (number INTEGER PRIMARY KEY)").unwrap();
        let (mut rows, mut restarts) = (0_u32, 0);
        // Bounded, and far more than it takes.
        while restarts < 3 && rows < 200_000 {
            writer.execute("INSERT INTO written DEFAULT VALUES", []).unwrap();
            rows += 1;
            let before = sweeper.seen;
            sweeper.flushed(&writer);
            restarts += u32::from(sweeper.seen < before);
        }
        assert_eq!(restarts, 3, "after {rows} rows the log has {} pages", sweeper.seen);
        drop(sweeper);
        let found: u32 = writer.query_row("SELECT count(*) FROM written", [], |row| row.get(0)).unwrap();
        assert_eq!(found, rows);
        drop(writer);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
