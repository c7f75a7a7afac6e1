//! Runs the simulation's oracles on a real database: logged answers, and the second bookkeeping of the whole journal.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

use baize_journal::{EntryFilter, KeyPlace, Mode, Stream, Vault};

use super::notes::{self, Answered, LoggedOrder};
use super::{KEY, wrong};
use crate::oracle::Books;

/// Entries read per query.
const PAGE: u32 = 500;

/// The logs of all hosts.
fn logs(folder: &Path) -> impl Iterator<Item = String> {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    files.filter_map(|file| fs::read_to_string(file.path()).ok())
}

/// Number of orders answered so far.
pub(super) fn answered(folder: &Path) -> usize {
    logs(folder).map(|text| answers(&text)).sum()
}

/// Number of orders in a host's log that were answered.
pub(super) fn answers(log: &str) -> usize {
    let is_answer = |line: &&str| line.starts_with("done ") || line.starts_with("refused ");
    log.lines().filter(is_answer).count()
}

/// All entries of each order in the journal.
type Recorded = BTreeMap<String, Vec<(Stream, u64)>>;

/// Compares the logs with the journal and returns whether everything is right.
///
/// # Errors
/// The database cannot be read.
pub(super) fn report(title: &str, database: &str, folder: &Path) -> io::Result<bool> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let (recorded, rounds, mut found) = runtime.block_on(walk(database))?;
    let orders: BTreeMap<String, (LoggedOrder, Option<Answered>)> =
        logs(folder).flat_map(|text| notes::read(&text)).collect();
    let (mut done, mut refused, mut lost, mut twice) = (0, 0, 0, 0);
    for (id, (asked, answered)) in &orders {
        let places = recorded.get(id).map_or(&[][..], Vec::as_slice);
        twice += u64::from(places.len() > 1);
        match answered {
            Some(Answered::Done(version)) => {
                done += 1;
                let there =
                    |(stream, at): &(Stream, u64)| *stream == Stream::table(&asked.table) && at == version;
                if !places.iter().any(there) {
                    lost += 1;
                    found.push(format!(
                        "{id} was answered as entry {version} of {} but is {places:?}",
                        asked.table
                    ));
                }
            }
            Some(Answered::Refused) => {
                refused += 1;
                if !places.is_empty() {
                    found.push(format!("{id} was refused but is in the journal: {places:?}"));
                }
            }
            None => {}
        }
    }
    println!(
        "{title}: {done} orders done and {refused} refused in {rounds} rounds, {lost} lost, {twice} twice, books and audit {}",
        if found.is_empty() { "clean" } else { "NOT CLEAN" }
    );
    for what in found.iter().take(20) {
        println!("  {what}");
    }
    Ok(found.is_empty() && twice == 0 && done > 0)
}

/// Runs the second bookkeeping and the audit on the whole journal. Returns the recorded orders, the number of finished rounds, and what is
/// wrong.
async fn walk(database: &str) -> io::Result<(Recorded, u64, Vec<String>)> {
    let given = format!("{database}{}key={KEY}", if database.contains('?') { '&' } else { '?' });
    let vault = Vault::default();
    if let Some(key) = KeyPlace::Given(KEY.to_owned()).find(None).map_err(wrong)? {
        vault.take(Arc::new(key));
    }
    let store = baize_journal::open(database, Mode::Read, vault).await.map_err(wrong)?;
    let (mut books, mut recorded, mut after, mut found) = (Books::default(), Recorded::new(), 0, Vec::new());
    loop {
        let filter = EntryFilter { after: Some(after), limit: PAGE, ..EntryFilter::default() };
        let entries = store.entries(filter).await.map_err(wrong)?;
        let Some(last) = entries.last() else { break };
        after = last.number;
        for entry in &entries {
            if let Some(command) = &entry.command {
                recorded.entry(command.clone()).or_default().push((entry.stream.clone(), entry.version));
            }
        }
        found.extend(books.enter_all(&entries));
    }
    found.extend(books.against(&store.balances().await.map_err(wrong)?));
    let audit = baize_audit::audit_at(&given).await.map_err(wrong)?;
    found.extend(audit.faults.iter().map(|fault| format!("audit: {}: {}", fault.place, fault.what)));
    Ok((recorded, books.ended.values().sum(), found))
}
