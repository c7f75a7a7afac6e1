//! `baize serve`, and `baize` alone: the casino in the browser.

use std::io::IsTerminal as _;
use std::net::{SocketAddr, ToSocketAddrs as _};
use std::path::PathBuf;

use baize_house::{Actor, House, IdleLimits, LINK_MINUTES, MoneyKind};
use baize_rules::Money;
use baize_web::{Config, Connections, Network, Rate, ServeError, addresses};
use clap::Args;

use crate::report::Days;
use crate::{Failure, page, rulebook};

/// Open the casino: five tables, two jackpots, in the browser.
///
/// Prints the addresses to open. Links for staff are printed on a terminal while no member of staff has a password, and with --links: each
/// lets in once. Everything is
/// kept in the database; a round that was under way when the program stopped is resolved by its game's rules.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The address and port to listen on.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    listen: String,
    /// A file, sqlite:FILE or postgres://…; without it, a file in the user's data folder.
    #[arg(long, value_name = "DATABASE")]
    database: Option<String>,
    /// A rulebook file of your own: opens a table for it, once; the journal keeps its text. May be given several times.
    #[arg(long, value_name = "FILE")]
    rulebook: Vec<PathBuf>,
    /// The certificate for TLS, in PEM.
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// The key of the certificate, in PEM.
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
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
    /// Play chips of a new player, for practice: the cage pays nothing for them. 0 for none: his purse is empty until the cage fills it.
    #[arg(long, value_name = "AMOUNT", default_value = "10000", value_parser = play_chips)]
    play_chips: Money,
    /// A browser that does not read its event stream is let go after so many seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=3600))]
    unread_seconds: u64,
    /// Print links for staff, whether or not somebody reads them on a terminal.
    #[arg(long)]
    links: bool,
    /// How many minutes a printed link holds.
    #[arg(long, value_name = "MINUTES", default_value_t = LINK_MINUTES, value_parser = clap::value_parser!(u32).range(1..=1440))]
    link_minutes: u32,
    /// A player's session ends after so many minutes without a request.
    #[arg(long, value_name = "MINUTES", default_value_t = minutes(IdleLimits::default().players), value_parser = idle())]
    idle_players: u32,
    /// A session of a dealer or the pit ends after so many minutes without a request.
    #[arg(long, value_name = "MINUTES", default_value_t = minutes(IdleLimits::default().floor), value_parser = idle())]
    idle_floor: u32,
    /// A session of the cage ends after so many minutes without a request.
    #[arg(long, value_name = "MINUTES", default_value_t = minutes(IdleLimits::default().cage), value_parser = idle())]
    idle_cage: u32,
    /// A session of an auditor ends after so many minutes without a request.
    #[arg(long, value_name = "MINUTES", default_value_t = minutes(IdleLimits::default().auditors), value_parser = idle())]
    idle_auditors: u32,
    /// Connections that may be open at once.
    #[arg(long, value_name = "NUMBER", default_value_t = Connections::default().all)]
    connections: usize,
    /// Connections that may be open at once from one address; trusted proxies are not counted.
    #[arg(long, value_name = "NUMBER", default_value_t = Connections::default().by_address)]
    address_connections: usize,
    /// Connections of those that only addresses of staff get.
    #[arg(long, value_name = "NUMBER", default_value_t = Connections::default().for_staff)]
    staff_connections: usize,
    /// A proxy whose X-Forwarded-For and X-Forwarded-Proto count: an address or a network like 10.0.0.0/8. May be given several times.
    #[arg(long, value_name = "NETWORK")]
    trusted_proxy: Vec<Network>,
    #[command(flatten)]
    days: Days,
    /// Count the odds when somebody asks for them, not from the start: saves a minute of the machine's time.
    #[arg(long)]
    count_late: bool,
}

impl Default for Arguments {
    fn default() -> Arguments {
        Arguments {
            listen: "127.0.0.1:8080".to_owned(),
            database: None,
            rulebook: Vec::new(),
            tls_cert: None,
            tls_key: None,
            open: false,
            address_rate: 200,
            account_rate: 100,
            log_in_rate: 2,
            play_chips: Config::default().play_chips,
            unread_seconds: 20,
            links: false,
            link_minutes: LINK_MINUTES,
            idle_players: minutes(IdleLimits::default().players),
            idle_floor: minutes(IdleLimits::default().floor),
            idle_cage: minutes(IdleLimits::default().cage),
            idle_auditors: minutes(IdleLimits::default().auditors),
            connections: Connections::default().all,
            address_connections: Connections::default().by_address,
            staff_connections: Connections::default().for_staff,
            trusted_proxy: Vec::new(),
            days: Days::default(),
            count_late: false,
        }
    }
}

/// Serves until it is told to stop.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let config = Config {
        listen: address(&arguments.listen)?,
        tls: arguments.tls_cert.clone().zip(arguments.tls_key.clone()),
        address_rate: Rate {
            a_second: arguments.address_rate,
            at_once: arguments.address_rate.saturating_mul(10),
        },
        account_rate: Rate {
            a_second: arguments.account_rate,
            at_once: arguments.account_rate.saturating_mul(10),
        },
        log_in_rate: Rate {
            a_second: arguments.log_in_rate,
            at_once: arguments.log_in_rate.saturating_mul(30),
        },
        play_chips: arguments.play_chips,
        unread_seconds: arguments.unread_seconds,
        solve_early: !arguments.count_late,
        gaming_day: arguments.days.gaming_day(),
        connections: Connections {
            all: arguments.connections,
            by_address: arguments.address_connections,
            for_staff: arguments.staff_connections,
        },
        trusted_proxies: arguments.trusted_proxy.clone(),
        idle: IdleLimits {
            players: arguments.idle_players * 60,
            floor: arguments.idle_floor * 60,
            cage: arguments.idle_cage * 60,
            auditors: arguments.idle_auditors * 60,
        },
        ..Config::default()
    };
    let database = arguments.database.clone().unwrap_or_else(House::default_database);
    let (open, links, link_minutes) = (arguments.open, arguments.links, arguments.link_minutes);
    // A house that gives no play chips is one for cash.
    let money = if config.play_chips.is_zero() { MoneyKind::Cash } else { MoneyKind::Practice };
    // A rulebook with faults is told before anything is opened.
    let own: Vec<String> =
        arguments.rulebook.iter().map(|file| rulebook::checked_text(file)).collect::<Result<_, _>>()?;
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(Failure::Output)?;
    runtime.block_on(async move {
        let house = House::open(&database).await?;
        house.set_up_for(money).await?;
        for text in &own {
            house.set_up_own(&Actor::House, text).await?;
        }
        let scheme = if config.tls.is_some() { "https" } else { "http" };
        let told = house.clone();
        baize_web::serve(house, config, async move |bound| {
            let origin = format!("{scheme}://{}", reachable(bound));
            let said = async {
                let printed = links || std::io::stdout().is_terminal() && !has_passwords(&told).await?;
                addresses(&told, &origin, printed.then_some(link_minutes)).await.map(|lines| (printed, lines))
            };
            match said.await {
                Ok((printed, lines)) => {
                    let held = printed.then_some(link_minutes);
                    let _ = page::print(&greeting(&origin, &database, &lines, held));
                    if open {
                        show(&format!("{origin}/"));
                    }
                }
                Err(error) => eprintln!("{error}"),
            }
        })
        .await?;
        Ok(())
    })
}

/// Whether a member of staff can log in with a password: then links need not lie about on a screen.
async fn has_passwords(house: &House) -> Result<bool, ServeError> {
    Ok(house.staff(&Actor::House).await?.iter().any(|staff| staff.has_password))
}

const fn minutes(seconds: u32) -> u32 {
    seconds / 60
}

fn idle() -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..=720)
}

/// What a new player may be given.
fn play_chips(text: &str) -> Result<Money, String> {
    let most = Money::from_dollars(1_000_000);
    let chips: Money = text.parse().map_err(|error: baize_rules::MoneyError| error.to_string())?;
    let good = (Money::ZERO..=most).contains(&chips);
    good.then_some(chips).ok_or_else(|| format!("0 to {}", most.grouped()))
}

/// The first address that the text stands for.
fn address(text: &str) -> Result<SocketAddr, Failure> {
    let named = if text.contains(':') { text.to_owned() } else { format!("{text}:8080") };
    let found = named.to_socket_addrs().ok().and_then(|mut all| all.next());
    found.ok_or_else(|| Failure::Listen(text.to_owned()))
}

/// An address that a browser on this machine can open.
fn reachable(bound: SocketAddr) -> String {
    if bound.ip().is_unspecified() || bound.ip().is_loopback() && bound.is_ipv4() {
        format!("localhost:{}", bound.port())
    } else {
        bound.to_string()
    }
}

/// What is printed when the doors open.
fn greeting(origin: &str, database: &str, lines: &[(String, String)], link_minutes: Option<u32>) -> String {
    let width = lines.iter().map(|(role, _)| role.chars().count()).max().unwrap_or(0);
    let mut text = format!("\nThe casino is open at {origin} (database {}).\n\n", hidden(database));
    for (role, address) in lines {
        text.push_str(&format!("  {role:width$}  {address}\n"));
    }
    text.push_str(&match link_minutes {
        Some(minutes) => format!("\nEach link of staff lets in once, within {minutes} minutes."),
        None => format!("\nStaff log in at {origin}/login; `baize staff link NAME` makes a link."),
    });
    text.push_str(" Ctrl-C closes the casino; nothing is lost.\n");
    if std::io::stdout().is_terminal() {
        text.push('\n');
    }
    text
}

/// The database without a password.
fn hidden(database: &str) -> String {
    match (database.split_once("://"), database.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, place))) => format!("{scheme}://…@{place}"),
        _ => database.to_owned(),
    }
}

/// Opens an address in the user's browser. Where there is none, the address has been printed.
fn show(address: &str) {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    let _ = std::process::Command::new(program).arg(address).stdout(std::process::Stdio::null()).spawn();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_not_printed() {
        assert_eq!(hidden("postgres://ann:secret@db/baize"), "postgres://…@db/baize");
        assert_eq!(hidden("casino/baize.sqlite"), "casino/baize.sqlite");
    }

    #[test]
    fn addresses_are_read() {
        assert_eq!(address("127.0.0.1:9").unwrap().port(), 9);
        assert_eq!(address("127.0.0.1").unwrap().port(), 8080);
        assert!(address("no such place:x").is_err());
        assert_eq!(reachable("0.0.0.0:80".parse().unwrap()), "localhost:80");
    }
}
