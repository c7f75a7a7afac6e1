//! Where an audit ended, so that the next one checks only what came after.
//!
//! A checkpoint holds what cannot be read from the journal without walking all of it: what every account held, awards that wait, cash of
//! the last days, promises that are open. All of that is bounded by people and tables. What a table, a jackpot or the house was like then is
//! read from the journal: from the last snapshot that an audited entry vouches for, and the entries after it. Every chain must still have the
//! entry at which it was left.

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

/// The form of a checkpoint's file.
const FORM: u32 = 1;

/// Entries that are read at once.
const PAGE: u32 = 500;

/// PostgreSQL gives a number before the entry is there for others to see: one that was given so many numbers before the last may have come
/// since.
const LATE: u64 = 20_000;

/// Where an audit ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// The hash of the second entry of the house's chain: of which house it is. With it the house has taken its key, which is no other's.
    house: String,
    /// When it was taken.
    pub at: Instant,
    /// How many entries there were.
    pub entries: u64,
    /// The highest number.
    last: u64,
    /// The hash over all entries in order, where numbers have no gaps.
    all: String,
    latest: Option<Numbered>,
    /// How many entries the last seal covers.
    sealed: u64,
    chains: BTreeMap<String, Point>,
    accounts: BTreeMap<String, i64>,
    awards: Vec<((String, u64), AwardState)>,
    moved: Vec<((String, String), (Exact, Exact))>,
    cash: Cash,
    /// Rounds whose lines and decks were found, by table.
    seen: BTreeMap<String, (Numbers, Numbers)>,
    rulebooks: BTreeSet<(String, String)>,
}

/// Where a chain was left.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Point {
    pub(super) version: u64,
    pub(super) number: u64,
    pub(super) hash: String,
    pub(super) at: Option<Instant>,
    /// The rest of it was given up with a lost key.
    pub(super) shut: bool,
    /// A player who was given chips for play.
    pub(super) practice: bool,
    pub(super) table: Option<Beside>,
}

/// A checkpoint in its file, with a digest over it.
#[derive(Serialize, Deserialize)]
struct Filed<T> {
    baize_audit: u32,
    sha256: String,
    checkpoint: T,
}

impl Checkpoint {
    /// What was walked, as it is now. None: a chain cannot be gone on from.
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

    /// As it is kept in a file.
    pub fn text(&self) -> String {
        let filed = Filed { baize_audit: FORM, sha256: self.digest(), checkpoint: self };
        serde_json::to_string(&filed).unwrap_or_default()
    }

    fn digest(&self) -> String {
        secret::digest(serde_json::to_string(self).unwrap_or_default().as_bytes())
    }

    /// What was kept so.
    ///
    /// # Errors
    /// It is no checkpoint, a newer program's, or was altered.
    pub fn parse(text: &str) -> Result<Checkpoint, String> {
        let filed: Filed<serde_json::Value> = serde_json::from_str(text)
            .map_err(|error| format!("not a file that `baize audit --save` wrote: {error}"))?;
        if filed.baize_audit != FORM {
            return Err(format!(
                "its form is {}, and this program reads {FORM}: audit everything once more",
                filed.baize_audit
            ));
        }
        let checkpoint: Checkpoint =
            serde_json::from_value(filed.checkpoint).map_err(|error| format!("it was altered: {error}"))?;
        if checkpoint.digest() != filed.sha256 {
            return Err("it was altered: its SHA-256 is not the one that it names".to_owned());
        }
        Ok(checkpoint)
    }

    /// The number after which entries may not have been audited.
    pub(super) const fn after(&self, gapless: bool) -> u64 {
        if gapless { self.last } else { self.last.saturating_sub(LATE) }
    }
}

/// Goes on from a checkpoint: the chains as they were left. None: the journal is not the one that was audited.
pub(super) async fn go_on(
    house: &House,
    store: &dyn Store,
    from: &Checkpoint,
    findings: &mut Findings,
) -> Answer<Option<Chains>> {
    findings.goes_on = true;
    let first = store.read(&Stream::house(), 0, 2).await?;
    if !first.iter().any(|entry| entry.hash == from.house) {
        findings.fault(
            "the journal",
            "it is another house's than the checkpoint, or was written anew from its first entry: nothing else was checked",
        );
        return Ok(None);
    }
    let mut chains = Chains::new();
    for (name, point) in &from.chains {
        let stream = Stream::named(name.clone());
        match left(house, store, &stream, point, findings).await {
            Ok(replay) => drop(chains.insert(stream, Chain::left(point, replay))),
            Err(HouseError::Corrupt(why)) => findings.fault(format!("{stream} entry {}", point.version), why),
            Err(other) => return Err(other),
        }
    }
    if !findings.faults.is_empty() {
        findings.notes.push(
            "the journal is not the one of the checkpoint: what came after it was not checked".to_owned(),
        );
        return Ok(None);
    }
    findings.notes.push(format!(
        "only what came after the audit of {} was checked: its {} entries were not looked at again",
        from.at, from.entries
    ));
    findings.house = Some(from.house.clone());
    findings.count("chains gone on with", chains.len() as u64);
    findings.audited_before = from.entries;
    findings.order.go_on(from.entries, from.last, from.latest.clone());
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

/// What a chain was like where it was left.
async fn left(
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
        // A table's snapshot is vouched for by the entry after it, and that one must have been audited too.
        let to = point.version - u64::from(stream.after("table/").is_some());
        if let Some((at, state)) = house.snapshot(stream, to, None).await?
            && take_up(&mut replay, state, findings)?
        {
            head = at;
        }
    } else {
        head.version = point.version - 1;
    }
    while head.version < point.version {
        let entries = store.read(stream, head.version, PAGE).await?;
        let gone = || {
            corrupt("it is missing, and was audited: history was rewritten, or an older copy was restored")
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
            "it is not the one that was audited: history was rewritten, or an older copy was restored",
        ))
    }
}

/// Takes up a state that was kept.
fn take_up(replay: &mut Replay, state: State, findings: &Findings) -> Answer<bool> {
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

/// What an audited entry led to.
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
