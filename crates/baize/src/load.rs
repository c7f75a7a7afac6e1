//! `baize load`: how much a casino can take.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use baize_house::load::{self, Floor, LoadOptions, LoadReport};
use baize_house::{House, Upgrade};
use clap::Args;

use crate::audit::wait_on;
use crate::database::without_password;
use crate::made::Made;
use crate::temporary_casino::TemporaryCasino;
use crate::{Failure, interrupt, page};

/// So many tables fit into one flush.
const FEW_TABLES: u32 = 100;

/// Play full rounds with simulated players, as fast as they are durably written.
///
/// Prints rounds and commands a second, answer times, and for comparison the floor: how many smallest durable commits the same database
/// does in the same run. Without --database it plays in a temporary file. A database that holds any other casino is refused. Ctrl-C stops and
/// prints what was measured.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Tables, each with one player.
    #[arg(long, value_name = "NUMBER", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    tables: u32,
    /// How long to play.
    #[arg(long, value_name = "NUMBER", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    seconds: u32,
    /// A file, sqlite:FILE or postgres://…, new or of an earlier run.
    #[arg(long, value_name = "DATABASE")]
    database: Option<String>,
    /// Hosts that share the tables, on PostgreSQL: one number, or several that are measured one after another, like 1,2,4.
    #[arg(long, value_name = "NUMBERS", default_value = "1", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=32))]
    hosts: Vec<u32>,
    /// One round in this many has a jackpot wager; 0 for none.
    #[arg(long, value_name = "NUMBER", default_value_t = 4)]
    jackpot_every: u64,
    /// Do not measure the floor.
    #[arg(long)]
    no_floor: bool,
    /// Note the id of every answered command here: for tests that stop the program at any moment.
    #[arg(long, value_name = "FILE", hide = true)]
    answered: Option<PathBuf>,
}

/// Plays and prints.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let own = arguments.database.is_none().then(|| TemporaryCasino::new("load")).transpose()?;
    let database = arguments.database.clone().or_else(|| own.as_ref().map(TemporaryCasino::database));
    let database = database.unwrap_or_default();
    if arguments.hosts.iter().any(|hosts| *hosts > 1) && !database.starts_with("postgres") {
        return Err(Failure::Usage(
            "--hosts: a file has one host; name a postgres:// address with --database".to_owned(),
        ));
    }
    let clear: Box<dyn Fn() + Send> = match &own {
        Some(own) => Box::new(own.remover()),
        None => Box::new(|| {}),
    };
    let stop = interrupt::watch(clear);
    let options = LoadOptions {
        tables: arguments.tables,
        seconds: arguments.seconds,
        jackpot_every: arguments.jackpot_every,
        answered: arguments.answered.clone(),
        stop: Arc::clone(&stop),
    };
    // On SQLite one core is the journal's, if players are so few that all of them wait for the same flush: a second thread of players only
    // delays that flush.
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let few = !database.starts_with("postgres") && arguments.tables <= FEW_TABLES;
    let threads = few.then(|| cores.saturating_sub(1).max(1));
    let text = wait_on(threads, async {
        let clients = arguments.tables.min(load::CLIENTS);
        // Before and after: a shared machine is not equally fast from one second to the next.
        let seconds = arguments.seconds.div_ceil(4).min(5);
        let floor = async |house: &House| {
            let wanted = !arguments.no_floor && !stop.load(Ordering::Relaxed);
            if wanted { load::floor(house, &database, clients, seconds).await.map(Some) } else { Ok(None) }
        };
        let mut text = String::new();
        check_ours(&database).await?;
        for hosts in &arguments.hosts {
            let mut houses = Vec::new();
            for _ in 0..*hosts {
                let made = Made::at(&database);
                let opened = House::open(&database).await.map_err(Failure::from);
                houses.push(opened.inspect_err(|failure| made.undo_after(failure))?);
            }
            let Some(first) = houses.first() else { continue };
            let before = floor(first).await?;
            let report = load::run_on(&houses, &options).await?;
            let after = floor(first).await?;
            for house in houses {
                house.close().await?;
            }
            let stopped = stop.load(Ordering::Relaxed);
            if stopped && report.rounds == 0 {
                break;
            }
            if stopped {
                eprintln!("interrupted after {:.1} of {} s", report.seconds, arguments.seconds);
            }
            text.push_str(&told(*hosts, &report, before.zip(after)));
            if stopped {
                break;
            }
        }
        Ok(text)
    })?;
    drop(own);
    if text.is_empty() {
        return Err(Failure::Usage("interrupted before a round was played".to_owned()));
    }
    page::print(&text)
}

/// Refuses a casino that an earlier run did not create, before anything is written to it.
async fn check_ours(database: &str) -> Result<(), Failure> {
    if House::upgrade_of(database).await? == Upgrade::New
        || load::created(&House::look_at(database).await?).await?
    {
        return Ok(());
    }
    Err(Failure::Usage(format!(
        "{} holds a casino: its record would keep the rounds of simulated players for ever; name a new database",
        without_password(database)
    )))
}

/// What came of a run, and the floor before and after it.
fn told(hosts: u32, report: &LoadReport, floor: Option<(Floor, Floor)>) -> String {
    let hosts = if hosts == 1 { String::new() } else { format!(" on {hosts} hosts") };
    let mut text = format!(
        "{}{hosts}, {:.1} s: {}, {}\n{:>10.0} rounds a second\n{:>10.0} commands a second\n{:>10.1} ms p50\n{:>10.1} ms p99\n",
        page::counted(report.tables.into(), "table", "tables"),
        report.seconds,
        page::counted(report.rounds, "round", "rounds"),
        page::counted(report.commands, "command", "commands"),
        report.rounds_per_second(),
        report.commands_per_second(),
        report.p50_ms,
        report.p99_ms
    );
    if let Some((before, after)) = floor {
        let floor = (before.per_second + after.per_second) / 2.0;
        let times = report.commands_per_second() / floor.max(f64::EPSILON);
        text.push_str(&format!(
            "{floor:>10.0} a second is the floor ({}; {:.0} before, {:.0} after)\n{times:>10.2} commands for each commit of the floor\n",
            before.what, before.per_second, after.per_second
        ));
    }
    text
}
