//! Puts the casino behind a socket, and names one address for each role.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum_server::Handle;
use axum_server::accept::DefaultAcceptor;
use axum_server::tls_rustls::{RustlsAcceptor, RustlsConfig};
use baize_house::{Actor, CommandId, Duty, House, HouseError, Order, StaffId};
use hyper_util::rt::TokioTimer;

use super::app::App;
use super::connection_limit::Gate;
use super::phase::Phase;
use super::stopping::Asked;
use super::timeouts::PatientAcceptor;
use super::{Config, served, stopping};

/// Why the server does not run.
#[derive(Debug)]
pub enum ServeError {
    /// The address cannot be listened on.
    Listen {
        /// Which.
        address: SocketAddr,
        /// Why.
        why: io::Error,
    },
    /// The certificate or its key cannot be used.
    Tls {
        /// The files.
        files: String,
        /// Why.
        why: io::Error,
    },
    /// It stopped.
    Stopped(io::Error),
    /// The house does not open.
    House(HouseError),
}

impl std::fmt::Display for ServeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ServeError::Listen { address, why } => {
                write!(f, "cannot listen on {address}: {why}; choose another address with --listen")
            }
            ServeError::Tls { files, why } => {
                write!(f, "cannot use {files} for TLS: {why}; a certificate and its key in PEM are needed")
            }
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

/// The people of a new casino: one for each duty.
const PEOPLE: [(&str, Duty); 6] = [
    ("dora", Duty::Dealer),
    ("sam", Duty::PitSupervisor),
    ("mia", Duty::PitManager),
    ("sue", Duty::ShiftManager),
    ("carl", Duty::Cage),
    ("ada", Duty::Auditor),
];

/// One person for each duty: existing ones, or new ones. A new dealer deals at every table that there is.
async fn people(house: &House) -> Result<Vec<(StaffId, Duty)>, ServeError> {
    let known = house.staff(&Actor::House).await?;
    let mut people = Vec::new();
    for (name, duty) in PEOPLE {
        let working = |staff: &&baize_house::StaffLine| staff.duties.contains(&duty) && !staff.suspended;
        if let Some(staff) = known.iter().find(working) {
            people.push((staff.id.clone(), duty));
            continue;
        }
        let id: StaffId = name.parse().map_err(HouseError::from)?;
        match house.create_staff(&Actor::House, &id, None, &[duty]).await {
            // The name is taken: the shift manager can create staff.
            Err(HouseError::NameTaken(_)) => continue,
            made => made?,
        }
        if duty == Duty::Dealer {
            for table in house.tables().await? {
                let assign = Order::Assign { dealer: id.clone() };
                house.act(&Actor::House, &table.id, &CommandId::random(), assign).await?;
            }
        }
        people.push((id, duty));
    }
    Ok(people)
}

/// The addresses of the casino: what each is for, and where. With `link_minutes` one for each role of staff, which lets in once and holds
/// that long.
///
/// # Errors
/// Only those of the house.
pub async fn addresses(
    house: &House,
    origin: &str,
    link_minutes: Option<u32>,
) -> Result<Vec<(String, String)>, ServeError> {
    let mut lines = vec![("play".to_owned(), format!("{origin}/"))];
    for (id, duty) in people(house).await? {
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

/// What a server needs before its house is opened: the address, the certificate, and ears for those who ask it to stop. Whatever is wrong with
/// these is known before the house writes its first entry.
pub struct Server {
    listener: std::net::TcpListener,
    address: SocketAddr,
    tls: Option<RustlsConfig>,
    asked: Asked,
}

impl Server {
    /// Takes the address, reads the certificate, and hears from now on when it is asked to stop. Needs a running runtime.
    ///
    /// # Errors
    /// An address in use, a certificate that does not fit.
    pub async fn bind(config: &Config) -> Result<Server, ServeError> {
        let tls = certificate(config).await?;
        let listen = |why| ServeError::Listen { address: config.listen, why };
        let listener = std::net::TcpListener::bind(config.listen).map_err(listen)?;
        listener.set_nonblocking(true).map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        let asked = Asked::hear().map_err(ServeError::Stopped)?;
        Ok(Server { listener, address, tls, asked })
    }

    /// Serves the casino until a stop is requested, then closes the house by plan, whatever came of it. `ready` is called with the address
    /// once all is in place.
    ///
    /// # Errors
    /// The server broke down, or the house cannot be closed.
    pub async fn run(
        mut self,
        house: House,
        config: Config,
        ready: impl AsyncFnOnce(SocketAddr),
    ) -> Result<(), ServeError> {
        let ended = if self.asked.already().await {
            tracing::info!(target: "baize::server", "asked to stop during the start: not opening");
            Ok(())
        } else {
            self.until_stopped(&house, config, ready).await
        };
        house.close().await?;
        tracing::info!(target: "baize::server", "ended");
        ended.map_err(ServeError::Stopped)
    }

    async fn until_stopped(
        self,
        house: &House,
        config: Config,
        ready: impl AsyncFnOnce(SocketAddr),
    ) -> io::Result<()> {
        let Server { listener, address, tls, asked } = self;
        let gate = Gate::new(config.connections, config.trusted_proxies.clone());
        let (head, unread_seconds) = (Duration::from_secs(config.head_seconds), config.unread_seconds);
        let handle = Handle::new();
        let (phase, drain) = (Phase::default(), Duration::from_secs(config.drain_seconds));
        tokio::spawn(stopping::stop_when_asked(asked, handle.clone(), house.clone(), phase.clone(), drain));
        let app = App::new(house.clone(), config, gate.clone(), phase);
        tokio::spawn(stopping::reload_when_asked(app.clone(), tls.clone()));
        ready(address).await;
        stopping::tell_systemd(sd_notify::NotifyState::Ready);
        tracing::info!(target: "baize::server", %address, "started");
        let service =
            Router::new().fallback_service(served(app)).into_make_service_with_connect_info::<SocketAddr>();
        let mut server = axum_server::from_tcp(listener)?.handle(handle);
        // The time for a head runs while a connection waits for its next request too: one that is silent is closed.
        let http = server.http_builder();
        http.http1().timer(TokioTimer::new()).header_read_timeout(head);
        http.http2().timer(TokioTimer::new()).keep_alive_interval(head).keep_alive_timeout(head);
        let (patience, opening) = (Duration::from_secs(unread_seconds), head);
        match tls {
            Some(tls) => {
                let inner = RustlsAcceptor::new(tls);
                server.acceptor(PatientAcceptor { inner, patience, opening, gate }).serve(service).await
            }
            None => {
                let inner = DefaultAcceptor::new();
                server.acceptor(PatientAcceptor { inner, patience, opening, gate }).serve(service).await
            }
        }
    }
}

/// Reads the certificate and key of these settings, if they name any, and compares them with each other.
///
/// # Errors
/// They cannot be used.
pub async fn check_certificate(config: &Config) -> Result<(), ServeError> {
    certificate(config).await.map(drop)
}

async fn certificate(config: &Config) -> Result<Option<RustlsConfig>, ServeError> {
    let Some((certificate, key)) = &config.tls else { return Ok(None) };
    // A second call finds a provider in place already, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let files = format!("{} and {}", certificate.display(), key.display());
    let read = RustlsConfig::from_pem_file(certificate, key).await;
    read.map(Some).map_err(|why| ServeError::Tls { files, why })
}
