//! Throughput of a casino: rounds and commands a second, and response times.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use baize_rules::{Money, Rulebook};

use super::Robot;
use super::robot::PIT;
use crate::boxed;
use crate::{
    Actor, Answer, Duty, House, HouseError, JackpotConfig, JackpotId, PlayerId, TableConfig, TableId,
};

/// Options of a load test.
#[derive(Debug, Clone)]
pub struct LoadOptions {
    /// Tables, each with one simulated player.
    pub tables: u32,
    /// Duration in seconds.
    pub seconds: u32,
    /// One round in this many has a jackpot wager; 0 for none.
    pub jackpot_every: u64,
    /// A file to which the id of each answered command is appended at once.
    pub answered: Option<std::path::PathBuf>,
    /// Set to stop early; rounds in progress are finished.
    pub stop: Arc<AtomicBool>,
}

/// The baseline: the rate of the smallest possible commit, in the same run.
#[derive(Debug, Clone, PartialEq)]
pub struct Floor {
    /// Description of the commit.
    pub what: String,
    /// Commits a second.
    pub per_second: f64,
}

/// Result of a load test.
#[derive(Debug, Clone)]
pub struct LoadReport {
    /// Number of tables.
    pub tables: u32,
    /// Duration in seconds.
    pub seconds: f64,
    /// Finished rounds.
    pub rounds: u64,
    /// Answered commands, each of them durable.
    pub commands: u64,
    /// Median response time in milliseconds.
    pub p50_ms: f64,
    /// 99th percentile of the response time in milliseconds.
    pub p99_ms: f64,
}

impl LoadReport {
    /// Commands a second.
    #[must_use]
    pub fn commands_per_second(&self) -> f64 {
        per_second(self.commands, self.seconds)
    }

    /// Rounds a second.
    #[must_use]
    pub fn rounds_per_second(&self) -> f64 {
        per_second(self.rounds, self.seconds)
    }
}

fn per_second(count: u64, seconds: f64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "counts of a test run")]
    let count = count as f64;
    count / seconds.max(f64::EPSILON)
}

/// Tables that share a jackpot.
const TABLES_A_JACKPOT: u32 = 10;

/// What the ids of tables and jackpots begin with.
const PREFIX: &str = "load-";

/// Whether a casino has nothing but what [`set_up`] creates. Simulated players must not play anywhere else: their rounds would stay in the record of
/// a casino of real people for ever.
///
/// # Errors
/// Errors of the house.
#[boxed]
pub async fn created(house: &House) -> Answer<bool> {
    let tables = house.tables().await?.iter().all(|table| table.id.as_str().starts_with(PREFIX));
    let jackpots = house.jackpots().await?.iter().all(|jackpot| jackpot.id.as_str().starts_with(PREFIX));
    let staff = house.staff(&Actor::House).await?.iter().all(|staff| staff.id.as_str() == PIT);
    Ok(tables && jackpots && staff)
}

/// Creates tables and simulated players that do not exist yet.
///
/// # Errors
/// Errors of the house.
#[boxed]
pub async fn set_up(house: &House, tables: u32) -> Answer<Vec<(TableId, PlayerId)>> {
    let books = Rulebook::builtins();
    let mut made = Vec::new();
    let taken = |done: Answer<()>| match done {
        Err(HouseError::NameTaken(_)) | Ok(()) => Ok(()),
        other => other,
    };
    taken(house.create_staff(&Actor::House, &PIT.parse()?, None, &[Duty::PitSupervisor]).await)?;
    for number in 0..tables {
        let group = number / TABLES_A_JACKPOT;
        let at = usize::try_from(number).unwrap_or(0) % books.len().max(1);
        let book = books.get(at).ok_or(HouseError::NotNow("there are no rulebooks"))?;
        let jackpot: JackpotId = format!("{PREFIX}{}-{group}", book.operator).parse()?;
        taken(house.create_jackpot(&Actor::House, JackpotConfig::usual(jackpot.clone())).await)?;
        let table: TableId = format!("{PREFIX}{number}").parse()?;
        let mut config = TableConfig::usual(table.clone(), book, Some(jackpot));
        config.float = Money::from_dollars(10_000_000);
        taken(house.create_table(&Actor::House, config).await)?;
        let player: PlayerId = format!("robot-{number}").parse()?;
        taken(house.create_player(&player, None, Money::from_dollars(1_000_000)).await)?;
        made.push((table, player));
    }
    Ok(made)
}

/// Plays full rounds at all tables as fast as they are written durably.
///
/// # Errors
/// The set-up or an order failed.
#[boxed]
pub async fn run(house: &House, options: &LoadOptions) -> Answer<LoadReport> {
    run_on(std::slice::from_ref(house), options).await
}

/// As [`run`], on several hosts of one database. Each has the same number of tables; those of a jackpot are on one host.
///
/// # Errors
/// As [`run`].
#[boxed]
pub async fn run_on(hosts: &[House], options: &LoadOptions) -> Answer<LoadReport> {
    let first = hosts.first().ok_or(HouseError::NotNow("there are no hosts"))?;
    let seats = set_up(first, options.tables).await?;
    let a_host = seats.len().div_ceil(hosts.len()).max(1);
    for host in hosts {
        host.catch_up().await?;
    }
    let began = Instant::now();
    let until = began + Duration::from_secs(u64::from(options.seconds));
    let mut players = Vec::new();
    let noted = match &options.answered {
        Some(path) => {
            let file = std::fs::File::options().create(true).append(true).open(path);
            Some(Arc::new(
                file.map_err(|error| HouseError::Unavailable(format!("{}: {error}", path.display())))?,
            ))
        }
        None => None,
    };
    let hosts = hosts.iter().flat_map(|host| std::iter::repeat_n(host, a_host));
    for ((number, (table, player)), host) in (1_u64..).zip(seats).zip(hosts) {
        let mut robot = Robot::new(host.clone(), player, table, number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        robot.jackpot_every = options.jackpot_every;
        robot.noted = noted.clone();
        let stop = Arc::clone(&options.stop);
        players.push(tokio::spawn(async move {
            let mut rounds = 0_u64;
            while Instant::now() < until && !stop.load(Ordering::Relaxed) {
                match robot.round().await {
                    Ok(()) => rounds += 1,
                    // The player has no money left.
                    Err(HouseError::Purse { .. }) => break,
                    // A large jackpot waits for two people: this table has to stop.
                    Err(HouseError::Refused(refusal)) if refusal.why == baize_table::Why::ClaimsUnpaid => {
                        break;
                    }
                    Err(error) => return Err(error),
                }
            }
            Ok((rounds, robot.took))
        }));
    }
    let mut rounds = 0;
    let mut took = Vec::new();
    for player in players {
        let (played, times) = player.await.map_err(|error| HouseError::Unavailable(error.to_string()))??;
        rounds += played;
        took.extend(times);
    }
    took.sort_unstable();
    let at = |share: usize| {
        let index = (took.len() * share / 100).min(took.len().saturating_sub(1));
        f64::from(took.get(index).copied().unwrap_or(0)) / 1_000.0
    };
    Ok(LoadReport {
        tables: options.tables,
        seconds: began.elapsed().as_secs_f64(),
        rounds,
        commands: u64::try_from(took.len()).unwrap_or(u64::MAX),
        p50_ms: at(50),
        p99_ms: at(99),
    })
}
