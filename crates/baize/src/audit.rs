//! `baize audit`: replays a casino's journal and checks everything.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use baize_audit::{AuditFault, AuditReport, Checkpoint, Expected, Interrupted, Progress};
use baize_house::House;
use clap::Args;

use crate::database::{Database, EMPTY, look_at};
use crate::odds::grouped;
use crate::{Failure, interrupt, page, progress};

/// Replay a casino's journal and check everything: chains, ledger, meters, shuffles.
///
/// Prints what was checked, with counts, the first bad entry of each chain, and the audited state: hashes to keep where the people who run the
/// database cannot change them. Exit 0 if there is no fault, 1 if there is one. Ctrl-C stops and prints what was found so far, with exit 2 if that is
/// no fault.
///
/// With --save and --since, a daily audit checks only the entries of that day. Keep the file where the people who run the database cannot change
/// it, and audit everything from time to time: only a full audit finds changes to old entries.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    database: Database,
    /// The journal must contain an earlier state: a hash that an audit printed, or a file with its JSON report. Exit 1 if it does
    /// not: history was rewritten, or an older copy was restored.
    #[arg(long, value_name = "HASH|FILE")]
    expect: Option<String>,
    /// Check only entries after an earlier audit: a file written by --save. Exit 1 if the journal is not the one that was audited.
    #[arg(long, value_name = "FILE", conflicts_with = "expect")]
    since: Option<PathBuf>,
    /// Save where this audit ended, for --since. Nothing is saved if the audit finds a fault.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Print the report as JSON.
    #[arg(long)]
    json: bool,
}

/// Runs an async task to completion.
pub(crate) fn wait<T>(task: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    wait_on(None, task)
}

/// Like `wait`, with this many threads; by default one per core.
pub(crate) fn wait_on<T>(
    threads: Option<usize>,
    task: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    if let Some(threads) = threads {
        runtime.worker_threads(threads);
    }
    runtime.enable_all().build().map_err(Failure::Output)?.block_on(task)
}

/// Audits a casino. An empty journal is a fault, because creating a casino writes entries.
pub(crate) async fn audited(
    house: &House,
    expected: Option<&Expected>,
    since: Option<&Checkpoint>,
    progress: Progress<'_>,
) -> Result<AuditReport, Failure> {
    let mut report = baize_audit::audit_with(house, expected, since, progress).await?;
    if report.state.entries == 0 && report.is_clean() {
        report.faults.push(AuditFault { place: "journal".to_owned(), what: EMPTY.to_owned() });
    }
    Ok(report)
}

/// Prints the faults to standard error, and fails if there are any.
pub(crate) fn clean(report: &AuditReport) -> Result<(), Failure> {
    eprint!("{}", faults(report));
    ended(report)
}

/// Whether the audit came to its end without a fault.
fn ended(report: &AuditReport) -> Result<(), Failure> {
    match (report.faults.is_empty(), report.interrupted) {
        (true, None) => Ok(()),
        (true, Some(_)) => Err(Failure::Interrupted),
        (false, _) => Err(Failure::AuditFailed),
    }
}

fn faults(report: &AuditReport) -> String {
    report.faults.iter().map(|fault| format!("BAD: {}: {}\n", fault.place, fault.what)).collect()
}

/// Parses `--expect`.
fn expected(named: &str) -> Result<Expected, Failure> {
    let path = Path::new(named);
    let is_hash = named.len() == 64 && named.bytes().all(|digit| digit.is_ascii_hexdigit());
    let text = if is_hash && !path.exists() {
        named.to_owned()
    } else {
        std::fs::read_to_string(path).map_err(|error| {
            if error.kind() == io::ErrorKind::NotFound {
                Failure::Usage(format!(
                    "--expect {named}: neither a hash of 64 hexadecimal digits nor a file"
                ))
            } else {
                Failure::of_file(path)(error)
            }
        })?
    };
    Expected::parse(&text).map_err(|why| Failure::Usage(format!("--expect {named}: {why}")))
}

/// Reads the checkpoint for `--since`.
fn checkpoint(path: &Path) -> Result<Checkpoint, Failure> {
    let text = std::fs::read_to_string(path).map_err(Failure::of_file(path))?;
    Checkpoint::parse(&text).map_err(|why| Failure::Usage(format!("--since {}: {why}", path.display())))
}

/// Saves the checkpoint atomically.
fn save(report: &AuditReport, path: &Path) -> Result<(), Failure> {
    let Some(checkpoint) = &report.checkpoint else {
        return Err(Failure::Usage(format!(
            "--save {}: the house's key is missing, so rounds in progress were not checked: set BAIZE_KEY_FILE",
            path.display()
        )));
    };
    page::replace(path, &(checkpoint.text() + "\n"))
}

/// Audits.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let since = arguments.since.as_deref().map(checkpoint).transpose()?;
    let expected = arguments.expect.as_deref().map(expected).transpose()?;
    let pressed = interrupt::watch(|| {});
    let report = wait(async {
        let house = look_at(&arguments.database.address()?).await?;
        let bar = progress::bar(0, "entries replayed");
        let report = audited(&house, expected.as_ref(), since.as_ref(), &|done, all| {
            bar.set_length(all);
            bar.set_position(done);
            !pressed.load(Ordering::Relaxed)
        })
        .await;
        bar.finish_and_clear();
        report
    })?;
    let text = if arguments.json { page::json(&report)? } else { told(&report) };
    page::print(&text)?;
    ended(&report)?;
    arguments.save.as_deref().map_or(Ok(()), |path| save(&report, path))
}

fn told(report: &AuditReport) -> String {
    let mut text = String::from("checked:\n");
    for (what, count) in &report.checked {
        let what = if *count == 1 { singular(what) } else { (*what).to_string() };
        text.push_str(&format!("  {count:>10} {what}\n"));
    }
    for note in &report.notes {
        text.push_str(&format!("note: {note}\n"));
    }
    text.push_str(&faults(report));
    let count = page::counted(report.faults.len() as u64, "fault", "faults");
    text.push_str(&match report.interrupted {
        Some(Interrupted { after, of }) => {
            let [after, of] = [after, of].map(|count| grouped(&count.to_string()));
            let found = if report.faults.is_empty() { "no fault" } else { count.as_str() };
            format!("interrupted after {after} of {of} entries: {found} so far, and much is compared only at the end\n")
        }
        None if report.faults.is_empty() => state(report) + "all is well\n",
        None => format!("{}{count}\n", state(report)),
    });
    text
}

/// One of what an audit counts: "round summaries" are a "round summary".
fn singular(many: &str) -> String {
    if many.contains(" and ") {
        return many.to_owned();
    }
    let mut words: Vec<String> = many.split(' ').map(str::to_owned).collect();
    if let Some(noun) = words.iter_mut().find(|word| word.ends_with('s')) {
        *noun = match noun.strip_suffix("ies") {
            Some(stem) => format!("{stem}y"),
            None => noun.trim_end_matches('s').to_owned(),
        };
    }
    words.join(" ")
}

/// The audited state, for the user to keep.
fn state(report: &AuditReport) -> String {
    let state = &report.state;
    let noun = if state.entries == 1 { "entry" } else { "entries" };
    let mut text = format!("state at {}, by {}:\n  {} {noun}\n", state.at, state.program, state.entries);
    let unsealed = match state.unsealed {
        0 => "covers them all".to_owned(),
        1 => "covers all but the last".to_owned(),
        more => format!("covers all but the last {more}"),
    };
    text.push_str(&format!("  house {} ({unsealed})\n", state.house));
    if let Some(all) = &state.all {
        text.push_str(&format!("  all   {all} (all entries in order)\n"));
    }
    if let Some(hash) = &state.program_hash {
        text.push_str(&format!("  file  {hash} (the program that audited)\n"));
    }
    for (id, hash) in &state.rulebooks {
        text.push_str(&format!("  rules {hash} {id}\n"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::singular;

    #[test]
    fn one_of_what_was_counted_is_singular() {
        for (many, one) in [
            ("rounds", "round"),
            ("round summaries", "round summary"),
            ("rules of the database", "rule of the database"),
            ("entries in order", "entry in order"),
            ("sessions and links", "sessions and links"),
        ] {
            assert_eq!(singular(many), one);
        }
    }
}
