//! `baize archive`: moves the bodies of old rounds out of the database into files.

use std::sync::atomic::Ordering;

use baize_house::{Date, House, Moved};
use clap::Args;

use crate::audit::wait;
use crate::database::Database;
use crate::report::Days;
use crate::{Failure, interrupt, owner, page, staff};

/// Move the bodies of old rounds out of the database into files.
///
/// Hashes, ledger entries and round summaries stay in the database. Audits, reports, exports, ratings and proofs read the files together
/// with the rest, as long as they are there: beside the database's file in FILE.archive, or in the folder that BAIZE_ARCHIVE or archive=FOLDER
/// in the address of a PostgreSQL database names. A casino in a file must be stopped; on PostgreSQL it can keep running. A body is deleted
/// from the database only after its file is on the disk. Ctrl-C stops after the file that is being written and prints what was moved; the next
/// run moves the rest.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Archive rounds that ended before this gaming day, like 2026-05-01. Each table keeps the rounds since its last snapshot: up to 64.
    #[arg(long, value_name = "DATE", required_unless_present = "restore")]
    before: Option<Date>,
    /// Move everything from the files back into the database. The files stay.
    #[arg(long, conflicts_with = "before")]
    restore: bool,
    #[command(flatten)]
    days: Days,
    #[command(flatten)]
    database: Database,
}

/// Archives, or restores.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let database = arguments.database.address()?;
    owner::check(&database)?;
    let said = |Moved { bodies, bytes, files, .. }: Moved, to: &str| {
        format!(
            "{} moved {to} {}, {} bytes\n",
            page::counted(bodies, "body", "bodies"),
            page::counted(files, "archive", "archives"),
            crate::odds::grouped(&bytes.to_string())
        )
    };
    let pressed = interrupt::watch(|| {});
    let stop = || pressed.load(Ordering::Relaxed);
    let (moved, to, kept) = wait(async {
        let Some(before) = arguments.before else {
            return Ok((House::restore_archives(&database, staff::user(), &stop).await?, "back from", None));
        };
        let before = arguments.days.gaming_day().start(before);
        let (moved, kept) = House::archive(&database, before, staff::user(), &stop).await?;
        Ok((moved, "to", kept))
    })?;
    if let Some(why) = kept {
        eprintln!("warning: the file keeps its size, and reuses the free space: {why}");
    }
    page::print(&said(moved, to))?;
    if moved.stopped {
        eprintln!("interrupted: the next run moves the rest");
        return Err(Failure::Interrupted);
    }
    Ok(())
}
