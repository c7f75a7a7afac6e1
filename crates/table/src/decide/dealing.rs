//! Cards reach the table.
//!
//! Dealt cards are facts: a departure from the procedure's order is recorded, not refused, and a hand with too many
//! cards waits for a report. The impossible (a card twice, a box without a wager) is refused.

use baize_cards::{Card, CardSet};
use baize_rules::{Cites, Rulebook};

use super::reconstructing::put_back;
use super::{hand, in_play};
use crate::round::{HandInPlay, HandStatus, Play};
use crate::schedule::Cursor;
use crate::{Awaiting, Event, Place, Refusal, Table, Why};

// RH 1.4; RS 1.4: the card is discarded.
pub(super) fn burn(book: &Rulebook, table: &Table, card: Card) -> Result<Vec<Event>, Refusal> {
    let play = in_play(book, table)?;
    if let Some(Awaiting::Reconstruction { left, cites }) = &table.round.awaiting {
        return put_back(book, table, play, (left, *cites), None, &[card]);
    }
    new_cards(book, play, &[card])?;
    let departs_from = Cursor::new(book, table, play).burn_departs_from();
    Ok(vec![Event::CardBurnt { card, departs_from }])
}

// RH 3.11, 3.12; RS 3.10, 3.11; MBS 3.7, 3.8
pub(super) fn deal(book: &Rulebook, table: &Table, to: Place, cards: &[Card]) -> Result<Vec<Event>, Refusal> {
    let play = in_play(book, table)?;
    if cards.is_empty() {
        return Err(Why::NoCards.into());
    }
    if let Some(Awaiting::Reconstruction { left, cites }) = &table.round.awaiting {
        return put_back(book, table, play, (left, *cites), Some(to), cards);
    }
    new_cards(book, play, cards)?;
    let found = match to {
        Place::Box(seat) if seat.is_on(table.settings.boxes) && !play.hands.contains_key(&seat) => {
            let dealt =
                book.procedure(table.settings.procedure).map_or(Cites::NONE, |procedure| procedure.cites);
            return Err(Refusal::new(Why::EmptyBox(seat), book.betting.ante_needed.and(dealt)));
        }
        // A hand that folded or became invalid before the end of the deal is still dealt: chips are on the
        // box.
        Place::Box(seat) => match hand(book, table, play, seat)? {
            HandInPlay { status: HandStatus::NoAnte, .. } => {
                return Err(Refusal::new(Why::NoHand(seat), book.betting.ante_needed));
            }
            hand => hand.cards.len(),
        },
        Place::Board if book.board_size() == 0 => return Err(Why::NoBoard.into()),
        Place::Board => play.board.len(),
        Place::Dealer => play.dealer.len(),
    };
    let right = right_number(book, to);
    // A hand that already has too many cards must be resolved by a report first.
    if found > right {
        let why = Why::WrongNumber { place: to, found, right };
        return Err(Refusal::new(why, wrong_number_cites(book, to)));
    }
    let departs_from = Cursor::new(book, table, play).departs_from(to, cards.len());
    Ok(vec![Event::CardsDealt { to, cards: cards.to_vec(), departs_from }])
}

/// How many cards belong there.
pub(crate) const fn right_number(book: &Rulebook, to: Place) -> usize {
    match to {
        Place::Board => book.board_size(),
        Place::Box(_) | Place::Dealer => book.hand_size(),
    }
}

/// A place with more cards than belong there, if any: how many there are, how many belong there, and the
/// paragraphs.
pub(crate) fn overfull(book: &Rulebook, play: &Play) -> Option<(Place, usize, usize, Cites)> {
    let hands = play.hands.iter().filter(|(_, hand)| hand.in_play()).map(|(seat, _)| Place::Box(*seat));
    hands.chain([Place::Board, Place::Dealer]).find_map(|place| {
        let (found, right) = (play.pile(place).len(), right_number(book, place));
        (found > right).then(|| (place, found, right, wrong_number_cites(book, place)))
    })
}

/// Refuses while a place has more cards than belong there.
pub(super) fn not_overfull(book: &Rulebook, play: &Play) -> Result<(), Refusal> {
    overfull(book, play).map_or(Ok(()), |(place, found, right, cites)| {
        Err(Refusal::new(Why::WrongNumber { place, found, right }, cites))
    })
}

fn wrong_number_cites(book: &Rulebook, place: Place) -> Cites {
    use baize_rules::IrregularityKind::{WrongBoard, WrongDealerHand, WrongPlayerHand};
    let kind = match place {
        Place::Box(_) => WrongPlayerHand,
        Place::Board => WrongBoard,
        Place::Dealer => WrongDealerHand,
    };
    let rule = book.irregularities.reports.iter().find(|report| report.kind == kind);
    rule.and_then(|rule| rule.cases.first()).map_or(Cites::NONE, |case| case.cites)
}

// RH 2.2.1; RS 2.2.1; MBS 2.1: one deck, each card once.
fn new_cards(book: &Rulebook, play: &Play, cards: &[Card]) -> Result<(), Refusal> {
    let mut out: CardSet = play.cards_out();
    for &card in cards {
        if out.contains(card) {
            return Err(Refusal::new(Why::CardOut(card), book.deck));
        }
        out = out.with(card);
    }
    Ok(())
}
