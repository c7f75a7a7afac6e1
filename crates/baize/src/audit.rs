//! `baize audit`: replays a casino's journal and checks everything.

use baize_house::{AuditReport, House};
use clap::Args;

use crate::{Failure, page};

/// Replay a casino's journal and check everything: chains, ledger, meters, shuffles.
///
/// Says what was checked, with counts, and names the first bad entry of each chain. Exit 0 when all is well, 1 when it is not.
#[derive(Args)]
pub(crate) struct Arguments {
    /// A file, sqlite:FILE or postgres://…; without it, a file in the user's data folder.
    #[arg(long, value_name = "DATABASE")]
    database: Option<String>,
    /// Print the report as data.
    #[arg(long)]
    json: bool,
}

/// Runs a task of a casino to its end.
pub(crate) fn wait<T>(task: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(Failure::Output)?;
    runtime.block_on(task)
}

/// The database that the arguments name, or the default one.
pub(crate) fn database(named: Option<&String>) -> String {
    named.cloned().unwrap_or_else(House::default_database)
}

/// Audits.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let report = wait(async {
        let house = House::look_at(&database(arguments.database.as_ref())).await?;
        Ok(house.audit().await?)
    })?;
    let text = if arguments.json {
        let data = serde_json::to_string_pretty(&report).map_err(|error| Failure::Output(error.into()))?;
        format!("{data}\n")
    } else {
        told(&report)
    };
    page::print(&text)?;
    if report.is_clean() { Ok(()) } else { Err(Failure::AuditFailed) }
}

fn told(report: &AuditReport) -> String {
    let mut text = String::from("checked:\n");
    if report.checked.is_empty() {
        text.push_str("  nothing: the journal is empty\n");
    }
    for (what, count) in &report.checked {
        text.push_str(&format!("  {count:>10} {what}\n"));
    }
    for note in &report.notes {
        text.push_str(&format!("note: {note}\n"));
    }
    for fault in &report.faults {
        text.push_str(&format!("BAD: {}: {}\n", fault.place, fault.what));
    }
    text.push_str(&match report.faults.len() {
        0 => "all is well\n".to_owned(),
        1 => "1 fault\n".to_owned(),
        faults => format!("{faults} faults\n"),
    });
    text
}
