//! Audit of the order of all entries: numbers and times.
//!
//! The database assigns numbers, so no hash covers them. What can be checked: numbers grow within a chain; an entry comes after the one it
//! links to, and a seal after what it seals; SQLite's numbers have no gaps (a rollback also resets the sequence); and times do not go back.
//! PostgreSQL's numbers have gaps, because refused orders use them up.

use baize_house::Instant;
use baize_journal::Entry;
use serde::{Deserialize, Serialize};

use super::Findings;

/// Milliseconds by which clocks may be adjusted, or differ between hosts; up to this it is a note, above it a fault.
const MAX_STEP: i64 = 60_000;

/// Position and time of an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Numbered {
    pub(super) number: u64,
    at: Instant,
    stream: String,
    version: u64,
}

impl Numbered {
    pub(super) fn of(entry: &Entry) -> Numbered {
        let (number, at, version) = (entry.number, entry.at, entry.version);
        Numbered { number, at, stream: entry.stream.as_str().to_owned(), version }
    }

    fn place(&self) -> String {
        format!("{} entry {}", self.stream, self.version)
    }
}

/// Small steps back of clocks.
#[derive(Default)]
struct ClockSteps {
    times: u64,
    most: i64,
    first: String,
}

/// The entries so far, in order of number.
#[derive(Default)]
pub(crate) struct Order {
    /// Number of entries.
    pub(super) entries: u64,
    pub(super) highest: u64,
    /// The entry with the latest time.
    pub(super) latest: Option<Numbered>,
    /// The first missing number, and the entry after it.
    gap: Option<(u64, String)>,
    stepped: ClockSteps,
}

impl Order {
    /// Resumes from a checkpoint.
    pub(super) fn resume(&mut self, entries: u64, highest: u64, latest: Option<Numbered>) {
        (self.entries, self.highest, self.latest) = (entries, highest, latest);
    }
}

/// Times do not go back within a chain.
pub(super) fn in_chain(before: Instant, entry: &Entry, findings: &mut Findings) {
    let back = before.0 - entry.at.0;
    if back > MAX_STEP {
        let what = format!(
            "its time, {}, is earlier than that of the previous entry, {before}: times were altered, or the clock was set back",
            entry.at
        );
        findings.fault(entry.place(), what);
    } else if back > 0 {
        let stepped = &mut findings.order.stepped;
        if stepped.times == 0 {
            stepped.first = entry.place();
        }
        stepped.times += 1;
        stepped.most = stepped.most.max(back);
    }
}

/// The next entry in order of number.
pub(super) fn next(entry: &Entry, findings: &mut Findings) {
    let order = &mut findings.order;
    order.entries += 1;
    order.highest = order.highest.max(entry.number);
    if order.gap.is_none() && entry.number != order.entries {
        order.gap = Some((order.entries, entry.place()));
    }
    match &order.latest {
        Some(before) if before.at.0 - entry.at.0 > MAX_STEP => {
            let what = format!(
                "it has the number {} and the time {}, and {} before it has {} and {}: numbers or times were altered, or a clock was \
                 wrong",
                entry.number,
                entry.at,
                before.place(),
                before.number,
                before.at
            );
            // Otherwise one entry with a time in the future would make all later ones faults.
            order.latest = Some(Numbered::of(entry));
            findings.fault(entry.place(), what);
        }
        Some(before) if before.at >= entry.at => {}
        _ => order.latest = Some(Numbered::of(entry)),
    }
}

/// The end of the journal. `given`: the highest number assigned, if numbers have no gaps.
pub(super) fn end(given: Option<u64>, findings: &mut Findings) {
    let before = findings.audited_before;
    let Order { entries: there, highest, gap, stepped, .. } = std::mem::take(&mut findings.order);
    findings.order.entries = there;
    if let Some(given) = given.filter(|_| findings.unread.is_empty()) {
        let last = given.max(highest);
        if last != there {
            let (first, beside) = match gap {
                Some((first, next)) => (first, format!("before {next}")),
                None => (there + 1, "after the last entry".to_owned()),
            };
            findings.fault(
                format!("entry number {first}"),
                format!(
                    "it is missing, {beside}: {last} numbers were assigned, but there are {there} entries"
                ),
            );
        }
    }
    findings.count("entries in order", there.saturating_sub(before));
    if stepped.times > 0 {
        findings.notes.push(format!(
            "times within a chain go back {}, by at most {} ms, first at {}: a clock was adjusted, or hosts' clocks differ",
            if stepped.times == 1 { "once".to_owned() } else { format!("{} times", stepped.times) },
            stepped.most,
            stepped.first
        ));
    }
}
