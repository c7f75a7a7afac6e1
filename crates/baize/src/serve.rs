//! `baize serve`, and `baize` alone: the casino in the browser.

mod first_run;
mod logs;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::IsTerminal as _;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs as _};
use std::path::PathBuf;

use baize_house::{Actor, House, IdleLimits, LINK_MINUTES, MoneyKind, TableId};
use baize_rules::Money;
use baize_web::{Config, ConnectionLimits, Network, Rate, Reload, ServeError, Server, addresses};
use clap::{Args, FromArgMatches as _};

use crate::database::{Database, file_of, without_password};
use crate::report::Days;
use crate::{Failure, config, page, rulebook};
use logs::Format;

/// The default address to listen on.
pub(crate) const LISTEN: &str = "127.0.0.1:8080";

/// Open the casino: five tables, two jackpots, in the browser.
///
/// Prints the addresses to open. Staff links, which work once, are printed on a terminal until a member of staff has a password, and with --links.
/// Everything is stored in the database.
///
/// Every option can also be set in the environment (BAIZE_ADDRESS_RATE=50) or in the configuration file (address-rate = 50). The command line
/// overrides the environment, and the environment overrides the file. `baize config show` prints every setting and where it came from.
///
/// SIGTERM is a planned stop: tables announce their last round, rounds in progress are finished, browsers reconnect. SIGHUP reloads certificates
/// and limits. After a crash, a round in progress is resolved by its game's rules.
#[derive(Args, Clone)]
pub(crate) struct Arguments {
    /// The address and port to listen on.
    #[arg(long, value_name = "ADDRESS", default_value = LISTEN, value_parser = listen_address)]
    listen: SocketAddr,
    #[command(flatten)]
    database: Database,
    /// Create a new casino if the database is missing or empty. Without it, only the default file in the user's data folder is created.
    #[arg(long)]
    create: bool,
    /// Wait at most this many seconds for a PostgreSQL server that cannot be reached at the start.
    #[arg(long, value_name = "SECONDS", default_value_t = 0, value_parser = clap::value_parser!(u64).range(0..=86_400))]
    database_wait: u64,
    /// A rulebook file of your own: opens a table for it, once; the journal keeps its text. Can be given several times, or as a
    /// comma-separated list.
    #[arg(long, value_name = "FILE", value_delimiter = ',')]
    rulebook: Vec<PathBuf>,
    /// The certificate for TLS, in PEM.
    #[arg(long, value_name = "FILE")]
    tls_cert: Option<PathBuf>,
    /// The key of the certificate, in PEM.
    #[arg(long, value_name = "FILE")]
    tls_key: Option<PathBuf>,
    /// Open the lobby in the browser.
    #[arg(long)]
    open: bool,
    /// Requests a second from one address; 0 for no limit.
    #[arg(long, value_name = "NUMBER", default_value_t = 200)]
    address_rate: u32,
    /// Requests a second of one account; 0 for no limit.
    #[arg(long, value_name = "NUMBER", default_value_t = 100)]
    account_rate: u32,
    /// Log-ins and new players a second from one address; 0 for no limit.
    #[arg(long, value_name = "NUMBER", default_value_t = 2)]
    log_in_rate: u32,
    /// Play chips of a new player, for practice; they cannot be cashed. 0 for a casino that plays for cash: new players buy in at the cage.
    #[arg(long, value_name = "AMOUNT", default_value = "10000", value_parser = play_chips)]
    play_chips: Money,
    /// A browser that does not read its event stream is disconnected after this many seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=3600))]
    unread_seconds: u64,
    /// Print staff links, even if standard output is not a terminal.
    #[arg(long)]
    links: bool,
    /// How many minutes a printed link is valid.
    #[arg(long, value_name = "MINUTES", default_value_t = LINK_MINUTES, value_parser = clap::value_parser!(u32).range(1..=1440))]
    link_minutes: u32,
    /// A player's session ends after this many minutes without a request.
    #[arg(long, value_name = "MINUTES", default_value_t = minutes(IdleLimits::default().players), value_parser = idle())]
    idle_players: u32,
    /// A session of a dealer or the pit ends after this many minutes without a request.
    #[arg(long, value_name = "MINUTES", default_value_t = minutes(IdleLimits::default().floor), value_parser = idle())]
    idle_floor: u32,
    /// A session of the cage ends after this many minutes without a request.
    #[arg(long, value_name = "MINUTES", default_value_t = minutes(IdleLimits::default().cage), value_parser = idle())]
    idle_cage: u32,
    /// A session of an auditor ends after this many minutes without a request.
    #[arg(long, value_name = "MINUTES", default_value_t = minutes(IdleLimits::default().auditors), value_parser = idle())]
    idle_auditors: u32,
    /// Connections that may be open at once.
    #[arg(long, value_name = "NUMBER", default_value_t = ConnectionLimits::default().total)]
    connections: usize,
    /// Connections that may be open at once from one address; trusted proxies are not counted.
    #[arg(long, value_name = "NUMBER", default_value_t = ConnectionLimits::default().per_address, value_parser = at_least_one)]
    address_connections: usize,
    /// How many of these connections are reserved for staff.
    #[arg(long, value_name = "NUMBER", default_value_t = ConnectionLimits::default().reserved_for_staff)]
    staff_connections: usize,
    /// A proxy whose X-Forwarded-For and X-Forwarded-Proto are trusted: an address, or a network like 10.0.0.0/8. Can be given several times, or
    /// as a comma-separated list.
    #[arg(long, value_name = "NETWORK", value_delimiter = ',')]
    trusted_proxy: Vec<Network>,
    #[command(flatten)]
    days: Days,
    /// Compute the odds on first use instead of at the start, which takes about a minute of processor time.
    #[arg(long)]
    count_late: bool,
    /// On SIGTERM, wait at most this many seconds for rounds in progress. Unfinished rounds continue after the next start.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(0..=3600))]
    drain_seconds: u64,
    /// What is logged to standard error: error, warn, info, debug, or a filter like `warn,baize::order=info`. RUST_LOG overrides it. Without it:
    /// warn on a terminal, otherwise info.
    #[arg(long, value_name = "FILTER")]
    log: Option<String>,
    /// The format of log lines.
    #[arg(long, value_enum, default_value = "text")]
    log_format: Format,
}

/// Serves until a signal stops it. From the start of the log, everything on standard error is in its format, the failure too.
pub(crate) fn run(arguments: &Arguments, read: &config::Read) -> Result<(), Failure> {
    logs::start(arguments.log.as_deref(), arguments.log_format)?;
    serve(arguments).map_err(|failure| logs::noted(read.locate(failure)))
}

fn serve(arguments: &Arguments) -> Result<(), Failure> {
    arguments.check()?;
    let mut config = arguments.config();
    let started = as_given()?.2;
    config.reload = Reload::by(move || reread(&started));
    for mistyped in config::mistyped_variables() {
        tracing::warn!(target: "baize::server", "{mistyped}");
    }
    let database = arguments.database.address()?;
    check_database(&database).map_err(Failure::of_setting("database"))?;
    let (open, links, link_minutes) = (arguments.open, arguments.links, arguments.link_minutes);
    // A house without play chips plays for cash.
    let money = if config.play_chips.is_zero() { MoneyKind::Cash } else { MoneyKind::Practice };
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(Failure::Output)?;
    runtime.block_on(async move {
        let Some(made) = first_run::allowed(&database, arguments).await? else { return Ok(()) };
        // Bind first: errors show before the house is opened, and a signal during the opening is handled after it.
        let server = Server::bind(&config).await.map_err(placed)?;
        let (house, opened) = match open_house(&database, money, &arguments.rulebook).await {
            Ok(opened) => opened,
            Err(failure) => {
                made.undo_after(&failure);
                return Err(failure);
            }
        };
        let scheme = if config.tls.is_some() { "https" } else { "http" };
        let told = house.clone();
        let printing = async move |bound: SocketAddr| {
            let origin = format!("{scheme}://{}", reachable(bound));
            let said = async {
                let printed = links || std::io::stdout().is_terminal() && !has_passwords(&told).await?;
                addresses(&told, &origin, printed.then_some(link_minutes)).await.map(|lines| (printed, lines))
            };
            match said.await {
                Ok((printed, mut lines)) => {
                    lines.extend(
                        opened.iter().map(|(what, id)| (what.clone(), format!("{origin}/table/{id}"))),
                    );
                    let held = printed.then_some(link_minutes);
                    if let Err(error) = page::print(&greeting(&origin, &database, &lines, held)) {
                        tracing::warn!(target: "baize::server", %error, "the addresses could not be printed");
                    }
                    if open {
                        show(&format!("{origin}/"));
                    }
                }
                Err(error) => {
                    tracing::error!(target: "baize::server", %error, "the addresses could not be determined")
                }
            }
        };
        Ok(server.run(house, config, printing).await?)
    })
}

/// A table that was opened for a rulebook of the user's own: what it is, and its id.
type Opened = (String, TableId);

/// Opens and sets up the house. If that fails, the house is closed normally, so that no interrupted round becomes void.
async fn open_house(
    database: &str,
    money: MoneyKind,
    rulebooks: &[PathBuf],
) -> Result<(House, Vec<Opened>), Failure> {
    let house = House::open(database).await?;
    for warning in house.warnings() {
        tracing::warn!(target: "baize::server", "{warning}");
    }
    match set_up(&house, money, rulebooks).await {
        Ok(opened) => Ok((house, opened)),
        Err(failure) => {
            if let Err(error) = house.close().await {
                tracing::error!(target: "baize::server", %error, "the house could not be closed");
            }
            Err(failure)
        }
    }
}

async fn set_up(house: &House, money: MoneyKind, rulebooks: &[PathBuf]) -> Result<Vec<Opened>, Failure> {
    house.set_up_for(money).await?;
    let mut opened = Vec::new();
    for file in rulebooks {
        let table = house.set_up_own(&Actor::House, &rulebook::checked(file)?.0).await?;
        opened.push((format!("table of {}", file.display()), table));
    }
    Ok(opened)
}

/// Settings by their name, as they were given.
type Given = BTreeMap<String, Vec<OsString>>;

/// The settings that a reload applies.
const RELOADABLE: [&str; 12] = [
    "account-rate",
    "address-connections",
    "address-rate",
    "connections",
    "idle-auditors",
    "idle-cage",
    "idle-floor",
    "idle-players",
    "log-in-rate",
    "staff-connections",
    "tls-cert",
    "tls-key",
];

/// The current settings from command line, environment and file.
fn as_given() -> Result<(config::Read, Arguments, Given), Failure> {
    let read = config::read()?;
    let wrong = |why: &dyn ToString| Failure::Usage(why.to_string());
    let options = read.matches.subcommand_matches("serve");
    let options = options.ok_or_else(|| wrong(&"there are no settings of `serve`"))?;
    let arguments = Arguments::from_arg_matches(options).map_err(|error| wrong(&error))?;
    let given = config::settings(options);
    Ok((read, arguments, given))
}

/// The current settings, for a running server. Changed settings that need a restart are logged.
fn reread(started: &Given) -> Result<Config, String> {
    let (read, arguments, given) = as_given().map_err(|failure| failure.to_string())?;
    arguments.check().map_err(|failure| read.locate(failure).to_string())?;
    for (setting, values) in &given {
        if started.get(setting) != Some(values) && !RELOADABLE.contains(&setting.as_str()) {
            tracing::warn!(target: "baize::server", setting, "this setting has changed; it takes effect after a restart");
        }
    }
    Ok(arguments.config())
}

impl Arguments {
    /// Checks pairs of options and the files that they name.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        let alone = |setting, why: &str| Err(Failure::of_setting(setting)(Failure::Usage(why.to_owned())));
        match (&self.tls_cert, &self.tls_key) {
            (Some(_), None) => return alone("tls-cert", "--tls-cert needs --tls-key"),
            (None, Some(_)) => return alone("tls-key", "--tls-key needs --tls-cert"),
            _ => {}
        }
        let files = [
            ("tls-cert", &self.tls_cert),
            ("tls-key", &self.tls_key),
            ("database-password-file", &self.database.database_password_file),
        ];
        for (setting, file) in files {
            let Some(path) = file else { continue };
            let wrong = |error| Failure::of_setting(setting)(Failure::File { path: path.clone(), error });
            std::fs::File::open(path).map_err(wrong)?;
        }
        if self.staff_connections >= self.connections {
            let why = format!(
                "--staff-connections {} leaves no connection of {} for players",
                self.staff_connections, self.connections
            );
            let usual = self.staff_connections == ConnectionLimits::default().reserved_for_staff;
            return alone(if usual { "connections" } else { "staff-connections" }, &why);
        }
        let on_server = self.database.database.as_ref().is_some_and(|address| address.contains("://"));
        if self.database.database_password_file.is_some() && !on_server {
            return alone(
                "database-password-file",
                "--database-password-file is for a PostgreSQL server: a casino in a file has no password",
            );
        }
        // A rulebook with faults is reported before anything is opened.
        for file in &self.rulebook {
            rulebook::text_and_rulebook(file).map_err(Failure::of_setting("rulebook"))?;
        }
        Ok(())
    }

    /// Checks everything that can be checked without opening the database.
    pub(crate) fn check_all(&self) -> Result<(), Failure> {
        self.check()?;
        logs::filter(self.log.as_deref())?;
        check_database(&self.database.address()?).map_err(Failure::of_setting("database"))?;
        match baize_web::check_certificate(&self.config()).map_err(placed)? {
            Some(warning) => Err(Failure::of_setting("tls-cert")(Failure::Usage(warning))),
            None => Ok(()),
        }
    }

    /// The server's settings.
    fn config(&self) -> Config {
        let rate = |per_second: u32, burst_seconds: u32| Rate {
            per_second,
            burst: per_second.saturating_mul(burst_seconds),
        };
        Config {
            listen: self.listen,
            tls: self.tls_cert.clone().zip(self.tls_key.clone()),
            address_rate: rate(self.address_rate, 10),
            account_rate: rate(self.account_rate, 10),
            log_in_rate: rate(self.log_in_rate, 30),
            play_chips: self.play_chips,
            unread_seconds: self.unread_seconds,
            solve_early: !self.count_late,
            gaming_day: self.days.gaming_day(),
            connections: ConnectionLimits {
                total: self.connections,
                per_address: self.address_connections,
                reserved_for_staff: self.staff_connections,
            },
            trusted_proxies: self.trusted_proxy.clone(),
            idle: IdleLimits {
                players: self.idle_players * 60,
                floor: self.idle_floor * 60,
                cage: self.idle_cage * 60,
                auditors: self.idle_auditors * 60,
            },
            drain_seconds: self.drain_seconds,
            ..Config::default()
        }
    }
}

/// Checks the address of a database and the files that it names.
fn check_database(address: &str) -> Result<(), Failure> {
    House::check_address(address)?;
    if address.contains("://") {
        return Ok(());
    }
    // An unknown option would become a part of the file's name.
    let options = address.split_once('?').map_or("", |(_, options)| options);
    let unknown = |option: &&str| {
        let pages = option.strip_prefix("max_pages=").is_some_and(|pages| pages.parse::<u32>().is_ok());
        !option.is_empty() && !option.starts_with("keyfile=") && !pages
    };
    if let Some(option) = options.split('&').find(unknown) {
        return Err(Failure::Usage(format!("`{option}` is not an option of a casino in a file")));
    }
    let file = file_of(address);
    if file.is_dir() {
        return Err(Failure::Usage(format!("{} is a folder: name a file in it", file.display())));
    }
    Ok(())
}

/// Adds the setting to an error of the server that comes from one.
fn placed(error: ServeError) -> Failure {
    let setting = match &error {
        ServeError::Tls(fault) if fault.is_of_key() => "tls-key",
        ServeError::Tls(_) => "tls-cert",
        ServeError::Listen { .. } => "listen",
        ServeError::Stopped(_) | ServeError::House(_) => return error.into(),
    };
    Failure::of_setting(setting)(error.into())
}

/// Whether any member of staff has a password; then no links are printed.
async fn has_passwords(house: &House) -> Result<bool, ServeError> {
    Ok(house.staff(&Actor::House).await?.iter().any(|staff| staff.has_password))
}

const fn minutes(seconds: u32) -> u32 {
    seconds / 60
}

fn idle() -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..=720)
}

fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("nobody could connect; write 1 or more".to_owned()),
        Ok(number) => Ok(number),
        Err(_) => Err("write a whole number".to_owned()),
    }
}

/// Parses the play chips of a new player.
fn play_chips(text: &str) -> Result<Money, String> {
    let max = Money::from_dollars(1_000_000);
    let chips: Money = text.parse().map_err(|error: baize_rules::MoneyError| error.to_string())?;
    let good = (Money::ZERO..=max).contains(&chips);
    good.then_some(chips).ok_or_else(|| format!("write an amount from 0 to {}", max.grouped()))
}

/// The first address that the text resolves to.
pub(crate) fn listen_address(text: &str) -> Result<SocketAddr, String> {
    if text.is_empty() {
        return Err("write it like 127.0.0.1:8080".to_owned());
    }
    if let Ok(address) = text.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>() {
        return Err(format!("it has no port; write {}", SocketAddr::from((address, 8080))));
    }
    if let Ok(port) = text.strip_prefix(':').unwrap_or(text).parse::<u16>() {
        return Err(format!(
            "it has no address; write 127.0.0.1:{port}, or 0.0.0.0:{port} for every address"
        ));
    }
    if !text.contains(':') {
        return Err(format!("it has no port; write {text}:8080"));
    }
    match text.to_socket_addrs().map(|mut all| all.next()) {
        Ok(Some(address)) => Ok(address),
        Ok(None) => Err("it resolves to no address".to_owned()),
        Err(error) => Err(format!("write it like 127.0.0.1:8080 ({error})")),
    }
}

/// An address that a browser on this machine can open.
pub(crate) fn reachable(bound: SocketAddr) -> String {
    if bound.ip().is_unspecified() || bound.ip().is_loopback() && bound.is_ipv4() {
        format!("localhost:{}", bound.port())
    } else {
        bound.to_string()
    }
}

/// What is printed when the casino opens.
fn greeting(origin: &str, database: &str, lines: &[(String, String)], link_minutes: Option<u32>) -> String {
    let width = lines.iter().map(|(role, _)| role.chars().count()).max().unwrap_or(0);
    let mut text = format!("\nThe casino is open at {origin} (database {}).\n\n", without_password(database));
    for (role, address) in lines {
        text.push_str(&format!("  {role:width$}  {address}\n"));
    }
    text.push_str(&match link_minutes {
        Some(minutes) => format!(
            "\nEach staff link works once, within {}.",
            page::counted(minutes.into(), "minute", "minutes")
        ),
        None => format!("\nStaff log in at {origin}/login; `baize staff link NAME` makes a link."),
    });
    text.push_str(" Ctrl-C closes the casino; nothing is lost.\n");
    if std::io::stdout().is_terminal() {
        text.push('\n');
    }
    text
}

/// Opens an address in the user's browser, if there is one.
fn show(address: &str) {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    let shown = std::process::Command::new(program).arg(address).stdout(std::process::Stdio::null()).spawn();
    if let Err(error) = shown {
        tracing::info!(target: "baize::server", program, %error, "no browser was opened");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read() {
        assert_eq!(listen_address("127.0.0.1:9").unwrap().port(), 9);
        assert_eq!(listen_address("127.0.0.1").unwrap_err(), "it has no port; write 127.0.0.1:8080");
        assert_eq!(listen_address("::1").unwrap_err(), "it has no port; write [::1]:8080");
        assert_eq!(listen_address("[::1]").unwrap_err(), "it has no port; write [::1]:8080");
        for without in ["8081", ":8081"] {
            let told = listen_address(without).unwrap_err();
            assert_eq!(told, "it has no address; write 127.0.0.1:8081, or 0.0.0.0:8081 for every address");
        }
        assert_eq!(listen_address("").unwrap_err(), "write it like 127.0.0.1:8080");
        assert!(listen_address("no such place:x").is_err());
        assert_eq!(reachable("0.0.0.0:80".parse().unwrap()), "localhost:80");
    }
}
