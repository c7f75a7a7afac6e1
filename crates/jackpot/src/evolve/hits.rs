//! What hits do to the state.

use baize_rules::Money;

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

/// A round joins those that draw from the meter; the first one fixes the value that all are worked out from.
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
    let hits = hits.iter().map(|hit| hit.id).collect();
    let (table, added) = (table.to_owned(), contest.added);
    contest.rounds.push(PendingRound { table, round, turn, prescribed, registered, added, hits });
    contest.rounds.sort_by_key(|round| round.turn);
}

pub(super) fn priced(jackpot: &mut Jackpot, prices: &[Price], pools: &Pools, resolution: Option<Resolution>) {
    for price in prices {
        if let Some(hit) = jackpot.hit_mut(price.hit) {
            // A confirmation is of an amount: it lapses when the amount changes.
            if hit.amount() != price.payment.amount {
                hit.confirmed_by = None;
            }
            hit.payment = Some(price.payment.clone());
        }
    }
    if let (Some(contest), Some(resolution)) = (&mut jackpot.contest, resolution) {
        // What the pools moved by beyond what the hits made of them counts as added: the sign has shown it.
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
    jackpot.counters.won = jackpot.counters.won.saturating_sub(u64::from(top));
    jackpot.forget_old_hits();
}

pub(super) fn paid(jackpot: &mut Jackpot, hit: u64) {
    if let Some(hit) = jackpot.hit_mut(hit) {
        hit.state = HitState::Paid;
    }
    jackpot.counters.wins += 1;
    jackpot.forget_old_hits();
}

/// A round has had its turn: the next one is worked out from what it left.
pub(super) fn settled(
    jackpot: &mut Jackpot,
    table: &str,
    round: u64,
    opening: &Meter,
    opening_added: Pools,
    resolution: &Resolution,
) {
    if let Some(contest) = &mut jackpot.contest {
        contest.rounds.retain(|pending| pending.table != table || pending.round != round);
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
