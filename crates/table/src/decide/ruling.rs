//! Rulings: a person decides where the rules leave it to one, in the required position or above.

use std::collections::BTreeSet;

use baize_rules::{
    BoxNumber, Cited, Cites, HouseActs, IrregularityKind, JackpotFaultRules, Remedy, Role, Rulebook,
};

use super::contradicting::second_look;
use super::reporting::{controlled, options};
use super::returning::wagers_back;
use super::{known_box, settling};
use crate::round::Phase;
use crate::schedule::Cursor;
use crate::{Awaiting, Event, Player, Refusal, Ruling, RulingKind, Standing, Table, Why};

// RWS 5.14; RH 5.18; RS 5.19; MBS 3.4.3, 5.9, 5.10.3: what the rules leave to a person of that position or above.
pub(super) fn rule(book: &Rulebook, table: &Table, ruling: &Ruling) -> Result<Vec<Event>, Refusal> {
    let rules = &book.irregularities;
    match &ruling.kind {
        RulingKind::Void | RulingKind::Continue => {
            let (kind, by, cites) = awaited(book, table)?;
            if matches!(kind, IrregularityKind::LookedAtSecondHand | IrregularityKind::SimultaneousDraw)
                && rules.reports.iter().any(|report| report.kind == kind)
            {
                return Err(Refusal::new(Why::NoSuchRuling, cites));
            }
            let mut events = ruled(book, ruling, Cited { value: by, cites })?;
            if ruling.kind == RulingKind::Void {
                events.push(settling::void(book, table, cites, Some(kind)));
            }
            Ok(events)
        }
        RulingKind::FirstCard(number) => {
            let rule = rules.first_card.ok_or_else(|| not_given(book))?;
            awaited_kind(table, IrregularityKind::SimultaneousDraw, rule.cites)?;
            let drawn = drawn_together(table);
            if !(1..=drawn).contains(number) {
                return Err(Refusal::new(Why::NotDrawn { number: *number, drawn }, rule.cites));
            }
            let mut events = ruled(book, ruling, rule)?;
            events.extend(received_first(book, table, *number));
            events.extend(options(
                book,
                table,
                in_play_boxes(table),
                None,
                rules.withdraw_all_boxes,
                rule.cites,
            ));
            Ok(events)
        }
        RulingKind::Intentional | RulingKind::NotIntentional => {
            let rule = rules.intentional.ok_or_else(|| not_given(book))?;
            let seat = awaited_kind(table, IrregularityKind::LookedAtSecondHand, rule.cites)?;
            let mut events = ruled(book, ruling, rule)?;
            if let (RulingKind::Intentional, Some(seat), Phase::Play(play)) =
                (&ruling.kind, seat, &table.round.phase)
            {
                second_look(play, seat, rule.cites)?;
                events.push(Event::HandInvalidated { seat, cites: rule.cites });
            }
            Ok(events)
        }
        RulingKind::PermitWithdrawal => permit_withdrawal(book, table, ruling),
        RulingKind::NoJackpot
        | RulingKind::CloseTable
        | RulingKind::BarBox(_)
        | RulingKind::JackpotRestored => after_fault(book, table, ruling),
        RulingKind::Restrict(_) => {
            let missing = || Refusal::new(Why::NoSuchRuling, book.betting.several_boxes);
            ruled(book, ruling, book.betting.restrict.ok_or_else(missing)?)
        }
        RulingKind::Bar(player) => {
            let rule = rules.bar_player.unwrap_or(rules.anything_else);
            known_player(table, player, rule.cites)?;
            let mut events = ruled(book, ruling, rule)?;
            events.extend(wagers_back(book, table, player, rule.cites, |_| true));
            Ok(events)
        }
        RulingKind::Lift(player) => {
            let rule = rules.bar_player.unwrap_or(rules.anything_else);
            if !table.standing.barred.contains(player) {
                return Err(Refusal::new(Why::NotBarred(player.clone()), rule.cites));
            }
            ruled(book, ruling, rule)
        }
        RulingKind::Stop(player) => {
            let rule = rules.stop_player.ok_or_else(|| not_given(book))?;
            known_player(table, player, rule.cites)?;
            let mut events = ruled(book, ruling, rule)?;
            let stays = first_hand(table, player);
            events.extend(hands_back(book, table, player, rule.cites, |seat| Some(seat) != stays));
            Ok(events)
        }
    }
}

/// The ruling, if the person's position is high enough.
fn ruled(book: &Rulebook, ruling: &Ruling, rule: Cited<Role>) -> Result<Vec<Event>, Refusal> {
    let Cited { value: needed, cites } = rule;
    let found = ruling.by.role;
    if found < needed {
        let authority = book.irregularities.authority;
        return Err(Refusal::new(Why::Authority { found, needed }, cites.and(authority)));
    }
    Ok(vec![Event::Ruled { ruling: ruling.clone(), cites }])
}

/// The text assigns this ruling to nobody: it goes to the person who decides everything that the text does
/// not cover.
fn not_given(book: &Rulebook) -> Refusal {
    Refusal::new(Why::NoSuchRuling, book.irregularities.anything_else.cites)
}

/// A ruling on a player must name a player of this round, or one with a standing restriction.
fn known_player(table: &Table, player: &Player, cites: Cites) -> Result<(), Refusal> {
    if table.known_players().contains(player) {
        return Ok(());
    }
    Err(Refusal::new(Why::UnknownPlayer(player.clone()), cites))
}

/// The report that the round waits for a ruling on.
fn awaited(book: &Rulebook, table: &Table) -> Result<(IrregularityKind, Role, Cites), Refusal> {
    match &table.round.awaiting {
        Some(Awaiting::Ruling { kind, by, cites, .. }) => Ok((*kind, *by, *cites)),
        Some(Awaiting::Options { .. } | Awaiting::Reconstruction { .. }) | None => {
            Err(Refusal::new(Why::NothingToRule, book.irregularities.anything_else.cites))
        }
    }
}

fn awaited_kind(table: &Table, wanted: IrregularityKind, cites: Cites) -> Result<Option<BoxNumber>, Refusal> {
    match &table.round.awaiting {
        Some(Awaiting::Ruling { kind, seat, .. }) if *kind == wanted => Ok(*seat),
        Some(_) | None => Err(Refusal::new(Why::NothingToRule, cites)),
    }
}

/// How many cards came out together: as reported; two if the report does not say, none if none did.
pub(crate) fn drawn_together(table: &Table) -> u8 {
    match &table.round.awaiting {
        Some(Awaiting::Ruling { kind: IrregularityKind::SimultaneousDraw, count, .. }) => {
            count.map_or(2, |count| u8::try_from(count).unwrap_or(u8::MAX))
        }
        Some(_) | None => 0,
    }
}

/// Puts the cards that came out together in the order ruled. If the report does not say how many of the last cards they are, they
/// are not on the table yet, or are already in that order.
fn received_first(book: &Rulebook, table: &Table, number: u8) -> Option<Event> {
    let Phase::Play(play) = &table.round.phase else { return None };
    let Some(Awaiting::Ruling { count: Some(together), .. }) = &table.round.awaiting else { return None };
    let together = usize::try_from(*together).ok()?;
    let drawn = Cursor::new(book, table, play).with_first(together, usize::from(number))?;
    (number > 1).then_some(Event::CardsReconstructed { drawn })
}

fn in_play_boxes(table: &Table) -> BTreeSet<BoxNumber> {
    let Phase::Play(play) = &table.round.phase else { return BTreeSet::new() };
    play.hands.iter().filter(|(_, hand)| hand.in_play()).map(|(seat, _)| *seat).collect()
}

/// Players with correct hands may withdraw after another's hand had a wrong number of cards, each hand
/// separately.
// MBS 5.7.1
fn permit_withdrawal(book: &Rulebook, table: &Table, ruling: &Ruling) -> Result<Vec<Event>, Refusal> {
    let rule = book.irregularities.permit_withdrawal.ok_or_else(|| not_given(book))?;
    let wrong_hand = table.round.ruled.as_ref().is_some_and(|ruled| {
        ruled.kind == IrregularityKind::WrongPlayerHand && ruled.remedy == Remedy::Invalid
    });
    if !wrong_hand || table.round.awaiting.is_some() {
        return Err(Refusal::new(Why::NothingToRule, rule.cites));
    }
    let given = options(book, table, in_play_boxes(table), None, false, rule.cites);
    let given = given.ok_or_else(|| Refusal::new(Why::NothingToRule, rule.cites))?;
    let mut events = ruled(book, ruling, rule)?;
    events.push(given);
    Ok(events)
}

/// How later rounds continue after a jackpot fault.
// RH 5.17.2; RS 5.18.2: close the table, bar the box, or play without jackpot under notice.
fn after_fault(book: &Rulebook, table: &Table, ruling: &Ruling) -> Result<Vec<Event>, Refusal> {
    let rules = &book.irregularities;
    let standing = &table.standing;
    let general = rules.anything_else;
    let fault = rules.jackpot_fault.as_ref();
    let failed =
        standing.closed || standing.jackpot_fault || standing.no_jackpot || !standing.barred_boxes.is_empty();
    let house = |fault: &JackpotFaultRules| house_role(table, fault.decided_by);
    let (needed, cites) = match (&ruling.kind, fault) {
        (RulingKind::NoJackpot, Some(fault)) => (house(fault), fault.no_jackpot),
        (RulingKind::BarBox(seat), Some(fault)) => {
            known_box(book, table, *seat)?;
            affected_box(standing, *seat, fault.bar_box)?;
            (house(fault), fault.bar_box)
        }
        (RulingKind::CloseTable, Some(fault)) => (house(fault), fault.close_table),
        (RulingKind::JackpotRestored, Some(fault)) => (house(fault), fault.no_jackpot),
        (RulingKind::BarBox(seat), None) => {
            known_box(book, table, *seat)?;
            (general.value, general.cites)
        }
        _ => (general.value, general.cites),
    };
    // A table may be closed for any reason; the other rulings require a fault.
    if fault.is_some() && !failed && ruling.kind != RulingKind::CloseTable {
        return Err(Refusal::new(Why::NoFault, cites));
    }
    ruled(book, ruling, Cited { value: needed, cites })
}

/// Only an affected box can be barred. If the report did not name one, any box can.
fn affected_box(standing: &Standing, seat: BoxNumber, cites: Cites) -> Result<(), Refusal> {
    if standing.jackpot_fault && standing.fault_everywhere {
        return Err(Refusal::new(Why::WholeTable, cites));
    }
    let faulty = &standing.faulty_boxes;
    if faulty.is_empty() || faulty.contains(&seat) {
        return Ok(());
    }
    Err(Refusal::new(Why::NotAffected(seat), cites))
}

/// The lowest position that acts for the House (I-17).
pub(super) fn house_role(table: &Table, usual: Role) -> Role {
    match table.settings.readings.house_acts {
        HouseActs::ShiftManager => usual,
        HouseActs::PitManager => Role::PitManager,
    }
}

/// The hand that a stopped player keeps: the one they looked at, or the first one dealt to them.
fn first_hand(table: &Table, player: &Player) -> Option<BoxNumber> {
    match &table.round.phase {
        Phase::Play(play) => {
            let mut hands = controlled(play, player);
            hands.retain(|(_, hand)| hand.in_play());
            hands.iter().find(|(_, hand)| hand.viewed()).or_else(|| hands.first()).map(|(seat, _)| *seat)
        }
        Phase::Betting(betting) => {
            betting.boxes.iter().find(|(_, on_box)| on_box.seated == *player).map(|(seat, _)| *seat)
        }
        Phase::Idle | Phase::Finished(_) => None,
    }
}

/// A stopped player's other hands are invalid; before the close their chips on them go back.
fn hands_back(
    book: &Rulebook,
    table: &Table,
    player: &Player,
    cites: Cites,
    gone: impl Fn(BoxNumber) -> bool,
) -> Vec<Event> {
    let seated = table.round.seated();
    let his = |seat: BoxNumber| seated.get(&seat) == Some(player) && gone(seat);
    match &table.round.phase {
        Phase::Play(play) => play
            .hands
            .iter()
            .filter(|(seat, hand)| hand.in_play() && his(**seat))
            .map(|(seat, _)| Event::HandInvalidated { seat: *seat, cites })
            .collect(),
        Phase::Betting(_) => wagers_back(book, table, player, cites, his),
        Phase::Idle | Phase::Finished(_) => Vec::new(),
    }
}
