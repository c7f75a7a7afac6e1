//! What was drawn a moment ago for everybody who only watches: two hundred spectators cost one drawing.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::Mutex;

use super::fault::Fault;

/// A drawing is good until there is news, and no longer than this, because clocks run on it.
const GOOD: Duration = Duration::from_millis(250);

struct One {
    number: u64,
    at: Instant,
    drawing: String,
}

type Slot = Arc<Mutex<Option<One>>>;

/// Drawings by name.
#[derive(Default)]
pub(crate) struct Drawn(Mutex<HashMap<String, Slot>>);

impl Drawn {
    /// The drawing of this name after this many changes; drawn again if there is none.
    pub(crate) async fn get<F>(
        &self,
        key: String,
        number: u64,
        draw: impl FnOnce() -> F,
    ) -> Result<String, Fault>
    where
        F: Future<Output = Result<String, Fault>>,
    {
        let slot = self.0.lock().await.entry(key).or_default().clone();
        let mut kept = slot.lock().await;
        if let Some(one) = kept.as_ref()
            && one.number >= number
            && one.at.elapsed() < GOOD
        {
            return Ok(one.drawing.clone());
        }
        let drawing = draw().await?;
        *kept = Some(One { number, at: Instant::now(), drawing: drawing.clone() });
        Ok(drawing)
    }
}
