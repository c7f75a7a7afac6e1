//! `baize upgrade`: upgrades an older database.

use baize_house::{House, HouseError, Upgrade};
use clap::Args;

use crate::audit::{clean, wait};
use crate::database::{Database, without_password};
use crate::temporary_casino::TemporaryCasino;
use crate::{Failure, interrupt, owner, page};

/// Upgrade the database of an older program, or show what that would do.
///
/// `baize serve` upgrades an older database when it opens it. The only way back is a backup: make one first.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Change nothing: list the steps and, if the database is a file, try them on a copy.
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    database: Database,
}

/// Upgrades, or shows what an upgrade would do.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let database = arguments.database.address()?;
    let shown = without_password(&database);
    let steps = match wait(async { Ok(House::upgrade_of(&database).await?) })? {
        Upgrade::New => return Err(HouseError::NoDatabase(shown).into()),
        Upgrade::Current => {
            return page::print(&format!("{shown}: version {}, nothing to do\n", House::schema()));
        }
        Upgrade::Steps(steps) => steps,
    };
    let from = steps.first().map_or(House::schema(), |(version, _)| version - 1);
    page::print(&format!("{shown}: version {from}, this program has {}\n", House::schema()))?;
    for (version, words) in &steps {
        page::print(&format!("  to {version}: {words}\n"))?;
    }
    if !arguments.dry_run {
        owner::check(&database)?;
        wait(async { Ok(House::bring_up_to_date(&database).await?) })?;
        return page::print(&format!("{shown}: version {}\n", House::schema()));
    }
    if database.contains("://") {
        return page::print("nothing was changed; the steps run in one transaction\n");
    }
    let own = TemporaryCasino::new("upgrade")?;
    interrupt::end_with(own.remover());
    let report = wait(async {
        House::copy(&database, std::path::Path::new(&own.database())).await?;
        House::bring_up_to_date(&own.database()).await?;
        Ok(baize_audit::audit_at(&own.database()).await?)
    })?;
    clean(&report)?;
    let entries = page::counted(report.state.entries, "entry", "entries");
    page::print(&format!("tried on a copy: {entries}, the audit is clean; nothing was changed\n"))
}
