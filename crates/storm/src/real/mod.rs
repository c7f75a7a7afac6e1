//! The same promises against real databases: hosts are killed with `kill -9` under load, and a primary server with a synchronous standby
//! is killed while hosts write to it.
//!
//! A host is this very program, started again with `--host`: it plays rounds and notes the id of every answered order at once. After
//! every kill another one opens the casino. Whatever was answered must be in the journal, once, and the audit must be clean.

mod host;
mod server;

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use baize_house::{CommandId, House};

use crate::dice::Dice;
pub use host::host;
use server::Pair;

/// The key of the casinos.
const KEY: &str = "aa112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

fn wrong(what: impl std::fmt::Display) -> io::Error {
    io::Error::other(what.to_string())
}

/// A folder that goes with its owner.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Runs everything and prints what was measured. False: something that was answered is gone, or the audit is not clean.
///
/// # Errors
/// PostgreSQL is not installed, or a program could not be started.
pub fn run(kills: u32) -> io::Result<bool> {
    let folder = Folder(std::env::temp_dir().join(format!("baize-storm-{}", std::process::id())));
    fs::create_dir_all(&folder.0)?;
    let file = folder.0.join("casino.sqlite").display().to_string();
    let mut well = killed("SQLite", &[file], &folder.0.join("answered-sqlite"), kills)?;
    let pair = Pair::start(&folder.0)?;
    let one = pair.primary_address();
    well &= killed("PostgreSQL", &[one.clone(), one], &folder.0.join("answered-postgresql"), kills)?;
    drop(pair);
    let pair = Pair::start(&folder.0)?;
    well &= failed_over(&pair, &folder.0.join("answered-failover"))?;
    Ok(well)
}

fn start(database: &str, answered: &Path, number: usize) -> io::Result<Child> {
    Command::new(std::env::current_exe()?)
        .args(["--host", database, "--answered"])
        .arg(answered)
        .args(["--number", &number.to_string()])
        .env("BAIZE_KEY", KEY)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
}

/// Kills hosts again and again.
fn killed(name: &str, databases: &[String], answered: &Path, kills: u32) -> io::Result<bool> {
    let began = Instant::now();
    let mut dice = Dice::new(u64::from(kills));
    let mut hosts: Vec<Child> = Vec::new();
    for (number, database) in databases.iter().enumerate() {
        hosts.push(start(database, answered, number)?);
        std::thread::sleep(Duration::from_secs(4));
    }
    for _ in 0..kills {
        std::thread::sleep(Duration::from_millis(dice.between(300, 2_000)));
        let number = dice.roll(hosts.len());
        let Some(host) = hosts.get_mut(number) else { continue };
        host.kill()?;
        host.wait()?;
        *host = start(databases.get(number).map_or("", String::as_str), answered, number)?;
    }
    std::thread::sleep(Duration::from_secs(5));
    for host in &mut hosts {
        host.kill()?;
        host.wait()?;
    }
    let seconds = began.elapsed().as_secs();
    report(&format!("{name}: {kills} kills of {} hosts in {seconds} s", hosts.len()), &databases[0], answered)
}

/// Kills the primary under load and promotes the standby.
fn failed_over(pair: &Pair, answered: &Path) -> io::Result<bool> {
    let both = pair.both_addresses();
    let mut hosts = Vec::new();
    for number in 0..2 {
        hosts.push(start(&both, answered, number)?);
        std::thread::sleep(Duration::from_secs(4));
    }
    std::thread::sleep(Duration::from_secs(8));
    let lines = || fs::read_to_string(answered).map_or(0, |text| text.lines().count());
    pair.kill_primary()?;
    let (before, killed) = (lines(), Instant::now());
    pair.promote()?;
    let mut first = None;
    while killed.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(20));
        // Answers that were on their way count for before.
        if killed.elapsed() > Duration::from_millis(500) && lines() > before + 20 {
            first = Some(killed.elapsed());
            break;
        }
    }
    std::thread::sleep(Duration::from_secs(8));
    let after = lines();
    let mut alive = 0;
    for host in &mut hosts {
        alive += u32::from(host.try_wait()?.is_none());
        host.kill()?;
        host.wait()?;
    }
    let waited = first.map_or("never".to_owned(), |first| format!("after {:.1} s", first.as_secs_f64()));
    let title = format!(
        "failover: primary killed with {before} orders answered, {alive} of 2 hosts went on, new answers {waited}, {} in all",
        after
    );
    Ok(report(&title, &pair.standby_address(), answered)? && first.is_some() && alive == 2)
}

/// Holds what was answered against the journal.
fn report(title: &str, database: &str, answered: &Path) -> io::Result<bool> {
    let text = fs::read_to_string(answered)?;
    // The last line of a host may be half written: its order was answered, but nobody was told.
    let ids: Vec<CommandId> = text.lines().filter_map(|line| line.strip_suffix('.')?.parse().ok()).collect();
    let unique: BTreeSet<&str> = ids.iter().map(CommandId::as_str).collect();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let (lost, faults) = runtime.block_on(async {
        let house =
            House::look_at(&format!("{database}{}key={KEY}", if database.contains('?') { '&' } else { '?' }))
                .await
                .map_err(wrong)?;
        let mut lost = 0;
        for id in &ids {
            lost += u32::from(!house.knows(id).await.map_err(wrong)?);
        }
        Ok::<_, io::Error>((lost, baize_audit::audit(&house).await.map_err(wrong)?.faults))
    })?;
    println!(
        "{title}: {} orders answered, {lost} lost, {} twice, audit {}",
        ids.len(),
        ids.len() - unique.len(),
        match faults.len() {
            0 => "clean".to_owned(),
            many => format!("NOT CLEAN, {many}: {:?}", faults.first()),
        }
    );
    Ok(lost == 0 && unique.len() == ids.len() && faults.is_empty() && !ids.is_empty())
}
