//! The audit: everything replayed, everything checked.
//!
//! Every chain is walked from its first entry: hashes, order, seals, links between chains. Every command is decided again and must give the
//! very events on record. Every ledger entry is worked out again and must balance; what the accounts hold must be what went through
//! them; meters must be what contributions and awards made of them; every deck must be the one that was promised.

mod cash;
mod chain;
mod checkpoint;
mod duties;
mod jackpots;
mod kept;
mod known;
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

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use baize_house::{Answer, House, HouseError};
use baize_jackpot::Exact;
use baize_journal::{Store, StoreError, Stream};
use baize_rules::{BoxNumber, Money};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use checkpoint::Checkpoint;
use known::Known;
pub use state::{AuditedState, Expected};

/// How often the audit begins again when somebody opens a casino on a file that nobody used.
const TRIES: usize = 3;

/// Is told now and then how many entries were replayed, and how many there are about. Answers whether the audit goes on.
pub type Progress<'a> = &'a (dyn Fn(u64, u64) -> bool + Sync);

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
    /// The audit was ended before its time: what it found so far is all that the rest says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interrupted: Option<Interrupted>,
    /// What a later audit can go on from. None: something is wrong, or could not be looked into.
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
    /// Whether all is well: nothing is wrong, and nothing was left out.
    #[must_use]
    pub const fn is_clean(&self) -> bool {
        self.faults.is_empty() && self.interrupted.is_none()
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
struct Findings {
    counts: BTreeMap<&'static str, u64>,
    faults: Vec<AuditFault>,
    notes: Vec<String>,
    /// The state that was audited.
    state: AuditedState,
    /// How far the audit came, where it was ended before its time.
    interrupted: Option<Interrupted>,
    /// What a later audit can go on from.
    checkpoint: Option<Checkpoint>,
    /// An earlier audit checked all up to here: only what came after is.
    goes_on: bool,
    /// How many entries that was.
    audited_before: u64,
    /// The hash of the second entry of the house's chain, or of the first where it has no other.
    house: Option<String>,
    /// Rulebooks that tables were set up with: id and hash.
    played: BTreeSet<(String, String)>,
    /// Numbers of entries that cannot be read, and why.
    lost: Vec<(u64, String)>,
    /// Chains of which something cannot be read: what hangs on that is not reported again.
    unread: Vec<Stream>,
    /// Tables whose chain is broken: what hangs on it is not reported again.
    broken: Vec<String>,
    /// Entries of rounds under way that were not looked into.
    sealed: u64,
    known: Known,
    order: order::Order,
    gathered: state::Gathered,
    links: links::Links,
    seals: seals::Seals,
    kept: kept::Kept,
    cash: cash::Cash,
    totals: totals::Totals,
    /// What every account should hold.
    accounts: BTreeMap<String, i64>,
    /// Awards by jackpot and hit: those that wait, and those that were drawn a moment ago.
    awards: BTreeMap<(String, u64), AwardState>,
    /// Pools that moved from one jackpot to another: what left the one, and what came to the other.
    moved: BTreeMap<(String, String), (Exact, Exact)>,
}

/// What is known of an award.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
struct AwardState {
    /// The jackpot has entered it, and whether it is paid.
    stands: Option<(Award, bool)>,
    /// A table has drawn it.
    drawn: Option<AwardTold>,
}

/// An award that a table says was drawn from its jackpot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct AwardTold {
    place: String,
    award: Award,
}

/// An award: whose it is and what it is.
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
        // Nobody goes on from what is wrong, nor from what was not looked into.
        let sound = self.faults.is_empty() && !self.known.keyless;
        let checkpoint = self.checkpoint.filter(|_| sound);
        let Findings { faults, notes, state, interrupted, .. } = self;
        AuditReport { checked, faults, notes, state, interrupted, checkpoint }
    }
}

/// Replays everything and checks chains, ledger, meters and promises. A house that is open seals its chains first.
///
/// # Errors
/// Only those of the database: what is wrong with the record is in the report.
pub async fn audit(house: &House) -> Answer<AuditReport> {
    audit_expecting(house, None).await
}

/// Audits the database at this address, beside whoever runs its casino.
///
/// # Errors
/// As [`audit`], and those of opening it.
pub async fn audit_at(address: &str) -> Answer<AuditReport> {
    audit(&House::look_at(address).await?).await
}

/// As [`audit`], and the journal must contain this earlier state.
///
/// # Errors
/// As [`audit`].
pub async fn audit_expecting(house: &House, expected: Option<&Expected>) -> Answer<AuditReport> {
    audit_with(house, expected, None, &|_, _| true).await
}

/// As [`audit_expecting`], and somebody is told how far it is. `since`: only what came after an earlier audit is checked.
///
/// # Errors
/// As [`audit`].
pub async fn audit_with(
    house: &House,
    expected: Option<&Expected>,
    since: Option<&Checkpoint>,
    progress: Progress<'_>,
) -> Answer<AuditReport> {
    if !house.is_closed() {
        // Where it cannot be sealed the audit says how much is not.
        if let Err(error) = house.seal().await {
            tracing::warn!(target: "baize::audit", %error, "the journal is audited without a new seal");
        }
    }
    // A casino may play on meanwhile: everything is read as it was at one moment.
    for _ in 0..TRIES {
        let store = house.store().frozen().await?;
        let known = Known::gather(store.as_ref(), !house.has_key()).await?;
        let findings = Findings { known, ..Findings::default() };
        let findings = examine(house, &store, (expected, since), progress, findings).await?;
        if store.undisturbed() {
            return Ok(findings.report());
        }
    }
    Err(HouseError::Unavailable("a casino was opened on the file meanwhile: audit it again".to_owned()))
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
    findings.gathered = state::Gathered::expecting(expected, given.is_some());
    let begun = match since {
        None => Some(chain::Chains::new()),
        Some(checkpoint) => checkpoint::go_on(house, store.as_ref(), checkpoint, &mut findings).await?,
    };
    // The journal is not the one that was audited: there is nothing to go on from.
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
                format!("it cannot be read: {why}; {} numbers in all cannot", lost.len()),
            );
        }
        findings.notes.push(
            "not all entries could be read: seals, links and accounts were not held against them".to_owned(),
        );
    }
    if !findings.goes_on {
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
