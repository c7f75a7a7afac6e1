//! The server's phase: open, draining or closing. Health checks and event streams follow it.

use std::sync::Arc;

use tokio::sync::watch;

/// Where the server is between start and exit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Phase {
    /// Serving.
    Open,
    /// Serving, but health checks fail and rounds in progress are finished.
    Draining,
    /// Event streams end; browsers reconnect to the next server.
    Closing,
}

/// The current phase of the server. Cheap to clone.
#[derive(Clone)]
pub(crate) struct ServerPhase(Arc<watch::Sender<Phase>>);

impl Default for ServerPhase {
    fn default() -> ServerPhase {
        ServerPhase(Arc::new(watch::channel(Phase::Open).0))
    }
}

impl ServerPhase {
    pub(crate) fn set(&self, phase: Phase) {
        self.0.send_replace(phase);
    }

    /// True from the start of the drain until exit.
    pub(crate) fn is_draining(&self) -> bool {
        *self.0.borrow() >= Phase::Draining
    }

    /// Waits until event streams must end.
    pub(crate) async fn closing(&self) {
        // Cannot fail: `self` holds the sender.
        let _ = self.0.subscribe().wait_for(|phase| *phase == Phase::Closing).await;
    }
}
