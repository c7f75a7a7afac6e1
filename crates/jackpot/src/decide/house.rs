//! What the house decides: opening, linking, parameters, closing.

use baize_rules::Role;

use super::{Log, needs};
use crate::{Configuration, Event, Exact, Parameters, Person, Pools, Refusal, TableLink};

pub(super) fn open(configuration: &Configuration) -> Result<Vec<Event>, Refusal> {
    let faults = configuration.faults();
    if !faults.is_empty() {
        return Err(Refusal::Configuration { faults });
    }
    let opened = Event::Opened {
        name: configuration.name.clone(),
        base: configuration.base,
        parameters: configuration.parameters.clone(),
    };
    let links = configuration.tables.iter();
    let linked = links.map(|link| Event::TableLinked { link: Box::new(link.clone()), by: None });
    Ok(std::iter::once(opened).chain(linked).collect())
}

pub(super) fn link(log: &mut Log, link: &TableLink, by: &Person) -> Result<(), Refusal> {
    needs(by, Role::PitManager)?;
    let faults = link.faults(log.jackpot.tables.values().map(|table| &table.link));
    if !faults.is_empty() {
        return Err(Refusal::Configuration { faults });
    }
    log.push(Event::TableLinked { link: Box::new(link.clone()), by: Some(by.clone()) });
    Ok(())
}

pub(super) fn unlink(log: &mut Log, name: &str, by: &Person) -> Result<(), Refusal> {
    needs(by, Role::PitManager)?;
    let not_linked = || Refusal::TableNotLinked { table: name.to_owned() };
    let table = log.jackpot.tables.get(name).ok_or_else(not_linked)?;
    if let Some(open) = &table.open {
        return Err(Refusal::RoundUnderWay { table: name.to_owned(), round: open.round });
    }
    let number = log.jackpot.pending().filter(|hit| hit.table == name).count();
    let contested = log.jackpot.contest.iter().flat_map(|contest| &contest.rounds);
    if number > 0 || contested.clone().any(|round| round.table == name) {
        return Err(Refusal::HitsPending { number });
    }
    log.push(Event::TableUnlinked { table: name.to_owned(), by: by.clone() });
    Ok(())
}

pub(super) fn propose(log: &mut Log, parameters: &Parameters, by: &Person) -> Result<(), Refusal> {
    needs(by, Role::PitManager)?;
    if let Some(change) = &log.jackpot.change {
        return Err(Refusal::ChangeWaiting { by: change.proposed_by.name.clone() });
    }
    // A change that took effect with a pending hit may have to wait again: only one change can wait.
    if let Some((_, change)) = log.jackpot.contest.as_ref().and_then(|contest| contest.applied.as_ref()) {
        return Err(Refusal::ChangeWaiting { by: change.proposed_by.name.clone() });
    }
    let faults = parameters.faults();
    if !faults.is_empty() {
        return Err(Refusal::Configuration { faults });
    }
    log.push(Event::ChangeProposed { parameters: parameters.clone(), by: by.clone() });
    Ok(())
}

pub(super) fn approve(log: &mut Log, by: &Person) -> Result<(), Refusal> {
    needs(by, Role::ShiftManager)?;
    let change = log.jackpot.change.as_ref().ok_or(Refusal::NoChange)?;
    if let Some(approved) = &change.approved_by {
        return Err(Refusal::AlreadyApproved { by: approved.name.clone() });
    }
    if change.proposed_by.name == by.name {
        return Err(Refusal::SamePerson { name: by.name.clone() });
    }
    no_pending_hits(log)?;
    log.push(Event::ChangeApproved { by: by.clone() });
    Ok(())
}

pub(super) fn withdraw(log: &mut Log, by: &Person) -> Result<(), Refusal> {
    needs(by, Role::PitManager)?;
    if log.jackpot.change.is_none() {
        return Err(Refusal::NoChange);
    }
    no_pending_hits(log)?;
    log.push(Event::ChangeWithdrawn { by: by.clone() });
    Ok(())
}

pub(super) fn receive(log: &mut Log, from: &str, pools: &Pools) -> Result<(), Refusal> {
    if [pools.meter, pools.overflow, pools.reserve].iter().any(|&pool| pool < Exact::ZERO) {
        return Err(Refusal::NegativePools);
    }
    let over = log.jackpot.meter.over_ceiling(pools.meter);
    let pools = Pools { meter: pools.meter - over, overflow: pools.overflow + over, reserve: pools.reserve };
    log.push(Event::PoolsReceived { from: from.to_owned(), pools });
    Ok(())
}

pub(super) fn close(log: &mut Log, into: &str, by: &Person) -> Result<(), Refusal> {
    needs(by, Role::ShiftManager)?;
    if into.trim().is_empty() || into == log.jackpot.name {
        return Err(Refusal::NotAnotherJackpot { into: into.to_owned() });
    }
    for (name, table) in &log.jackpot.tables {
        if let Some(open) = &table.open {
            return Err(Refusal::RoundUnderWay { table: name.clone(), round: open.round });
        }
    }
    no_pending_hits(log)?;
    let pools = log.jackpot.meter.pools();
    log.push(Event::Closed { into: into.to_owned(), pools, by: by.clone() });
    Ok(())
}

fn no_pending_hits(log: &Log) -> Result<(), Refusal> {
    match log.jackpot.pending().count() {
        0 => Ok(()),
        number => Err(Refusal::HitsPending { number }),
    }
}
