//! What waits for staff, asked of the house once for each change and shared by all pages.

use std::sync::Arc;
use std::time::{Duration, Instant};

use baize_house::{Actor, House, HouseError, Task};
use tokio::sync::Mutex;

/// Accounts are unlocked by time alone, without a change.
const GOOD: Duration = Duration::from_secs(5);

/// A list, the change that it was asked for after, and when.
type Asked = (u64, Instant, Arc<Vec<Task>>);

/// The latest list.
#[derive(Default)]
pub(crate) struct Waits(Mutex<Option<Asked>>);

impl Waits {
    /// Everything that waits, as it is after the change of this number.
    pub(crate) async fn all(&self, house: &House, number: u64) -> Result<Arc<Vec<Task>>, HouseError> {
        let mut kept = self.0.lock().await;
        if let Some((at, since, tasks)) = kept.as_ref()
            && *at >= number
            && since.elapsed() < GOOD
        {
            return Ok(Arc::clone(tasks));
        }
        let tasks = Arc::new(house.waiting().await?);
        *kept = Some((number, Instant::now(), Arc::clone(&tasks)));
        Ok(tasks)
    }

    /// How much of it waits for this person.
    pub(crate) async fn count(&self, house: &House, number: u64, actor: &Actor) -> Result<usize, HouseError> {
        if !matches!(actor, Actor::Staff { .. }) {
            return Ok(0);
        }
        Ok(self.all(house, number).await?.iter().filter(|task| task.is_for(actor)).count())
    }
}
