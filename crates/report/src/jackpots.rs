//! Jackpots in a report: each chain is replayed, and the counters at the end of a day are compared with those of the day before.

use baize_jackpot::{Counters, Exact, Jackpot, Status, evolve};

use super::{JackpotLine, PoolsStood, Tally};
use baize_house::record::{self, Body, State};
use baize_house::{Answer, Date, GamingDay, House, JackpotId};
use baize_journal::Stream;

/// Entries read per query.
const PAGE: u32 = 500;

fn balances(state: &Jackpot) -> PoolsStood {
    let pools = state.meter.pools();
    PoolsStood { meter: pools.meter, reserve: pools.reserve, overflow: pools.overflow }
}

pub(super) fn line(jackpot: &JackpotId, day: Date, before: &Jackpot, after: &Jackpot) -> JackpotLine {
    let (old, new) = (&before.counters, &after.counters);
    let moved = |counters: &Counters| counters.received - counters.moved_out;
    JackpotLine {
        jackpot: jackpot.clone(),
        day,
        opening: balances(before),
        opened_with: Exact::from(new.base) - Exact::from(old.base),
        contributions: new.amount_in - old.amount_in,
        resets_by_house: new.from_house - old.from_house,
        moved: moved(new) - moved(old),
        awards_from_meter: new.paid_from_meter - old.paid_from_meter,
        handed_over: baize_rules::Money::ZERO,
        closing: balances(after),
        hits: new.hits - old.hits,
        // A reversed hit no longer counts as a win, and may have been paid on another day.
        paid: new.wins.saturating_sub(old.wins),
        rejected: new.rejected - old.rejected,
        reversed: new.reversed - old.reversed,
    }
}

/// Replays a jackpot's chain over these days, starting at the last snapshot before them. Returns its state after them.
pub(super) async fn through(
    house: &House,
    jackpot: &JackpotId,
    (from, to): (Option<Date>, Option<Date>),
    tally: &mut Tally,
) -> Answer<Jackpot> {
    let stream = Stream::jackpot(jackpot);
    let snapshot = match from {
        Some(from) => house.snapshot(&stream, u64::MAX, Some(tally.rule().start(from))).await?,
        None => None,
    };
    let (mut state, mut after) = match snapshot {
        Some((head, State::Jackpot(state))) => (*state, head.version),
        _ => (Jackpot::default(), 0),
    };
    loop {
        let entries = house.store().read(&stream, after, PAGE).await?;
        let Some(last) = entries.last() else { return Ok(state) };
        after = last.version;
        for entry in &entries {
            let day = tally.day_of_jackpot(jackpot, entry.at);
            if to.is_some_and(|to| day > to) {
                return Ok(state);
            }
            let Body::Jackpot(steps) = record::read(&entry.body, &entry.place())? else { continue };
            let counts = from.is_none_or(|from| day >= from);
            if counts {
                tally.jackpot_before(jackpot, entry.at, &state);
            }
            for event in steps.iter().flat_map(|step| &step.events) {
                state = evolve(state, event);
            }
            if counts {
                tally.jackpot_after(jackpot, entry.at, &state);
            }
        }
    }
}

/// The line of a jackpot without activity in these days, if it was open by then.
pub(super) async fn unmoved(
    house: &House,
    jackpot: &JackpotId,
    rule: GamingDay,
    to: Option<Date>,
) -> Answer<Option<JackpotLine>> {
    let day = to.unwrap_or_else(|| rule.of(house.now()));
    // Starts after the last day, so nothing counts: only the state is needed.
    let state = through(house, jackpot, (Some(day.next()), to), &mut Tally::new(rule)).await?;
    Ok((state.status != Status::Unopened).then(|| line(jackpot, day, &state, &state)))
}
