//! The order of all entries: their numbers over all chains, and their times.
//!
//! A number is not covered by its entry's hash, since the database gives it. What can be held against it: within a chain numbers grow;
//! an entry comes after the one that it links to, and a seal after what it seals; SQLite gives every number, without gaps (a flush that
//! is undone gives its numbers back, sequence and all); and times do not go back. PostgreSQL's numbers have gaps: an order that was
//! refused has used one up.

use super::Findings;
use baize_house::Instant;
use baize_journal::{Entry, Stream};

/// A clock may be put right by so much, in thousandths of a second, and hosts may differ by so much: that is noted. More is a fault.
const STEP: i64 = 60_000;

/// An entry in the order of all.
pub(crate) struct Numbered {
    pub(super) number: u64,
    at: Instant,
    pub(super) stream: Stream,
    pub(super) version: u64,
}

impl Numbered {
    pub(super) fn of(entry: &Entry) -> Numbered {
        let (number, at, version) = (entry.number, entry.at, entry.version);
        Numbered { number, at, stream: entry.stream.clone(), version }
    }

    fn place(&self) -> String {
        format!("{} entry {}", self.stream, self.version)
    }
}

/// How often a clock went back a little.
#[derive(Default)]
pub(crate) struct Stepped {
    times: u64,
    most: i64,
    first: String,
}

/// An entry comes after the one before it in its chain.
pub(super) fn after(before: &Numbered, entry: &Entry, findings: &mut Findings) -> Result<(), String> {
    if entry.number <= before.number {
        return Err(format!(
            "its number over all chains is {}, and that of the entry before it {}: numbers were altered",
            entry.number, before.number
        ));
    }
    let back = before.at.0 - entry.at.0;
    if back > STEP {
        // What comes after it is judged all the same.
        let what = format!(
            "its time, {}, is before that of the entry before it, {}: times were altered, or the clock was set back",
            entry.at, before.at
        );
        findings.fault(entry.place(), what);
        return Ok(());
    }
    if back > 0 {
        let stepped = &mut findings.stepped;
        if stepped.times == 0 {
            stepped.first = entry.place();
        }
        stepped.times += 1;
        stepped.most = stepped.most.max(back);
    }
    Ok(())
}

/// An entry comes after the one of another chain that it belongs to; a claim on a purse comes before it, because it brings what that entry
/// takes.
pub(super) fn linked(entry: &Entry, findings: &Findings) -> Result<(), String> {
    let belongs = entry.link.as_ref().and_then(|link| findings.entries.get(link));
    let before = entry.stream.after("player/").is_some();
    match belongs {
        Some(other) if (other.number < entry.number) == before => Err(format!(
            "its number over all chains is {}, and {}, which it belongs to, has {}: numbers were altered",
            entry.number, other.place, other.number
        )),
        _ => Ok(()),
    }
}

/// Puts all entries in the order of their numbers. `given`: the highest number that was given, where there are no gaps.
pub(super) fn all(given: Option<u64>, findings: &mut Findings) -> Vec<Numbered> {
    let mut order = std::mem::take(&mut findings.order);
    order.sort_by_key(|entry| entry.number);
    if let Some(given) = given.filter(|_| findings.unread.is_empty()) {
        missing(given, &order, findings);
    }
    let mut latest: Option<&Numbered> = None;
    for entry in &order {
        match latest {
            Some(before) if before.at.0 - entry.at.0 > STEP => {
                findings.fault(
                    entry.place(),
                    format!(
                        "it has the number {} and the time {}, and {} before it has {} and {}: numbers or times were altered, or a \
                         clock was wrong",
                        entry.number, entry.at, before.place(), before.number, before.at
                    ),
                );
                // One entry that is dated forward would accuse all that follow: they are judged from here on.
                latest = Some(entry);
            }
            Some(before) if before.at >= entry.at => {}
            _ => latest = Some(entry),
        }
    }
    findings.count("entries in order", u64::try_from(order.len()).unwrap_or(0));
    let stepped = std::mem::take(&mut findings.stepped);
    if stepped.times > 0 {
        findings.notes.push(format!(
            "times within a chain go back {} times, by at most {} ms, first at {}: clocks were put right, or hosts differ",
            stepped.times, stepped.most, stepped.first
        ));
    }
    order
}

/// Every number that was given has its entry.
fn missing(given: u64, order: &[Numbered], findings: &mut Findings) {
    let there = u64::try_from(order.len()).unwrap_or(u64::MAX);
    let highest = order.last().map_or(0, |entry| entry.number);
    let last = given.max(highest);
    if last == there {
        return;
    }
    let gap = (1..).zip(order).find(|(due, entry)| *due != entry.number);
    let first = gap.map_or(there + 1, |(due, _)| due);
    let beside = match gap {
        Some((_, next)) => format!("before {}", next.place()),
        None => "after the last that is there".to_owned(),
    };
    findings.fault(
        format!("entry number {first}"),
        format!("it is missing, {beside}: {last} numbers were given and {there} entries are there"),
    );
}
