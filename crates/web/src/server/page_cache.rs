//! Caches the rendered regions that all spectators of a table share: 200 spectators cost one rendering for each change.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::Mutex;

use super::fault::Fault;

/// Pages show running clocks, so even without a change a rendering is only good for this long.
const MAX_AGE: Duration = Duration::from_millis(250);

struct Rendered {
    changes: u64,
    at: Instant,
    html: String,
}

type Slot = Arc<Mutex<Option<Rendered>>>;

/// Renderings by key.
#[derive(Default)]
pub(crate) struct PageCache(Mutex<HashMap<String, Slot>>);

impl PageCache {
    /// The rendering for this key, at least as new as this many changes. Renders it if there is none; concurrent callers share one rendering.
    pub(crate) async fn get<F>(
        &self,
        key: String,
        changes: u64,
        render: impl FnOnce() -> F,
    ) -> Result<String, Fault>
    where
        F: Future<Output = Result<String, Fault>>,
    {
        let slot = self.0.lock().await.entry(key).or_default().clone();
        let mut cached = slot.lock().await;
        if let Some(cached) = cached.as_ref()
            && cached.changes >= changes
            && cached.at.elapsed() < MAX_AGE
        {
            return Ok(cached.html.clone());
        }
        let html = render().await?;
        *cached = Some(Rendered { changes, at: Instant::now(), html: html.clone() });
        Ok(html)
    }
}
