//! Walking a chain from its first entry to its last.

use std::collections::BTreeMap;

use super::jackpots::JackpotReplay;
use super::order::Numbered;
use super::tables::TableReplay;
use super::{Findings, SealedHead, TableEntry, duties, order, sums};
use crate::facts::{Body, HouseFact, PurseFact};
use crate::house::{Answer, follows};
use crate::journal::{Entry, Head, Posting, SnapshotFilter, SnapshotRow, Store, StoreError, Stream};
use crate::ledger::{self, Movements};
use crate::slots::Register;
use crate::snapshots::State;
use crate::stored;
use crate::{PlayerId, kinds};

/// How many entries of a chain may be unreadable before the rest is given up.
const MOST_MISSED: u32 = 1_000;

/// What a chain is made of, replayed.
enum Replay {
    House(Box<Register>),
    Table(Box<TableReplay>),
    Jackpot(Box<JackpotReplay>),
    /// With whether they were given chips for play.
    Player(PlayerId, bool),
    Unknown,
}

impl Replay {
    fn of(stream: &Stream) -> Replay {
        if *stream == Stream::house() {
            return Replay::House(Box::default());
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
    let mut before: Option<Numbered> = None;
    let mut unvouched: Option<SnapshotRow> = None;
    findings.count("chains", 1);
    loop {
        let (entries, unreadable) = page(store, stream, head.version).await?;
        let Some(last) = entries.last() else {
            match unreadable {
                Some(why) => return unread(store, stream, &head, &why, findings).await,
                None => break,
            }
        };
        let mut kept = snapshots(store, stream, head.version + 1, last.version, findings).await?;
        for entry in entries {
            let given_up = || stream.after("table/").is_some_and(|table| findings.given_up.contains(table));
            if entry.is_sealed() && (findings.keyless || given_up()) {
                return shut(store, stream, head, findings).await;
            }
            let order = before.as_ref().map_or(Ok(()), |before| order::after(before, &entry, findings));
            if let Err(what) = order.and_then(|()| one(&entry, &head, &mut replay, findings)) {
                findings.fault(entry.place(), what);
                // What it moved is in the accounts all the same: one fault is not to be reported as many.
                if let Some(table) = stream.after("table/") {
                    findings.broken.push(table.to_owned());
                }
                skip_sums(store, stream, head.version, findings).await?;
                return Ok(());
            }
            head = entry.head();
            before = Some(Numbered::of(&entry));
            if let Some(row) = kept.remove(&entry.version)
                && compare(&row, &entry, &replay, findings)
            {
                unvouched = Some(row);
            }
            if unvouched.as_ref().is_some_and(|row| row.vouched_by() == entry.version) {
                vouched(unvouched.take(), &entry, findings);
            }
        }
    }
    for row in snapshots(store, stream, head.version + 1, u64::MAX, findings).await?.into_values() {
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
    findings: &mut Findings,
) -> Answer<BTreeMap<u64, SnapshotRow>> {
    let filter = SnapshotFilter { stream: stream.clone(), from, to, before: None, limit: u32::MAX };
    let rows = store.snapshots(filter).await;
    let rows = findings.readable(&format!("the snapshots of {stream}"), rows)?.unwrap_or_default();
    Ok(rows.into_iter().map(|row| (row.version, row)).collect())
}

/// The next entries of a chain, and why there are no more, if the next one cannot be read.
async fn page(store: &dyn Store, stream: &Stream, after: u64) -> Answer<(Vec<Entry>, Option<String>)> {
    match store.read(stream, after, 1_000).await {
        Ok(entries) => return Ok((entries, None)),
        Err(StoreError::Corrupt(_)) => {}
        Err(other) => return Err(other.into()),
    }
    // One of them: the others are read one by one.
    let mut entries: Vec<Entry> = Vec::new();
    loop {
        let at = entries.last().map_or(after, |last| last.version);
        match store.read(stream, at, 1).await {
            Ok(next) if next.is_empty() || entries.len() == 1_000 => return Ok((entries, None)),
            Ok(next) => entries.extend(next),
            Err(StoreError::Corrupt(why)) => return Ok((entries, Some(why))),
            Err(other) => return Err(other.into()),
        }
    }
}

/// The entry after `head` cannot be read: the chain ends here. Later ones are noted, so that others find what they link to.
async fn unread(
    store: &dyn Store,
    stream: &Stream,
    head: &Head,
    why: &str,
    findings: &mut Findings,
) -> Answer<()> {
    findings.fault(format!("{stream} entry {}", head.version + 1), format!("it cannot be read: {why}"));
    findings.unread.push(stream.clone());
    findings.broken.extend(stream.after("table/").map(str::to_owned));
    let mut at = head.version + 1;
    let mut missed = 0;
    while missed < MOST_MISSED {
        match store.read(stream, at, 1).await {
            Ok(next) => {
                let Some(entry) = next.first() else { return Ok(()) };
                at = entry.version;
                skip(entry, findings);
            }
            Err(StoreError::Corrupt(_)) => {
                at += 1;
                missed += 1;
            }
            Err(other) => return Err(other.into()),
        }
    }
    Ok(())
}

/// Whether a snapshot says what the replay says.
fn compare(row: &SnapshotRow, entry: &Entry, replay: &Replay, findings: &mut Findings) -> bool {
    findings.count("snapshots", 1);
    let state = match replay {
        Replay::House(register) => Some(State::House(register.clone())),
        Replay::Table(replay) => replay.between_rounds().map(|state| State::Table(Box::new(state))),
        Replay::Jackpot(replay) => Some(State::Jackpot(Box::new(replay.state().clone()))),
        Replay::Player(..) | Replay::Unknown => None,
    };
    if row.hash != entry.hash {
        findings.fault(row.place(), "it belongs to another entry: its hash is not the chain's");
    } else if stored::read_state(&row.state, "").ok() != state {
        findings.fault(row.place(), "it does not say what the journal says");
    } else {
        return true;
    }
    false
}

/// The chain vouches for this very snapshot. One of an older program has no digest, and nobody uses it.
fn vouched(row: Option<SnapshotRow>, entry: &Entry, findings: &mut Findings) {
    let Some(row) = row else { return };
    match crate::journal::vouched(&entry.body) {
        Some(digest) if digest != row.digest() => {
            findings.fault(row.place(), format!("it is not the one that {} vouches for", entry.place()));
        }
        Some(_) => findings.count("snapshots vouched for", 1),
        None => {}
    }
}

/// The rest of a table's chain is sealed, and the key is not here: a round is under way. What it moved counts, and its entries follow each
/// other.
async fn shut(store: &dyn Store, stream: &Stream, mut head: Head, findings: &mut Findings) -> Answer<()> {
    findings.broken.extend(stream.after("table/").map(str::to_owned));
    loop {
        let (entries, unreadable) = page(store, stream, head.version).await?;
        for entry in &entries {
            if !entry.is_sealed() || stream.after("table/").is_none() {
                findings.fault(
                    entry.place(),
                    "a sealed entry comes before it, and only a round under way is sealed",
                );
                return skip_sums(store, stream, head.version, findings).await;
            }
            if entry.previous != head.hash {
                findings.fault(entry.place(), "it does not follow the entry before it");
            }
            skip(entry, findings);
            findings.sealed += 1;
            head = entry.head();
        }
        if let Some(why) = unreadable {
            return unread(store, stream, &head, &why, findings).await;
        }
        if entries.is_empty() {
            return Ok(());
        }
    }
}

async fn skip_sums(store: &dyn Store, stream: &Stream, after: u64, findings: &mut Findings) -> Answer<()> {
    let mut at = after;
    loop {
        let (entries, unreadable) = page(store, stream, at).await?;
        entries.iter().for_each(|entry| skip(entry, findings));
        at = entries.last().map_or(at, |last| last.version);
        if let Some(why) = unreadable {
            let head = Head { version: at, hash: String::new() };
            return unread(store, stream, &head, &why, findings).await;
        }
        if entries.is_empty() {
            return Ok(());
        }
    }
}

/// An entry after a bad one: it counts in the sums, and others may link to it.
fn skip(entry: &Entry, findings: &mut Findings) {
    note(entry, findings);
    let (place, number) = (entry.place(), entry.number);
    let matters = TableEntry { place, number, wagers: Vec::new(), answered: true };
    findings.entries.insert(entry.hash.clone(), matters);
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
    order::linked(entry, findings)?;
    let moved = match (replay, &body) {
        (Replay::House(register), Body::House(facts)) => {
            duties::in_house(entry, facts, findings)?;
            house(register, facts, entry, findings)?;
            Vec::new()
        }
        (Replay::Table(replay), Body::Table { steps, .. }) => replay.entry(entry, steps, findings)?,
        (Replay::Jackpot(replay), Body::Jackpot(steps)) => {
            duties::at_jackpot(entry, steps, findings)?;
            replay.entry(entry, steps, findings)?
        }
        (Replay::Player(id, practice), Body::Purse(facts)) => {
            duties::at_cage(entry, facts, findings)?;
            let mut moves = Movements::default();
            for fact in facts {
                purse(fact, practice, entry, findings)?;
                findings.cash.purse(id, fact, entry);
                ledger::at_cage(id, fact, &mut moves);
            }
            moves.postings()
        }
        _ => return Err("it belongs to another chain".to_owned()),
    };
    same_postings(&moved, &entry.postings)?;
    note(entry, findings);
    findings.count("journal entries", 1);
    findings.count("ledger entries", u64::try_from(entry.postings.len()).unwrap_or(0));
    Ok(())
}

/// What the sums over everything need of an entry.
fn note(entry: &Entry, findings: &mut Findings) {
    sums::add(entry, findings);
    findings.hashes.insert((entry.stream.clone(), entry.version), (entry.hash.clone(), entry.number));
    findings.order.push(Numbered::of(entry));
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
        PurseFact::ChipsReturned { table, .. } if !findings.given_up.contains(table.as_str()) => {
            return Err(format!("no round of table {table} was given up"));
        }
        PurseFact::BoughtIn { .. }
        | PurseFact::CashedOut { .. }
        | PurseFact::ClaimCollected { .. }
        | PurseFact::ChipsReturned { .. } => {}
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

/// Gathers what the house's chain says of rulebooks and staff before anything is replayed. Whether that is in order is found when the chain
/// is walked.
pub(super) async fn known(store: &dyn Store, findings: &mut Findings) -> Answer<()> {
    let mut after = 0;
    loop {
        let (entries, _) = page(store, &Stream::house(), after).await?;
        let Some(last) = entries.last() else { return Ok(()) };
        after = last.version;
        for entry in &entries {
            let Ok(Body::House(facts)) = stored::read(&entry.body, &entry.place()) else { continue };
            for fact in facts {
                findings.lineage.note(&fact, &entry.actor, entry.at);
                if let HouseFact::KeyTaken { given_up, .. } = &fact {
                    findings.ruled_from.get_or_insert(entry.at);
                    findings.given_up.extend(given_up.keys().map(ToString::to_string));
                }
                if let HouseFact::RulebookRecorded { hash, text } = &fact {
                    findings.rulebooks.record(hash, text);
                } else if let HouseFact::StaffCreated { id, duties, .. }
                | HouseFact::DutiesChanged { id, after: duties, .. } = fact
                {
                    findings.staff.entry(id.to_string()).or_default().extend(duties);
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
        findings.cash.house(fact, entry);
        if let HouseFact::RulebookRecorded { hash, text } = fact {
            let book = crate::rulebooks::read(text).ok_or("its rulebook cannot be read")?;
            if book.hash != *hash {
                return Err("its rulebook has another hash than it says".to_owned());
            }
            findings.count("rulebooks", 1);
        }
        if let HouseFact::ClockJumped { expected, found } = fact {
            let place = entry.place();
            findings
                .notes
                .push(format!("{place}: a clock jumped; it should have shown {expected} and showed {found}"));
        }
        if let HouseFact::Sealed { heads } = fact {
            findings.count("seals", 1);
            for (stream, (version, hash)) in heads {
                let (stream, hash, version) = (Stream::named(stream.clone()), hash.clone(), *version);
                let (place, number) = (entry.place(), entry.number);
                findings.seals.push(SealedHead { stream, version, hash, place, number });
            }
        }
    }
    Ok(())
}
