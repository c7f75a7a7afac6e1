//! What tables report about their rounds: wagers, deals, returns, faults, ends.

use baize_rules::{BoxNumber, Cites, Contribution, Money, Role};

use super::{Log, needs};
use crate::{Event, Jackpot, LinkState, MadeContribution, OpenRound, Person, Refusal, Registered, Wager};

pub(super) fn close_bets(log: &mut Log, name: &str, round: u64, wagers: &[Wager]) -> Result<(), Refusal> {
    let table = linked(&log.jackpot, name)?;
    if let Some(open) = &table.open {
        let table = name.to_owned();
        return Err(Refusal::RoundStillOpen { table, open: open.round, round });
    }
    if table.ended.is_some_and(|(ended, _)| round <= ended) {
        return Err(Refusal::RoundEnded { table: name.to_owned(), round });
    }
    if table.suspended && !wagers.is_empty() {
        return Err(Refusal::TableSuspended { table: name.to_owned() });
    }
    let (prescribed, multiples) = prescribed(&log.jackpot, table, wagers)?;
    let (rate, reserve) = (log.jackpot.parameters.increment, log.jackpot.parameters.reserve);
    let mut meter = log.jackpot.meter.clone();
    let contributions = wagers
        .iter()
        .zip(multiples)
        .map(|(wager, multiple)| MadeContribution {
            seat: wager.seat,
            wager: wager.amount,
            multiple,
            pools: meter.contribute(wager.amount, rate, reserve),
        })
        .collect();
    log.push(Event::BetsClosed { table: name.to_owned(), round, prescribed, contributions });
    Ok(())
}

/// The prescribed amount that all wagers fit, and how many times each wager is that amount: the one in force, or the previous one
/// for bets that were on the table when it changed.
fn prescribed(jackpot: &Jackpot, table: &LinkState, wagers: &[Wager]) -> Result<(Money, Vec<u32>), Refusal> {
    for (at, wager) in wagers.iter().enumerate() {
        if wagers[..at].iter().any(|earlier| earlier.seat == wager.seat) {
            return Err(Refusal::SeatTwice { seat: wager.seat });
        }
    }
    let (in_force, most) = (jackpot.parameters.wager, table.link.multiples);
    let multiples = |prescribed: Money| -> Result<Vec<u32>, &Wager> {
        let times = |wager: &Wager| multiple(wager.amount, prescribed).filter(|times| *times <= most);
        wagers.iter().map(|wager| times(wager).ok_or(wager)).collect()
    };
    let misfit = match multiples(in_force) {
        Ok(times) => return Ok((in_force, times)),
        Err(misfit) => misfit,
    };
    let before = table.superseded.and_then(|before| Some((before, multiples(before).ok()?)));
    before.ok_or(Refusal::WagerNotPrescribed {
        seat: misfit.seat,
        wager: misfit.amount,
        prescribed: in_force,
        most,
    })
}

/// How many times the prescribed amount a wager is, if it is a whole multiple.
fn multiple(wager: Money, prescribed: Money) -> Option<u32> {
    let (wager, prescribed) = (wager.cents(), prescribed.cents());
    let whole = wager > 0 && prescribed > 0 && wager % prescribed == 0;
    whole.then(|| u32::try_from(wager / prescribed).ok()).flatten()
}

pub(super) fn deal(
    log: &mut Log,
    name: &str,
    round: u64,
    order: u64,
    seat: Option<BoxNumber>,
) -> Result<(), Refusal> {
    let open = open_round(&log.jackpot, name, round)?;
    if seat.map_or(open.dealt, |seat| open.dealt_at(seat)).is_some() {
        return Err(Refusal::DealtTwice { table: name.to_owned(), round });
    }
    if let Some(seat) = seat.filter(|seat| open.contributions.iter().all(|made| made.seat != *seat)) {
        return Err(Refusal::NoWager { table: name.to_owned(), round, seat });
    }
    let dealt_first = linked(&log.jackpot, name)?.link.dealt_first();
    let open_rounds =
        log.jackpot.tables.iter().filter_map(|(table, state)| Some((table, state.open.as_ref()?)));
    let open_rounds = open_rounds.flat_map(|(table, open)| {
        let hands = open.hands.iter().map(|(_, order)| *order);
        open.dealt.into_iter().chain(hands).map(move |order| (table, order))
    });
    let pending = log
        .jackpot
        .contest
        .iter()
        .flat_map(|contest| &contest.rounds)
        .map(|round| (&round.table, round.turn));
    // Boxes of one table may share a place: among themselves they are paid in the order of their table.
    let taken = |&(table, taken): &(&String, u64)| taken == order && (seat.is_none() || table != name);
    if dealt_first && let Some((table, _)) = open_rounds.chain(pending).find(taken) {
        return Err(Refusal::OrderTaken { order, table: table.clone() });
    }
    log.push(Event::HandsDealt { table: name.to_owned(), round, order, seat });
    Ok(())
}

pub(super) fn take_out(log: &mut Log, name: &str, round: u64, seats: &[BoxNumber]) -> Result<(), Refusal> {
    open_round(&log.jackpot, name, round)?;
    for (at, &seat) in seats.iter().enumerate() {
        if seats[..at].contains(&seat) {
            return Err(Refusal::SeatTwice { seat });
        }
        take_out_one(log, name, round, seat)?;
    }
    Ok(())
}

fn take_out_one(log: &mut Log, name: &str, round: u64, seat: BoxNumber) -> Result<(), Refusal> {
    let event = returned(&log.jackpot, name, open_round(&log.jackpot, name, round)?, seat)?;
    log.push(event);
    Ok(())
}

/// The event for returning this wager of a round. Its contribution is taken out unless the meter has been won since (I-11).
pub(super) fn returned(
    jackpot: &Jackpot,
    name: &str,
    played: &OpenRound,
    seat: BoxNumber,
) -> Result<Event, Refusal> {
    let reading = linked(jackpot, name)?.link.readings.contribution;
    let (table, round) = (name.to_owned(), played.round);
    let Some(made) = played.contributions.iter().find(|made| made.seat == seat) else {
        return Err(Refusal::NoWager { table, round, seat });
    };
    let won_since = jackpot.counters.won > played.won_before;
    Ok(if won_since || reading == Contribution::Kept {
        Event::Kept { table, round, seat, won_since }
    } else {
        Event::TakenOut { table, round, seat, pools: jackpot.meter.still_there(&made.pools) }
    })
}

pub(super) fn void(log: &mut Log, name: &str, round: u64) -> Result<(), Refusal> {
    let seats: Vec<BoxNumber> =
        open_round(&log.jackpot, name, round)?.contributions.iter().map(|made| made.seat).collect();
    // Last in, first out: the pools end as they began even if the ceiling was reached in between.
    for &seat in seats.iter().rev() {
        take_out_one(log, name, round, seat)?;
    }
    log.push(Event::RoundEnded { table: name.to_owned(), round, void: true });
    Ok(())
}

pub(super) fn end(log: &mut Log, name: &str, round: u64) -> Result<(), Refusal> {
    open_round(&log.jackpot, name, round)?;
    log.push(Event::RoundEnded { table: name.to_owned(), round, void: false });
    Ok(())
}

pub(super) fn fault(
    log: &mut Log,
    name: &str,
    round: u64,
    cites: Cites,
    registered: Option<Money>,
) -> Result<(), Refusal> {
    let open = open_round(&log.jackpot, name, round)?;
    if open.registered.is_some() {
        return Err(Refusal::FaultReportedTwice { table: name.to_owned(), round });
    }
    let registered = Registered::new(registered.unwrap_or_else(|| log.jackpot.displayed()), cites);
    log.push(Event::FaultReported { table: name.to_owned(), round, registered });
    Ok(())
}

pub(super) fn restore(log: &mut Log, name: &str, by: &Person) -> Result<(), Refusal> {
    needs(by, Role::PitManager)?;
    if !linked(&log.jackpot, name)?.suspended {
        return Err(Refusal::TableNotSuspended { table: name.to_owned() });
    }
    log.push(Event::TableRestored { table: name.to_owned(), by: by.clone() });
    Ok(())
}

pub(super) fn linked<'a>(jackpot: &'a Jackpot, name: &str) -> Result<&'a LinkState, Refusal> {
    jackpot.tables.get(name).ok_or_else(|| Refusal::TableNotLinked { table: name.to_owned() })
}

/// The round that the table is playing, if it is this one.
pub(super) fn open_round<'a>(jackpot: &'a Jackpot, name: &str, round: u64) -> Result<&'a OpenRound, Refusal> {
    let table = linked(jackpot, name)?;
    match (&table.open, table.ended) {
        (Some(open), _) if open.round == round => Ok(open),
        (_, Some((ended, _))) if round <= ended => Err(Refusal::RoundEnded { table: name.to_owned(), round }),
        _ => Err(Refusal::NoSuchRound { table: name.to_owned(), round }),
    }
}
