//! Jackpots in a report: the chain of each is replayed, and what its counters say at the end of a day is compared with the day before.

use std::collections::BTreeMap;

use baize_jackpot::{Counters, Exact, Jackpot, Status, evolve};

use super::{JackpotLine, MeterPoint, PoolsStood, ReportFilter};
use baize_house::record::{self, Body, State};
use baize_house::{Answer, Date, House, Instant, JackpotId};
use baize_journal::Stream;

/// Entries that are read at once.
const PAGE: u32 = 500;

fn stood(state: &Jackpot) -> PoolsStood {
    let pools = state.meter.pools();
    PoolsStood { meter: pools.meter, reserve: pools.reserve, overflow: pools.overflow }
}

fn line(jackpot: &JackpotId, day: Date, before: &Jackpot, after: &Jackpot) -> JackpotLine {
    let (old, new) = (&before.counters, &after.counters);
    let moved = |counters: &Counters| counters.received - counters.moved_out;
    JackpotLine {
        jackpot: jackpot.clone(),
        day,
        opening: stood(before),
        opened_with: Exact::from(new.base) - Exact::from(old.base),
        contributions: new.amount_in - old.amount_in,
        resets_by_house: new.from_house - old.from_house,
        moved: moved(new) - moved(old),
        awards_from_meter: new.paid_from_meter - old.paid_from_meter,
        handed_over: baize_rules::Money::ZERO,
        closing: stood(after),
        hits: new.hits - old.hits,
        // One that is reversed is no longer among the wins, and may have been paid on another day.
        paid: new.wins.saturating_sub(old.wins),
        rejected: new.rejected - old.rejected,
        reversed: new.reversed - old.reversed,
    }
}

/// A line for each day on which something happened to this jackpot, and where its meter stood each hour. If nothing did, a line for the
/// last day that was asked for.
pub(super) async fn jackpot_lines(
    house: &House,
    jackpot: &JackpotId,
    asked: &ReportFilter,
) -> Answer<(Vec<JackpotLine>, Vec<MeterPoint>)> {
    let stream = Stream::jackpot(jackpot);
    let first = asked.from.map(|from| asked.day.start(from));
    let snapshot = match first {
        Some(first) => house.snapshot(&stream, u64::MAX, Some(first)).await?,
        None => None,
    };
    let (mut state, mut after) = match snapshot {
        Some((head, State::Jackpot(state))) => (*state, head.version),
        _ => (Jackpot::default(), 0),
    };
    let mut lines: BTreeMap<Date, JackpotLine> = BTreeMap::new();
    let mut began: Option<(Date, Jackpot)> = None;
    let mut meters: BTreeMap<Instant, MeterPoint> = BTreeMap::new();
    'chain: loop {
        let entries = house.store().read(&stream, after, PAGE).await?;
        let Some(last) = entries.last() else { break };
        after = last.version;
        for entry in &entries {
            // A chain goes on, also where the clock of another host is a little behind: so do its days.
            let mut day = asked.day.of(entry.at);
            if let Some((latest, _)) = &began {
                day = day.max(*latest);
            }
            if asked.to.is_some_and(|to| day > to) {
                break 'chain;
            }
            let Body::Jackpot(steps) = record::read(&entry.body, &entry.place())? else { continue };
            let counts = asked.from.is_none_or(|from| day >= from);
            if counts && began.as_ref().is_none_or(|(open, _)| *open != day) {
                began = Some((day, state.clone()));
            }
            for event in steps.iter().flat_map(|step| &step.events) {
                state = evolve(state, event);
            }
            if let Some((day, before)) = began.as_ref().filter(|_| counts) {
                lines.insert(*day, line(jackpot, *day, before, &state));
                let at = asked.day.hour(entry.at);
                meters.insert(at, MeterPoint { jackpot: jackpot.clone(), at, meter: state.displayed() });
            }
        }
    }
    if lines.is_empty() && state.status != Status::Unopened {
        let today = asked.day.of(house.now());
        let day = asked.to.unwrap_or(today);
        lines.insert(day, line(jackpot, day, &state, &state));
    }
    Ok((lines.into_values().collect(), meters.into_values().collect()))
}
