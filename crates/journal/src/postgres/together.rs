//! Group commit: batches that are queued while the server is busy share a statement, a transaction and a flush.
//!
//! Batches of one host do not conflict with each other. If a batch conflicts with another host's, the group is written in parts.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use super::pool::Pool;
use super::write::{self, Written};
use crate::key::Vault;
use crate::{Batch, StoreError};

/// Concurrent transactions.
const MAX_TRANSACTIONS: usize = 4;
/// Batches in a transaction at most.
const MAX_BATCH: usize = 64;

/// The queue of batches that wait for a transaction.
#[derive(Clone, Default)]
pub(super) struct Together(Arc<Mutex<Queue>>);

#[derive(Default)]
struct Queue {
    waiting: VecDeque<(Batch, oneshot::Sender<Written>)>,
    /// Transactions in progress.
    writing: usize,
}

impl Together {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a batch, together with others that are queued.
    pub(super) async fn append(&self, pool: &Pool, batch: Batch, vault: &Vault) -> Written {
        if batch.reseals() {
            return write::append(pool, &batch, vault, false).await;
        }
        let (answer, answered) = oneshot::channel();
        let begins = {
            let mut queue = self.queue();
            queue.waiting.push_back((batch, answer));
            let begins = queue.writing < MAX_TRANSACTIONS;
            queue.writing += usize::from(begins);
            begins
        };
        if begins {
            // A separate task: if the caller is dropped, others still wait for the same transaction.
            tokio::spawn(self.clone().write(pool.clone(), vault.clone()));
        }
        let stopped = |_| Err(StoreError::Unknown("the program is stopping".to_owned()));
        answered.await.unwrap_or_else(stopped)
    }

    /// Writes until the queue is empty.
    async fn write(self, pool: Pool, vault: Vault) {
        loop {
            let (batches, answers) = {
                let mut queue = self.queue();
                let count = queue.waiting.len().min(MAX_BATCH);
                if count == 0 {
                    queue.writing -= 1;
                    return;
                }
                queue.waiting.drain(..count).unzip::<_, _, Vec<_>, Vec<_>>()
            };
            let written = write::append_all(&pool, &batches, &vault).await;
            for (answer, written) in answers.into_iter().zip(written) {
                // The caller may be gone.
                let _ = answer.send(written);
            }
        }
    }
}
