//! Ends event streams with their session. One task checks all sessions with open streams in one query, so a stream ends within a second of a
//! log-out, a suspension, changed duties or expiry, on whichever host that happened.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use baize_house::House;
use tokio::sync::watch;

/// How often sessions are checked.
const CHECK_INTERVAL: Duration = Duration::from_millis(400);

/// By secret: how many streams the session has, and whether it has ended.
type Sessions = HashMap<String, (u32, watch::Sender<bool>)>;

/// The sessions with open event streams on this server.
#[derive(Clone)]
pub(crate) struct OpenSessions(Arc<Mutex<Sessions>>);

/// The session of one stream.
pub(crate) struct WatchedSession {
    secret: String,
    ended: watch::Receiver<bool>,
    sessions: Arc<Mutex<Sessions>>,
}

fn lock(sessions: &Mutex<Sessions>) -> MutexGuard<'_, Sessions> {
    sessions.lock().unwrap_or_else(PoisonError::into_inner)
}

impl OpenSessions {
    /// Starts the checks. Needs a running Tokio runtime.
    pub(crate) fn of(house: &House) -> OpenSessions {
        let sessions = Arc::default();
        tokio::spawn(check_sessions(house.clone(), Arc::downgrade(&sessions)));
        OpenSessions(sessions)
    }

    /// Watches the session of a new stream.
    pub(crate) fn watch(&self, secret: &str) -> WatchedSession {
        let mut sessions = lock(&self.0);
        let (count, sender) =
            sessions.entry(secret.to_owned()).or_insert_with(|| (0, watch::channel(false).0));
        *count += 1;
        WatchedSession { secret: secret.to_owned(), ended: sender.subscribe(), sessions: Arc::clone(&self.0) }
    }
}

impl WatchedSession {
    /// Waits until the session has ended.
    pub(crate) async fn ended(&mut self) {
        // An error means that the sender is gone, which also ends the stream.
        let _ = self.ended.wait_for(|ended| *ended).await;
    }
}

impl Drop for WatchedSession {
    fn drop(&mut self) {
        let mut sessions = lock(&self.sessions);
        if let Some((count, _)) = sessions.get_mut(&self.secret) {
            *count -= 1;
            if *count == 0 {
                sessions.remove(&self.secret);
            }
        }
    }
}

async fn check_sessions(house: House, sessions: Weak<Mutex<Sessions>>) {
    loop {
        tokio::time::sleep(CHECK_INTERVAL).await;
        let Some(sessions) = sessions.upgrade() else { return };
        let secrets: Vec<String> = lock(&sessions).keys().cloned().collect();
        if secrets.is_empty() {
            continue;
        }
        // While the database is unavailable nothing can be checked, and no events are sent either.
        let Ok(valid) = house.holding(secrets.clone()).await else { continue };
        let sessions = lock(&sessions);
        for secret in secrets.iter().filter(|secret| !valid.contains(*secret)) {
            if let Some((_, sender)) = sessions.get(secret) {
                sender.send_replace(true);
            }
        }
    }
}
