//! `baize backup`: a copy of a running casino, with the report of its audit beside it.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use baize_audit::AuditReport;
use baize_house::{House, HouseError, Upgrade};
use clap::Args;

use crate::audit::{self, clean, wait};
use crate::database::{Database, look_at, without_password};
use crate::partial_file::PartialFile;
use crate::temporary_casino::TemporaryCasino;
use crate::{Failure, interrupt, page};

/// Back up a casino while it is running.
///
/// A SQLite file is copied as of one moment, and the copy is audited. On PostgreSQL the record is audited and then pg_dump runs: the dump also
/// contains what was written in between. FILE.audit.json is the audit report, for `baize restore` and `baize audit --expect`. The house key is not
/// in a backup: keep a copy of it elsewhere.
///
/// Do not copy the database file yourself: its newest entries are still in its log (FILE-wal).
#[derive(Args)]
pub(crate) struct Arguments {
    /// The backup to write. An existing file is not overwritten.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    database: Database,
}

/// The report beside a backup.
pub(crate) fn report_beside(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".audit.json");
    PathBuf::from(name)
}

/// Backs up.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (database, file) = (arguments.database.address()?, &arguments.file);
    let beside = report_beside(file);
    for path in [file, &beside] {
        if path.exists() {
            return Err(Failure::Usage(format!("{} already exists: name another file", path.display())));
        }
    }
    check_folder(file)?;
    let partial = PartialFile::of(file)?;
    let report =
        if database.contains("://") { dump(&database, file, &partial) } else { copy(&database, &partial) }?;
    partial.report(&page::json(&report)?)?;
    partial.finish()?;
    let bytes = std::fs::metadata(file).map_or(0, |file| file.len());
    let more = if database.contains("://") { " and those written since the audit" } else { "" };
    page::print(&format!(
        "{}: {}{more}, {} bytes; the audit is in {}\n",
        file.display(),
        page::counted(report.state.entries, "entry", "entries"),
        crate::odds::grouped(&bytes.to_string()),
        beside.display()
    ))?;
    clean(&report)
}

/// The folder of a backup is not created: a mistyped name, or a disk that is not mounted, must not take the backup.
fn check_folder(file: &Path) -> Result<(), Failure> {
    if file.as_os_str().as_encoded_bytes().ends_with(b"/") {
        return Err(Failure::Usage(format!("{} is a folder: name a file in it", file.display())));
    }
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder.map(std::fs::metadata) {
        None => Ok(()),
        Some(Ok(found)) if found.is_dir() => Ok(()),
        Some(Ok(_)) => Err(Failure::of_file(file)(io::ErrorKind::NotADirectory.into())),
        Some(Err(error)) if error.kind() == io::ErrorKind::NotFound => Err(Failure::Usage(format!(
            "{}: there is no such folder; create it, or mount its disk",
            file.parent().unwrap_or(file).display()
        ))),
        Some(Err(error)) => Err(Failure::of_file(file)(error)),
    }
}

/// Copies the file. A casino with an older schema is copied unchanged; a second copy is upgraded and audited.
fn copy(database: &str, partial: &PartialFile) -> Result<AuditReport, Failure> {
    let upgrade = wait(async { Ok(House::upgrade_of(database).await?) })?;
    if upgrade == Upgrade::New {
        return Err(HouseError::NoDatabase(database.to_owned()).into());
    }
    let own = (upgrade != Upgrade::Current).then(|| TemporaryCasino::new("backup")).transpose()?;
    let (remove_partial, remove_own) = (partial.remover(), own.as_ref().map(TemporaryCasino::remover));
    interrupt::end_with(move || {
        remove_partial();
        remove_own.iter().for_each(|remove| remove());
    });
    partial.make()?;
    wait(async {
        House::copy(database, &partial.path()).await?;
        let Some(own) = &own else { return audited(&partial.address()).await };
        House::copy(&partial.address(), Path::new(&own.database())).await?;
        House::bring_up_to_date(&own.database()).await?;
        audited(&own.database()).await
    })
}

async fn audited(database: &str) -> Result<AuditReport, Failure> {
    audit::audited(&look_at(database).await?, None, None, &|_, _| true).await
}

/// Audits, then dumps: the dump contains everything in the report, and perhaps more.
fn dump(database: &str, file: &Path, partial: &PartialFile) -> Result<AuditReport, Failure> {
    let report = wait(async {
        match audited(database).await {
            Err(Failure::House(HouseError::Older { found, .. })) => Err(Failure::Usage(format!(
                "the database has version {found}: back it up with the program that wrote it, before you upgrade"
            ))),
            report => report,
        }
    })?;
    let pressed = interrupt::watch(partial.remover());
    partial.make()?;
    // pg_dump keeps the permissions of an existing file.
    page::private_file(&partial.path())?;
    let options = ["--format=custom", "--no-owner", "--no-privileges"];
    postgres(database, "pg_dump", &options, ("--file", &partial.path(), file), &pressed)?;
    Ok(report)
}

/// How often a program is looked at while it runs.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// Runs a program of PostgreSQL on this database, and ends it where Ctrl-C is pressed. The password goes through the environment. The file: its option,
/// its place, and the place that a person who runs the program would name.
pub(crate) fn postgres(
    database: &str,
    program: &str,
    options: &[&str],
    (option, file, named): (&str, &Path, &Path),
    pressed: &AtomicBool,
) -> Result<(), Failure> {
    let (address, password) = baize_house::for_libpq(database)?;
    let mut command = Command::new(program);
    command.args(options).arg("--dbname").arg(&address);
    let mut shown = format!("{program} {} --dbname '{}'", options.join(" "), without_password(&address));
    let option = Some(option).filter(|option| !option.is_empty());
    command.args(option).arg(file);
    for word in option.into_iter().map(str::to_owned).chain([named.display().to_string()]) {
        shown.push_str(&format!(" {word}"));
    }
    if let Some(password) = password {
        command.env("PGPASSWORD", password);
    }
    let cannot = |error: io::Error| {
        Failure::Usage(format!(
            "{program} cannot be run ({error}); on a machine that has PostgreSQL's programs run:\n  {shown}"
        ))
    };
    let mut running =
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().map_err(cannot)?;
    let said = running.stderr.take().map(|mut words| {
        std::thread::spawn(move || {
            let mut said = Vec::new();
            words.read_to_end(&mut said).map(|_| String::from_utf8_lossy(&said).into_owned())
        })
    });
    let status = loop {
        if pressed.load(Ordering::Relaxed) {
            // It may have ended by itself.
            running.kill().and_then(|()| running.wait()).map_err(Failure::Output)?;
            return Err(Failure::Usage(format!(
                "interrupted: {program} was ended, and nothing is left of it"
            )));
        }
        match running.try_wait().map_err(Failure::Output)? {
            Some(status) => break status,
            None => std::thread::sleep(LOOK_AGAIN),
        }
    };
    if status.success() {
        return Ok(());
    }
    let said = said.and_then(|said| said.join().ok()?.ok()).unwrap_or_default();
    let hint = if said.contains("server version") {
        format!("\nuse the {program} of the server's version: put its folder first in PATH")
    } else {
        String::new()
    };
    Err(Failure::Usage(format!("{shown} failed: {}{hint}", said.trim())))
}
