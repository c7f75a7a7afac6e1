//! Turns events into state. Nothing is judged here: every amount comes from the event.

mod hits;
mod parameters;
mod rounds;

use crate::{Counters, Event, Jackpot, LinkState, Meter, Status};

/// The jackpot after an event.
#[must_use]
pub fn evolve(mut jackpot: Jackpot, event: &Event) -> Jackpot {
    apply(&mut jackpot, event);
    if cfg!(debug_assertions) {
        invariants(&jackpot);
    }
    jackpot
}

/// The invariants after every event; builds with debug assertions check them.
fn invariants(jackpot: &Jackpot) {
    let pools = jackpot.reconcile();
    assert!(pools.is_ok(), "the pools add up to what went through them: {pools:?}");
    let hits = &jackpot.hits;
    assert!(hits.windows(2).all(|pair| pair[0].id < pair[1].id), "hits are in the order of their entry");
    let counters = &jackpot.counters;
    assert!(counters.won <= counters.hits, "no more jackpots are won than hits are entered");
    let contest = jackpot.contest.iter().flat_map(|contest| &contest.rounds).flat_map(|round| &round.hits);
    for hit in contest {
        assert!(jackpot.hit(*hit).is_some(), "hit {hit} draws from the meter and is on record");
    }
}

fn apply(jackpot: &mut Jackpot, event: &Event) {
    match event {
        Event::Opened { name, base, parameters } => {
            jackpot.name.clone_from(name);
            jackpot.status = Status::Open;
            jackpot.parameters = parameters.clone();
            jackpot.meter = Meter::new(*base, parameters.reset).with_ceiling(parameters.ceiling);
            jackpot.counters = Counters { base: *base, ..Counters::default() };
        }
        Event::TableLinked { link, by: _ } => {
            let link = (**link).clone();
            let ended = jackpot.unlinked.remove(&link.name);
            let table = LinkState { link, open: None, held: None, ended, suspended: false, superseded: None };
            jackpot.tables.insert(table.link.name.clone(), table);
        }
        Event::TableUnlinked { table, by: _ } => {
            if let Some(ended) = jackpot.tables.remove(table).and_then(|table| table.ended) {
                jackpot.unlinked.insert(table.clone(), ended);
            }
        }
        Event::BetsClosed { table, round, prescribed, contributions } => {
            rounds::bets_closed(jackpot, table, *round, *prescribed, contributions);
        }
        Event::DealsCounted { order } => jackpot.deals = jackpot.deals.max(*order),
        Event::HandsDealt { table, round: _, order, seat } => rounds::dealt(jackpot, table, *order, *seat),
        Event::TakenOut { table, round, seat, pools } => {
            rounds::taken_out(jackpot, table, *round, *seat, pools);
        }
        Event::Kept { table, round, seat, won_since: _ } => {
            rounds::forget_wager(jackpot, table, *round, *seat)
        }
        Event::RoundEnded { table, round, void } => {
            rounds::ended(jackpot, table, *round, false);
            if *void {
                rounds::let_go(jackpot, table);
            }
        }
        Event::RoundHeld { table, round: _ } => rounds::held(jackpot, table),
        Event::HitReversed { hit, amount, from_meter, paid, cites, .. } => {
            hits::reversed(jackpot, *hit, *paid, *cites);
            if *paid {
                jackpot.counters.paid_by_house -= *amount - *from_meter;
            }
        }
        Event::FaultReported { table, round: _, registered } => rounds::fault(jackpot, table, *registered),
        Event::TableRestored { table, by: _ } => rounds::restored(jackpot, table),
        Event::HitsEntered { table, round, turn, prescribed, registered, hits } => {
            rounds::ended(jackpot, table, *round, true);
            hits::entered(jackpot, table, *round, hits);
            if hits.iter().any(|hit| hit.ordered) {
                hits::contend(jackpot, table, *round, *turn, *prescribed, *registered, hits);
            }
        }
        Event::HitsPriced { prices, pools, paid, from_house, resolution } => {
            hits::priced(jackpot, prices, pools, *resolution);
            if resolution.is_none() {
                // What goes back to the meter while hits are pending counts for hits entered after it.
                jackpot.note_added(*pools);
            }
            jackpot.meter.add(pools);
            jackpot.counters.paid_from_meter += *paid;
            jackpot.counters.from_house += *from_house;
        }
        Event::HitVerified { hit, by } => hits::verified(jackpot, *hit, by),
        Event::HitConfirmed { hit, amount: _, by } => hits::confirmed(jackpot, *hit, by),
        Event::HitRejected { hit, by, reason } => hits::rejected(jackpot, *hit, by, reason),
        Event::HitPaid { hit, amount, from_meter, verified_by: _, confirmed_by: _ } => {
            hits::paid(jackpot, *hit);
            jackpot.counters.paid_by_house += *amount - *from_meter;
        }
        Event::RoundSettled { table, round, opening, opening_added, resolution } => {
            hits::settled(jackpot, table, *round, opening, *opening_added, resolution);
        }
        Event::ParametersChanged { before, change } => parameters::changed(jackpot, before, change),
        Event::ParametersRestored { parameters, change } => parameters::restored(jackpot, parameters, change),
        Event::ChangeProposed { parameters, by } => parameters::proposed(jackpot, parameters, by),
        Event::ChangeApproved { by } => parameters::approved(jackpot, by),
        Event::ChangeWithdrawn { by: _ } => parameters::withdrawn(jackpot),
        Event::PoolsReceived { from: _, pools } => {
            jackpot.meter.add(pools);
            jackpot.note_added(*pools);
            jackpot.counters.received += pools.total();
        }
        Event::Closed { into, pools, by: _ } => {
            jackpot.meter.remove(pools);
            jackpot.counters.moved_out += pools.total();
            jackpot.status = Status::Closed(into.clone());
            jackpot.change = None;
        }
    }
}
