//! Open, draining or closing: what a server that is asked to stop tells balancers and browsers.

use std::sync::Arc;

use tokio::sync::watch;

/// Where the server is between its start and its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum At {
    /// It serves.
    Open,
    /// It serves, and wants no new visitors: rounds under way are finished.
    Draining,
    /// Event streams end; browsers reconnect to the next server.
    Closing,
}

/// The phase of a server. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Phase(Arc<watch::Sender<At>>);

impl Default for Phase {
    fn default() -> Phase {
        Phase(Arc::new(watch::channel(At::Open).0))
    }
}

impl Phase {
    pub(crate) fn set(&self, at: At) {
        self.0.send_replace(at);
    }

    pub(crate) fn is_draining(&self) -> bool {
        *self.0.borrow() >= At::Draining
    }

    /// Waits until event streams are to end.
    pub(crate) async fn closing(&self) {
        // The sender is ours: it is not gone while this waits.
        let _ = self.0.subscribe().wait_for(|at| *at == At::Closing).await;
    }
}
