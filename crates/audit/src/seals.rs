//! Seals: the house's chain names the heads of all others from time to time. Every entry that it names is there, as it was then.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use baize_house::Answer;
use baize_journal::{Entry, Store, Stream};

use super::Findings;

/// So many entries of each chain are remembered: while a seal is written others go on.
const REMEMBERED: usize = 4;

/// The last entries of a chain: version, number and hash.
#[derive(Default)]
pub(crate) struct Recent(VecDeque<(u64, u64, String)>);

impl Recent {
    /// The last entry of a chain that was left there.
    pub(super) fn of(version: u64, number: u64, hash: &str) -> Recent {
        Recent(VecDeque::from([(version, number, hash.to_owned())]))
    }

    /// The number of the last one.
    pub(super) fn number(&self) -> Option<u64> {
        self.0.back().map(|(_, number, _)| *number)
    }

    pub(super) fn add(&mut self, entry: &Entry) {
        if self.0.len() == REMEMBERED {
            self.0.pop_front();
        }
        self.0.push_back((entry.version, entry.number, entry.hash.clone()));
    }

    /// The version and the hash of the last one.
    pub(super) fn last(&self) -> Option<(u64, &str)> {
        self.0.back().map(|(version, _, hash)| (*version, hash.as_str()))
    }
}

/// The head of a chain as a seal has it.
struct SealedHead {
    version: u64,
    hash: String,
    /// Where it was sealed: the place and the number of that entry.
    place: String,
    number: u64,
}

/// The seals so far.
#[derive(Default)]
pub(crate) struct Seals {
    /// Seals that were not held against the chains yet.
    new: Vec<(Stream, SealedHead)>,
    /// Heads that are to be looked up, because their chain had gone on or was not there.
    open: Vec<(Stream, SealedHead)>,
    /// Heads that are not there: the first of each chain.
    missing: BTreeMap<Stream, SealedHead>,
    /// Chains of which a fault was told: later seals would only repeat it.
    told: BTreeSet<Stream>,
    /// How many entries the last seal covers, its own chain included.
    pub(super) covered: u64,
}

/// A seal.
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

/// Holds new seals against what the chains are now.
pub(super) fn hold<'a>(recent: impl Fn(&Stream) -> Option<&'a Recent>, findings: &mut Findings) {
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
    let what = format!("it is not the one that {} sealed", head.place);
    tell(stream, format!("{stream} entry {}", head.version), what, findings);
}

fn tell(stream: &Stream, place: String, what: String, findings: &mut Findings) {
    if findings.seals.told.insert(stream.clone()) {
        findings.fault(place, what);
    }
}

/// Looks up the heads that were not among the last entries of their chains.
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
                    "its number is {}, and {}, which sealed it, has {}: numbers were altered",
                    entry.number, head.place, head.number
                );
                tell(&stream, place, what, findings);
            }
            Some(_) => {}
            None => drop(findings.seals.missing.entry(stream).or_insert(head)),
        }
    }
    Ok(())
}

impl Seals {
    /// Whether a seal names an entry of this chain that is not there.
    pub(super) fn names_more(&self, stream: &Stream) -> bool {
        self.missing.contains_key(stream)
    }
}

/// Tells the heads that are not there. `chains`: those that were walked.
pub(super) fn end(chains: &HashMap<Stream, super::chain::Chain>, findings: &mut Findings) {
    for (stream, head) in std::mem::take(&mut findings.seals.missing) {
        let place = format!("{stream} entry {}", head.version);
        if chains.contains_key(&stream) {
            tell(&stream, place, format!("it is missing; {} sealed it", head.place), findings);
        } else {
            let what = format!("the whole chain is missing; {} sealed it", head.place);
            tell(&stream, stream.to_string(), what, findings);
        }
    }
}
