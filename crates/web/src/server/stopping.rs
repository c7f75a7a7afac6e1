//! A stop by plan, and settings that are read again: what signals ask for.
//!
//! SIGTERM drains: health checks fail, tables announce their last round, rounds under way are finished up to a limit, event streams tell browsers
//! to come back. Ctrl-C does the same without waiting for rounds. Asked a second time, the server waits for nothing more.

use std::net::SocketAddr;
use std::time::Duration;

use axum_server::Handle;
use axum_server::tls_rustls::RustlsConfig;
use baize_house::House;

use super::app::App;
use super::phase::{At, Phase};

/// How long a host that leaves others behind still serves, so that balancers see that it goes.
const LEAVING: Duration = Duration::from_secs(3);
/// How long requests under way may take when everything else is done.
const LAST_REQUESTS: Duration = Duration::from_secs(3);

/// Who asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Who {
    /// Ctrl-C.
    AtTerminal,
    /// SIGTERM.
    BySystem,
}

/// Hears those who ask the server to stop, from the moment on that it is made: who asks while the house is being opened is heard as soon as it is.
pub(super) struct Asked {
    #[cfg(unix)]
    at_terminal: tokio::signal::unix::Signal,
    #[cfg(unix)]
    by_system: tokio::signal::unix::Signal,
    #[cfg(windows)]
    at_terminal: tokio::signal::windows::CtrlC,
}

impl Asked {
    #[cfg(unix)]
    pub(super) fn hear() -> std::io::Result<Asked> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Asked {
            at_terminal: signal(SignalKind::interrupt())?,
            by_system: signal(SignalKind::terminate())?,
        })
    }

    #[cfg(windows)]
    pub(super) fn hear() -> std::io::Result<Asked> {
        Ok(Asked { at_terminal: tokio::signal::windows::ctrl_c()? })
    }

    #[cfg(unix)]
    async fn next(&mut self) -> Who {
        tokio::select! {
            _ = self.at_terminal.recv() => Who::AtTerminal,
            _ = self.by_system.recv() => Who::BySystem,
        }
    }

    #[cfg(windows)]
    async fn next(&mut self) -> Who {
        self.at_terminal.recv().await;
        Who::AtTerminal
    }

    /// Whether a stop has been requested.
    pub(super) async fn already(&mut self) -> bool {
        tokio::time::timeout(Duration::ZERO, self.next()).await.is_ok()
    }
}

/// Waits for a request to stop, then drains and stops the server.
pub(super) async fn stop_when_asked(
    mut asked: Asked,
    handle: Handle<SocketAddr>,
    house: House,
    phase: Phase,
    drain: Duration,
) {
    let who = asked.next().await;
    let limit = if who == Who::BySystem { drain } else { Duration::ZERO };
    tracing::info!(target: "baize::server", limit_seconds = limit.as_secs(), "stopping: rounds under way are finished");
    tell_systemd(sd_notify::NotifyState::Stopping);
    phase.set(At::Draining);
    let drained = async {
        if who == Who::BySystem && house.has_other_hosts().await.unwrap_or(false) {
            tokio::time::sleep(LEAVING).await;
        }
        match house.drain(limit).await {
            Ok(0) => tracing::info!(target: "baize::server", "no round is under way"),
            Ok(left) => tracing::warn!(
                target: "baize::server", rounds = left, "rounds under way stand still and go on after the next start"
            ),
            Err(error) => {
                tracing::error!(target: "baize::server", %error, "the last round could not be announced")
            }
        }
    };
    tokio::select! {
        () = drained => {}
        _ = asked.next() => tracing::warn!(target: "baize::server", "asked again: not waiting for rounds under way"),
    }
    phase.set(At::Closing);
    handle.graceful_shutdown(Some(LAST_REQUESTS));
}

/// Notifies systemd if it started the program; does nothing otherwise.
pub(super) fn tell_systemd(state: sd_notify::NotifyState<'_>) {
    if let Err(error) = sd_notify::notify(&[state]) {
        tracing::warn!(target: "baize::server", %error, "systemd could not be told");
    }
}

/// Reads settings and certificates again on SIGHUP. Faults are logged, and the old settings stay in force.
#[cfg(unix)]
pub(super) async fn reload_when_asked(app: App, tls: Option<RustlsConfig>) {
    use tokio::signal::unix::{SignalKind, signal};
    let Ok(mut asked) = signal(SignalKind::hangup()) else { return };
    while asked.recv().await.is_some() {
        let config = match app.config.reload.read() {
            Some(Ok(config)) => config,
            Some(Err(why)) => {
                tracing::error!(target: "baize::server", why, "the settings have a fault: those of before hold");
                continue;
            }
            None => app.config.clone(),
        };
        app.take_over(&config);
        let renewed = match (&tls, &config.tls) {
            (Some(tls), Some((certificate, key))) => tls.reload_from_pem_file(certificate, key).await,
            _ => Ok(()),
        };
        match renewed {
            Ok(()) => tracing::info!(target: "baize::server", "settings and certificates were read again"),
            Err(error) => {
                tracing::error!(target: "baize::server", %error, "the certificate has a fault: that of before holds")
            }
        }
    }
}

#[cfg(not(unix))]
pub(super) async fn reload_when_asked(_: App, _: Option<RustlsConfig>) {}
