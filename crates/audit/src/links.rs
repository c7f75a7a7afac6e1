//! Audit of links between chains: an entry of a jackpot, or a claim on a purse, belongs to an entry of a table.
//!
//! Linked entries are written in one transaction, so their numbers are close: only the most recent table entries are kept.

use std::collections::{BTreeMap, HashMap, VecDeque};

use baize_journal::Entry;
use baize_rules::BoxNumber;

use super::Findings;

/// Number of table entries kept.
const WINDOW: usize = 20_000;

/// What links need to know of a table's entry.
struct TableEntry {
    place: String,
    number: u64,
    /// Jackpot wagers accepted: box and cents.
    wagers: Vec<(BoxNumber, i64)>,
    /// A jackpot's entry with the same wagers links to it.
    answered: bool,
}

/// Possible targets of links.
#[derive(Default)]
pub(crate) struct Links {
    recent: HashMap<String, TableEntry>,
    order: VecDeque<String>,
    /// Links whose table entry has not come yet, by its hash: place, number, and whether it is a claim.
    waiting: BTreeMap<String, Vec<(String, u64, bool)>>,
    /// Table entries whose wagers no jackpot has counted.
    unanswered: Vec<String>,
}

/// Adds an entry of a table with its accepted jackpot wagers.
pub(super) fn add(entry: &Entry, wagers: Vec<(BoxNumber, i64)>, findings: &mut Findings) {
    let links = &mut findings.links;
    let mut answered = wagers.is_empty();
    let mut faults = Vec::new();
    for (place, number, claim) in links.waiting.remove(&entry.hash).unwrap_or_default() {
        answered = true;
        if !claim {
            // The jackpot's entry comes after the table's.
            let what = format!(
                "its number is {number}, but {}, which it belongs to, has {}: numbers were altered",
                entry.place(),
                entry.number
            );
            faults.push((place, what));
        }
    }
    let of = TableEntry { place: entry.place(), number: entry.number, wagers, answered };
    if links.recent.insert(entry.hash.clone(), of).is_none() {
        links.order.push_back(entry.hash.clone());
    }
    if links.order.len() > WINDOW
        && let Some(oldest) = links.order.pop_front().and_then(|oldest| links.recent.remove(&oldest))
        && !oldest.answered
    {
        links.unanswered.push(oldest.place);
    }
    findings.count("table entries", 1);
    for (place, what) in faults {
        findings.fault(place, what);
    }
}

/// A claim on a purse precedes the table's entry that it belongs to, because it provides what that entry takes.
pub(super) fn claim(entry: &Entry, findings: &mut Findings) -> Result<(), String> {
    let Some(link) = &entry.link else {
        return Err("the table's entry that it belongs to is missing".to_owned());
    };
    match findings.links.recent.get(link) {
        Some(table) => Err(format!(
            "its number is {}, but {}, which it belongs to, has {}: numbers were altered",
            entry.number, table.place, table.number
        )),
        None => {
            let waits = (entry.place(), entry.number, true);
            findings.links.waiting.entry(link.clone()).or_default().push(waits);
            Ok(())
        }
    }
}

/// The contributions of a jackpot's entry match the wagers of the table's entry that it belongs to.
pub(super) fn contributions(
    entry: &Entry,
    counted: &[(BoxNumber, i64)],
    findings: &mut Findings,
) -> Result<(), String> {
    let Some(link) = &entry.link else {
        return if counted.is_empty() {
            Ok(())
        } else {
            Err("its contributions belong to no table's entry".to_owned())
        };
    };
    let Some(table) = findings.links.recent.get_mut(link) else {
        let waits = (entry.place(), entry.number, false);
        findings.links.waiting.entry(link.clone()).or_default().push(waits);
        return Ok(());
    };
    if !counted.is_empty() {
        if table.wagers != counted && !(table.answered && table.wagers.is_empty()) {
            return Err(format!("its contributions are not the wagers of {}", table.place));
        }
        table.answered = true;
    }
    Ok(())
}

/// Every table entry with jackpot wagers was answered by its jackpot, and every link has a target.
pub(super) fn end(findings: &mut Findings) {
    let links = std::mem::take(&mut findings.links);
    let open = links.recent.into_values().filter(|entry| !entry.answered).map(|entry| entry.place);
    let mut missing: Vec<String> = links.unanswered.into_iter().chain(open).collect();
    missing.sort();
    for place in missing {
        findings.fault(place, "its jackpot wagers were not counted by the jackpot");
    }
    for (place, _, _) in links.waiting.into_values().flatten() {
        findings.fault(place, "the table's entry that it belongs to is missing");
    }
}
