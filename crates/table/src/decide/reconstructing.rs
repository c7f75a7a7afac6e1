//! Reconstruction: cards return to where they were intended to go. A round that is settled already is settled anew with them.

use baize_cards::Card;
use baize_rules::{Cites, IrregularityKind, Remedy, Rulebook};

use super::dealing::right_number;
use super::reporting::paragraphs;
use super::settling::settled_anew;
use crate::round::{Draw, HandInPlay, Phase, Play};
use crate::schedule::Cursor;
use crate::{Awaiting, Event, Facts, Place, Refusal, Report, Table, Why, replay};

/// Puts cards where they belong: whole hands move; the cards are laid out along the schedule in the order in which they left the shoe, after
/// a missed burn with the card that was to be burnt; community cards that came too early go where the next cards go; cards over the right
/// number come off.
// RH 1.21; RS 1.15; RWS 5.8.6, 5.9, 5.10.2; MBS 5.2: the cards go back to where they were meant to lie.
pub(super) fn reconstruct(
    book: &Rulebook,
    table: &Table,
    play: &Play,
    report: &Report,
    facts: &Facts,
) -> Result<Vec<Event>, Refusal> {
    let cites = paragraphs(book, report.kind);
    let cursor = Cursor::new(book, table, play);
    let mut events = Vec::new();
    if !facts.moves.is_empty() {
        complete_hands(book, play, &facts.moves, cites)?;
        events.push(Event::HandsMoved { moves: facts.moves.clone() });
    } else if facts.shift {
        let drawn = if report.kind == IrregularityKind::MissedBurn {
            let none = || Refusal::new(Why::Contradiction("no burn was missed".into()), cites);
            cursor.moved_up().ok_or_else(none)?
        } else {
            cursor.in_order(None)
        };
        turned_cards_stay(play, &drawn, cites)?;
        events.push(Event::CardsReconstructed { drawn });
    }
    let place = match (report.kind, report.seat) {
        (IrregularityKind::WrongBoard, _) => Some(Place::Board),
        (IrregularityKind::WrongDealerHand, _) => Some(Place::Dealer),
        (IrregularityKind::WrongPlayerHand, Some(seat)) => Some(Place::Box(seat)),
        _ => None,
    };
    if place == Some(Place::Board)
        && let Some(drawn) = cursor.early_board_cards_in_place()
    {
        events.push(Event::CardsReconstructed { drawn });
    } else if let Some(from) = place {
        let over: Vec<Card> = play.pile(from).iter().skip(right_number(book, from)).copied().collect();
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

/// When the last player has chosen after an error that can be put right, whoever plays on plays with the reconstructed hand.
pub(super) fn after_options(book: &Rulebook, table: &Table, events: &[Event]) -> Result<Vec<Event>, Refusal> {
    let round = &table.round;
    let (Some(Awaiting::Options { .. }), Some(report), Some(ruled)) =
        (&round.awaiting, &round.reported, &round.ruled)
    else {
        return Ok(Vec::new());
    };
    if ruled.remedy != Remedy::Options || report.facts.reconstructable != Some(true) {
        return Ok(Vec::new());
    }
    let after = replay(table.clone(), events);
    match &after.round.phase {
        Phase::Play(play)
            if after.round.awaiting.is_none() && play.hands.values().any(HandInPlay::in_play) =>
        {
            reconstruct(book, &after, play, report, &report.facts)
        }
        Phase::Play(_) | Phase::Idle | Phase::Betting(_) | Phase::Finished(_) => Ok(Vec::new()),
    }
}

/// The paragraphs that have the cards of this irregularity put right.
fn reconstruction(book: &Rulebook, kind: IrregularityKind) -> Cites {
    let rule = book.irregularities.reports.iter().find(|report| report.kind == kind);
    let put_right = [Remedy::Reconstruct, Remedy::ReconstructThenOptions];
    let case = rule.and_then(|rule| rule.cases.iter().find(|case| put_right.contains(&case.remedy)));
    case.map_or_else(|| paragraphs(book, kind), |case| case.cites)
}

/// What has been turned for everybody to see cannot be dealt to somebody else.
fn turned_cards_stay(play: &Play, drawn: &[Draw], cites: Cites) -> Result<(), Refusal> {
    let pile = |place: Place| -> Vec<Card> {
        let there = drawn.iter().filter(|draw| draw.to == Some(place));
        there.flat_map(|draw| &draw.cards).copied().collect()
    };
    let board_stays = pile(Place::Board).starts_with(play.board_shown());
    if board_stays && (!play.dealer_shown() || pile(Place::Dealer) == play.dealer) {
        return Ok(());
    }
    let text = "cards that have been turned cannot be moved: they cannot be reconstructed";
    Err(Refusal::new(Why::Contradiction(text.into()), cites))
}

/// Only complete hands move, each once, and no two end up in one box.
// RWS 5.8.6; MBS 5.2: only complete hands move.
fn complete_hands(book: &Rulebook, play: &Play, moves: &[(u8, u8)], cites: Cites) -> Result<(), Refusal> {
    let contradiction = |text: String| Refusal::new(Why::Contradiction(text), cites);
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
