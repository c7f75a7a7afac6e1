//! Signals: a planned stop, and reloading the configuration.
//!
//! SIGTERM drains: health checks fail, tables announce their last round, rounds in progress are finished up to a time limit, event streams tell
//! browsers to reconnect. Ctrl-C does the same without waiting for rounds. A second signal ends the wait.

use std::net::SocketAddr;
use std::time::Duration;

use axum_server::Handle;
use axum_server::tls_rustls::RustlsConfig;
use baize_house::House;

use super::app::App;
use super::phase::{Phase, ServerPhase};
use super::serve::certificate;

/// If other hosts serve the same house: how long to keep serving while health checks fail, so that load balancers switch over.
const LOAD_BALANCER_DELAY: Duration = Duration::from_secs(3);
/// How long open requests may take after the drain.
const LAST_REQUESTS: Duration = Duration::from_secs(3);
/// How long systemd is asked to wait for what follows: the last writes and the close of the database.
const CLOSING: Duration = Duration::from_secs(30);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StopSignal {
    /// Ctrl-C.
    Interrupt,
    /// SIGTERM.
    Terminate,
}

/// Listens for stop signals from its creation on: a signal that arrives while the house is being opened is not lost.
pub(super) struct StopSignals {
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
    #[cfg(windows)]
    interrupt: tokio::signal::windows::CtrlC,
}

impl StopSignals {
    #[cfg(unix)]
    pub(super) fn listen() -> std::io::Result<StopSignals> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(StopSignals {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    #[cfg(windows)]
    pub(super) fn listen() -> std::io::Result<StopSignals> {
        Ok(StopSignals { interrupt: tokio::signal::windows::ctrl_c()? })
    }

    #[cfg(unix)]
    async fn next(&mut self) -> StopSignal {
        tokio::select! {
            _ = self.interrupt.recv() => StopSignal::Interrupt,
            _ = self.terminate.recv() => StopSignal::Terminate,
        }
    }

    #[cfg(windows)]
    async fn next(&mut self) -> StopSignal {
        self.interrupt.recv().await;
        StopSignal::Interrupt
    }

    /// Whether a signal has arrived. Does not wait.
    pub(super) async fn received(&mut self) -> bool {
        tokio::time::timeout(Duration::ZERO, self.next()).await.is_ok()
    }
}

/// Waits for a stop signal, then drains and stops the server.
pub(super) async fn stop_on_signal(
    mut signals: StopSignals,
    handle: Handle<SocketAddr>,
    house: House,
    phase: ServerPhase,
    drain: Duration,
) {
    let signal = signals.next().await;
    let limit = if signal == StopSignal::Terminate { drain } else { Duration::ZERO };
    tracing::info!(target: "baize::server", limit_seconds = limit.as_secs(), "stopping: finishing rounds in progress");
    // systemd kills the casino at its own limit (TimeoutStopSec), which may be shorter than the drain; it never shortens that limit for this.
    let longest = LOAD_BALANCER_DELAY + limit + LAST_REQUESTS + CLOSING;
    let micros = u32::try_from(longest.as_micros()).unwrap_or(u32::MAX);
    notify_systemd(&[sd_notify::NotifyState::Stopping, sd_notify::NotifyState::ExtendTimeoutUsec(micros)]);
    phase.set(Phase::Draining);
    let drained = async {
        if signal == StopSignal::Terminate && house.has_other_hosts().await.unwrap_or(false) {
            tokio::time::sleep(LOAD_BALANCER_DELAY).await;
        }
        match house.drain(limit).await {
            Ok(0) => tracing::info!(target: "baize::server", "no round is in progress"),
            Ok(left) => tracing::warn!(
                target: "baize::server", rounds = left, "unfinished rounds continue after the next start"
            ),
            Err(error) => {
                tracing::error!(target: "baize::server", %error, "the last round could not be announced")
            }
        }
    };
    tokio::select! {
        () = drained => {}
        _ = signals.next() => tracing::warn!(target: "baize::server", "second signal: not waiting for rounds in progress"),
    }
    phase.set(Phase::Closing);
    handle.graceful_shutdown(Some(LAST_REQUESTS));
}

/// Notifies systemd if it started the program; does nothing otherwise.
pub(super) fn notify_systemd(states: &[sd_notify::NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(states) {
        tracing::warn!(target: "baize::server", %error, "systemd could not be notified");
    }
}

/// Reloads configuration and certificates on SIGHUP. Errors are logged, and the old ones stay in use.
#[cfg(unix)]
pub(super) async fn reload_on_sighup(app: App, tls: Option<RustlsConfig>) {
    use tokio::signal::unix::{SignalKind, signal};
    let Ok(mut hangup) = signal(SignalKind::hangup()) else { return };
    while hangup.recv().await.is_some() {
        let config = match app.config.reload.read() {
            Some(Ok(config)) => config,
            Some(Err(why)) => {
                tracing::error!(target: "baize::server", why, "reload failed; the old settings stay in use");
                continue;
            }
            None => app.config.clone(),
        };
        let read = match certificate(&config) {
            Ok(read) => read,
            Err(error) => {
                tracing::error!(target: "baize::server", %error, "reload failed; the old settings stay in use");
                continue;
            }
        };
        app.apply(&config);
        match (&tls, read) {
            (Some(tls), Some(read)) => tls.reload_from_config(read),
            (None, None) => {}
            (Some(_), None) | (None, Some(_)) => {
                tracing::warn!(target: "baize::server", "TLS is switched on or off by a restart");
            }
        }
        tracing::info!(target: "baize::server", "settings and certificates reloaded");
    }
}

#[cfg(not(unix))]
pub(super) async fn reload_on_sighup(_: App, _: Option<RustlsConfig>) {}
