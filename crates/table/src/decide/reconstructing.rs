//! Reconstruction: cards return to where they were meant to go. A settled round is settled again with them.

use std::collections::BTreeMap;

use baize_cards::Card;
use baize_rules::{BoxNumber, Cites, IrregularityKind, Remedy, Rulebook};

use super::dealing::right_number;
use super::reporting::{options_after, paragraphs};
use super::settling::settled_anew;
use crate::describe::phrases::among;
use crate::round::{Draw, HandInPlay, Phase, Play, PutBack};
use crate::schedule::Cursor;
use crate::{Awaiting, Event, Facts, Place, Refusal, Report, Table, Why, replay};

/// Puts cards where they belong. With a real shoe the dealer does it card by card; a finished round is corrected on record
/// only.
pub(super) fn reconstruct(
    book: &Rulebook,
    table: &Table,
    play: &Play,
    report: &Report,
    facts: &Facts,
) -> Result<Vec<Event>, Refusal> {
    let mut events = rearranged(book, table, play, report, facts)?;
    if let Phase::Finished(finished) = &table.round.phase {
        let corrected = settled_anew(book, table, finished, &events, reconstruction(book, report.kind))?;
        events.extend(corrected);
    } else if facts.card_by_card {
        let left: Vec<PutBack> = moved(table, &events).into_iter().map(|(put, _)| put).collect();
        if !left.is_empty() {
            return Ok(vec![Event::ReconstructionBegun { left, cites: reconstruction(book, report.kind) }]);
        }
    }
    Ok(events)
}

/// The dealer has put these cards there. The reconstruction is complete with the last one.
pub(super) fn put_back(
    book: &Rulebook,
    table: &Table,
    play: &Play,
    (left, cites): (&[PutBack], Cites),
    to: Option<Place>,
    cards: &[Card],
) -> Result<Vec<Event>, Refusal> {
    let round = &table.round;
    let (Some(report), Some(ruled)) = (&round.reported, &round.ruled) else {
        return Err(Refusal::new(Why::CardsPutBack(left.len()), cites));
    };
    let rearranged = rearranged(book, table, play, report, &report.facts)?;
    let moved = moved(table, &rearranged);
    let mut due = moved.iter().skip(moved.len().saturating_sub(left.len()));
    let mut events = Vec::new();
    for &card in cards {
        let Some((put, wanted)) = due.next() else {
            let due = format!("{} left to put back", left.len());
            return Err(Refusal::new(Why::TooManyCards { found: cards.len(), due }, cites));
        };
        let (from, goes) = (among(put.from), among(put.to));
        if put.to != to {
            return Err(Refusal::new(Why::PutElsewhere { from, to: goes }, cites));
        }
        if *wanted != card {
            return Err(Refusal::new(Why::OtherCard { card, from, to: goes }, cites));
        }
        events.push(Event::CardPutBack { card, to });
    }
    if due.next().is_none() {
        events.extend(rearranged);
        if ruled.remedy == Remedy::ReconstructThenOptions {
            events.extend(options_after(book, table, report, &report.facts, ruled.cites));
        }
    }
    Ok(events)
}

/// The cards that these events move to another place, in the resulting shoe order.
fn moved(table: &Table, events: &[Event]) -> Vec<(PutBack, Card)> {
    let after = replay(table.clone(), events);
    let (Phase::Play(play), Phase::Play(after)) = (&table.round.phase, &after.round.phase) else {
        return Vec::new();
    };
    let lay: BTreeMap<Card, (Option<Place>, usize)> = lying(play).into_iter().collect();
    let put = |(card, (to, nth))| {
        let &(from, was) = lay.get(&card)?;
        ((from, was) != (to, nth)).then_some((PutBack { from, to, nth }, card))
    };
    lying(after).into_iter().filter_map(put).collect()
}

/// Every dealt card with its place and its position there, counted from 1.
fn lying(play: &Play) -> Vec<(Card, (Option<Place>, usize))> {
    let mut lie: BTreeMap<Option<Place>, usize> = BTreeMap::new();
    let cards = play.drawn.iter().flat_map(|draw| draw.cards.iter().map(|card| (draw.to, *card)));
    let mut place = |(to, card)| {
        let nth = lie.entry(to).or_default();
        *nth += 1;
        (card, (to, *nth))
    };
    cards.map(&mut place).collect()
}

/// The moves that put the cards where they belong. Whole hands move; cards are laid along the schedule in the order in which they
/// left the shoe, after a missed burn with the card that should have been burnt; community cards that came too early go where the
/// next cards go; extra cards come off.
// RH 1.21; RS 1.15; RWS 5.8.6, 5.9, 5.10.2; MBS 5.2: the cards go back to where they were meant to lie.
fn rearranged(
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
    Ok(events)
}

/// When the last player has chosen after an error that can be reconstructed, players who continue play the reconstructed
/// hand.
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

/// The paragraphs that require the cards of this irregularity to be reconstructed.
fn reconstruction(book: &Rulebook, kind: IrregularityKind) -> Cites {
    let rule = book.irregularities.reports.iter().find(|report| report.kind == kind);
    let put_right = [Remedy::Reconstruct, Remedy::ReconstructThenOptions];
    let case = rule.and_then(|rule| rule.cases.iter().find(|case| put_right.contains(&case.remedy)));
    case.map_or_else(|| paragraphs(book, kind), |case| case.cites)
}

/// A card that was turned for everybody cannot be dealt to another place.
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
fn complete_hands(
    book: &Rulebook,
    play: &Play,
    moves: &[(BoxNumber, BoxNumber)],
    cites: Cites,
) -> Result<(), Refusal> {
    let contradiction = |text: String| Refusal::new(Why::Contradiction(text), cites);
    for (n, (from, to)) in moves.iter().enumerate() {
        let cards = |seat: &BoxNumber| play.hands.get(seat).map_or(0, |hand| hand.cards.len());
        if from == to {
            return Err(contradiction(format!("the hand of box {from} would stay where it lies")));
        }
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
