//! Turns a command into events, or into a refusal with its reason and paragraph.
//!
//! Nothing is changed here. The files below follow the course of a round (betting, dealing, playing, settling) and
//! then irregularities (reporting, ruling, choosing).

mod betting;
mod choosing;
mod contradicting;
mod dealing;
mod facts;
mod playing;
mod reconstructing;
mod reporting;
mod returning;
mod ruling;
mod settling;

use baize_rules::{BoxNumber, Rulebook};

pub(crate) use betting::wager_amounts;
pub(crate) use dealing::overfull;
pub(crate) use playing::decision_open;
pub(crate) use reporting::{reportable_now, rule_here};
pub(crate) use ruling::drawn_together;
pub(crate) use settling::{can_settle, completions, hand_lines, known, subsets};

use crate::round::{HandInPlay, HandStatus, Phase, Play};
use crate::{Awaiting, Command, Event, Refusal, Table, Why};

/// The events that this command causes now.
///
/// # Errors
/// A [`Refusal`] if the rules do not allow it; the table is unchanged.
pub fn decide(book: &Rulebook, table: &Table, command: &Command) -> Result<Vec<Event>, Refusal> {
    if let Some(refusal) = waits(table, command) {
        return Err(refusal);
    }
    let mut events = decided(book, table, command)?;
    events.extend(reconstructing::after_options(book, table, &events)?);
    Ok(events)
}

fn decided(book: &Rulebook, table: &Table, command: &Command) -> Result<Vec<Event>, Refusal> {
    match command {
        Command::Open => betting::open(book, table),
        Command::PlaceWager { seat, player, area, amount, unnoticed, placed_by } => {
            let wager = betting::Wager {
                seat: *seat,
                player,
                area: *area,
                amount: *amount,
                unnoticed: *unnoticed,
                placed_by: *placed_by,
            };
            match &table.round.phase {
                Phase::Betting(betting) => betting::place(book, table, betting, &wager),
                Phase::Play(play) if book.decision(*area).is_some() => {
                    playing::raise(book, table, play, &wager)
                }
                Phase::Play(_) => Err(Refusal::new(Why::BetsClosed, book.betting.late_placing)),
                Phase::Idle | Phase::Finished(_) => Err(Refusal::new(Why::NoRound, book.betting.open)),
            }
        }
        Command::Withdraw { seat, player, area } => betting::withdraw(book, table, *seat, player, *area),
        Command::Close => betting::close(book, table),
        Command::Burn { card } => dealing::burn(book, table, *card),
        Command::Deal { to, cards } => dealing::deal(book, table, *to, cards),
        Command::Look { seat } => playing::look(book, table, *seat),
        Command::Fold { seat } => playing::fold(book, table, *seat),
        Command::Check { seat } => playing::check(book, table, *seat),
        Command::Reveal { what } => playing::reveal(book, table, *what),
        Command::Show { seat } => playing::show(book, table, *seat),
        Command::Decline { seat } => playing::decline(book, table, *seat),
        Command::Absent { seat } => playing::absent(book, table, *seat),
        Command::Report(report) => reporting::report(book, table, report),
        Command::Choose { seat, player, choice } => {
            choosing::choose(book, table, *seat, player.as_ref(), *choice)
        }
        Command::Rule(ruling) => ruling::rule(book, table, ruling),
        Command::Settle => settling::settle(book, table),
        Command::PayJackpot { payments } => settling::pay_jackpot(table, payments),
    }
}

/// While the round waits for a ruling or a choice, every other command is refused.
pub(crate) fn waits(table: &Table, command: &Command) -> Option<Refusal> {
    match (table.round.awaiting.as_ref()?, command) {
        (
            Awaiting::Reconstruction { .. },
            Command::Report(_) | Command::Deal { .. } | Command::Burn { .. } | Command::PayJackpot { .. },
        ) => None,
        (Awaiting::Reconstruction { left, cites }, _) => {
            Some(Refusal::new(Why::CardsPutBack(left.len()), *cites))
        }
        (_, Command::Report(_) | Command::Rule(_) | Command::PayJackpot { .. })
        // A player who has walked away no longer chooses.
        | (Awaiting::Options { .. }, Command::Choose { .. } | Command::Absent { .. }) => None,
        (Awaiting::Ruling { by, cites, .. }, _) => Some(Refusal::new(Why::RulingAwaited(*by), *cites)),
        (Awaiting::Options { seats, sharing, cites, .. }, _) => {
            let seat = seats.first().or_else(|| sharing.first().map(|(seat, _)| seat));
            seat.map(|seat| Refusal::new(Why::ChoiceAwaited(*seat), *cites))
        }
    }
}

/// The round's play, or why there is none.
pub(crate) fn in_play<'a>(book: &Rulebook, table: &'a Table) -> Result<&'a Play, Refusal> {
    match &table.round.phase {
        Phase::Play(play) => Ok(play),
        Phase::Betting(_) => Err(Refusal::new(Why::BetsOpen, book.betting.close)),
        Phase::Idle => Err(Refusal::new(Why::NoRound, book.betting.open)),
        Phase::Finished(_) => Err(Refusal::new(Why::RoundOver, book.round_of_play)),
    }
}

/// The hand of a box, if it is still in play.
fn live_hand<'a>(
    book: &Rulebook,
    table: &Table,
    play: &'a Play,
    seat: BoxNumber,
) -> Result<&'a HandInPlay, Refusal> {
    let hand = hand(book, table, play, seat)?;
    match hand.status {
        HandStatus::InPlay => Ok(hand),
        HandStatus::Folded(cites) => Err(Refusal::new(Why::HandFolded(seat), cites)),
        HandStatus::Invalid(cites) => Err(Refusal::new(Why::HandInvalid(seat), cites)),
        HandStatus::NoAnte => Err(Refusal::new(Why::NoHand(seat), book.betting.ante_needed)),
    }
}

/// The hand of a box, if it has chips.
fn hand<'a>(
    book: &Rulebook,
    table: &Table,
    play: &'a Play,
    seat: BoxNumber,
) -> Result<&'a HandInPlay, Refusal> {
    known_box(book, table, seat)?;
    play.hands.get(&seat).ok_or_else(|| Refusal::new(Why::EmptyBox(seat), book.betting.ante_needed))
}

fn known_box(book: &Rulebook, table: &Table, seat: BoxNumber) -> Result<(), Refusal> {
    let boxes = table.settings.boxes;
    if seat.is_on(boxes) {
        return Ok(());
    }
    Err(Refusal::new(Why::NoSuchBox { seat, boxes }, book.boxes.cites))
}
