//! Applies the tables' rounds to the state.

use baize_rules::{BoxNumber, Money};

use crate::{HeldRound, Jackpot, MadeContribution, OpenRound, Pools, Registered};

pub(super) fn bets_closed(
    jackpot: &mut Jackpot,
    table: &str,
    round: u64,
    prescribed: Money,
    contributions: &[MadeContribution],
) {
    for made in contributions {
        jackpot.meter.add(&made.pools);
        jackpot.note_added(made.pools);
        jackpot.counters.amount_in += made.pools.total();
    }
    let (won_before, hits_before) = (jackpot.counters.won, jackpot.counters.hits);
    if let Some(table) = jackpot.tables.get_mut(table) {
        let contributions = contributions.to_vec();
        let (dealt, hands, registered) = (None, Vec::new(), None);
        table.superseded = None;
        table.held = None;
        table.open = Some(OpenRound {
            round,
            prescribed,
            contributions,
            won_before,
            hits_before,
            dealt,
            hands,
            registered,
        });
    }
}

pub(super) fn dealt(jackpot: &mut Jackpot, table: &str, order: u64, seat: Option<BoxNumber>) {
    if let Some(open) = open_round(jackpot, table) {
        match seat {
            Some(seat) => open.hands.push((seat, order)),
            None => open.dealt = Some(order),
        }
    }
}

pub(super) fn taken_out(jackpot: &mut Jackpot, table: &str, round: u64, seat: BoxNumber, pools: &Pools) {
    jackpot.meter.remove(pools);
    jackpot.note_added(pools.negative());
    jackpot.counters.amount_in -= pools.total();
    jackpot.counters.taken_out += pools.total();
    forget_wager(jackpot, table, round, seat);
}

pub(super) fn forget_wager(jackpot: &mut Jackpot, table: &str, round: u64, seat: BoxNumber) {
    let Some(table) = jackpot.tables.get_mut(table) else { return };
    let held = table.held.as_mut().map(|held| &mut held.played);
    for played in table.open.as_mut().into_iter().chain(held).filter(|played| played.round == round) {
        played.contributions.retain(|made| made.seat != seat);
    }
}

/// This hit won the meter and does not count any more, for rounds that came after it either.
pub(super) fn not_won(jackpot: &mut Jackpot, hit: u64) {
    jackpot.counters.won -= 1;
    for table in jackpot.tables.values_mut() {
        let held = table.held.as_mut().map(|held| &mut held.played);
        for played in table.open.as_mut().into_iter().chain(held).filter(|played| hit <= played.hits_before) {
            played.won_before -= 1;
        }
    }
}

/// The round that is about to end can be undone until the next bets close.
pub(super) fn held(jackpot: &mut Jackpot, table: &str) {
    if let Some(table) = jackpot.tables.get_mut(table) {
        table.held = table.open.clone().map(|played| HeldRound { played, paid_from: Vec::new() });
    }
}

/// A void round cannot be undone again.
pub(super) fn let_go(jackpot: &mut Jackpot, table: &str) {
    if let Some(table) = jackpot.tables.get_mut(table) {
        table.held = None;
    }
}

pub(super) fn ended(jackpot: &mut Jackpot, table: &str, round: u64, with_awards: bool) {
    if let Some(table) = jackpot.tables.get_mut(table) {
        table.open = None;
        table.ended = Some((round, with_awards));
    }
}

pub(super) fn fault(jackpot: &mut Jackpot, table: &str, registered: Registered) {
    if let Some(open) = open_round(jackpot, table) {
        open.registered = Some(registered);
    }
    if let Some(table) = jackpot.tables.get_mut(table) {
        table.suspended = true;
    }
}

pub(super) fn restored(jackpot: &mut Jackpot, table: &str) {
    if let Some(table) = jackpot.tables.get_mut(table) {
        table.suspended = false;
    }
}

fn open_round<'a>(jackpot: &'a mut Jackpot, table: &str) -> Option<&'a mut OpenRound> {
    jackpot.tables.get_mut(table)?.open.as_mut()
}
