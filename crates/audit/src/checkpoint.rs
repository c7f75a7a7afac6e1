//! Checkpoints: where an audit ended, so that the next one checks only later entries.
//!
//! A checkpoint holds what cannot be restored without replaying the whole journal: account balances, pending awards, recent cash, open deck
//! promises. Its size depends on the number of people and tables, not on the journal's length. The states of tables, jackpots and the house
//! are restored from the last snapshot that an audited entry confirms, plus the entries after it. Every chain must still contain the entry
//! at which the audit ended.

use std::collections::{BTreeMap, BTreeSet};

use baize_house::record::{self, Body, State, TableFact};
use baize_house::replay::{LiveTable, follows};
use baize_house::{Answer, House, HouseError, Instant};
use baize_jackpot::{Exact, evolve};
use baize_journal::{Entry, Head, Store, Stream, secret};
use serde::{Deserialize, Serialize};

use super::chain::{Chain, Chains, Replay};
use super::kept::Numbers;
use super::order::Numbered;
use super::tables::Beside;
use super::{AwardState, Findings, cash::Cash};

/// Format version of a checkpoint file.
const FORMAT: u32 = 1;

/// Entries read per query.
const PAGE: u32 = 500;

/// PostgreSQL assigns a number before the entry becomes visible to others: entries up to this many numbers before the last may have
/// appeared since.
const VISIBILITY_LAG: u64 = 20_000;

/// Where an audit ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// Hash of the second entry of the house's chain. It identifies the casino, because it records the casino's key.
    house: String,
    /// When the audit ran.
    pub at: Instant,
    /// Number of entries.
    pub entries: u64,
    /// Highest entry number.
    last: u64,
    /// Hash over all entries in order, if numbers have no gaps.
    all: String,
    latest: Option<Numbered>,
    /// Number of entries covered by the last seal.
    sealed: u64,
    chains: BTreeMap<String, Point>,
    accounts: BTreeMap<String, i64>,
    awards: Vec<((String, u64), AwardState)>,
    moved: Vec<((String, String), (Exact, Exact))>,
    cash: Cash,
    /// Rounds whose summaries and decks were found, by table.
    seen: BTreeMap<String, (Numbers, Numbers)>,
    rulebooks: BTreeSet<(String, String)>,
}

/// The point in a chain at which an audit ended.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Point {
    pub(super) version: u64,
    pub(super) number: u64,
    pub(super) hash: String,
    pub(super) at: Option<Instant>,
    /// The rest of the chain was given up with a lost key.
    pub(super) shut: bool,
    /// The player was given play chips.
    pub(super) practice: bool,
    pub(super) table: Option<Beside>,
}

/// The file: a checkpoint and its digest.
#[derive(Serialize, Deserialize)]
struct Filed<T> {
    baize_audit: u32,
    sha256: String,
    checkpoint: T,
}

impl Checkpoint {
    /// A checkpoint of the current state; `None` if a chain cannot be resumed.
    pub(super) fn of(chains: &Chains, at: Instant, findings: &Findings) -> Option<Checkpoint> {
        let house = findings.house.clone()?;
        let mut points = BTreeMap::new();
        for (stream, chain) in chains {
            points.insert(stream.to_string(), chain.point()?);
        }
        Some(Checkpoint {
            house,
            at,
            entries: findings.order.entries,
            last: findings.order.highest,
            all: findings.gathered.all.clone(),
            latest: findings.order.latest.clone(),
            sealed: findings.seals.covered,
            chains: points,
            accounts: findings.accounts.clone(),
            awards: findings.awards.iter().map(|(key, of)| (key.clone(), of.clone())).collect(),
            moved: findings.moved.iter().map(|(key, of)| (key.clone(), *of)).collect(),
            cash: findings.cash.clone(),
            seen: findings.kept.seen.clone(),
            rulebooks: findings.played.clone(),
        })
    }

    /// The contents of the file.
    pub fn text(&self) -> String {
        let filed = Filed { baize_audit: FORMAT, sha256: self.digest(), checkpoint: self };
        serde_json::to_string(&filed).unwrap_or_default()
    }

    fn digest(&self) -> String {
        secret::digest(serde_json::to_string(self).unwrap_or_default().as_bytes())
    }

    /// Parses a checkpoint file.
    ///
    /// # Errors
    /// The file is not a checkpoint, is in another format, or was altered.
    pub fn parse(text: &str) -> Result<Checkpoint, String> {
        let filed: Filed<serde_json::Value> = serde_json::from_str(text)
            .map_err(|error| format!("not a file written by `baize audit --save`: {error}"))?;
        if filed.baize_audit != FORMAT {
            return Err(format!(
                "it has format {}, but this program reads format {FORMAT}: run a full audit",
                filed.baize_audit
            ));
        }
        let checkpoint: Checkpoint =
            serde_json::from_value(filed.checkpoint).map_err(|error| format!("it was altered: {error}"))?;
        if checkpoint.digest() != filed.sha256 {
            return Err("it was altered: its SHA-256 does not match".to_owned());
        }
        Ok(checkpoint)
    }

    /// Number after which entries may not have been audited.
    pub(super) const fn after(&self, gapless: bool) -> u64 {
        if gapless { self.last } else { self.last.saturating_sub(VISIBILITY_LAG) }
    }
}

/// Resumes from a checkpoint and returns its chains; `None` if the journal is not the one that was audited.
pub(super) async fn resume(
    house: &House,
    store: &dyn Store,
    from: &Checkpoint,
    findings: &mut Findings,
) -> Answer<Option<Chains>> {
    findings.resumed = true;
    let first = store.read(&Stream::house(), 0, 2).await?;
    if !first.iter().any(|entry| entry.hash == from.house) {
        findings.fault(
            "the journal",
            "it is not the checkpoint's casino, or was rewritten from its first entry: nothing else was checked",
        );
        return Ok(None);
    }
    let mut chains = Chains::new();
    for (name, point) in &from.chains {
        let stream = Stream::named(name.clone());
        match replay_to(house, store, &stream, point, findings).await {
            Ok(replay) => drop(chains.insert(stream, Chain::resumed(point, replay))),
            Err(HouseError::Corrupt(why)) => findings.fault(format!("{stream} entry {}", point.version), why),
            Err(other) => return Err(other),
        }
    }
    if !findings.faults.is_empty() {
        findings
            .notes
            .push("the journal does not match the checkpoint: later entries were not checked".to_owned());
        return Ok(None);
    }
    findings.notes.push(format!(
        "only entries after the audit of {} were checked: the {} before it were not checked again",
        from.at, from.entries
    ));
    findings.house = Some(from.house.clone());
    findings.count("chains resumed", chains.len() as u64);
    findings.audited_before = from.entries;
    findings.order.resume(from.entries, from.last, from.latest.clone());
    findings.gathered.all.clone_from(&from.all);
    findings.seals.covered = from.sealed;
    findings.accounts.clone_from(&from.accounts);
    findings.awards = from.awards.iter().cloned().collect();
    findings.moved = from.moved.iter().cloned().collect();
    findings.cash = from.cash.clone();
    findings.kept.seen.clone_from(&from.seen);
    findings.played.clone_from(&from.rulebooks);
    Ok(Some(chains))
}

fn corrupt(what: impl Into<String>) -> HouseError {
    HouseError::Corrupt(what.into())
}

/// The state of a chain at the point where the audit ended.
async fn replay_to(
    house: &House,
    store: &dyn Store,
    stream: &Stream,
    point: &Point,
    findings: &Findings,
) -> Answer<Replay> {
    let mut replay = Replay::of(stream);
    let mut head = Head::default();
    let whole = match &mut replay {
        Replay::Table(replay) => {
            replay.beside = point.table.clone().unwrap_or_default();
            !point.shut
        }
        Replay::Player(_, practice) => {
            *practice = point.practice;
            false
        }
        Replay::House(_) | Replay::Jackpot(_) => true,
        Replay::Unknown => false,
    };
    if whole {
        // A table's snapshot is confirmed by the entry after it, which must have been audited too.
        let to = point.version - u64::from(stream.after("table/").is_some());
        if let Some((at, state)) = house.snapshot(stream, to, None).await?
            && restore(&mut replay, state, findings)?
        {
            head = at;
        }
    } else {
        head.version = point.version - 1;
    }
    while head.version < point.version {
        let entries = store.read(stream, head.version, PAGE).await?;
        let gone = || {
            corrupt("it was audited and is missing now: history was rewritten, or an older copy was restored")
        };
        let entries: Vec<&Entry> = entries.iter().filter(|entry| entry.version <= point.version).collect();
        if entries.is_empty() {
            return Err(gone());
        }
        for entry in entries {
            if whole {
                follows(&head, entry)?;
                apply(&mut replay, entry, findings)?;
            } else if entry.version != point.version {
                return Err(gone());
            }
            head = entry.head();
        }
    }
    if head.hash == point.hash {
        Ok(replay)
    } else {
        Err(corrupt(
            "it differs from the entry that was audited: history was rewritten, or an older copy was restored",
        ))
    }
}

/// Restores a snapshot; `false` if it cannot be used.
fn restore(replay: &mut Replay, state: State, findings: &Findings) -> Answer<bool> {
    match (replay, state) {
        (Replay::House(register), State::House(kept)) => *register = kept,
        (Replay::Jackpot(replay), State::Jackpot(kept)) => replay.state = *kept,
        (Replay::Table(replay), State::Table(kept)) => {
            let Ok(book) = findings.known.rulebooks.find(kept.rulebook_id(), kept.rulebook_hash()) else {
                return Ok(false);
            };
            replay.live = Some(LiveTable::resumed(*kept, book));
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// Applies an audited entry.
fn apply(replay: &mut Replay, entry: &Entry, findings: &Findings) -> Answer<()> {
    match (replay, record::read(&entry.body, &entry.place())?) {
        (Replay::House(register), Body::House(facts)) => facts.iter().for_each(|fact| register.apply(fact)),
        (Replay::Jackpot(replay), Body::Jackpot(steps)) => {
            for event in steps.iter().flat_map(|step| &step.events) {
                replay.state = evolve(std::mem::take(&mut replay.state), event);
            }
        }
        (Replay::Table(replay), Body::Table { steps, .. }) => {
            for fact in steps.iter().flat_map(|step| &step.facts) {
                if let TableFact::SetUp { config, hash, .. } = fact {
                    let book = findings.known.rulebooks.find(&config.rulebook, hash)?;
                    replay.live = Some(LiveTable::new((**config).clone(), book));
                }
                let live = replay.live.as_mut().ok_or_else(|| corrupt("the table was not set up"))?;
                live.apply(fact, entry.at, entry.version);
            }
        }
        _ => return Err(corrupt("it belongs to another chain")),
    }
    Ok(())
}
