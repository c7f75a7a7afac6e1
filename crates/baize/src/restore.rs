//! `baize restore`: restores a backup, and records that.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use baize_audit::{AuditReport, Expected};
use baize_house::{House, Upgrade};
use clap::Args;

use crate::audit::{audited, clean, wait};
use crate::backup::{postgres, report_beside};
use crate::database::{Database, file_of, look_at, without_password};
use crate::partial_file::PartialFile;
use crate::{Failure, interrupt, owner, page, staff};

/// Restore a backup into a new database, audit it, and record that it was restored and what is missing.
///
/// Nothing is overwritten. When the casino is opened, rounds that were in progress at the time of the backup are resolved by their game's
/// paragraph on power failures. The house key is not in a backup: copy it back, or make a new one with `baize key rotate --lost`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The backup that `baize backup` made.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The JSON report of a later audit (`baize audit --json`, or FILE.audit.json of a later backup): the record then says how many of its entries
    /// are missing.
    #[arg(long, value_name = "REPORT")]
    known: Option<PathBuf>,
    #[command(flatten)]
    database: Database,
}

/// Restores.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (database, file) = (arguments.database.address()?, &arguments.file);
    let shown = without_password(&database);
    if wait(async { Ok(House::upgrade_of(&database).await?) })? != Upgrade::New {
        return Err(Failure::Usage(format!(
            "{shown} already contains a casino; nothing was overwritten: name another --database"
        )));
    }
    let partial = match (kind(file)?, database.contains("://")) {
        (Kind::Sqlite, false) => {
            // Its faults name the backup, not the copy that is being made.
            if wait(async { Ok(House::upgrade_of(&file.display().to_string()).await?) })? == Upgrade::New {
                return Err(Failure::Usage(format!("{} holds no casino", file.display())));
            }
            Some(PartialFile::of(file_of(&database))?)
        }
        (Kind::PgDump, true) => None,
        (Kind::Sqlite, true) => {
            return Err(Failure::Usage(
                "the backup is an SQLite file: name a file with --database".to_owned(),
            ));
        }
        (Kind::PgDump, false) => {
            return Err(Failure::Usage(
                "the backup is a PostgreSQL dump: name a postgres:// address with --database".to_owned(),
            ));
        }
    };
    owner::warn_of_new(&database);
    let expected = expected(file)?;
    let known = arguments.known.as_deref().map(entries_of).transpose()?;
    let written = partial.as_ref().map_or_else(|| database.clone(), PartialFile::address);
    let on_server = match &partial {
        Some(partial) => copy(file, partial).map(|()| None)?,
        None => Some(OnServer::restored(&database, file)?),
    };
    bring_up_to_date(&written)?;
    let (report, torn) = checked(&written, expected.as_ref(), on_server.as_ref())?;
    let entries = report.state.entries;
    let missing = match known {
        Some(known) if known > entries => {
            let missing = known - entries;
            let verb = if missing == 1 { "is" } else { "are" };
            format!("{} of a later audit {verb} missing", page::counted(missing, "entry", "entries"))
        }
        Some(_) => "no entry of the later audit is missing".to_owned(),
        None => "entries written after the backup are missing".to_owned(),
    };
    let missing = match torn {
        Some(torn) => format!("{missing}; {torn}"),
        None => missing,
    };
    let said = missing.clone();
    wait(async {
        let taken = House::look_at(&written).await?.last_entry_at().await?;
        Ok(House::note_restored(&written, staff::user(), taken, entries, said).await?)
    })?;
    partial.map_or(Ok(()), PartialFile::finish)?;
    on_server.map_or(Ok(()), OnServer::finish)?;
    let key = if database.contains("://") {
        "Give the hosts the key of this casino".to_owned()
    } else {
        format!("Copy the key of this casino to {database}.key")
    };
    page::print(&format!(
        "{shown}: {} restored, the audit is clean; {missing}\n{key}, or make a new one with `baize key rotate --lost`.\n",
        page::counted(entries, "entry", "entries")
    ))
}

enum Kind {
    Sqlite,
    PgDump,
}

fn kind(file: &Path) -> Result<Kind, Failure> {
    let wrong = Failure::of_file(file);
    let mut start = [0; 16];
    let read = std::fs::File::open(file).and_then(|mut file| file.read(&mut start)).map_err(wrong)?;
    match &start[..read] {
        start if start.starts_with(b"SQLite format 3\0") => Ok(Kind::Sqlite),
        start if start.starts_with(b"PGDMP") => Ok(Kind::PgDump),
        _ => Err(Failure::Usage(format!("{} is not a backup of a casino", file.display()))),
    }
}

/// The expected state, from the report beside the backup if there is one.
fn expected(file: &Path) -> Result<Option<Expected>, Failure> {
    let beside = report_beside(file);
    match std::fs::read_to_string(&beside) {
        Ok(text) => Expected::parse(&text)
            .map(Some)
            .map_err(|why| Failure::Usage(format!("{}: {why}", beside.display()))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            eprintln!("warning: no {}: the backup cannot be compared with its audit", beside.display());
            Ok(None)
        }
        Err(error) => Err(Failure::File { path: beside, error }),
    }
}

fn entries_of(report: &Path) -> Result<u64, Failure> {
    let text = std::fs::read_to_string(report).map_err(Failure::of_file(report))?;
    let data: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    data["state"]["entries"]
        .as_u64()
        .ok_or_else(|| Failure::Usage(format!("{} is not the JSON report of an audit", report.display())))
}

/// Copies the backup to the folder of the new database.
fn copy(file: &Path, partial: &PartialFile) -> Result<(), Failure> {
    interrupt::end_with(partial.remover());
    partial.make()?;
    wait(async { Ok(House::copy(&file.display().to_string(), &partial.path()).await?) })
}

/// Upgrades a restored backup of an older version. The backup itself is not changed.
fn bring_up_to_date(database: &str) -> Result<(), Failure> {
    wait(async {
        match House::upgrade_of(database).await? {
            Upgrade::Steps(_) => Ok(House::bring_up_to_date(database).await?),
            Upgrade::New => Err(Failure::Usage("the backup holds no casino".to_owned())),
            Upgrade::Current => Ok(()),
        }
    })
}

/// The audit report of the restored casino, and a warning if its file was not complete.
type Checked = (AuditReport, Option<&'static str>);

fn checked(
    database: &str,
    expected: Option<&Expected>,
    on_server: Option<&OnServer>,
) -> Result<Checked, Failure> {
    let (report, torn) = wait(async {
        let house = look_at(database).await?;
        let progress = |_, _| !on_server.is_some_and(OnServer::is_interrupted);
        Ok((audited(&house, expected, None, &progress).await?, house.copied_without_log()))
    })?;
    if report.interrupted.is_some() {
        return Err(interrupted());
    }
    clean(&report).inspect_err(|_| eprintln!("the backup has faults"))?;
    Ok((report, torn))
}

fn interrupted() -> Failure {
    Failure::Usage("interrupted: nothing was restored".to_owned())
}

/// A casino that is being restored to a server. Its tables are removed when this is dropped, unless it was finished: there is no partial file to
/// leave behind. Nothing is removed if `pg_restore` failed by itself: tables that are there then are not ours.
struct OnServer {
    database: String,
    pressed: Arc<AtomicBool>,
    /// The tables are there, and are to be removed.
    removable: Arc<AtomicBool>,
}

impl OnServer {
    /// Restores the dump in one transaction. From now on Ctrl-C stops the restore.
    fn restored(database: &str, dump: &Path) -> Result<OnServer, Failure> {
        let removable = Arc::new(AtomicBool::new(false));
        let (own, ours) = (database.to_owned(), Arc::clone(&removable));
        // The signal thread already runs a task of its own runtime.
        let clear = move || {
            let (own, ours) = (own.clone(), Arc::clone(&ours));
            if std::thread::spawn(move || remove(&own, &ours)).join().is_err() {
                eprintln!("the restored tables could not be removed");
            }
        };
        let pressed = interrupt::watch(clear);
        let options = ["--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction"];
        let ran = postgres(database, "pg_restore", &options, ("", dump, dump), &pressed);
        // If it was stopped, it may have committed; if it failed, the transaction was rolled back.
        removable.store(ran.is_ok() || pressed.load(Ordering::Relaxed), Ordering::SeqCst);
        let on_server = OnServer { database: database.to_owned(), pressed, removable };
        ran.map(|()| on_server)
    }

    fn is_interrupted(&self) -> bool {
        self.pressed.load(Ordering::Relaxed)
    }

    /// Keeps the casino, unless Ctrl-C was pressed.
    fn finish(self) -> Result<(), Failure> {
        if self.is_interrupted() {
            return Err(interrupted());
        }
        self.removable.store(false, Ordering::SeqCst);
        Ok(())
    }
}

impl Drop for OnServer {
    fn drop(&mut self) {
        remove(&self.database, &self.removable);
    }
}

/// Removes the restored tables, once.
fn remove(database: &str, removable: &AtomicBool) {
    if !removable.swap(false, Ordering::SeqCst) {
        return;
    }
    if let Err(failure) = wait(async { Ok(House::remove_restored(database).await?) }) {
        eprintln!(
            "{} holds a casino that was not audited and could not be removed: {failure}",
            without_password(database)
        );
    }
}
