//! Hits: entered and locked, verified, confirmed, rejected, paid in their turn.

use baize_rules::{AwardPay, Claim, PaidBy, Percent, Role};

use super::rounds::{linked, open_round};
use super::{Log, needs};
use crate::contest::{Resolved, payments, resolve, together};
use crate::draw::chosen;
use crate::order::places;
use crate::{
    Event, Exact, Hit, Jackpot, LinkState, NewHit, OpenRound, PayFault, PendingRound, Person, Pools, Price,
    Refusal,
};

impl From<PayFault> for Refusal {
    fn from(fault: PayFault) -> Refusal {
        Refusal::Claims { fault }
    }
}

pub(super) fn enter(log: &mut Log, name: &str, round: u64, claims: &[Claim]) -> Result<(), Refusal> {
    let table = linked(&log.jackpot, name)?;
    if table.ended == Some((round, true)) {
        return Err(Refusal::HitReportedTwice { table: name.to_owned(), round });
    }
    let open = open_round(&log.jackpot, name, round)?;
    check(name, open, claims)?;
    // I-2: which of the awards that the cards make is paid, at the value shown when the round is entered.
    let shown = open.registered.map_or_else(|| log.jackpot.meter.displayed(), |registered| registered.amount);
    let choose =
        |claim: &Claim| chosen(&table.link.rules, &table.link.readings, shown, open.prescribed, *claim);
    let claims: Vec<Claim> = claims.iter().map(choose).collect();
    let mut hits = new_hits(log.jackpot.counters.hits, table, &claims)?;
    let turn = if table.link.dealt_first() {
        in_turn(table, open, &mut hits)?.ok_or_else(|| Refusal::NotDealt { table: name.to_owned(), round })?
    } else {
        hits.first().map_or(0, |hit| hit.id)
    };
    let ordered = hits.iter().any(|hit| hit.ordered);
    let (prescribed, registered) = (open.prescribed, open.registered);
    let ids = hits.iter().map(|hit| hit.id).collect();
    log.push(Event::HitsEntered { table: name.to_owned(), round, turn, prescribed, registered, hits });
    if ordered {
        reprice(log, false)
    } else {
        // Nothing is drawn from the meter: the amounts are final at once.
        let (table, added) = (name.to_owned(), Pools::default());
        let pending = PendingRound { table, round, turn, prescribed, registered, added, hits: ids };
        let paid = payments(&log.jackpot, &pending, &mut log.jackpot.meter.clone())?;
        let prices = paid.into_iter().map(|(hit, payment)| Price { hit, payment }).collect();
        let (paid, from_house) = (Exact::ZERO, Exact::ZERO);
        log.push(Event::HitsPriced { prices, pools: Pools::default(), paid, from_house, resolution: None });
        Ok(())
    }
}

fn check(name: &str, open: &OpenRound, claims: &[Claim]) -> Result<(), Refusal> {
    let (table, round) = (name.to_owned(), open.round);
    if claims.is_empty() {
        return Err(Refusal::NoClaims { table, round });
    }
    for (at, claim) in claims.iter().enumerate() {
        let seat = claim.seat;
        if claims[..at].iter().any(|earlier| earlier.seat == seat) {
            return Err(Refusal::SeatTwice { seat });
        }
        let Some(made) = open.contributions.iter().find(|made| made.seat == seat) else {
            return Err(Refusal::NoWager { table, round, seat });
        };
        if made.wager != claim.wager || made.multiple != claim.multiple {
            return Err(Refusal::ClaimDiffers { seat, claimed: claim.wager, wagered: made.wager });
        }
    }
    Ok(())
}

fn new_hits(entered: u64, table: &LinkState, claims: &[Claim]) -> Result<Vec<NewHit>, Refusal> {
    let from_meter = table.link.readings.paid_by == PaidBy::AllFromMeter;
    (entered + 1..)
        .zip(claims)
        .map(|(id, &claim)| {
            let fault = PayFault::NoSuchAward { seat: claim.seat, award: claim.award };
            let award = table.link.rules.awards.get(claim.award).ok_or(fault)?;
            let (share, top) = match award.pays {
                AwardPay::Share(share) => (true, share >= Percent::WHOLE),
                AwardPay::Fixed(_) | AwardPay::ForOne(_) => (false, false),
            };
            let ordered = share || from_meter;
            Ok(NewHit { id, claim, award: award.name.clone(), top, ordered, turn: None })
        })
        .collect()
}

/// Gives each hit its own place among all deals, and returns the first; none if a hand is not reported as dealt.
fn in_turn(table: &LinkState, open: &OpenRound, hits: &mut [NewHit]) -> Result<Option<u64>, Refusal> {
    let ordered = hits.iter().filter(|hit| hit.ordered);
    let dealt = |claim: &Claim| open.dealt_at(claim.seat).map(|order| (*claim, order));
    let Some(dealt) = ordered.map(|hit| dealt(&hit.claim)).collect::<Option<Vec<_>>>() else {
        return Ok(None);
    };
    let places = places(&table.link.rules, &table.link.readings, &dealt)?;
    // Awards that do not draw from the meter need no place of their own.
    let all = hits.iter().filter_map(|hit| open.dealt_at(hit.claim.seat));
    let Some(first) = places.iter().map(|(_, place)| *place).min().or_else(|| all.min()) else {
        return Ok(None);
    };
    for hit in hits {
        let place = places.iter().find(|(seat, _)| *seat == hit.claim.seat).map(|(_, place)| *place);
        hit.turn = place.filter(|place| hit.ordered && *place != first);
    }
    Ok(Some(first))
}

/// Recomputes all pending rounds, moves the pools by the difference, and lets a waiting change take effect or wait again.
pub(super) fn reprice(log: &mut Log, rejected: bool) -> Result<(), Refusal> {
    let Some(contest) = &log.jackpot.contest else { return Ok(()) };
    let Resolved { prices, resolution, .. } =
        resolve(&log.jackpot, &contest.opening, contest.opening_added, &contest.rounds, &[])?;
    let before = contest.resolution;
    let meter = &log.jackpot.meter;
    let mut moved = resolution.value - before.value;
    if rejected {
        // A rejection does not lower a value that has been shown: the house leaves the difference in the meter.
        moved = moved.or_zero();
    }
    let overflow = meter.over_ceiling(moved);
    let pools = Pools {
        meter: (moved - overflow).max(-meter.value()),
        overflow,
        reserve: (resolution.reserve - before.reserve).max(-meter.reserve()),
    };
    let paid = resolution.paid - before.paid;
    let from_house = pools.total() + paid;
    let prices = prices.into_iter().filter(|price| is_new(&log.jackpot, price)).collect();
    log.push(Event::HitsPriced { prices, pools, paid, from_house, resolution: Some(resolution) });
    change_parameters(log, resolution.won);
    Ok(())
}

fn is_new(jackpot: &Jackpot, price: &Price) -> bool {
    jackpot.hit(price.hit).is_some_and(|hit| hit.is_pending() && hit.payment.as_ref() != Some(&price.payment))
}

fn change_parameters(log: &mut Log, won: bool) {
    let Some(contest) = &log.jackpot.contest else { return };
    match (&contest.applied, contest.opening.next_reset(), &log.jackpot.change) {
        (None, Some(_), Some(change)) if won => {
            let (before, change) = (log.jackpot.parameters.clone(), change.clone());
            log.push(Event::ParametersChanged { before, change });
        }
        (Some((parameters, change)), ..) if !won => {
            let (parameters, change) = (parameters.clone(), change.clone());
            log.push(Event::ParametersRestored { parameters, change });
        }
        _ => {}
    }
}

pub(super) fn verify(log: &mut Log, id: u64, by: &Person) -> Result<(), Refusal> {
    needs(by, Role::PitSupervisor)?;
    let hit = pending(&log.jackpot, id)?;
    if let Some(by) = &hit.verified_by {
        return Err(Refusal::AlreadyVerified { hit: id, by: by.name.clone() });
    }
    log.push(Event::HitVerified { hit: id, by: by.clone() });
    Ok(())
}

pub(super) fn confirm(log: &mut Log, id: u64, by: &Person) -> Result<(), Refusal> {
    needs(by, Role::PitSupervisor)?;
    let hit = pending(&log.jackpot, id)?;
    let Some(verified_by) = &hit.verified_by else { return Err(Refusal::NotVerified { hit: id }) };
    if let Some(by) = &hit.confirmed_by {
        return Err(Refusal::AlreadyConfirmed { hit: id, by: by.name.clone() });
    }
    let (amount, limit) = (hit.amount(), log.jackpot.parameters.confirm_above);
    if amount <= limit {
        return Err(Refusal::NoConfirmationNeeded { hit: id, amount, limit });
    }
    if verified_by.name == by.name {
        return Err(Refusal::SamePerson { name: by.name.clone() });
    }
    log.push(Event::HitConfirmed { hit: id, amount, by: by.clone() });
    Ok(())
}

pub(super) fn reject(log: &mut Log, id: u64, by: &Person, reason: &str) -> Result<(), Refusal> {
    needs(by, Role::PitSupervisor)?;
    let ordered = pending(&log.jackpot, id)?.ordered;
    log.push(Event::HitRejected { hit: id, by: by.clone(), reason: reason.to_owned() });
    if ordered { reprice(log, true) } else { Ok(()) }
}

fn pending(jackpot: &Jackpot, id: u64) -> Result<&Hit, Refusal> {
    let hit = jackpot.hit(id).ok_or(Refusal::NoSuchHit { hit: id })?;
    if hit.is_pending() { Ok(hit) } else { Err(Refusal::HitSettled { hit: id }) }
}

/// Pays every hit that is fully verified and whose turn has come.
pub(super) fn settle(log: &mut Log) -> Result<(), Refusal> {
    let limit = log.jackpot.parameters.confirm_above;
    let cleared = |hit: &&Hit| !hit.ordered && hit.is_cleared(limit);
    let free: Vec<u64> = log.jackpot.hits.iter().filter(cleared).map(|hit| hit.id).collect();
    for id in free {
        pay_out(log, id);
    }
    while let Some((first, ids)) = ready(&log.jackpot) {
        for id in ids {
            pay_out(log, id);
        }
        let Some(contest) = &log.jackpot.contest else { return Ok(()) };
        let Some((_, behind)) = together(&contest.rounds) else { return Ok(()) };
        let now = &contest.rounds[..contest.rounds.len() - behind.len()];
        let Resolved { meter: opening, added: opening_added, .. } =
            resolve(&log.jackpot, &contest.opening, contest.opening_added, now, behind)?;
        let rest = resolve(&log.jackpot, &opening, opening_added, behind, &[])?;
        let (table, round, resolution) = (first.table, first.round, rest.resolution);
        log.push(Event::RoundSettled { table, round, opening, opening_added, resolution });
    }
    Ok(())
}

/// The pending round whose turn it is, if all its hits are cleared, rejected or reversed and no earlier deal can still win; and
/// the hits to pay.
fn ready(jackpot: &Jackpot) -> Option<(PendingRound, Vec<u64>)> {
    let (first, _) = together(&jackpot.contest.as_ref()?.rounds)?;
    if jackpot.waits_for(&first.table, first.turn).next().is_some() {
        return None;
    }
    let limit = jackpot.parameters.confirm_above;
    let hits = first.hits.iter().filter_map(|id| jackpot.hit(*id)).filter(|hit| hit.ordered);
    let open: Vec<&Hit> = hits.filter(|hit| hit.stands()).collect();
    let ids = open.iter().map(|hit| hit.id).collect();
    open.iter().all(|hit| hit.is_cleared(limit)).then_some((first, ids))
}

fn pay_out(log: &mut Log, id: u64) {
    let Some(hit) = log.jackpot.hit(id) else { return };
    let (Some(payment), Some(verified_by)) = (&hit.payment, &hit.verified_by) else { return };
    let (amount, from_meter, verified_by) = (payment.amount, payment.from_meter, verified_by.clone());
    let confirmed_by = hit.confirmed_by.clone();
    log.push(Event::HitPaid { hit: id, amount, from_meter, verified_by, confirmed_by });
}
