//! Sessions with open event streams. One task asks the house twice a second which of them still hold, all with one question: a stream ends
//! within a second of a log-out, a suspension, other duties or the end of the session's time, on whichever host that happened.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use baize_house::House;
use tokio::sync::watch;

/// How often the house is asked.
const EVERY: Duration = Duration::from_millis(400);

type Open = Mutex<HashMap<String, (u32, watch::Sender<bool>)>>;

/// The sessions of a server's event streams.
#[derive(Clone)]
pub(crate) struct OpenSessions(Arc<Open>);

/// A stream of a session.
pub(crate) struct Watched {
    secret: String,
    ended: watch::Receiver<bool>,
    open: Arc<Open>,
}

fn held(open: &Open) -> MutexGuard<'_, HashMap<String, (u32, watch::Sender<bool>)>> {
    open.lock().unwrap_or_else(PoisonError::into_inner)
}

impl OpenSessions {
    /// Begins to watch. Needs a running runtime.
    pub(crate) fn of(house: &House) -> OpenSessions {
        let open: Arc<Open> = Arc::default();
        tokio::spawn(watch_over(house.clone(), Arc::downgrade(&open)));
        OpenSessions(open)
    }

    /// A stream opens.
    pub(crate) fn watch(&self, secret: &str) -> Watched {
        let mut open = held(&self.0);
        let (count, sender) = open.entry(secret.to_owned()).or_insert_with(|| (0, watch::channel(false).0));
        *count += 1;
        Watched { secret: secret.to_owned(), ended: sender.subscribe(), open: Arc::clone(&self.0) }
    }
}

impl Watched {
    /// Waits until the session has ended.
    pub(crate) async fn ended(&mut self) {
        // A sender that is gone has said so before.
        let _ = self.ended.wait_for(|ended| *ended).await;
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let mut open = held(&self.open);
        if let Some((count, _)) = open.get_mut(&self.secret) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.secret);
            }
        }
    }
}

async fn watch_over(house: House, open: Weak<Open>) {
    loop {
        tokio::time::sleep(EVERY).await;
        let Some(open) = open.upgrade() else { return };
        let secrets: Vec<String> = held(&open).keys().cloned().collect();
        if secrets.is_empty() {
            continue;
        }
        // While the database is away nothing is known, and nothing is sent either.
        let Ok(holding) = house.holding(secrets.clone()).await else { continue };
        let open = held(&open);
        for secret in secrets.iter().filter(|secret| !holding.contains(*secret)) {
            if let Some((_, sender)) = open.get(secret) {
                sender.send_replace(true);
            }
        }
    }
}
