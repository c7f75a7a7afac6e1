//! Applies hits to the state.

use std::collections::BTreeMap;

use baize_rules::{Cites, Money};

use super::rounds::not_won;
use crate::contest::first_turn;
use crate::{
    Contest, Hit, HitState, Jackpot, Meter, NewHit, PendingRound, Person, Pools, Price, Registered,
    Resolution,
};

pub(super) fn entered(jackpot: &mut Jackpot, table: &str, round: u64, hits: &[NewHit]) {
    for new in hits {
        jackpot.counters.hits += 1;
        jackpot.counters.won += u64::from(new.top);
        jackpot.hits.push(Hit {
            id: new.id,
            table: table.to_owned(),
            round,
            claim: new.claim,
            award: new.award.clone(),
            top: new.top,
            ordered: new.ordered,
            payment: None,
            state: HitState::Pending,
            verified_by: None,
            confirmed_by: None,
        });
    }
    jackpot.forget_old_hits();
}

/// Adds a round to those that draw from the meter; the first one fixes the value from which all are computed.
pub(super) fn contend(
    jackpot: &mut Jackpot,
    table: &str,
    round: u64,
    turn: u64,
    prescribed: Money,
    registered: Option<Registered>,
    hits: &[NewHit],
) {
    let meter = &jackpot.meter;
    let contest = jackpot.contest.get_or_insert_with(|| Contest {
        opening: meter.clone(),
        opening_added: Pools::default(),
        added: Pools::default(),
        rounds: Vec::new(),
        resolution: Resolution::none(meter),
        applied: None,
    });
    let added = contest.added;
    let mut parts: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
    for hit in hits {
        parts.entry(hit.turn.unwrap_or(turn)).or_default().push(hit.id);
    }
    for (turn, hits) in parts {
        let table = table.to_owned();
        contest.rounds.push(PendingRound { table, round, turn, prescribed, registered, added, hits });
    }
    contest.rounds.sort_by_key(|round| round.turn);
}

pub(super) fn priced(jackpot: &mut Jackpot, prices: &[Price], pools: &Pools, resolution: Option<Resolution>) {
    for price in prices {
        let Some(hit) = jackpot.hit_mut(price.hit) else { continue };
        let was = hit.payment.replace(price.payment.clone());
        if hit.state == HitState::Paid {
            let from_house = price.payment.from_house() - was.map_or(Money::ZERO, |was| was.from_house());
            jackpot.counters.paid_by_house += from_house;
        } else if was.is_none_or(|was| was.amount != price.payment.amount) {
            // A confirmation is for an amount: it lapses when the amount changes.
            hit.confirmed_by = None;
        }
    }
    if let (Some(contest), Some(resolution)) = (&mut jackpot.contest, resolution) {
        // What the pools moved by beyond the effect of the hits counts as added: the sign has shown it.
        contest.added.meter += pools.meter - (resolution.value - contest.resolution.value);
        contest.added.reserve += pools.reserve - (resolution.reserve - contest.resolution.reserve);
        contest.resolution = resolution;
    }
}

pub(super) fn verified(jackpot: &mut Jackpot, hit: u64, by: &Person) {
    if let Some(hit) = jackpot.hit_mut(hit) {
        hit.verified_by = Some(by.clone());
    }
}

pub(super) fn confirmed(jackpot: &mut Jackpot, hit: u64, by: &Person) {
    if let Some(hit) = jackpot.hit_mut(hit) {
        hit.confirmed_by = Some(by.clone());
    }
}

pub(super) fn rejected(jackpot: &mut Jackpot, hit: u64, by: &Person, reason: &str) {
    let mut top = false;
    if let Some(hit) = jackpot.hit_mut(hit) {
        hit.state = HitState::Rejected { by: by.clone(), reason: reason.to_owned() };
        top = hit.top;
    }
    jackpot.counters.rejected += 1;
    if top {
        not_won(jackpot, hit);
    }
    jackpot.forget_old_hits();
}

pub(super) fn reversed(jackpot: &mut Jackpot, hit: u64, paid: bool, cites: Cites) {
    let mut top = false;
    if let Some(hit) = jackpot.hit_mut(hit) {
        hit.state = HitState::Reversed { paid, cites };
        top = hit.top;
    }
    jackpot.counters.reversed += 1;
    jackpot.counters.wins -= u64::from(paid);
    if top {
        not_won(jackpot, hit);
    }
    jackpot.forget_old_hits();
}

pub(super) fn paid(jackpot: &mut Jackpot, hit: u64) {
    if let Some(hit) = jackpot.hit_mut(hit) {
        hit.state = HitState::Paid;
    }
    jackpot.counters.wins += 1;
    jackpot.forget_old_hits();
}

/// A round has had its turn: the next one is computed from what it left.
pub(super) fn settled(
    jackpot: &mut Jackpot,
    table: &str,
    round: u64,
    opening: &Meter,
    opening_added: Pools,
    resolution: &Resolution,
) {
    if let Some(paid_from) = first_turn(jackpot)
        && let Some(held) = jackpot.tables.get_mut(table).and_then(|table| table.held.as_mut())
        && held.played.round == round
    {
        held.paid_from.push(paid_from);
    }
    if let Some(contest) = &mut jackpot.contest {
        // Another part of the round may come after that of another table.
        let parts = contest.rounds.iter().take_while(|part| part.is_of(table, round)).count();
        contest.rounds.drain(..parts);
        contest.opening = opening.clone();
        contest.opening_added = opening_added;
        contest.resolution = *resolution;
        if opening.next_reset().is_none() {
            contest.applied = None;
        }
        if contest.rounds.is_empty() {
            jackpot.contest = None;
        }
    }
    jackpot.forget_old_hits();
}
