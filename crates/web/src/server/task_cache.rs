//! Caches the list of tasks that wait for staff, so that the house computes it once for each change and not for each page.

use std::sync::Arc;
use std::time::{Duration, Instant};

use baize_house::{Actor, House, HouseError, Task};
use tokio::sync::Mutex;

/// Some tasks end by time alone, such as a locked account: without a change the list is good for this long.
const MAX_AGE: Duration = Duration::from_secs(5);

struct Cached {
    /// The number of changes received before the list was read.
    changes: u64,
    at: Instant,
    tasks: Arc<Vec<Task>>,
}

/// The latest list.
#[derive(Default)]
pub(crate) struct TaskCache(Mutex<Option<Cached>>);

impl TaskCache {
    /// All tasks, at least as new as this many changes.
    pub(crate) async fn all(&self, house: &House, changes: u64) -> Result<Arc<Vec<Task>>, HouseError> {
        let mut cached = self.0.lock().await;
        if let Some(cached) = cached.as_ref()
            && cached.changes >= changes
            && cached.at.elapsed() < MAX_AGE
        {
            return Ok(Arc::clone(&cached.tasks));
        }
        let tasks = Arc::new(house.waiting().await?);
        *cached = Some(Cached { changes, at: Instant::now(), tasks: Arc::clone(&tasks) });
        Ok(tasks)
    }

    /// How many tasks this member of staff can deal with; 0 for anybody else.
    pub(crate) async fn count(
        &self,
        house: &House,
        changes: u64,
        actor: &Actor,
    ) -> Result<usize, HouseError> {
        if !matches!(actor, Actor::Staff { .. }) {
            return Ok(0);
        }
        Ok(self.all(house, changes).await?.iter().filter(|task| task.is_for(actor)).count())
    }
}
