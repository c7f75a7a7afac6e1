//! Walking a chain from its first entry to its last.

use std::collections::BTreeMap;

use baize_rules::Rulebook;

use super::jackpots::JackpotReplay;
use super::tables::TableReplay;
use super::{Findings, TableEntry, sums};
use crate::facts::{Body, HouseFact, PurseFact};
use crate::house::{Answer, follows};
use crate::journal::{Entry, EntryFilter, Head, Posting, SnapshotFilter, SnapshotRow, Store, Stream, stored};
use crate::ledger::{self, Movements};
use crate::slots::Register;
use crate::snapshots::State;
use crate::{PlayerId, kinds};

/// What a chain is made of, replayed.
enum Replay {
    House(Register),
    Table(Box<TableReplay>),
    Jackpot(Box<JackpotReplay>),
    /// With whether he was given chips for play.
    Player(PlayerId, bool),
    Unknown,
}

impl Replay {
    fn of(stream: &Stream) -> Replay {
        if *stream == Stream::house() {
            return Replay::House(Register::default());
        }
        if let Some(id) = stream.after("table/").and_then(|name| name.parse().ok()) {
            return Replay::Table(Box::new(TableReplay::new(id)));
        }
        if let Some(id) = stream.after("jackpot/").and_then(|name| name.parse().ok()) {
            return Replay::Jackpot(Box::new(JackpotReplay::new(id)));
        }
        match stream.after("player/").and_then(|name| name.parse().ok()) {
            Some(id) => Replay::Player(id, false),
            None => Replay::Unknown,
        }
    }
}

/// Walks a chain. After the first bad entry nothing of it can be relied on: the walk ends there.
pub(super) async fn stream(store: &dyn Store, stream: &Stream, findings: &mut Findings) -> Answer<()> {
    let mut head = Head::default();
    let mut replay = Replay::of(stream);
    findings.count("chains", 1);
    loop {
        let entries = store.read(stream, head.version, 1_000).await?;
        let Some(last) = entries.last() else { break };
        let mut kept = snapshots(store, stream, head.version + 1, last.version).await?;
        for entry in entries {
            if let Err(what) = one(&entry, &head, &mut replay, findings) {
                findings.fault(entry.place(), what);
                // What it moved is in the accounts all the same: one fault is not to be reported as many.
                if let Some(table) = stream.after("table/") {
                    findings.broken.push(table.to_owned());
                }
                skip_sums(store, stream, head.version, findings).await?;
                return Ok(());
            }
            head = entry.head();
            if let Some(row) = kept.remove(&entry.version) {
                compare(&row, &entry, &replay, findings);
            }
        }
    }
    for row in snapshots(store, stream, head.version + 1, u64::MAX).await?.into_values() {
        findings.fault(row.place(), "the chain has no such entry");
    }
    if let Replay::Table(replay) = replay {
        replay.decks(store, findings).await?;
    } else if let Replay::Jackpot(replay) = replay {
        replay.end(findings);
    }
    Ok(())
}

async fn snapshots(
    store: &dyn Store,
    stream: &Stream,
    from: u64,
    to: u64,
) -> Answer<BTreeMap<u64, SnapshotRow>> {
    let filter = SnapshotFilter { stream: stream.clone(), from, to, before: None, limit: u32::MAX };
    Ok(store.snapshots(filter).await?.into_iter().map(|row| (row.version, row)).collect())
}

/// A snapshot says what the replay says.
fn compare(row: &SnapshotRow, entry: &Entry, replay: &Replay, findings: &mut Findings) {
    findings.count("snapshots", 1);
    let state = match replay {
        Replay::House(register) => Some(State::House(Box::new(register.clone()))),
        Replay::Table(replay) => replay.between_rounds().map(|state| State::Table(Box::new(state))),
        Replay::Jackpot(replay) => Some(State::Jackpot(Box::new(replay.state().clone()))),
        Replay::Player(..) | Replay::Unknown => None,
    };
    if row.hash != entry.hash {
        findings.fault(row.place(), "it belongs to another entry: its hash is not the chain's");
    } else if stored::read_state(&row.state, "").ok() != state {
        findings.fault(row.place(), "it does not say what the journal says");
    }
}

async fn skip_sums(store: &dyn Store, stream: &Stream, after: u64, findings: &mut Findings) -> Answer<()> {
    let mut at = after;
    loop {
        let entries = store.read(stream, at, 1_000).await?;
        let Some(last) = entries.last() else { return Ok(()) };
        at = last.version;
        for entry in &entries {
            sums::add(entry, findings);
            findings.hashes.insert((entry.stream.clone(), entry.version), entry.hash.clone());
            let matters = TableEntry { place: entry.place(), wagers: Vec::new(), answered: true };
            findings.entries.insert(entry.hash.clone(), matters);
        }
    }
}

fn one(entry: &Entry, head: &Head, replay: &mut Replay, findings: &mut Findings) -> Result<(), String> {
    follows(head, entry).map_err(|error| error.to_string().replace(&format!("{}: ", entry.place()), ""))?;
    if entry.postings.iter().map(|posting| i128::from(posting.cents)).sum::<i128>() != 0 {
        return Err("its ledger entries do not balance".to_owned());
    }
    let body = stored::read(&entry.body, &entry.place()).map_err(|error| error.to_string())?;
    if kinds::kinds(&body) != entry.kinds {
        return Err("its index does not say what it holds".to_owned());
    }
    let moved = match (replay, &body) {
        (Replay::House(register), Body::House(facts)) => {
            house(register, facts, entry, findings)?;
            Vec::new()
        }
        (Replay::Table(replay), Body::Table { steps, .. }) => replay.entry(entry, steps, findings)?,
        (Replay::Jackpot(replay), Body::Jackpot(steps)) => replay.entry(entry, steps, findings)?,
        (Replay::Player(id, practice), Body::Purse(facts)) => {
            let mut moves = Movements::default();
            for fact in facts {
                purse(fact, practice, entry, findings)?;
                ledger::at_cage(id, fact, &mut moves);
            }
            moves.postings()
        }
        _ => return Err("it belongs to another chain".to_owned()),
    };
    same_postings(&moved, &entry.postings)?;
    sums::add(entry, findings);
    findings.hashes.insert((entry.stream.clone(), entry.version), entry.hash.clone());
    findings.count("journal entries", 1);
    findings.count("ledger entries", u64::try_from(entry.postings.len()).unwrap_or(0));
    Ok(())
}

/// Chips that were given for play never go over the counter; a claim is what a table's entry took beyond what the purse held.
fn purse(fact: &PurseFact, practice: &mut bool, entry: &Entry, findings: &Findings) -> Result<(), String> {
    match fact {
        PurseFact::PlayChipsGiven { .. } => *practice = true,
        PurseFact::BoughtIn { .. } | PurseFact::CashedOut { .. } if *practice => {
            return Err("chips that were given for play went over the counter".to_owned());
        }
        PurseFact::ClaimBooked { taken, held, amount, .. } => {
            if *amount != *taken - *held {
                return Err("its claim is not what was taken less what the purse held".to_owned());
            }
            if !entry.link.as_ref().is_some_and(|link| findings.entries.contains_key(link)) {
                return Err("the table's entry that it belongs to is missing".to_owned());
            }
        }
        PurseFact::BoughtIn { .. } | PurseFact::CashedOut { .. } | PurseFact::ClaimCollected { .. } => {}
    }
    Ok(())
}

fn same_postings(right: &[Posting], found: &[Posting]) -> Result<(), String> {
    if right == found {
        return Ok(());
    }
    let list = |postings: &[Posting]| {
        let one = |posting: &Posting| format!("{} {}", posting.account, posting.cents);
        postings.iter().map(one).collect::<Vec<_>>().join(", ")
    };
    Err(format!("its ledger entries are [{}] and should be [{}]", list(found), list(right)))
}

/// Gathers the rulebooks before anything is replayed. Whether they are in order is found when the house's chain is walked.
pub(super) async fn rulebooks(store: &dyn Store, findings: &mut Findings) -> Answer<()> {
    let mut after = 0;
    loop {
        let filter = EntryFilter {
            stream: Some(Stream::house()),
            kind: Some("rulebook-recorded".to_owned()),
            after: Some(after),
            limit: 100,
            ..EntryFilter::default()
        };
        let entries = store.entries(filter).await?;
        let Some(last) = entries.last() else { return Ok(()) };
        after = last.number;
        for entry in &entries {
            let Ok(Body::House(facts)) = stored::read(&entry.body, &entry.place()) else { continue };
            for fact in facts {
                if let HouseFact::RulebookRecorded { hash, text } = fact {
                    findings.rulebooks.record(&hash, &text);
                }
            }
        }
    }
}

fn house(
    register: &mut Register,
    facts: &[HouseFact],
    entry: &Entry,
    findings: &mut Findings,
) -> Result<(), String> {
    for fact in facts {
        register.apply(fact);
        if let HouseFact::RulebookRecorded { hash, text } = fact {
            let book = Rulebook::parse("rulebook", text).map_err(|_| "its rulebook cannot be read")?;
            if book.hash != *hash {
                return Err("its rulebook has another hash than it says".to_owned());
            }
            findings.count("rulebooks", 1);
        }
        if let HouseFact::Sealed { heads } = fact {
            findings.count("seals", 1);
            for (stream, (version, hash)) in heads {
                findings.seals.push((Stream::named(stream.clone()), *version, hash.clone(), entry.place()));
            }
        }
    }
    Ok(())
}
