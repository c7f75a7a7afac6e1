//! The audit of one chain: replays its entries in order. After the first bad entry the rest cannot be replayed; it only counts towards sums
//! and as the target of links.

use std::collections::HashMap;

use baize_house::ledger::{self, Movements};
use baize_house::record::{self, Body, HouseFact, PurseFact, State};
use baize_house::replay::{Register, read_rulebook};
use baize_house::{Instant, PlayerId};
use baize_journal::{Entry, Head, Posting, SnapshotRow, Stream};

use super::checkpoint::Point;
use super::jackpots::JackpotReplay;
use super::prepared::Prepared;
use super::seals::{self, Recent};
use super::tables::TableReplay;
use super::{Findings, duties, ledger_accounts, links, order};

/// The replayed state of a chain.
pub(super) enum Replay {
    House(Box<Register>),
    Table(Box<TableReplay>),
    Jackpot(Box<JackpotReplay>),
    /// The player, and whether they were given play chips.
    Player(PlayerId, bool),
    Unknown,
}

impl Replay {
    pub(super) fn of(stream: &Stream) -> Replay {
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

/// The condition of a chain.
#[derive(PartialEq, Eq)]
enum Standing {
    Good,
    /// Sealed entries of a round in progress, without the key.
    Sealed,
    Broken,
    /// An entry before this one (place and number) is missing, or has a later number.
    Gap(String, u64),
}

/// A chain.
pub(crate) struct Chain {
    head: Head,
    at: Option<Instant>,
    replay: Replay,
    standing: Standing,
    unconfirmed: Option<SnapshotRow>,
    pub(super) recent: Recent,
    /// The version up to which an earlier audit has checked the chain.
    audited: u64,
}

impl Chain {
    pub(super) fn new(stream: &Stream, findings: &mut Findings) -> Chain {
        findings.count("chains", 1);
        let (head, replay) = (Head::default(), Replay::of(stream));
        let standing = Standing::Good;
        Chain { head, at: None, replay, standing, unconfirmed: None, recent: Recent::default(), audited: 0 }
    }

    /// The chain at the point where an earlier audit ended.
    pub(super) fn resumed(at: &Point, replay: Replay) -> Chain {
        let head = Head { version: at.version, hash: at.hash.clone() };
        let standing = if at.shut { Standing::Sealed } else { Standing::Good };
        let recent = Recent::of(at.version, at.number, &at.hash);
        Chain { head, at: at.at, replay, standing, unconfirmed: None, recent, audited: at.version }
    }

    /// The point to resume from; `None` if the chain is broken.
    pub(super) fn point(&self) -> Option<Point> {
        if !matches!(self.standing, Standing::Good | Standing::Sealed) {
            return None;
        }
        let (table, practice) = match &self.replay {
            Replay::Table(replay) => (Some(replay.beside.clone()), false),
            Replay::Player(_, practice) => (None, *practice),
            Replay::House(_) | Replay::Jackpot(_) | Replay::Unknown => (None, false),
        };
        let (version, number, hash) = (self.head.version, self.recent.number()?, self.head.hash.clone());
        let shut = self.standing == Standing::Sealed;
        Some(Point { version, number, hash, at: self.at, shut, practice, table })
    }

    /// Whether an earlier audit has checked this entry.
    pub(super) const fn was_audited(&self, entry: &Entry) -> bool {
        entry.version <= self.audited
    }

    /// The next entry of the chain, with its snapshot if there is one.
    pub(super) fn next(&mut self, of: &Prepared, snapshot: Option<SnapshotRow>, findings: &mut Findings) {
        let entry = &of.entry;
        match &self.standing {
            Standing::Good => self.good(of, snapshot, findings),
            Standing::Sealed => self.sealed(entry, findings),
            Standing::Gap(place, number) if entry.version == self.head.version + 1 => {
                let what = format!(
                    "its number is {number}, but the entry before it has {}: numbers were altered",
                    entry.number
                );
                findings.fault(place.clone(), what);
                self.standing = Standing::Broken;
                skip(entry, findings);
            }
            Standing::Broken | Standing::Gap(..) => skip(entry, findings),
        }
        self.recent.add(entry);
    }

    fn good(&mut self, of: &Prepared, snapshot: Option<SnapshotRow>, findings: &mut Findings) {
        let entry = &of.entry;
        let given_up =
            || entry.stream.after("table/").is_some_and(|table| findings.known.given_up.contains(table));
        if entry.is_sealed() && (findings.known.keyless || given_up()) {
            self.standing = Standing::Sealed;
            findings.broken.extend(entry.stream.after("table/").map(str::to_owned));
            return self.sealed(entry, findings);
        }
        if let Some(before) = self.at {
            order::in_chain(before, entry, findings);
        }
        if let Err(what) = self.check(of, findings) {
            findings.broken.extend(entry.stream.after("table/").map(str::to_owned));
            self.standing = Standing::Broken;
            if entry.version > self.head.version + 1 && !entry.is_sealed() {
                if findings.lost.is_empty() {
                    self.standing = Standing::Gap(entry.place(), entry.number);
                } else {
                    self.unread(&entry.stream, findings);
                }
            } else {
                findings.fault(entry.place(), what);
            }
            // Its ledger lines still count, so that one fault is not reported as many.
            return skip(entry, findings);
        }
        self.head = entry.head();
        self.at = Some(entry.at);
        if let Ok(body) = &of.body {
            findings.totals.entry(entry, body);
        }
        if let Some(row) = snapshot
            && compare(&row, entry, &self.replay, findings)
        {
            self.unconfirmed = Some(row);
        }
        if self.unconfirmed.as_ref().is_some_and(|row| row.vouched_by() == entry.version) {
            check_digest(self.unconfirmed.take(), entry, findings);
        }
    }

    /// Reports that the next entry is on an unreadable page.
    pub(super) fn unread(&self, stream: &Stream, findings: &mut Findings) {
        let why = findings.lost.first().map(|(_, why)| why.clone()).unwrap_or_default();
        let place = format!("{stream} entry {}", self.head.version + 1);
        findings.fault(place, format!("it cannot be read: {why}"));
        findings.unread.push(stream.clone());
    }

    /// A sealed entry of a round in progress, without the key. Its ledger lines count, and the hashes must link.
    fn sealed(&mut self, entry: &Entry, findings: &mut Findings) {
        if !entry.is_sealed() || entry.stream.after("table/").is_none() {
            let what = "it follows a sealed entry, but only rounds in progress are sealed";
            findings.fault(entry.place(), what);
            self.standing = Standing::Broken;
            return skip(entry, findings);
        }
        if entry.previous != self.head.hash {
            findings.fault(entry.place(), "it does not follow the entry before it");
        }
        skip(entry, findings);
        findings.sealed += 1;
        self.head = entry.head();
    }

    fn check(&mut self, of: &Prepared, findings: &mut Findings) -> Result<(), String> {
        let entry = &of.entry;
        of.follows(&self.head)?;
        if entry.postings.iter().map(|posting| i128::from(posting.cents)).sum::<i128>() != 0 {
            return Err("its ledger entries do not balance".to_owned());
        }
        let moved = match (&mut self.replay, of.body.as_ref()?) {
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
        ledger_accounts::add(entry, findings);
        findings.count("journal entries", 1);
        findings.count("ledger entries", u64::try_from(entry.postings.len()).unwrap_or(0));
        Ok(())
    }

    /// The last version that was replayed.
    pub(super) const fn version(&self) -> u64 {
        self.head.version
    }

    /// The end of the chain. `sealed`: a seal names a later entry of it.
    pub(super) fn end(self, stream: &Stream, sealed: bool, findings: &mut Findings) {
        match self.standing {
            Standing::Good if sealed && !findings.lost.is_empty() => self.unread(stream, findings),
            Standing::Good => match self.replay {
                Replay::Table(replay) => replay.end(findings),
                Replay::Jackpot(replay) if findings.lost.is_empty() => replay.end(findings),
                Replay::Jackpot(_) | Replay::House(_) | Replay::Player(..) | Replay::Unknown => {}
            },
            Standing::Gap(place, _) => findings.fault(place, "an entry before it is missing"),
            Standing::Sealed | Standing::Broken => {}
        }
    }

    /// Whether the whole chain was replayed without a fault.
    pub(super) fn is_good(&self) -> bool {
        self.standing == Standing::Good
    }
}

/// The chains seen so far.
pub(crate) type Chains = HashMap<Stream, Chain>;

/// An entry after a bad one: only its ledger lines count.
fn skip(entry: &Entry, findings: &mut Findings) {
    ledger_accounts::add(entry, findings);
    if entry.stream.after("table/").is_some() {
        links::add(entry, Vec::new(), findings);
    }
}

/// Whether a snapshot matches the replayed state.
fn compare(row: &SnapshotRow, entry: &Entry, replay: &Replay, findings: &mut Findings) -> bool {
    findings.count("snapshots", 1);
    let state = match replay {
        Replay::House(register) => Some(State::House(register.clone())),
        Replay::Table(replay) => replay.between_rounds().map(|state| State::Table(Box::new(state))),
        Replay::Jackpot(replay) => Some(State::Jackpot(Box::new(replay.state().clone()))),
        Replay::Player(..) | Replay::Unknown => None,
    };
    if row.hash != entry.hash {
        findings.fault(row.place(), "its hash is not that of the chain's entry");
    } else if record::read_state(&row.state, "").ok() != state {
        findings.fault(row.place(), "it contradicts the journal");
    } else {
        return true;
    }
    false
}

/// Checks a snapshot against the digest in the chain. Snapshots of older versions have no digest and are not used.
fn check_digest(row: Option<SnapshotRow>, entry: &Entry, findings: &mut Findings) {
    let Some(row) = row else { return };
    match baize_journal::vouched(&entry.body) {
        Some(digest) if digest != row.digest() => {
            findings.fault(row.place(), format!("it does not match the digest in {}", entry.place()));
        }
        Some(_) => findings.count("snapshot digests", 1),
        None => {}
    }
}

/// Play chips are never bought or cashed out; a claim is what a table's entry took beyond the balance of the purse.
fn purse(
    fact: &PurseFact,
    practice: &mut bool,
    entry: &Entry,
    findings: &mut Findings,
) -> Result<(), String> {
    match fact {
        PurseFact::PlayChipsGiven { .. } => *practice = true,
        PurseFact::BoughtIn { .. } | PurseFact::CashedOut { .. } if *practice => {
            return Err("play chips were bought or cashed out".to_owned());
        }
        PurseFact::ClaimBooked { taken, held, amount, .. } => {
            if *amount != *taken - *held {
                return Err("its claim is not the amount taken less the balance of the purse".to_owned());
            }
            links::claim(entry, findings)?;
        }
        PurseFact::ChipsReturned { table, .. } if !findings.known.given_up.contains(table.as_str()) => {
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
            let book = read_rulebook(text).ok_or("its rulebook cannot be read")?;
            if book.hash != *hash {
                return Err("its rulebook does not have the stated hash".to_owned());
            }
            findings.count("rulebooks", 1);
        }
        if let HouseFact::ClockJumped { expected, found } = fact {
            let place = entry.place();
            findings.notes.push(format!("{place}: a clock jumped to {found}; {expected} was expected"));
        }
        if let HouseFact::Sealed { heads } = fact {
            seals::add(heads, entry, findings);
        }
    }
    Ok(())
}
