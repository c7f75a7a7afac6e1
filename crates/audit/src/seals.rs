//! Audit of seals: the house's chain periodically records the heads of all others. Every entry that it names must exist unchanged.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use baize_house::Answer;
use baize_journal::{Entry, Store, Stream};

use super::Findings;

/// Entries kept per chain: other chains may grow while a seal is written.
const RECENT: usize = 4;

/// The last entries of a chain: version, number and hash.
#[derive(Default)]
pub(crate) struct Recent(VecDeque<(u64, u64, String)>);

impl Recent {
    /// The last entry of a chain at a checkpoint.
    pub(super) fn of(version: u64, number: u64, hash: &str) -> Recent {
        Recent(VecDeque::from([(version, number, hash.to_owned())]))
    }

    /// Number of the last entry.
    pub(super) fn number(&self) -> Option<u64> {
        self.0.back().map(|(_, number, _)| *number)
    }

    pub(super) fn add(&mut self, entry: &Entry) {
        if self.0.len() == RECENT {
            self.0.pop_front();
        }
        self.0.push_back((entry.version, entry.number, entry.hash.clone()));
    }

    /// Version and hash of the last entry.
    pub(super) fn last(&self) -> Option<(u64, &str)> {
        self.0.back().map(|(version, _, hash)| (*version, hash.as_str()))
    }
}

/// The head of a chain as recorded in a seal.
struct SealedHead {
    version: u64,
    hash: String,
    /// Place and number of the sealing entry.
    place: String,
    number: u64,
}

/// The seals so far.
#[derive(Default)]
pub(crate) struct Seals {
    /// Not yet compared with the chains.
    new: Vec<(Stream, SealedHead)>,
    /// To look up, because their chain has newer entries or was not seen.
    open: Vec<(Stream, SealedHead)>,
    /// Missing heads: the first of each chain.
    missing: BTreeMap<Stream, SealedHead>,
    /// Chains with a reported fault: later seals would only repeat it.
    reported: BTreeSet<Stream>,
    /// Number of entries covered by the last seal, its own chain included.
    pub(super) covered: u64,
}

/// Adds a seal.
pub(super) fn add(heads: &BTreeMap<String, (u64, String)>, entry: &Entry, findings: &mut Findings) {
    let (place, number) = (entry.place(), entry.number);
    let seals = &mut findings.seals;
    seals.covered = entry.version + heads.values().map(|(version, _)| version).sum::<u64>();
    for (stream, (version, hash)) in heads {
        let head = SealedHead { version: *version, hash: hash.clone(), place: place.clone(), number };
        seals.new.push((Stream::named(stream.clone()), head));
    }
    findings.count("seals", 1);
}

/// Compares new seals with the chains.
pub(super) fn check<'a>(recent: impl Fn(&Stream) -> Option<&'a Recent>, findings: &mut Findings) {
    for (stream, head) in std::mem::take(&mut findings.seals.new) {
        let there = recent(&stream).and_then(|recent| recent.0.iter().find(|(of, ..)| *of == head.version));
        match there {
            Some((_, _, hash)) if *hash == head.hash => {}
            Some(_) => altered(&stream, &head, findings),
            None => findings.seals.open.push((stream, head)),
        }
    }
}

fn altered(stream: &Stream, head: &SealedHead, findings: &mut Findings) {
    let what = format!("it differs from the entry sealed by {}", head.place);
    report(stream, format!("{stream} entry {}", head.version), what, findings);
}

fn report(stream: &Stream, place: String, what: String, findings: &mut Findings) {
    if findings.seals.reported.insert(stream.clone()) {
        findings.fault(place, what);
    }
}

/// Looks up heads that are not among the last entries of their chains.
pub(super) async fn look_up(store: &dyn Store, findings: &mut Findings) -> Answer<()> {
    for (stream, head) in std::mem::take(&mut findings.seals.open) {
        let place = format!("{stream} entry {}", head.version);
        let found = store.read(&stream, head.version.saturating_sub(1), 1).await;
        let Some(found) = findings.readable(&place, found)? else { continue };
        let of = found.first().filter(|entry| entry.version == head.version);
        match of {
            Some(entry) if entry.hash != head.hash => altered(&stream, &head, findings),
            Some(entry) if entry.number >= head.number => {
                let what = format!(
                    "its number is {}, but {}, which sealed it, has {}: numbers were altered",
                    entry.number, head.place, head.number
                );
                report(&stream, place, what, findings);
            }
            Some(_) => {}
            None => drop(findings.seals.missing.entry(stream).or_insert(head)),
        }
    }
    Ok(())
}

impl Seals {
    /// Whether a seal names a missing entry of this chain.
    pub(super) fn names_more(&self, stream: &Stream) -> bool {
        self.missing.contains_key(stream)
    }
}

/// Reports missing heads. `chains`: those that were walked.
pub(super) fn end(chains: &HashMap<Stream, super::chain::Chain>, findings: &mut Findings) {
    for (stream, head) in std::mem::take(&mut findings.seals.missing) {
        let place = format!("{stream} entry {}", head.version);
        if chains.contains_key(&stream) {
            report(&stream, place, format!("it is missing; {} sealed it", head.place), findings);
        } else {
            let what = format!("the whole chain is missing; {} sealed it", head.place);
            report(&stream, stream.to_string(), what, findings);
        }
    }
}
