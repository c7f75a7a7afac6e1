//! Batches of different tables share a transaction: what gathers while the server is busy is written with one statement and one flush.
//!
//! A batch that writes to several chains, as one with a jackpot's does, goes by itself: another host may be faster on the shared chain,
//! and would make all others of the transaction wait and try again.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use super::pool::Pool;
use super::write::{self, Written};
use crate::key::Vault;
use crate::{Batch, StoreError};

/// Transactions of gathered batches at the same time.
const TRANSACTIONS: usize = 4;
/// The most batches that share one.
const MOST_TOGETHER: usize = 64;

/// Batches that wait for their transaction.
#[derive(Clone, Default)]
pub(super) struct Together(Arc<Mutex<Queue>>);

#[derive(Default)]
struct Queue {
    waiting: VecDeque<(Batch, oneshot::Sender<Written>)>,
    /// Transactions under way.
    writing: usize,
}

impl Together {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a batch, with others where some wait.
    pub(super) async fn append(&self, pool: &Pool, batch: Batch, vault: &Vault) -> Written {
        if !batch.has_one_chain() {
            return write::append(pool, &batch, vault, false).await;
        }
        let (answer, answered) = oneshot::channel();
        let begins = {
            let mut queue = self.queue();
            queue.waiting.push_back((batch, answer));
            let begins = queue.writing < TRANSACTIONS;
            queue.writing += usize::from(begins);
            begins
        };
        if begins {
            // As a task of its own: the caller may go away, and others wait for the same transaction.
            tokio::spawn(self.clone().write(pool.clone(), vault.clone()));
        }
        let stopped = |_| Err(StoreError::Unknown("the program is stopping".to_owned()));
        answered.await.unwrap_or_else(stopped)
    }

    /// Writes until nothing waits.
    async fn write(self, pool: Pool, vault: Vault) {
        loop {
            let (batches, answers) = {
                let mut queue = self.queue();
                let count = queue.waiting.len().min(MOST_TOGETHER);
                if count == 0 {
                    queue.writing -= 1;
                    return;
                }
                queue.waiting.drain(..count).unzip::<_, _, Vec<_>, Vec<_>>()
            };
            let written = write::append_all(&pool, &batches, &vault).await;
            for (answer, written) in answers.into_iter().zip(written) {
                // The caller may have gone.
                let _ = answer.send(written);
            }
        }
    }
}
