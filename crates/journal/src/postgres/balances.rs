//! Reads of balances: those that are asked while one is under way share the next statement. Every view of a player asks for a purse.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use super::pool::Pool;
use super::rows::{StoreResult, get};
use crate::StoreError;

/// The questions that wait for a statement.
#[derive(Clone, Default)]
pub(super) struct Balances(Arc<Mutex<Queue>>);

#[derive(Default)]
struct Queue {
    waiting: Vec<(String, oneshot::Sender<StoreResult<i64>>)>,
    reading: bool,
}

impl Balances {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The balance of an account, read after this was called.
    pub(super) async fn of(&self, pool: &Pool, account: &str) -> StoreResult<i64> {
        let (answer, answered) = oneshot::channel();
        let begins = {
            let mut queue = self.queue();
            queue.waiting.push((account.to_owned(), answer));
            !std::mem::replace(&mut queue.reading, true)
        };
        if begins {
            // A separate task: if the caller is dropped, others still wait for the same statement.
            tokio::spawn(self.clone().read(pool.clone()));
        }
        answered.await.unwrap_or_else(|_| Err(StoreError::Away("the program is stopping".to_owned())))
    }

    /// Reads until nobody waits.
    async fn read(self, pool: Pool) {
        loop {
            let waiting = {
                let mut queue = self.queue();
                queue.reading = !queue.waiting.is_empty();
                std::mem::take(&mut queue.waiting)
            };
            if waiting.is_empty() {
                return;
            }
            let found = balances(&pool, waiting.iter().map(|(account, _)| account.as_str()).collect()).await;
            for (account, answer) in waiting {
                let balance = found.as_ref().map(|found| found.get(&account).copied().unwrap_or(0));
                // The caller may be gone.
                let _ = answer.send(balance.map_err(Clone::clone));
            }
        }
    }
}

async fn balances(pool: &Pool, accounts: Vec<&str>) -> StoreResult<HashMap<String, i64>> {
    let sql = "SELECT account, cents FROM balances WHERE account = ANY ($1)";
    pool.query(sql, &[&accounts]).await?.iter().map(|row| Ok((get(row, 0)?, get(row, 1)?))).collect()
}
