//! The audit: everything replayed, everything checked.
//!
//! Every chain is walked from its first entry: hashes, order, seals, links between chains. Every command is decided again and must give the
//! very events on record. Every ledger entry is worked out again and must balance; what the accounts hold must be what went through
//! them; meters must be what contributions and awards made of them; every deck must be the one that was promised.

mod jackpots;
mod sums;
mod tables;
mod walk;

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use crate::house::Answer;
use crate::journal::{Store, Stream};
use crate::rulebooks::Rulebooks;
use crate::{House, HouseError};

/// What was checked and what is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct AuditReport {
    /// What was checked, with counts: `journal entries`, 1234.
    pub checked: Vec<(String, u64)>,
    /// What is wrong, the first bad entry of each chain first. Empty: all is well.
    pub faults: Vec<AuditFault>,
    /// What is worth knowing: what players owe, and tables that are played under a rulebook which is
    /// not the program's own.
    pub notes: Vec<String>,
}

impl AuditReport {
    /// Whether all is well.
    #[must_use]
    pub const fn is_clean(&self) -> bool {
        self.faults.is_empty()
    }
}

/// Something that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AuditFault {
    /// Where: `table/rh-1 entry 17`.
    pub place: String,
    /// What.
    pub what: String,
}

/// What has been found so far.
#[derive(Default)]
pub(crate) struct Findings {
    counts: BTreeMap<&'static str, u64>,
    faults: Vec<AuditFault>,
    notes: Vec<String>,
    /// The rulebooks that the journal holds.
    rulebooks: Rulebooks,
    /// What every account should hold.
    accounts: BTreeMap<String, i64>,
    /// The hash of every entry of a table: what a link may point at, with the jackpot wagers that it closed with.
    entries: HashMap<String, TableEntry>,
    /// What seals say: chain, version, hash, and where it was sealed.
    seals: Vec<(Stream, u64, String, String)>,
    /// The hash of every entry that a seal may name.
    hashes: HashMap<(Stream, u64), String>,
    /// The round lines that there should be.
    rounds: BTreeMap<(String, u32), crate::journal::RoundRow>,
    /// Tables whose chain is broken: what hangs on it is not reported again.
    broken: Vec<String>,
    /// What jackpots handed over, by jackpot.
    drawn: BTreeMap<String, i64>,
}

/// What matters of a table's entry to others.
struct TableEntry {
    place: String,
    /// Jackpot wagers that were counted: box and cents.
    wagers: Vec<(u8, i64)>,
    /// A jackpot's entry has linked to it with the same wagers.
    answered: bool,
}

impl Findings {
    pub(crate) fn count(&mut self, what: &'static str, more: u64) {
        *self.counts.entry(what).or_default() += more;
    }

    pub(crate) fn fault(&mut self, place: impl Into<String>, what: impl Into<String>) {
        self.faults.push(AuditFault { place: place.into(), what: what.into() });
    }

    fn report(self) -> AuditReport {
        let checked = self.counts.into_iter().map(|(what, count)| (what.to_owned(), count)).collect();
        AuditReport { checked, faults: self.faults, notes: self.notes }
    }
}

impl House {
    /// Replays everything and checks chains, ledger, meters and promises.
    ///
    /// # Errors
    /// Only those of the database: what is wrong with the record is in the report.
    pub async fn audit(&self) -> Answer<AuditReport> {
        let store = self.inner.store.as_ref();
        for tried in 0..3 {
            let before = store.heads().await?;
            let findings = examine(store).await;
            let findings = match findings {
                Ok(findings) => findings,
                // The file itself cannot be read at some place.
                Err(HouseError::Corrupt(what)) => {
                    let mut findings = Findings::default();
                    findings.fault("the database", what);
                    return Ok(findings.report());
                }
                Err(other) => return Err(other),
            };
            // A casino that plays on while it is audited: what was written meanwhile is not in the sums.
            if findings.faults.is_empty() || tried == 2 || before == store.heads().await? {
                return Ok(findings.report());
            }
        }
        Err(HouseError::Unavailable("the casino is too busy to be audited: stop it, or try again".to_owned()))
    }
}

async fn examine(store: &dyn Store) -> Answer<Findings> {
    let mut findings = Findings::default();
    walk::rulebooks(store, &mut findings).await?;
    let heads = store.heads().await?;
    let mut streams: Vec<Stream> = heads.into_keys().collect();
    // Tables before jackpots, whose entries link to them; the house last, whose seals cover all.
    streams.sort_by_key(|stream| {
        let order = match stream.as_str().split('/').next() {
            Some("table") => 0,
            Some("player") => 1,
            Some("jackpot") => 2,
            _ => 3,
        };
        (order, stream.clone())
    });
    for stream in &streams {
        walk::stream(store, stream, &mut findings).await?;
    }
    sums::seals(&streams, &mut findings);
    sums::links(&mut findings);
    sums::rounds(store, &mut findings).await?;
    sums::accounts(store, &mut findings).await?;
    Ok(findings)
}
