//! Applies changes of parameters to the state.

use crate::{Change, Jackpot, Parameters, Person};

pub(super) fn proposed(jackpot: &mut Jackpot, parameters: &Parameters, by: &Person) {
    let (parameters, proposed_by) = (parameters.clone(), by.clone());
    jackpot.change = Some(Change { parameters, proposed_by, approved_by: None });
}

pub(super) fn approved(jackpot: &mut Jackpot, by: &Person) {
    if let Some(change) = &mut jackpot.change {
        change.approved_by = Some(by.clone());
        jackpot.meter.wait_for(Some(change.parameters.reset));
    }
}

pub(super) fn withdrawn(jackpot: &mut Jackpot) {
    jackpot.change = None;
    jackpot.meter.wait_for(None);
}

pub(super) fn changed(jackpot: &mut Jackpot, before: &Parameters, change: &Change) {
    set(jackpot, &change.parameters);
    jackpot.meter.wait_for(None);
    jackpot.change = None;
    if let Some(contest) = &mut jackpot.contest {
        contest.applied = Some((before.clone(), change.clone()));
    }
}

pub(super) fn restored(jackpot: &mut Jackpot, parameters: &Parameters, change: &Change) {
    set(jackpot, parameters);
    jackpot.meter.wait_for(Some(change.parameters.reset));
    jackpot.change = Some(change.clone());
    if let Some(contest) = &mut jackpot.contest {
        contest.applied = None;
    }
}

/// These parameters are in force from now on. Bets already on a table at the old wager are still accepted.
fn set(jackpot: &mut Jackpot, parameters: &Parameters) {
    let old = jackpot.parameters.wager;
    if old != parameters.wager {
        for table in jackpot.tables.values_mut() {
            table.superseded = Some(old);
        }
    }
    jackpot.parameters = parameters.clone();
    jackpot.meter.set(parameters.reset, parameters.ceiling);
}
