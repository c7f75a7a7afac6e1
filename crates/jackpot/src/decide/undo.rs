//! Undoes a round after its settlement: it is void, or one of its hands is invalid, before the table's next
//! bets close.
//!
//! A void round has no result (RH 5.21, RS 5.22), and neither has an invalid hand. So its awards are reversed, and the meter is
//! as if they had never been drawn:
//!
//! - What an award drew goes back to the meter; what the reserve and the house paid for its reset goes back to them. The sign may
//!   fall by that amount if it was below its reset value before.
//! - The table's remaining winners are recomputed from the meter that they were paid from: a pool has fewer members, a royal may
//!   have become the first.
//! - What other rounds were paid stands, and so does what they have locked, unless the undone award waits with them for its turn:
//!   then those behind it move up, as after a rejection. They won what the sign showed. The meter moves by the difference between
//!   the round with the award and without it, and by no more than it holds: what others have drawn of a reset since stays with
//!   the house.
//! - A change of parameters that took effect with a paid award stays in force: tables have played under it.
//! - Contributions of returned wagers are taken out last, unless another award has won the meter since they came in (I-11).
//!
//! The house, the reserve and the meter get exactly what the winners give back, so the jackpot reconciles after every event.

use baize_rules::{BoxNumber, Cites, Claim};

use super::Log;
use super::hits::{enter, reprice};
use super::rounds::{end, linked, open_round, returned};
use crate::contest::payments;
use crate::{
    Event, Exact, HeldRound, Hit, HitState, Jackpot, Meter, PaidFrom, Payment, PendingRound, Pools, Price,
    Refusal,
};

/// A round is settled and kept.
pub(super) fn hold(log: &mut Log, name: &str, round: u64, claims: &[Claim]) -> Result<(), Refusal> {
    open_round(&log.jackpot, name, round)?;
    log.push(Event::RoundHeld { table: name.to_owned(), round });
    if claims.is_empty() { end(log, name, round) } else { enter(log, name, round, claims) }
}

pub(super) fn undo(
    log: &mut Log,
    name: &str,
    round: u64,
    seats: Option<&[BoxNumber]>,
    cites: Cites,
) -> Result<(), Refusal> {
    let held = held(&log.jackpot, name, round)?;
    // Last in, first out: the pools end as they began even if the ceiling was reached in between.
    let all = || held.played.contributions.iter().rev().map(|made| made.seat).collect();
    let gone: Vec<BoxNumber> = seats.map_or_else(all, <[BoxNumber]>::to_vec);
    for (at, &seat) in gone.iter().enumerate() {
        if gone[..at].contains(&seat) {
            return Err(Refusal::SeatTwice { seat });
        }
        if held.played.contributions.iter().all(|made| made.seat != seat) {
            return Err(Refusal::NoWager { table: name.to_owned(), round, seat });
        }
    }
    let undone = |hit: &&Hit| hit.table == name && hit.round == round && gone.contains(&hit.claim.seat);
    let hits: Vec<Hit> = log.jackpot.hits.iter().filter(undone).filter(|hit| hit.stands()).cloned().collect();
    let paid_from = held.paid_from.clone();
    let before = worked_out(&log.jackpot, name, round, &paid_from)?;
    for hit in &hits {
        log.push(reversed(hit, cites));
    }
    if hits.iter().any(|hit| hit.is_pending() && hit.ordered) {
        reprice(log, false)?;
    }
    let after = worked_out(&log.jackpot, name, round, &paid_from)?;
    for (before, after) in before.into_iter().zip(after) {
        give_back(log, before, after);
    }
    for seat in gone {
        let event = returned(&log.jackpot, name, &self::held(&log.jackpot, name, round)?.played, seat)?;
        log.push(event);
    }
    if seats.is_none() {
        log.push(Event::RoundEnded { table: name.to_owned(), round, void: true });
    }
    Ok(())
}

/// The round, if it can still be undone.
fn held<'a>(jackpot: &'a Jackpot, name: &str, round: u64) -> Result<&'a HeldRound, Refusal> {
    let held = linked(jackpot, name)?.held.as_ref().filter(|held| held.played.round == round);
    held.ok_or_else(|| Refusal::NotHeld { table: name.to_owned(), round })
}

fn reversed(hit: &Hit, cites: Cites) -> Event {
    let from_meter = hit.payment.as_ref().map_or(baize_rules::Money::ZERO, |payment| payment.from_meter);
    Event::HitReversed {
        hit: hit.id,
        table: hit.table.clone(),
        round: hit.round,
        seat: hit.claim.seat,
        amount: hit.amount(),
        from_meter,
        paid: hit.state == HitState::Paid,
        cites,
    }
}

/// What the remaining awards are paid from each meter, and what they leave of it.
type WorkedOut = (Meter, Vec<(u64, Payment)>);

fn worked_out(
    jackpot: &Jackpot,
    name: &str,
    round: u64,
    paid_from: &[PaidFrom],
) -> Result<Vec<WorkedOut>, Refusal> {
    let played = &held(jackpot, name, round)?.played;
    let one = |paid_from: &PaidFrom| {
        let part = PendingRound {
            table: name.to_owned(),
            round,
            turn: 0,
            prescribed: played.prescribed,
            registered: played.registered,
            added: Pools::default(),
            hits: paid_from.hits.clone(),
        };
        let mut meter = paid_from.meter.clone();
        let payments = payments(jackpot, &part, &mut meter)?;
        Ok((meter, payments))
    };
    paid_from.iter().map(one).collect()
}

/// Moves the pools by the difference, and corrects the rest of the round.
fn give_back(log: &mut Log, (before, paid_before): WorkedOut, (after, paid_after): WorkedOut) {
    let paid = |payments: &[(u64, Payment)]| -> Exact {
        payments.iter().map(|(_, payment)| Exact::from(payment.from_meter)).sum()
    };
    let paid = paid(&paid_after) - paid(&paid_before);
    let prices: Vec<Price> = paid_after.into_iter().filter_map(|price| corrected(log, price)).collect();
    let moved = after.value() - before.value();
    let reserve = after.reserve() - before.reserve();
    if prices.is_empty() && paid.is_zero() && moved.is_zero() && reserve.is_zero() {
        return;
    }
    let meter = &log.jackpot.meter;
    let overflow = meter.over_ceiling(moved);
    let pools = Pools {
        meter: (moved - overflow).max(-meter.value()),
        overflow,
        reserve: reserve.max(-meter.reserve()),
    };
    let from_house = pools.total() + paid;
    log.push(Event::HitsPriced { prices, pools, paid, from_house, resolution: None });
}

/// The new amount of a remaining hit, if it changes.
fn corrected(log: &Log, (id, mut payment): (u64, Payment)) -> Option<Price> {
    let hit = log.jackpot.hit(id)?;
    let was = hit.payment.as_ref()?;
    if (was.amount, was.from_meter, was.reset) == (payment.amount, payment.from_meter, payment.reset) {
        return None;
    }
    let across = log.jackpot.tables.get(&hit.table)?.link.rules.across_tables.cites;
    if across.iter().all(|paragraph| was.cites.iter().any(|cited| cited == paragraph)) {
        payment.cites = payment.cites.and(across);
    }
    Some(Price { hit: id, payment })
}
