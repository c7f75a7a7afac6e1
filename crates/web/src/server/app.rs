//! Application state shared by all requests, and the server's configuration.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use baize_house::{GamingDay, House, IdleLimits};
use baize_rules::Money;

use super::alerts::Alerts;
use super::body::Form;
use super::change_feed::ChangeFeed;
use super::coach::CoachSessions;
use super::connection_limit::{ConnectionLimiter, ConnectionLimits};
use super::daily_win::DailyWins;
use super::fault::Fault;
use super::health::DatabaseHealth;
use super::library::Library;
use super::metrics::Metrics;
use super::network::Network;
use super::odds_service::OddsService;
use super::open_sessions::OpenSessions;
use super::page_cache::PageCache;
use super::phase::ServerPhase;
use super::rate_limit::{Rate, RateLimiter};
use super::recent_joins::RecentJoins;
use super::surveillance::Exposures;
use super::task_cache::TaskCache;

/// The server's configuration.
#[derive(Debug, Clone)]
pub struct Config {
    /// The address to listen on.
    pub listen: SocketAddr,
    /// Certificate and key for TLS.
    pub tls: Option<(std::path::PathBuf, std::path::PathBuf)>,
    /// Rate limit for each address.
    pub address_rate: Rate,
    /// Rate limit for each account.
    pub account_rate: Rate,
    /// Rate limit for log-ins and new players, for each address.
    pub log_in_rate: Rate,
    /// Maximum size of a request body, in bytes.
    pub body_bytes: usize,
    /// An event stream that nobody reads is closed after this many seconds.
    pub unread_seconds: u64,
    /// Solve the games at the start, so that odds and advice are ready. Otherwise they are solved on first use.
    pub solve_early: bool,
    /// Practice chips of a new player. With zero, players start with an empty purse and buy chips at the cage.
    pub play_chips: Money,
    /// When the gaming day begins: for the pit board, the cage and reports.
    pub gaming_day: GamingDay,
    /// Maximum numbers of open connections.
    pub connections: ConnectionLimits,
    /// A connection is closed if a request's head takes longer than this, or if it is idle that long; in seconds.
    pub head_seconds: u64,
    /// A request is refused if its body takes longer than this; in seconds.
    pub body_seconds: u64,
    /// Proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted.
    pub trusted_proxies: Vec<Network>,
    /// How long sessions last without a request.
    pub idle: IdleLimits,
    /// On SIGTERM, how long to wait for rounds in progress.
    pub drain_seconds: u64,
    /// How to reload the configuration on SIGHUP.
    pub reload: Reload,
}

/// Reloads the configuration. Certificates, rate limits, connection limits and idle limits take effect at once; the rest needs a restart.
#[derive(Clone, Default)]
pub struct Reload(Option<Arc<dyn Fn() -> Result<Config, String> + Send + Sync>>);

impl Reload {
    /// Reloads with this function.
    pub fn by(read: impl Fn() -> Result<Config, String> + Send + Sync + 'static) -> Reload {
        Reload(Some(Arc::new(read)))
    }

    /// The configuration as it is now; `None` without a function.
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
            address_rate: Rate { per_second: 200, burst: 2_000 },
            account_rate: Rate { per_second: 100, burst: 1_000 },
            log_in_rate: Rate { per_second: 2, burst: 60 },
            body_bytes: 64 * 1024,
            unread_seconds: 20,
            solve_early: false,
            play_chips: Money::from_dollars(10_000),
            gaming_day: GamingDay::default(),
            connections: ConnectionLimits::default(),
            head_seconds: 15,
            body_seconds: 15,
            trusted_proxies: Vec::new(),
            idle: IdleLimits::default(),
            drain_seconds: 60,
            reload: Reload::default(),
        }
    }
}

/// State shared by all requests. Cheap to clone.
#[derive(Clone)]
pub(crate) struct App(Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) house: House,
    pub(crate) config: Config,
    pub(crate) feed: ChangeFeed,
    pub(crate) metrics: Metrics,
    pub(crate) address_rates: RateLimiter,
    pub(crate) account_rates: RateLimiter,
    log_in_rates: RateLimiter,
    pub(crate) library: Library,
    pub(crate) odds: OddsService,
    pub(crate) exposures: Exposures,
    pub(crate) coach_sessions: CoachSessions,
    pub(crate) alerts: Alerts,
    pub(crate) page_cache: PageCache,
    pub(crate) recent_joins: RecentJoins,
    pub(crate) daily_wins: DailyWins,
    pub(crate) database_health: DatabaseHealth,
    pub(crate) open_sessions: OpenSessions,
    pub(crate) connections: ConnectionLimiter,
    pub(crate) phase: ServerPhase,
    pub(crate) task_cache: TaskCache,
}

impl std::ops::Deref for App {
    type Target = Inner;
    fn deref(&self) -> &Inner {
        &self.0
    }
}

impl App {
    /// Starts the background tasks. Needs a running Tokio runtime.
    pub(crate) fn new(
        house: House,
        config: Config,
        connections: ConnectionLimiter,
        phase: ServerPhase,
    ) -> App {
        house.set_idle_limits(config.idle);
        house.set_gaming_day(config.gaming_day);
        super::reporting::keep_days(house.clone(), config.gaming_day);
        let library = Library::of(&house);
        let odds = OddsService::new(library.all());
        let alerts = Alerts::default();
        if config.solve_early {
            odds.start();
            alerts.watch(house.clone(), odds.clone());
        }
        App(Arc::new(Inner {
            feed: ChangeFeed::follow(&house),
            metrics: Metrics::default(),
            address_rates: RateLimiter::new(config.address_rate),
            account_rates: RateLimiter::new(config.account_rate),
            log_in_rates: RateLimiter::new(config.log_in_rate),
            library,
            odds,
            exposures: Exposures::default(),
            coach_sessions: CoachSessions::default(),
            alerts,
            page_cache: PageCache::default(),
            recent_joins: RecentJoins::default(),
            daily_wins: DailyWins::default(),
            database_health: DatabaseHealth::default(),
            open_sessions: OpenSessions::of(&house),
            connections,
            phase,
            task_cache: TaskCache::default(),
            house,
            config,
        }))
    }

    /// Applies the settings that can change while the server runs.
    pub(crate) fn apply(&self, config: &Config) {
        self.address_rates.set(config.address_rate);
        self.account_rates.set(config.account_rate);
        self.log_in_rates.set(config.log_in_rate);
        self.connections.set(config.connections);
        self.house.set_idle_limits(config.idle);
    }

    /// Whether the server itself speaks TLS.
    pub(crate) fn tls(&self) -> bool {
        self.config.tls.is_some()
    }

    /// Counts a log-in, a new player or a password from this address. Fails with 429 over the limit.
    pub(crate) fn limit_log_ins(&self, address: IpAddr) -> Result<(), Fault> {
        self.log_in_rates.take(&address.to_string()).map_err(Fault::TooMany)
    }

    /// The house, for a command with the id of this form: sent twice, it acts once.
    pub(crate) fn house_for(&self, form: &Form) -> Result<House, Fault> {
        Ok(self.house.for_request(Some(form.command_id("")?), None))
    }
}
