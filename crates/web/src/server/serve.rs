//! Serves the casino on a socket, and lists the addresses to open, with a log-in link for each position.

// Boxed, as the methods of the house: compiled once, and not in each crate that awaits it.
use async_recursion::async_recursion as boxed;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum_server::Handle;
use axum_server::tls_rustls::{RustlsAcceptor, RustlsConfig};
use baize_house::{Actor, CommandId, Duty, House, HouseError, Order, StaffId};
use hyper_util::rt::TokioTimer;
use rustls::ServerConfig;

use super::app::App;
use super::connection_limit::ConnectionLimiter;
use super::phase::ServerPhase;
use super::signals::{self, StopSignals};
use super::timeouts::TimeoutAcceptor;
use super::tls::{self, TlsFault};
use super::{Config, service};

/// Why the server cannot run.
#[derive(Debug)]
pub enum ServeError {
    /// Cannot listen on the address.
    Listen {
        /// Which.
        address: SocketAddr,
        /// Why.
        why: io::Error,
    },
    /// The certificate or its key is not usable.
    Tls(TlsFault),
    /// The server failed.
    Stopped(io::Error),
    /// An error of the house.
    House(HouseError),
}

impl std::fmt::Display for ServeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ServeError::Listen { address, why } => {
                write!(f, "cannot listen on {address}: {why}; choose another address with --listen")
            }
            ServeError::Tls(fault) => write!(f, "{fault}"),
            ServeError::Stopped(why) => write!(f, "the server stopped: {why}"),
            ServeError::House(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for ServeError {}

impl From<HouseError> for ServeError {
    fn from(error: HouseError) -> ServeError {
        ServeError::House(error)
    }
}

/// Default staff of a new casino, one for each duty.
const DEFAULT_STAFF: [(&str, Duty); 6] = [
    ("dora", Duty::Dealer),
    ("sam", Duty::PitSupervisor),
    ("mia", Duty::PitManager),
    ("sue", Duty::ShiftManager),
    ("carl", Duty::Cage),
    ("ada", Duty::Auditor),
];

/// One member of staff for each duty. Missing ones are created; a new dealer is assigned to all tables.
async fn staff_by_duty(house: &House) -> Result<Vec<(StaffId, Duty)>, ServeError> {
    let existing = house.staff(&Actor::House).await?;
    let mut staff_by_duty = Vec::new();
    for (name, duty) in DEFAULT_STAFF {
        let working = |staff: &&baize_house::StaffLine| staff.duties.contains(&duty) && !staff.suspended;
        if let Some(staff) = existing.iter().find(working) {
            staff_by_duty.push((staff.id.clone(), duty));
            continue;
        }
        let id: StaffId = name.parse().map_err(HouseError::from)?;
        match house.create_staff(&Actor::House, &id, None, &[duty]).await {
            // The name is taken: the Shift Manager can create staff on the staff page.
            Err(HouseError::NameTaken(_)) => continue,
            made => made?,
        }
        if duty == Duty::Dealer {
            for table in house.tables().await? {
                let assign = Order::Assign { dealer: id.clone() };
                house.act(&Actor::House, &table.id, &CommandId::random(), assign).await?;
            }
        }
        staff_by_duty.push((id, duty));
    }
    Ok(staff_by_duty)
}

/// The casino's addresses, each with its purpose. With `link_minutes`, includes a one-time log-in link for each duty, valid for that long.
///
/// # Errors
/// Errors of the house.
#[boxed]
pub async fn addresses(
    house: &House,
    origin: &str,
    link_minutes: Option<u32>,
) -> Result<Vec<(String, String)>, ServeError> {
    let mut lines = vec![("play".to_owned(), format!("{origin}/"))];
    for (id, duty) in staff_by_duty(house).await? {
        let Some(minutes) = link_minutes else { continue };
        let whom = Actor::staff(id.clone(), [duty]);
        let link = house.link_for(&Actor::House, &whom, minutes).await?;
        lines.push((format!("{}, {id}", duty.name().to_lowercase()), format!("{origin}/in/{}", link.secret)));
    }
    for jackpot in house.jackpots().await? {
        lines.push((format!("sign of the {} jackpot", jackpot.id), format!("{origin}/sign/{}", jackpot.id)));
    }
    Ok(lines)
}

/// A server that is bound to its address and has read its certificate. Created before the house is opened, so that these errors come before
/// the house writes its first entry.
pub struct Server {
    listener: std::net::TcpListener,
    address: SocketAddr,
    tls: Option<RustlsConfig>,
    signals: StopSignals,
}

impl Server {
    /// Binds the address, reads the certificate and starts listening for stop signals. Needs a running Tokio runtime.
    ///
    /// # Errors
    /// The address is in use, or the certificate and key do not match.
    #[boxed]
    pub async fn bind(config: &Config) -> Result<Server, ServeError> {
        let tls = certificate(config)?.map(RustlsConfig::from_config);
        let listen = |why| ServeError::Listen { address: config.listen, why };
        let listener = std::net::TcpListener::bind(config.listen).map_err(listen)?;
        listener.set_nonblocking(true).map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        let signals = StopSignals::listen().map_err(ServeError::Stopped)?;
        Ok(Server { listener, address, tls, signals })
    }

    /// Serves until a stop signal arrives, then closes the house, also if the server failed. Calls `ready` with the address once everything
    /// is in place.
    ///
    /// # Errors
    /// The server failed, or the house could not be closed.
    pub async fn run(
        mut self,
        house: House,
        config: Config,
        ready: impl AsyncFnOnce(SocketAddr),
    ) -> Result<(), ServeError> {
        let served = if self.signals.received().await {
            tracing::info!(target: "baize::server", "stop signal during the start: not opening");
            Ok(())
        } else {
            self.serve(&house, config, ready).await
        };
        house.close().await?;
        tracing::info!(target: "baize::server", "stopped");
        served.map_err(ServeError::Stopped)
    }

    async fn serve(
        self,
        house: &House,
        config: Config,
        ready: impl AsyncFnOnce(SocketAddr),
    ) -> io::Result<()> {
        let Server { listener, address, tls, signals } = self;
        let limiter = ConnectionLimiter::new(config.connections, config.trusted_proxies.clone());
        let head_timeout = Duration::from_secs(config.head_seconds);
        let write_timeout = Duration::from_secs(config.unread_seconds);
        let drain = Duration::from_secs(config.drain_seconds);
        let (handle, phase) = (Handle::new(), ServerPhase::default());
        tokio::spawn(signals::stop_on_signal(signals, handle.clone(), house.clone(), phase.clone(), drain));
        let app = App::new(house.clone(), config, limiter.clone(), phase);
        tokio::spawn(signals::reload_on_sighup(app.clone(), tls.clone()));
        ready(address).await;
        signals::notify_systemd(&[sd_notify::NotifyState::Ready]);
        tracing::info!(target: "baize::server", %address, "started");
        let acceptor = TimeoutAcceptor {
            tls: tls.map(RustlsAcceptor::new),
            write_timeout,
            first_bytes_timeout: head_timeout,
            limiter,
        };
        accept(listener, handle, acceptor, app, head_timeout).await
    }
}

/// Serves connections until the handle stops it.
#[boxed]
async fn accept(
    listener: std::net::TcpListener,
    handle: Handle<SocketAddr>,
    acceptor: TimeoutAcceptor,
    app: App,
    head_timeout: Duration,
) -> io::Result<()> {
    let service =
        Router::new().fallback_service(service(app)).into_make_service_with_connect_info::<SocketAddr>();
    let mut server = axum_server::from_tcp(listener)?.handle(handle).acceptor(acceptor);
    // The timeout for a request's head also runs while a connection waits for its next request.
    let http = server.http_builder();
    http.http1().timer(TokioTimer::new()).header_read_timeout(head_timeout);
    http.http2().timer(TokioTimer::new()).keep_alive_interval(head_timeout).keep_alive_timeout(head_timeout);
    server.serve(service).await
}

/// Checks that the configured certificate and key, if any, can be read and match. Returns a warning if browsers refuse the certificate now.
///
/// # Errors
/// They are not usable.
pub fn check_certificate(config: &Config) -> Result<Option<String>, ServeError> {
    certificate(config)?;
    Ok(config.tls.as_ref().and_then(|(certificate, _)| tls::date_warning(certificate)))
}

/// Reads the certificate and its key. One that browsers refuse now is logged.
pub(super) fn certificate(config: &Config) -> Result<Option<Arc<ServerConfig>>, ServeError> {
    let Some((certificate, key)) = &config.tls else { return Ok(None) };
    let read = tls::read(certificate, key).map_err(ServeError::Tls)?;
    if let Some(warning) = tls::date_warning(certificate) {
        tracing::warn!(target: "baize::server", "{warning}");
    }
    Ok(Some(read))
}
