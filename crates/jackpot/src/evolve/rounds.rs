//! What the tables' rounds do to the state.

use baize_rules::Money;

use crate::{Jackpot, MadeContribution, OpenRound, Pools, Registered};

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
    let won_before = jackpot.counters.won;
    if let Some(table) = jackpot.tables.get_mut(table) {
        let contributions = contributions.to_vec();
        table.superseded = None;
        table.open =
            Some(OpenRound { round, prescribed, contributions, won_before, dealt: None, registered: None });
    }
}

pub(super) fn dealt(jackpot: &mut Jackpot, table: &str, order: u64) {
    if let Some(open) = open_round(jackpot, table) {
        open.dealt = Some(order);
    }
}

pub(super) fn taken_out(jackpot: &mut Jackpot, table: &str, seat: u8, pools: &Pools) {
    jackpot.meter.remove(pools);
    jackpot.note_added(pools.negative());
    jackpot.counters.amount_in -= pools.total();
    jackpot.counters.taken_out += pools.total();
    forget_wager(jackpot, table, seat);
}

pub(super) fn forget_wager(jackpot: &mut Jackpot, table: &str, seat: u8) {
    if let Some(open) = open_round(jackpot, table) {
        open.contributions.retain(|made| made.seat != seat);
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
