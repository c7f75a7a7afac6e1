//! The order of all entries: their numbers over all chains, and their times.
//!
//! A number is not covered by its entry's hash, since the database gives it. What can be held against it: within a chain numbers grow;
//! an entry comes after the one that it links to, and a seal after what it seals; SQLite gives every number, without gaps (a flush that
//! is undone gives its numbers back, sequence and all); and times do not go back. PostgreSQL's numbers have gaps: an order that was
//! refused has used one up.

use baize_house::Instant;
use baize_journal::Entry;
use serde::{Deserialize, Serialize};

use super::Findings;

/// A clock may be put right by so much, in thousandths of a second, and hosts may differ by so much: that is noted. More is a fault.
const STEP: i64 = 60_000;

/// An entry in the order of all.
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
        Numbered { number, at, stream: entry.stream.to_string(), version }
    }

    fn place(&self) -> String {
        format!("{} entry {}", self.stream, self.version)
    }
}

/// How often a clock went back a little.
#[derive(Default)]
struct Stepped {
    times: u64,
    most: i64,
    first: String,
}

/// What is known of the entries so far, which come in the order of their numbers.
#[derive(Default)]
pub(crate) struct Order {
    /// How many there were.
    pub(super) entries: u64,
    pub(super) highest: u64,
    /// The one with the latest time.
    pub(super) latest: Option<Numbered>,
    /// The first number that no entry has, and the entry after it.
    gap: Option<(u64, String)>,
    stepped: Stepped,
}

impl Order {
    /// Goes on where an earlier audit ended.
    pub(super) fn go_on(&mut self, entries: u64, highest: u64, latest: Option<Numbered>) {
        (self.entries, self.highest, self.latest) = (entries, highest, latest);
    }
}

/// An entry has a later time than the one before it in its chain.
pub(super) fn in_chain(before: Instant, entry: &Entry, findings: &mut Findings) {
    let back = before.0 - entry.at.0;
    if back > STEP {
        let what = format!(
            "its time, {}, is before that of the entry before it, {before}: times were altered, or the clock was set back",
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

/// The next entry over all chains.
pub(super) fn next(entry: &Entry, findings: &mut Findings) {
    let order = &mut findings.order;
    order.entries += 1;
    order.highest = order.highest.max(entry.number);
    if order.gap.is_none() && entry.number != order.entries {
        order.gap = Some((order.entries, entry.place()));
    }
    match &order.latest {
        Some(before) if before.at.0 - entry.at.0 > STEP => {
            let what = format!(
                "it has the number {} and the time {}, and {} before it has {} and {}: numbers or times were altered, or a clock was \
                 wrong",
                entry.number,
                entry.at,
                before.place(),
                before.number,
                before.at
            );
            // One entry that is dated forward would accuse all that follow: they are judged from here on.
            order.latest = Some(Numbered::of(entry));
            findings.fault(entry.place(), what);
        }
        Some(before) if before.at >= entry.at => {}
        _ => order.latest = Some(Numbered::of(entry)),
    }
}

/// All entries were there. `given`: the highest number that was given, where there are no gaps.
pub(super) fn end(given: Option<u64>, findings: &mut Findings) {
    let before = findings.audited_before;
    let Order { entries: there, highest, gap, stepped, .. } = std::mem::take(&mut findings.order);
    findings.order.entries = there;
    if let Some(given) = given.filter(|_| findings.unread.is_empty()) {
        let last = given.max(highest);
        if last != there {
            let (first, beside) = match gap {
                Some((first, next)) => (first, format!("before {next}")),
                None => (there + 1, "after the last that is there".to_owned()),
            };
            findings.fault(
                format!("entry number {first}"),
                format!("it is missing, {beside}: {last} numbers were given and {there} entries are there"),
            );
        }
    }
    findings.count("entries in order", there.saturating_sub(before));
    if stepped.times > 0 {
        findings.notes.push(format!(
            "times within a chain go back {} times, by at most {} ms, first at {}: clocks were put right, or hosts differ",
            stepped.times, stepped.most, stepped.first
        ));
    }
}
