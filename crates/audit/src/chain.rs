//! One chain as it is walked: what its entries have led to so far. After its first bad entry nothing of it can be relied on: its other
//! entries count in the sums, and others may link to them.

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

/// What a chain is made of, replayed.
pub(super) enum Replay {
    House(Box<Register>),
    Table(Box<TableReplay>),
    Jackpot(Box<JackpotReplay>),
    /// With whether they were given chips for play.
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

/// How far a chain can be relied on.
#[derive(PartialEq, Eq)]
enum Standing {
    Good,
    /// A round is under way, and the key is not here.
    Shut,
    Broken,
    /// An entry is missing before this one, unless it has a later number: its place and number.
    Gap(String, u64),
}

/// A chain.
pub(crate) struct Chain {
    head: Head,
    at: Option<Instant>,
    replay: Replay,
    standing: Standing,
    unvouched: Option<SnapshotRow>,
    pub(super) recent: Recent,
    /// The version up to which an earlier audit has checked it.
    audited: u64,
}

impl Chain {
    pub(super) fn new(stream: &Stream, findings: &mut Findings) -> Chain {
        findings.count("chains", 1);
        let (head, replay) = (Head::default(), Replay::of(stream));
        let standing = Standing::Good;
        Chain { head, at: None, replay, standing, unvouched: None, recent: Recent::default(), audited: 0 }
    }

    /// A chain as an earlier audit left it.
    pub(super) fn left(at: &Point, replay: Replay) -> Chain {
        let head = Head { version: at.version, hash: at.hash.clone() };
        let standing = if at.shut { Standing::Shut } else { Standing::Good };
        let recent = Recent::of(at.version, at.number, &at.hash);
        Chain { head, at: at.at, replay, standing, unvouched: None, recent, audited: at.version }
    }

    /// Where it is left now. None: nobody can go on from there.
    pub(super) fn point(&self) -> Option<Point> {
        if !matches!(self.standing, Standing::Good | Standing::Shut) {
            return None;
        }
        let (table, practice) = match &self.replay {
            Replay::Table(replay) => (Some(replay.beside.clone()), false),
            Replay::Player(_, practice) => (None, *practice),
            Replay::House(_) | Replay::Jackpot(_) | Replay::Unknown => (None, false),
        };
        let (version, number, hash) = (self.head.version, self.recent.number()?, self.head.hash.clone());
        let shut = self.standing == Standing::Shut;
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
            Standing::Shut => self.shut(entry, findings),
            Standing::Gap(place, number) if entry.version == self.head.version + 1 => {
                let what = format!(
                    "its number over all chains is {number}, and that of the entry before it {}: numbers were altered",
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
            self.standing = Standing::Shut;
            findings.broken.extend(entry.stream.after("table/").map(str::to_owned));
            return self.shut(entry, findings);
        }
        if let Some(before) = self.at {
            order::in_chain(before, entry, findings);
        }
        if let Err(what) = self.one(of, findings) {
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
            // What it moved is in the accounts all the same: one fault is not to be reported as many.
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
            self.unvouched = Some(row);
        }
        if self.unvouched.as_ref().is_some_and(|row| row.vouched_by() == entry.version) {
            vouched(self.unvouched.take(), entry, findings);
        }
    }

    /// The next entry is on a page that cannot be read.
    pub(super) fn unread(&self, stream: &Stream, findings: &mut Findings) {
        let why = findings.lost.first().map(|(_, why)| why.clone()).unwrap_or_default();
        let place = format!("{stream} entry {}", self.head.version + 1);
        findings.fault(place, format!("it cannot be read: {why}"));
        findings.unread.push(stream.clone());
    }

    /// An entry of a round under way, and the key is not here. What it moved counts, and its entries follow each other.
    fn shut(&mut self, entry: &Entry, findings: &mut Findings) {
        if !entry.is_sealed() || entry.stream.after("table/").is_none() {
            let what = "a sealed entry comes before it, and only a round under way is sealed";
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

    fn one(&mut self, of: &Prepared, findings: &mut Findings) -> Result<(), String> {
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

    /// The chain ends here. `sealed`: a seal names a later entry of it.
    pub(super) fn end(self, stream: &Stream, sealed: bool, findings: &mut Findings) {
        match self.standing {
            Standing::Good if sealed && !findings.lost.is_empty() => self.unread(stream, findings),
            Standing::Good => match self.replay {
                Replay::Table(replay) => replay.end(findings),
                Replay::Jackpot(replay) if findings.lost.is_empty() => replay.end(findings),
                Replay::Jackpot(_) | Replay::House(_) | Replay::Player(..) | Replay::Unknown => {}
            },
            Standing::Gap(place, _) => findings.fault(place, "an entry before it is missing"),
            Standing::Shut | Standing::Broken => {}
        }
    }

    /// Whether it can be relied on to its end.
    pub(super) fn is_good(&self) -> bool {
        self.standing == Standing::Good
    }
}

/// The chains that were walked.
pub(crate) type Chains = HashMap<Stream, Chain>;

/// An entry after a bad one.
fn skip(entry: &Entry, findings: &mut Findings) {
    ledger_accounts::add(entry, findings);
    if entry.stream.after("table/").is_some() {
        links::add(entry, Vec::new(), findings);
    }
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
    } else if record::read_state(&row.state, "").ok() != state {
        findings.fault(row.place(), "it does not say what the journal says");
    } else {
        return true;
    }
    false
}

/// The chain vouches for this very snapshot. One of an older program has no digest, and nobody uses it.
fn vouched(row: Option<SnapshotRow>, entry: &Entry, findings: &mut Findings) {
    let Some(row) = row else { return };
    match baize_journal::vouched(&entry.body) {
        Some(digest) if digest != row.digest() => {
            findings.fault(row.place(), format!("it is not the one that {} vouches for", entry.place()));
        }
        Some(_) => findings.count("snapshots vouched for", 1),
        None => {}
    }
}

/// Chips that were given for play never go over the counter; a claim is what a table's entry took beyond what the purse held.
fn purse(
    fact: &PurseFact,
    practice: &mut bool,
    entry: &Entry,
    findings: &mut Findings,
) -> Result<(), String> {
    match fact {
        PurseFact::PlayChipsGiven { .. } => *practice = true,
        PurseFact::BoughtIn { .. } | PurseFact::CashedOut { .. } if *practice => {
            return Err("chips that were given for play went over the counter".to_owned());
        }
        PurseFact::ClaimBooked { taken, held, amount, .. } => {
            if *amount != *taken - *held {
                return Err("its claim is not what was taken less what the purse held".to_owned());
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
            seals::add(heads, entry, findings);
        }
    }
    Ok(())
}
