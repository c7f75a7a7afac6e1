//! The audit: everything replayed, everything checked.
//!
//! Every chain is walked from its first entry: hashes, order, seals, links between chains. Every command is decided again and must give the
//! very events on record. Every ledger entry is worked out again and must balance; what the accounts hold must be what went through
//! them; meters must be what contributions and awards made of them; every deck must be the one that was promised.

mod cash;
mod duties;
mod jackpots;
mod order;
mod sealed;
mod state;
mod sums;
mod tables;
mod walk;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use baize_rules::{BoxNumber, Money};
use schemars::JsonSchema;
use serde::Serialize;

use crate::house::{Answer, Lineage};
use crate::journal::{Store, StoreError, Stream};
use crate::rulebooks::Rulebooks;
use crate::{Duty, House, HouseError, Instant};
use baize_jackpot::Exact;
use order::{Numbered, Stepped};
pub use state::{AuditedState, Expected};

/// How often the audit begins again when somebody opens a casino on a file that nobody used.
const TRIES: usize = 3;

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
    /// The state that was audited.
    pub state: AuditedState,
}

impl AuditReport {
    /// Whether all is well.
    #[must_use]
    pub const fn is_clean(&self) -> bool {
        self.faults.is_empty()
    }
}

/// Something that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
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
    /// The state that was audited.
    state: AuditedState,
    /// Rulebooks that tables were set up with: id and hash.
    played: BTreeSet<(String, String)>,
    /// Chains of which something cannot be read: what hangs on that is not reported again.
    unread: Vec<Stream>,
    /// The rulebooks that the journal holds.
    rulebooks: Rulebooks,
    /// Staff, and every duty that the house ever gave them.
    staff: BTreeMap<String, BTreeSet<Duty>>,
    /// Who brought whom into the house.
    lineage: Lineage,
    /// When the house took its first key. From then on dealers are assigned, chips are placed on request and second persons are independent;
    /// older programs did not ask.
    ruled_from: Option<Instant>,
    /// The key of the house is not here.
    keyless: bool,
    /// Tables whose round was given up with a lost key.
    given_up: BTreeSet<String>,
    /// Entries of rounds under way that were not looked into.
    sealed: u64,
    /// All entries, for their order.
    order: Vec<Numbered>,
    /// Clocks that went back a little.
    stepped: Stepped,
    /// What every account should hold.
    accounts: BTreeMap<String, i64>,
    /// The hash of every entry of a table: what a link may point at, with the jackpot wagers that it closed with.
    entries: HashMap<String, TableEntry>,
    /// What seals say.
    seals: Vec<SealedHead>,
    /// The hash and the number of every entry that a seal may name.
    hashes: HashMap<(Stream, u64), (String, u64)>,
    /// The round lines that there should be.
    rounds: BTreeMap<(String, u32), crate::journal::RoundRow>,
    /// Tables whose chain is broken: what hangs on it is not reported again.
    broken: Vec<String>,
    /// What tables say that jackpots handed over, by jackpot and hit, in the order of the table's chain.
    awards: BTreeMap<(String, u64), Vec<AwardTold>>,
    /// Pools that moved from one jackpot to another: what left the one, and what came to the other.
    moved: BTreeMap<(String, String), (Exact, Exact)>,
    /// Cash over the counter.
    cash: cash::Cash,
}

/// An award that a table says was drawn from its jackpot, or went back to it.
struct AwardTold {
    place: String,
    award: Award,
    back: bool,
}

/// An award: whose it is and what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Award {
    table: String,
    round: u64,
    seat: BoxNumber,
    amount: Money,
    from_meter: Money,
}

/// The head of a chain as a seal has it.
struct SealedHead {
    stream: Stream,
    version: u64,
    hash: String,
    /// Where it was sealed: the place and the number of that entry.
    place: String,
    number: u64,
}

/// What matters of a table's entry to others.
struct TableEntry {
    place: String,
    number: u64,
    /// Jackpot wagers that were counted: box and cents.
    wagers: Vec<(BoxNumber, i64)>,
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

    /// Whether the rules on persons held at this time.
    fn ruled(&self, at: Instant) -> bool {
        self.ruled_from.is_some_and(|from| at >= from)
    }

    /// What was asked of the database. What cannot be read is a fault of its place, and everything else is checked all the same.
    fn readable<T>(&mut self, place: &str, asked: Result<T, StoreError>) -> Answer<Option<T>> {
        match asked {
            Ok(found) => Ok(Some(found)),
            Err(StoreError::Corrupt(why)) => {
                self.fault(place, format!("it cannot be read: {why}"));
                Ok(None)
            }
            Err(other) => Err(other.into()),
        }
    }

    fn report(self) -> AuditReport {
        let checked = self.counts.into_iter().map(|(what, count)| (what.to_owned(), count)).collect();
        AuditReport { checked, faults: self.faults, notes: self.notes, state: self.state }
    }
}

impl House {
    /// Replays everything and checks chains, ledger, meters and promises. A house that is open seals its chains first.
    ///
    /// # Errors
    /// Only those of the database: what is wrong with the record is in the report.
    pub async fn audit(&self) -> Answer<AuditReport> {
        self.audit_expecting(None).await
    }

    /// As [`House::audit`], and the journal must contain this earlier state.
    ///
    /// # Errors
    /// As [`House::audit`].
    pub async fn audit_expecting(&self, expected: Option<&Expected>) -> Answer<AuditReport> {
        if !self.inner.closed.load(std::sync::atomic::Ordering::SeqCst) {
            // Where it cannot be sealed the audit says how much is not.
            if let Err(error) = self.seal().await {
                tracing::warn!(target: "baize::house", %error, "the journal is audited without a new seal");
            }
        }
        // A casino may play on meanwhile: everything is read as it was at one moment.
        for _ in 0..TRIES {
            let store = self.inner.store.frozen().await?;
            let keyless = self.inner.vault.key().is_none();
            let findings = Findings { keyless, ..Findings::default() };
            let findings = examine(store.as_ref(), expected, self.now(), findings).await?;
            if store.undisturbed() {
                return Ok(findings.report());
            }
        }
        Err(HouseError::Unavailable("a casino was opened on the file meanwhile: audit it again".to_owned()))
    }
}

async fn examine(
    store: &dyn Store,
    expected: Option<&Expected>,
    now: Instant,
    mut findings: Findings,
) -> Answer<Findings> {
    walk::known(store, &mut findings).await?;
    let streams = store.streams().await;
    let mut streams = findings.readable("the journal", streams)?.unwrap_or_default();
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
    let given = store.given().await;
    let given = findings.readable("the numbers of entries", given)?.flatten();
    let order = order::all(given, &mut findings);
    if findings.unread.is_empty() {
        sums::seals(&streams, &mut findings);
        sums::links(&mut findings);
        sums::pools(&mut findings);
        cash::check(&mut findings);
        sums::accounts(store, &mut findings).await?;
    } else {
        findings.notes.push(
            "not all entries could be read: seals, links and accounts were not held against them".to_owned(),
        );
    }
    sums::rounds(store, &mut findings).await?;
    sums::loose(store, &mut findings).await?;
    sealed::secrets(store, &mut findings).await?;
    let differences = store.differences().await;
    for difference in findings.readable("the database's own rules", differences)?.unwrap_or_default() {
        if difference.serious {
            findings.fault("the database's own rules", difference.what);
        } else {
            findings.notes.push(difference.what);
        }
    }
    findings.count("rules of the database", 1);
    state::of(&order, given.is_some(), expected, now, &mut findings);
    Ok(findings)
}
