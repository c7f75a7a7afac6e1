//! Reconstruction: cards return to where they were intended to go. A round that is settled already is settled anew with them.

use baize_cards::Card;
use baize_rules::{Cites, DealTo, IrregularityKind, Remedy, Rulebook, Step};

use super::dealing::right_number;
use super::settling::settled_anew;
use crate::round::{Phase, Play};
use crate::{Event, Facts, Place, Refusal, Report, Table, Why};

/// Puts cards where they belong: whole hands move, cards move up after a missed burn, cards over the right number come off.
// RH 1.21; RS 1.15; RWS 5.8.6, 5.10.2; MBS 5.2: the cards go back to where they were meant to lie.
pub(super) fn reconstruct(
    book: &Rulebook,
    table: &Table,
    play: &Play,
    report: &Report,
    facts: &Facts,
) -> Result<Vec<Event>, Refusal> {
    let mut events = Vec::new();
    if !facts.moves.is_empty() {
        complete_hands(book, play, &facts.moves)?;
        events.push(Event::HandsMoved { moves: facts.moves.clone() });
    }
    if report.kind == IrregularityKind::MissedBurn && facts.shift {
        events.push(shifted(book, table, play)?);
    }
    let place = if report.kind == IrregularityKind::WrongBoard {
        Some((Place::Board, &play.board))
    } else if report.kind == IrregularityKind::WrongDealerHand {
        Some((Place::Dealer, &play.dealer))
    } else {
        let hand =
            report.seat.and_then(|seat| play.hands.get(&seat).map(|hand| (Place::Box(seat), &hand.cards)));
        hand.filter(|_| report.kind == IrregularityKind::WrongPlayerHand)
    };
    if let Some((from, cards)) = place {
        let over: Vec<Card> = cards.iter().skip(right_number(book, from)).copied().collect();
        if !over.is_empty() {
            events.push(Event::CardsTakenOff { from, cards: over });
        }
    }
    if let Phase::Finished(finished) = &table.round.phase {
        let corrected = settled_anew(book, table, finished, &events, reconstruction(book, report.kind))?;
        events.extend(corrected);
    }
    Ok(events)
}

/// The paragraphs that have the cards of this irregularity put right.
fn reconstruction(book: &Rulebook, kind: IrregularityKind) -> Cites {
    let rule = book.irregularities.reports.iter().find(|report| report.kind == kind);
    let put_right = [Remedy::Reconstruct, Remedy::ReconstructThenOptions];
    let case = rule.and_then(|rule| rule.cases.iter().find(|case| put_right.contains(&case.remedy)));
    case.map_or(Cites::NONE, |case| case.cites)
}

/// Only complete hands move, each once, and no two end up in one box.
// RWS 5.8.6; MBS 5.2: only complete hands move.
fn complete_hands(book: &Rulebook, play: &Play, moves: &[(u8, u8)]) -> Result<(), Refusal> {
    let contradiction = |text: String| Refusal::from(Why::Contradiction(text));
    for (n, (from, to)) in moves.iter().enumerate() {
        let cards = |seat: &u8| play.hands.get(seat).map_or(0, |hand| hand.cards.len());
        if cards(from) != book.hand_size() {
            return Err(contradiction(format!("box {from} does not hold a complete hand to move")));
        }
        if moves[..n].iter().any(|(other, target)| other == from || target == to) {
            return Err(contradiction(format!("the hand of box {from} or a hand to box {to} moves twice")));
        }
        if cards(to) > 0 && !moves.iter().any(|(other, _)| other == to) {
            return Err(contradiction(format!("box {to} holds a hand that does not move away")));
        }
    }
    Ok(())
}

/// The burn before the first card was missed: every card belongs one place earlier in the order of the deal, and the
/// first was to be burnt. The place that was dealt last is one card short afterwards and is dealt the next one.
// RWS 5.9: a burn that was missed is made up for.
fn shifted(book: &Rulebook, table: &Table, play: &Play) -> Result<Event, Refusal> {
    let contradiction = |text: &str| Refusal::from(Why::Contradiction(text.to_owned()));
    if !play.board.is_empty() || !play.burnt.is_empty() {
        return Err(contradiction(
            "only the first deal, before any burnt or community card, can be moved up",
        ));
    }
    let places = receivers(book, table, play);
    let pile = |place: Place| match place {
        Place::Box(seat) => play.hands.get(&seat).map(|hand| hand.cards.as_slice()).unwrap_or_default(),
        Place::Board => &play.board,
        Place::Dealer => &play.dealer,
    };
    // One card at a time round the table: first cards, second cards, and so on.
    let slots: Vec<(Place, Card)> = (0..book.hand_size())
        .flat_map(|n| places.iter().filter_map(move |place| pile(*place).get(n).map(|card| (*place, *card))))
        .collect();
    let Some((_, burnt)) = slots.first() else { return Err(contradiction("no card has been dealt")) };
    let mut piles: Vec<(Place, Vec<Card>)> = places.iter().map(|place| (*place, Vec::new())).collect();
    for ((place, _), (_, card)) in slots.iter().zip(&slots[1..]) {
        if let Some((_, cards)) = piles.iter_mut().find(|(other, _)| other == place) {
            cards.push(*card);
        }
    }
    Ok(Event::CardsShifted { burnt: *burnt, piles })
}

/// Who receives cards in the procedure's first deal, in order.
fn receivers(book: &Rulebook, table: &Table, play: &Play) -> Vec<Place> {
    let steps = book.procedure(table.settings.procedure).map(|p| p.steps.as_slice()).unwrap_or_default();
    let with_dealer =
        steps.iter().any(|step| matches!(step.value, Step::Deal { to: DealTo::BoxesAndDealer, .. }));
    let boxes =
        play.hands.iter().filter(|(_, hand)| !hand.cards.is_empty()).map(|(seat, _)| Place::Box(*seat));
    boxes.chain(with_dealer.then_some(Place::Dealer)).collect()
}
