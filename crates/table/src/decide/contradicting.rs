//! Reports that contradict the table, each refused with the paragraph that it appeals to.
//!
//! Only what is on record contradicts a report; everything else is taken from the report.

use baize_cards::CardSet;
use baize_rules::{BoxNumber, Cites, IrregularityKind, Rulebook};

use super::reporting::{controlled, rule};
use crate::round::{Phase, Play};
use crate::schedule::Cursor;
use crate::{Refusal, Report, Table, Why};

const DECK: usize = CardSet::FULL.len();

/// Refuses a report that contradicts the table.
pub(super) fn not_contradicted(book: &Rulebook, table: &Table, report: &Report) -> Result<(), Refusal> {
    let Phase::Play(play) = &table.round.phase else { return Ok(()) };
    let case = rule(book, report.kind).and_then(|rule| rule.cases.first());
    let cites = case.map_or(book.irregularities.anything_else.cites, |case| case.cites);
    let contradiction = |text: String| Err(Refusal::new(Why::Contradiction(text), cites));
    match (report.kind, report.seat) {
        (IrregularityKind::LookedAtSecondHand, Some(seat)) => second_look(play, seat, cites),
        // An error noticed only after the settlement was not on record; until then the cards can be dealt as they
        // lie.
        (IrregularityKind::WrongPlayerHand, Some(seat)) => match play.hands.get(&seat) {
            Some(hand) if hand.cards.len() == book.hand_size() => {
                contradiction(format!("the hand of box {seat} has {} cards, as it should", hand.cards.len()))
            }
            Some(_) | None => Ok(()),
        },
        (IrregularityKind::WrongDealerHand, _) if play.dealer.len() == book.hand_size() => {
            contradiction(format!("the dealer has {} cards, as it should be", play.dealer.len()))
        }
        (IrregularityKind::WrongBoard, _) if board_is_right(book, table, play) => {
            contradiction(format!("{} community cards lie there, as it should be", play.board.len()))
        }
        // Where the text covers it, its remedy says the same.
        (IrregularityKind::MultipleHands, seat) if case.is_none() => {
            let seated = || seat.and_then(|seat| play.hands.get(&seat)).map(|hand| &hand.seated);
            match report.facts.player.as_ref().or_else(seated) {
                Some(player) if controlled(play, player).len() < 2 => {
                    contradiction("the player does not control more than one hand".into())
                }
                Some(_) | None => Ok(()),
            }
        }
        (IrregularityKind::MissedBurn, _) if case.is_some() => {
            let (due, missed) = Cursor::new(book, table, play).burns();
            if missed > 0 {
                return Ok(());
            }
            contradiction(format!("{} of {due} cards have been burnt", play.burnt.len()))
        }
        (IrregularityKind::SimultaneousDraw, _) if report.facts.count.is_some_and(|count| count < 2) => {
            contradiction("one card is not several".into())
        }
        (IrregularityKind::SimultaneousDraw, _)
            if report.facts.count.is_some_and(|count| usize::try_from(count).is_ok_and(|n| n > DECK)) =>
        {
            contradiction(format!("a deck has {DECK} cards"))
        }
        _ => Ok(()),
    }
}

/// Whether all community cards have been dealt, each at its time.
fn board_is_right(book: &Rulebook, table: &Table, play: &Play) -> bool {
    let early = || Cursor::new(book, table, play).early_board_cards_in_place().is_some();
    play.board.len() == book.board_size() && !early()
}

/// Whether the hand of this box can be one that its player looked at after another. The hand viewed first stays valid, and
/// a player with only one hand has not looked at a second.
pub(super) fn second_look(play: &Play, seat: BoxNumber, cites: Cites) -> Result<(), Refusal> {
    let contradiction = |text: String| Err(Refusal::new(Why::Contradiction(text), cites));
    let Some(hand) = play.hands.get(&seat).filter(|hand| hand.in_play() && !hand.cards.is_empty()) else {
        return contradiction(format!("the hand of box {seat} is not in play"));
    };
    let mut others = play.hands.iter().filter(|(other, _)| **other != seat).map(|(_, other)| other);
    if !others.any(|other| other.seated == hand.seated && !other.cards.is_empty()) {
        return contradiction(format!("the player of box {seat} has no other hand"));
    }
    if hand.looked {
        return contradiction(format!("the hand of box {seat} is the one that its player viewed first"));
    }
    Ok(())
}
