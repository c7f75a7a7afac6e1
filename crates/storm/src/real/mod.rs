//! Tests with real databases: hosts are killed with `kill -9` under load, and a primary server with a synchronous standby is killed while
//! hosts write to it.
//!
//! A host is this program, started with `--host`: it plays rounds and logs every order before sending it and every answer. After a kill, a
//! new host opens the casino and repeats unanswered orders. `judge.rs` compares the logs with the journal.

mod host;
mod judge;
mod notes;
mod server;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::dice::Dice;
pub use host::host;
use server::Pair;

/// The key of the casinos.
const KEY: &str = "aa112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

/// Polling interval of the hosts' logs.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Timeout for the hosts' answers; reached only if something is broken.
const TIMEOUT: Duration = Duration::from_secs(300);

fn wrong(what: impl std::fmt::Display) -> io::Error {
    io::Error::other(what.to_string())
}

/// A folder that is removed on drop.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        // A temporary folder may stay behind.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Options of a run on real databases.
#[derive(Debug, Clone, Copy)]
pub struct Real {
    /// Number of kills on each database.
    pub kills: u32,
    /// Test SQLite.
    pub sqlite: bool,
    /// Test PostgreSQL, including a failover.
    pub postgresql: bool,
}

impl Real {
    /// Runs the tests and prints the results. When `stop` is set, checks what was played so far. Returns false if an answered order was
    /// lost, something was done twice or despite a refusal, or the books or the audit found a fault.
    ///
    /// # Errors
    /// PostgreSQL is not installed, or a program could not be started.
    pub fn run(self, stop: &AtomicBool) -> io::Result<bool> {
        let folder = Folder(std::env::temp_dir().join(format!("baize-storm-{}", std::process::id())));
        fs::create_dir_all(&folder.0)?;
        let notes = |name: &str| {
            let own = folder.0.join(name);
            fs::create_dir_all(&own).map(|()| own)
        };
        let mut well = true;
        if self.sqlite {
            let file = folder.0.join("casino.sqlite").display().to_string();
            well &= self.kill_hosts("SQLite", &[file], &notes("notes-sqlite")?, stop)?;
        }
        if self.postgresql && !stop.load(Ordering::Relaxed) {
            let pair = Pair::start(&folder.0)?;
            let one = pair.primary_address();
            well &= self.kill_hosts("PostgreSQL", &[one.clone(), one], &notes("notes-postgresql")?, stop)?;
        }
        if self.postgresql && !stop.load(Ordering::Relaxed) {
            let pair = Pair::start(&folder.0)?;
            well &= failover(&pair, &notes("notes-failover")?)?;
        }
        Ok(well)
    }

    /// Kills hosts repeatedly.
    fn kill_hosts(
        self,
        name: &str,
        databases: &[String],
        notes: &Path,
        stop: &AtomicBool,
    ) -> io::Result<bool> {
        let began = Instant::now();
        let mut dice = Dice::new(u64::from(self.kills));
        let mut hosts = Vec::new();
        for (number, database) in databases.iter().enumerate() {
            hosts.push(Host::start(database, notes, number)?);
            wait_for_host(notes, number)?;
        }
        let mut kills = 0;
        while kills < self.kills && !stop.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(dice.between(200, 1_500)));
            let number = dice.roll(hosts.len());
            let (Some(host), Some(database)) = (hosts.get_mut(number), databases.get(number)) else {
                continue;
            };
            host.end()?;
            *host = Host::start(database, notes, number)?;
            kills += 1;
            if kills % 100 == 0 {
                println!("{name}: {kills} kills, {} orders answered", judge::answered(notes));
            }
        }
        // Time for the last hosts to repeat unanswered orders.
        wait_for_answers(notes, 200)?;
        hosts.into_iter().try_for_each(|mut host| host.end())?;
        let seconds = began.elapsed().as_secs();
        let title = format!("{name}: {kills} kills of {} hosts in {seconds} s", databases.len());
        judge::report(&title, databases.first().map_or("", String::as_str), notes)
    }
}

/// A host process, killed on drop.
struct Host(Child);

impl Host {
    fn start(database: &str, notes: &Path, number: usize) -> io::Result<Host> {
        Command::new(std::env::current_exe()?)
            .args(["--host", database, "--notes"])
            .arg(notes)
            .args(["--number", &number.to_string()])
            .env("BAIZE_KEY", KEY)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .map(Host)
    }

    fn is_running(&mut self) -> io::Result<bool> {
        Ok(self.0.try_wait()?.is_none())
    }

    /// Kills it with `kill -9`.
    fn end(&mut self) -> io::Result<()> {
        self.0.kill()?;
        self.0.wait().map(drop)
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.end();
    }
}

/// Waits until `more` further orders are answered.
fn wait_for_answers(notes: &Path, more: usize) -> io::Result<()> {
    let (wanted, began) = (judge::answered(notes) + more, Instant::now());
    while judge::answered(notes) < wanted {
        if began.elapsed() > TIMEOUT {
            return Err(wrong("the hosts do not answer: see their output above"));
        }
        std::thread::sleep(POLL_INTERVAL);
    }
    Ok(())
}

/// Waits until this host has answered an order: it has opened the casino.
fn wait_for_host(notes: &Path, number: usize) -> io::Result<()> {
    let began = Instant::now();
    // The log does not exist before the host has started.
    while judge::answers(&fs::read_to_string(notes::place(notes, number)).unwrap_or_default()) == 0 {
        if began.elapsed() > TIMEOUT {
            return Err(wrong("a host does not answer: see its output above"));
        }
        std::thread::sleep(POLL_INTERVAL);
    }
    Ok(())
}

/// Kills the primary under load and promotes the standby.
fn failover(pair: &Pair, notes: &Path) -> io::Result<bool> {
    let both = pair.both_addresses();
    let mut hosts = Vec::new();
    for number in 0..2 {
        hosts.push(Host::start(&both, notes, number)?);
        wait_for_host(notes, number)?;
    }
    wait_for_answers(notes, 500)?;
    pair.kill_primary()?;
    let killed = Instant::now();
    let before = judge::answered(notes);
    pair.promote()?;
    // Answers already in flight count as from before.
    std::thread::sleep(Duration::from_millis(500));
    wait_for_answers(notes, 20)?;
    let waited = killed.elapsed().as_secs_f64();
    wait_for_answers(notes, 500)?;
    let mut alive = 0;
    for host in &mut hosts {
        alive += u32::from(host.is_running()?);
        host.end()?;
    }
    let title = format!(
        "failover: the primary was killed after {before} answered orders, {alive} of 2 hosts went on, new answers after {waited:.1} s"
    );
    Ok(judge::report(&title, &pair.standby_address(), notes)? && alive == 2)
}
