//! The baseline: the smallest durable commit on the same database, measured in the same run.

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use super::Floor;
use crate::boxed;
use crate::{Answer, House, HouseError};

/// Commits of the SQLite baseline between two looks at the clock.
const COMMITS: u32 = 500;

/// Measures the baseline of a house's database for this many seconds. `clients` is for PostgreSQL.
///
/// # Errors
/// The database is unavailable, or `pgbench` is not installed.
#[boxed]
pub async fn floor(house: &House, database: &str, clients: u32, seconds: u32) -> Answer<Floor> {
    if database.starts_with("postgres") {
        let address = database.to_owned();
        let measured = tokio::task::spawn_blocking(move || pgbench(&address, clients, seconds)).await;
        return measured.unwrap_or_else(|error| Err(HouseError::Unavailable(error.to_string())));
    }
    let (began, mut commits) = (Instant::now(), 0);
    while commits == 0 || began.elapsed() < Duration::from_secs(u64::from(seconds)) {
        house.inner.store.floor(COMMITS).await?;
        commits += COMMITS;
    }
    Ok(Floor {
        what: "single-row commits one after another, each flushed to disk".to_owned(),
        per_second: f64::from(commits) / began.elapsed().as_secs_f64(),
    })
}

fn program() -> PathBuf {
    let mut installed: Vec<PathBuf> = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten()
        .map(|version| version.path().join("bin").join("pgbench"))
        .filter(|path| path.exists())
        .collect();
    installed.sort();
    installed.pop().unwrap_or_else(|| PathBuf::from("pgbench"))
}

/// `pgbench` simple-update on the same database. Removes its tables afterwards.
fn pgbench(address: &str, clients: u32, seconds: u32) -> Answer<Floor> {
    let (address, password) = crate::for_libpq(address)?;
    let run = |arguments: &[&str]| -> Answer<String> {
        let mut command = Command::new(program());
        command.args(arguments).arg(&address).envs(password.iter().map(|password| ("PGPASSWORD", password)));
        let done = command.output().map_err(|error| HouseError::Unavailable(format!("pgbench: {error}")))?;
        if done.status.success() {
            Ok(String::from_utf8_lossy(&done.stdout).into_owned())
        } else {
            let why = String::from_utf8_lossy(&done.stderr).lines().last().unwrap_or_default().to_owned();
            Err(HouseError::Unavailable(format!("pgbench: {why}")))
        }
    };
    run(&["-i", "-q", "-s", "10"])?;
    let (clients, seconds) = (clients.max(1).to_string(), seconds.max(1).to_string());
    let said = run(&["-N", "-n", "-j", "2", "-c", &clients, "-T", &seconds]);
    let dropped = run(&["-i", "-I", "d"]);
    let said = said?;
    dropped?;
    let tps =
        said.lines().find_map(|line| line.strip_prefix("tps = ")?.split_whitespace().next()?.parse().ok());
    let per_second =
        tps.ok_or_else(|| HouseError::Unavailable("pgbench did not print its rate".to_owned()))?;
    Ok(Floor { what: format!("pgbench simple-update with {clients} clients"), per_second })
}
