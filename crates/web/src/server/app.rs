//! What every request can reach: the house, the news, limits, counters.

use std::net::SocketAddr;
use std::sync::Arc;

use baize_house::{GamingDay, House, IdleLimits};
use baize_rules::Money;

use super::advantage::Advantage;
use super::connection_limit::{Connections, Gate};
use super::day::Day;
use super::health::Pulse;
use super::joined::Joined;
use super::library::Library;
use super::metrics::Metrics;
use super::network::Network;
use super::news::News;
use super::odds_desk::OddsDesk;
use super::open_sessions::OpenSessions;
use super::page_cache::Drawn;
use super::phase::Phase;
use super::rate_limit::{Buckets, Rate};
use super::waits::Waits;

/// How the server is set up.
#[derive(Debug, Clone)]
pub struct Config {
    /// The address to listen on.
    pub listen: SocketAddr,
    /// Certificate and key for TLS.
    pub tls: Option<(std::path::PathBuf, std::path::PathBuf)>,
    /// Requests of one address.
    pub address_rate: Rate,
    /// Requests of one account.
    pub account_rate: Rate,
    /// Log-ins and new players of one address.
    pub log_in_rate: Rate,
    /// The largest body of a request, in bytes.
    pub body_bytes: usize,
    /// An event stream that nobody reads is closed after so many seconds.
    pub unread_seconds: u64,
    /// Solve the games from the start, so that odds and advice are there when they are asked for. Otherwise when they are asked for
    /// first.
    pub solve_early: bool,
    /// Play chips of a new player, which are worth no cash; nothing: their purse is empty until they buy chips at the cage.
    pub play_chips: Money,
    /// Which 24 hours are a day: on the pit board, at the cage and in reports.
    pub gaming_day: GamingDay,
    /// Connections that may be open.
    pub connections: Connections,
    /// A connection that takes longer than this for the head of a request, or waits longer for one, is closed; in seconds.
    pub head_seconds: u64,
    /// A request whose body takes longer is refused; in seconds.
    pub body_seconds: u64,
    /// Proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` count.
    pub trusted_proxies: Vec<Network>,
    /// How long sessions hold without a request.
    pub idle: IdleLimits,
    /// Asked to stop, the server waits this long for rounds under way.
    pub drain_seconds: u64,
    /// How settings are read again on SIGHUP.
    pub reload: Reload,
}

/// Reads the settings again. Those that can change while the server runs are taken over: certificates, rates, connections, idle limits.
#[derive(Clone, Default)]
pub struct Reload(Option<Arc<dyn Fn() -> Result<Config, String> + Send + Sync>>);

impl Reload {
    /// Reads them by this function.
    pub fn by(read: impl Fn() -> Result<Config, String> + Send + Sync + 'static) -> Reload {
        Reload(Some(Arc::new(read)))
    }

    /// The settings as they are now.
    pub(crate) fn read(&self) -> Option<Result<Config, String>> {
        self.0.as_ref().map(|read| read())
    }
}

impl std::fmt::Debug for Reload {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Reload({})", if self.0.is_some() { "by a function" } else { "never" })
    }
}

impl Default for Config {
    fn default() -> Config {
        Config {
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            tls: None,
            address_rate: Rate { a_second: 200, at_once: 2_000 },
            account_rate: Rate { a_second: 100, at_once: 1_000 },
            log_in_rate: Rate { a_second: 2, at_once: 60 },
            body_bytes: 64 * 1024,
            unread_seconds: 20,
            solve_early: false,
            play_chips: Money::from_dollars(10_000),
            gaming_day: GamingDay::default(),
            connections: Connections::default(),
            head_seconds: 15,
            body_seconds: 15,
            trusted_proxies: Vec::new(),
            idle: IdleLimits::default(),
            drain_seconds: 60,
            reload: Reload::default(),
        }
    }
}

/// What every request can reach. Cheap to clone.
#[derive(Clone)]
pub(crate) struct App(Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) house: House,
    pub(crate) config: Config,
    pub(crate) news: News,
    pub(crate) metrics: Metrics,
    pub(crate) addresses: Buckets,
    pub(crate) accounts: Buckets,
    pub(crate) log_ins: Buckets,
    pub(crate) library: Library,
    pub(crate) odds: OddsDesk,
    pub(crate) advantage: Advantage,
    pub(crate) drawn: Drawn,
    pub(crate) joined: Joined,
    pub(crate) day: Day,
    pub(crate) pulse: Pulse,
    pub(crate) open_sessions: OpenSessions,
    pub(crate) gate: Gate,
    pub(crate) phase: Phase,
    pub(crate) waits: Waits,
}

impl std::ops::Deref for App {
    type Target = Inner;
    fn deref(&self) -> &Inner {
        &self.0
    }
}

impl App {
    /// Starts following the house's changes. Needs a running runtime.
    pub(crate) fn new(house: House, config: Config, gate: Gate, phase: Phase) -> App {
        house.set_idle_limits(config.idle);
        house.set_gaming_day(config.gaming_day);
        super::reporting::keep_days(house.clone(), config.gaming_day);
        let library = Library::of(&house);
        let odds = OddsDesk::new(library.all());
        let advantage = Advantage::default();
        if config.solve_early {
            odds.start();
            advantage.alerts.watch(house.clone(), odds.clone());
        }
        App(Arc::new(Inner {
            news: News::follow(&house),
            metrics: Metrics::default(),
            addresses: Buckets::new(config.address_rate),
            accounts: Buckets::new(config.account_rate),
            log_ins: Buckets::new(config.log_in_rate),
            library,
            odds,
            advantage,
            drawn: Drawn::default(),
            joined: Joined::default(),
            day: Day::default(),
            pulse: Pulse::default(),
            open_sessions: OpenSessions::of(&house),
            gate,
            phase,
            waits: Waits::default(),
            house,
            config,
        }))
    }

    /// Takes over the settings that can change while the server runs.
    pub(crate) fn take_over(&self, config: &Config) {
        self.addresses.set(config.address_rate);
        self.accounts.set(config.account_rate);
        self.log_ins.set(config.log_in_rate);
        self.gate.set(config.connections);
        self.house.set_idle_limits(config.idle);
    }

    /// Whether the server speaks TLS.
    pub(crate) fn tls(&self) -> bool {
        self.config.tls.is_some()
    }
}
