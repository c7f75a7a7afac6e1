//! Opening a casino and reading its rounds, with and without snapshots, in one run.
//!
//! `cargo bench -p baize-house --bench opening [-- ROUNDS]` plays rounds (by default 2,000) at one table, then opens
//! the file repeatedly, with its snapshots and as a copy without them. Each figure is the median of several measurements.

use std::time::{Duration, Instant};

use baize_house::load::Robot;
use baize_house::{Actor, House, PlayerId, RoundId};
use baize_rules::Money;

type Anything<T> = Result<T, Box<dyn std::error::Error>>;

/// Measurements of each figure.
const TIMES: usize = 7;

fn main() -> Anything<()> {
    let rounds = std::env::args().filter_map(|word| word.parse().ok()).next().unwrap_or(2_000);
    let folder = std::env::temp_dir().join(format!("baize-opening-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let with = folder.join("with.sqlite").display().to_string();
    let without = folder.join("without.sqlite").display().to_string();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let id = runtime.block_on(play(&with, rounds))?;
    std::fs::copy(&with, &without)?;
    let dropped = rusqlite::Connection::open(&without)?.execute("DELETE FROM snapshots", [])?;
    println!("{rounds} rounds at one table, {dropped} snapshots");
    let measured = runtime.block_on(measure(&with, &without, &id));
    std::fs::remove_dir_all(&folder)?;
    measured
}

/// Plays the rounds and returns the last one.
async fn play(database: &str, rounds: u32) -> Anything<RoundId> {
    let house = House::open(database).await?;
    house.set_up_default().await?;
    let table = house.tables().await?.remove(0).id;
    let player: PlayerId = "robot".parse()?;
    house.create_player(&player, None, Money::from_dollars(1_000_000)).await?;
    let mut robot = Robot::new(house.clone(), player, table.clone(), 12_345);
    robot.jackpot_every = 1;
    for _ in 0..rounds {
        robot.round().await?;
    }
    house.close().await?;
    Ok(RoundId { table, number: rounds })
}

async fn measure(with: &str, without: &str, id: &RoundId) -> Anything<()> {
    let mut took: Vec<(&str, [Vec<Duration>; 2])> =
        ["open", "round", "export", "proof"].map(|what| (what, [Vec::new(), Vec::new()])).to_vec();
    for _ in 0..TIMES {
        for (which, database) in [with, without].into_iter().enumerate() {
            let began = Instant::now();
            let house = House::look_at(database).await?;
            took[0].1[which].push(began.elapsed());
            let began = Instant::now();
            house.round(&Actor::Public, id).await?;
            took[1].1[which].push(began.elapsed());
            let began = Instant::now();
            house.export(id).await?;
            took[2].1[which].push(began.elapsed());
            let began = Instant::now();
            house.proof(id).await?;
            took[3].1[which].push(began.elapsed());
        }
    }
    println!("{:8} {:>12} {:>12} {:>7}", "", "with", "without", "ratio");
    for (what, [with, without]) in &mut took {
        let (with, without) = (median(with), median(without));
        let ratio = without.as_secs_f64() / with.as_secs_f64();
        println!("{what:8} {:>9.2} ms {:>9.2} ms {ratio:>7.1}", milliseconds(with), milliseconds(without));
    }
    Ok(())
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}
