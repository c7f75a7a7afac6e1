//! What waits for staff, asked of the house once for each change and shared by all pages.

use std::sync::Arc;
use std::time::{Duration, Instant};

use baize_house::{Actor, House, HouseError, Task};
use tokio::sync::Mutex;

/// Accounts are unlocked by time alone, without a change.
const GOOD: Duration = Duration::from_secs(5);

/// A list, how many changes had been heard of when it was asked for, and when.
type Asked = (u64, Instant, Arc<Vec<Task>>);

/// The latest list.
#[derive(Default)]
pub(crate) struct Waits(Mutex<Option<Asked>>);

impl Waits {
    /// Everything that waits, as it is after this many changes.
    pub(crate) async fn all(&self, house: &House, heard: u64) -> Result<Arc<Vec<Task>>, HouseError> {
        let mut kept = self.0.lock().await;
        if let Some((at, since, tasks)) = kept.as_ref()
            && *at >= heard
            && since.elapsed() < GOOD
        {
            return Ok(Arc::clone(tasks));
        }
        let tasks = Arc::new(house.waiting().await?);
        *kept = Some((heard, Instant::now(), Arc::clone(&tasks)));
        Ok(tasks)
    }

    /// How much of it waits for this person.
    pub(crate) async fn count(&self, house: &House, heard: u64, actor: &Actor) -> Result<usize, HouseError> {
        if !matches!(actor, Actor::Staff { .. }) {
            return Ok(0);
        }
        Ok(self.all(house, heard).await?.iter().filter(|task| task.is_for(actor)).count())
    }
}
