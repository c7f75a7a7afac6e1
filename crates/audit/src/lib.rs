//! The audit: replays and checks the whole journal.
//!
//! Every chain is walked from its first entry: hashes, order, seals, links between chains. Every command is decided again and must give
//! exactly the recorded events. Every ledger entry is recomputed and must balance; account balances must be the sums of their ledger lines;
//! meters must follow from contributions and awards; every deck must be the promised one.

mod cash;
mod chain;
mod checkpoint;
mod duties;
mod house_records;
mod jackpots;
mod kept;
mod ledger_accounts;
mod links;
mod order;
mod prepared;
mod sealed;
mod seals;
mod state;
mod tables;
mod totals;
mod walk;

// Boxed, as the methods of the house: compiled once, and not in each crate that awaits it.
use async_recursion::async_recursion as boxed;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use baize_house::{Answer, House, HouseError};
use baize_jackpot::Exact;
use baize_journal::{Store, StoreError, Stream};
use baize_rules::{BoxNumber, Money};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use checkpoint::Checkpoint;
use house_records::HouseRecords;
pub use state::{AuditedState, Expected};

/// How often the audit restarts if a casino is opened meanwhile on a file that was read without locks.
const TRIES: usize = 3;

/// Called from time to time with the number of entries replayed and the approximate total. Answers whether the audit goes on.
pub type Progress<'a> = &'a (dyn Fn(u64, u64) -> bool + Sync);

/// Result of an audit.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct AuditReport {
    /// Counts of what was checked: `journal entries`, 1234.
    pub checked: Vec<(String, u64)>,
    /// Faults, the first bad entry of each chain first. Empty if there are none.
    pub faults: Vec<AuditFault>,
    /// Notes: players' debts, tables played under a rulebook that is not the program's own, and so on.
    pub notes: Vec<String>,
    /// The state that was audited.
    pub state: AuditedState,
    /// Set if the audit was stopped before its end: the rest of the report covers the entries until then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interrupted: Option<Interrupted>,
    /// Checkpoint for a later audit; `None` after faults, or if something could not be checked.
    #[serde(skip)]
    pub checkpoint: Option<Checkpoint>,
}

/// How far an audit came that was ended before its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Interrupted {
    /// So many entries were replayed.
    pub after: u64,
    /// Of about so many.
    pub of: u64,
}

impl AuditReport {
    /// Whether there are no faults and nothing was left out.
    #[must_use]
    pub const fn is_clean(&self) -> bool {
        self.faults.is_empty() && self.interrupted.is_none()
    }
}

/// A fault.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AuditFault {
    /// Where: `table/rh-1 entry 17`.
    pub place: String,
    /// What is wrong.
    pub what: String,
}

/// Results so far.
#[derive(Default)]
struct Findings {
    counts: BTreeMap<&'static str, u64>,
    faults: Vec<AuditFault>,
    notes: Vec<String>,
    /// The state that was audited.
    state: AuditedState,
    /// Set if the audit was stopped before its end.
    interrupted: Option<Interrupted>,
    /// Checkpoint for a later audit.
    checkpoint: Option<Checkpoint>,
    /// The audit resumed from a checkpoint.
    resumed: bool,
    /// Number of entries before the checkpoint.
    audited_before: u64,
    /// Hash of the second entry of the house's chain, or of the first if it has no second.
    house: Option<String>,
    /// Rulebooks that tables were set up with: id and hash.
    played: BTreeSet<(String, String)>,
    /// Numbers of unreadable entries, and why.
    lost: Vec<(u64, String)>,
    /// Chains with unreadable entries; consequences are not reported again.
    unread: Vec<Stream>,
    /// Tables whose chain is broken; consequences are not reported again.
    broken: Vec<String>,
    /// Number of sealed entries that could not be checked.
    sealed: u64,
    known: HouseRecords,
    order: order::Order,
    gathered: state::StateBuilder,
    links: links::Links,
    seals: seals::Seals,
    kept: kept::ExpectedRows,
    cash: cash::Cash,
    totals: totals::Totals,
    /// Expected balances.
    accounts: BTreeMap<String, i64>,
    /// Awards by jackpot and hit: pending ones and those just drawn.
    awards: BTreeMap<(String, u64), AwardState>,
    /// Pools moved between jackpots: amount sent and amount received.
    moved: BTreeMap<(String, String), (Exact, Exact)>,
}

/// State of an award.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
struct AwardState {
    /// The award as the jackpot entered it, and whether it is paid.
    stands: Option<(Award, bool)>,
    /// The award as a table drew it.
    drawn: Option<DrawnAward>,
}

/// An award that a table states was drawn from its jackpot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct DrawnAward {
    place: String,
    award: Award,
}

/// An award: where it was won, and how much.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Award {
    table: String,
    round: u64,
    seat: BoxNumber,
    amount: Money,
    from_meter: Money,
}

impl Findings {
    fn count(&mut self, what: &'static str, more: u64) {
        *self.counts.entry(what).or_default() += more;
    }

    fn fault(&mut self, place: impl Into<String>, what: impl Into<String>) {
        self.faults.push(AuditFault { place: place.into(), what: what.into() });
    }

    /// The result of a query. Unreadable data is a fault at its place, and the audit continues.
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
        // No checkpoint after faults, or if something could not be checked.
        let sound = self.faults.is_empty() && !self.known.keyless;
        let checkpoint = self.checkpoint.filter(|_| sound);
        let Findings { faults, notes, state, interrupted, .. } = self;
        AuditReport { checked, faults, notes, state, interrupted, checkpoint }
    }
}

/// Replays and checks everything. An open house seals its chains first.
///
/// # Errors
/// The database's. Faults in the journal are in the report.
#[boxed]
pub async fn audit(house: &House) -> Answer<AuditReport> {
    audit_expecting(house, None).await
}

/// Audits the database at this address, also while its casino is running.
///
/// # Errors
/// As [`audit`], and those of opening the database.
#[boxed]
pub async fn audit_at(address: &str) -> Answer<AuditReport> {
    audit(&House::look_at(address).await?).await
}

/// As [`audit`], and the journal must contain this earlier state.
///
/// # Errors
/// As [`audit`].
#[boxed]
pub async fn audit_expecting(house: &House, expected: Option<&Expected>) -> Answer<AuditReport> {
    audit_with(house, expected, None, &|_, _| true).await
}

/// As [`audit_expecting`], reporting progress. `since`: check only entries after this checkpoint.
///
/// # Errors
/// As [`audit`].
#[boxed]
pub async fn audit_with<'a>(
    house: &'a House,
    expected: Option<&'a Expected>,
    since: Option<&'a Checkpoint>,
    progress: Progress<'a>,
) -> Answer<AuditReport> {
    if !house.is_closed() {
        // If sealing fails, the report says how many entries are not sealed.
        if let Err(error) = house.seal().await {
            tracing::warn!(target: "baize::audit", %error, "could not seal the journal before the audit");
        }
    }
    // The casino may be running: read everything from one frozen view.
    for _ in 0..TRIES {
        let store = house.store().frozen().await?;
        let known = HouseRecords::load(store.as_ref(), !house.has_key()).await?;
        let findings = Findings { known, ..Findings::default() };
        let findings = examine(house, &store, (expected, since), progress, findings).await?;
        if store.undisturbed() {
            return Ok(findings.report());
        }
    }
    Err(HouseError::Unavailable("the casino was opened during the audit: run it again".to_owned()))
}

async fn examine(
    house: &House,
    store: &Arc<dyn Store>,
    (expected, since): (Option<&Expected>, Option<&Checkpoint>),
    progress: Progress<'_>,
    mut findings: Findings,
) -> Answer<Findings> {
    let given = store.given().await;
    let given = findings.readable("the numbers of entries", given)?.flatten();
    let last = match given {
        Some(given) => given,
        None => store.numbers(None, None).await?.map_or(0, |(_, last)| last),
    };
    findings.gathered = state::StateBuilder::expecting(expected, given.is_some());
    let begun = match since {
        None => Some(chain::Chains::new()),
        Some(checkpoint) => checkpoint::resume(house, store.as_ref(), checkpoint, &mut findings).await?,
    };
    // The journal does not match the checkpoint.
    let Some(mut chains) = begun else { return Ok(findings) };
    let begun = totals::Totals::begin(house, store.as_ref(), since.map(|checkpoint| checkpoint.at)).await;
    findings.totals = begun?;
    let after = since.map_or(0, |checkpoint| checkpoint.after(given.is_some()));
    walk::all(store, (after, last), progress, &mut chains, &mut findings).await?;
    if findings.interrupted.is_some() {
        return Ok(findings);
    }
    totals::compare(store.as_ref(), true, &mut findings).await?;
    findings.checkpoint = Checkpoint::of(&chains, house.now(), &findings);
    let heads = chains
        .iter()
        .filter_map(|(stream, chain)| Some((stream.to_string(), chain.recent.last()?)))
        .map(|(stream, (version, hash))| (stream, (version, hash.to_owned())))
        .collect();
    if findings.lost.is_empty() {
        seals::end(&chains, &mut findings);
    }
    walk::end(store.as_ref(), chains, &mut findings).await?;
    order::end(given.filter(|_| findings.lost.is_empty()), &mut findings);
    if findings.lost.is_empty() {
        links::end(&mut findings);
        jackpots::last_awards(&mut findings);
        ledger_accounts::pools(&mut findings);
        cash::end(&mut findings);
        ledger_accounts::accounts(store.as_ref(), &mut findings).await?;
    } else {
        let lost = std::mem::take(&mut findings.lost);
        if let Some((number, why)) = lost.first() {
            findings.fault(
                format!("entry number {number}"),
                format!("it cannot be read: {why}; {} entries in total cannot be read", lost.len()),
            );
        }
        findings
            .notes
            .push("some entries could not be read, so seals, links and accounts were not checked".to_owned());
    }
    if !findings.resumed {
        ledger_accounts::loose(store.as_ref(), &mut findings).await?;
    }
    sealed::secrets(store.as_ref(), &mut findings).await?;
    let differences = store.differences().await;
    for difference in findings.readable("the database's own rules", differences)?.unwrap_or_default() {
        if difference.serious {
            findings.fault("the database's own rules", difference.what);
        } else {
            findings.notes.push(difference.what);
        }
    }
    findings.count("rules of the database", 1);
    state::end(heads, house.now(), &mut findings);
    Ok(findings)
}
