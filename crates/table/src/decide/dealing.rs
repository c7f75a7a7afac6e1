//! Cards reach the table.
//!
//! Cards that were dealt are facts: another order than the procedure's is recorded as a departure, not refused, and a
//! hand with too many cards waits for a report. What cannot be (a card twice, a box without a wager) is refused.

use baize_cards::{Card, CardSet};
use baize_rules::{Cites, DealTo, Rulebook, Step};

use super::{hand, in_play};
use crate::round::{HandInPlay, HandStatus, Play};
use crate::{Event, Place, Refusal, Table, Why};

pub(super) fn burn(book: &Rulebook, table: &Table, card: Card) -> Result<Vec<Event>, Refusal> {
    let play = in_play(book, table)?;
    new_cards(book, play, &[card])?;
    Ok(vec![Event::CardBurnt { card }])
}

pub(super) fn deal(book: &Rulebook, table: &Table, to: Place, cards: &[Card]) -> Result<Vec<Event>, Refusal> {
    let play = in_play(book, table)?;
    if cards.is_empty() {
        return Err(Why::NoCards.into());
    }
    new_cards(book, play, cards)?;
    let found = match to {
        Place::Box(seat) if (1..=table.settings.boxes).contains(&seat) && !play.hands.contains_key(&seat) => {
            let dealt =
                book.procedure(table.settings.procedure).map_or(Cites::NONE, |procedure| procedure.cites);
            return Err(Refusal::new(Why::EmptyBox(seat), book.betting.ante_needed.and(dealt)));
        }
        // A hand that has folded or is invalid before the deal is over is dealt all the same: chips lie there.
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
    // A hand that already has too many cards is settled by a report first.
    if found > right {
        return Err(wrong_number(book, to, found, right));
    }
    Ok(vec![Event::CardsDealt { to, cards: cards.to_vec(), departs_from: departure(book, table, play, to) }])
}

/// How many cards belong there.
pub(crate) const fn right_number(book: &Rulebook, to: Place) -> usize {
    match to {
        Place::Board => book.board_size(),
        Place::Box(_) | Place::Dealer => book.hand_size(),
    }
}

/// A place with more cards than belong there, if there is one.
pub(super) fn overfull(book: &Rulebook, play: &Play) -> Option<Refusal> {
    let hands = play.hands.iter().filter(|(_, hand)| hand.in_play());
    let piles = hands
        .map(|(seat, hand)| (Place::Box(*seat), hand.cards.len()))
        .chain([(Place::Board, play.board.len()), (Place::Dealer, play.dealer.len())]);
    for (place, found) in piles {
        let right = right_number(book, place);
        if found > right {
            return Some(wrong_number(book, place, found, right));
        }
    }
    None
}

fn wrong_number(book: &Rulebook, place: Place, found: usize, right: usize) -> Refusal {
    use baize_rules::IrregularityKind::{WrongBoard, WrongDealerHand, WrongPlayerHand};
    let kind = match place {
        Place::Box(_) => WrongPlayerHand,
        Place::Board => WrongBoard,
        Place::Dealer => WrongDealerHand,
    };
    let rule = book.irregularities.reports.iter().find(|report| report.kind == kind);
    let cites = rule.and_then(|rule| rule.cases.first()).map_or(Cites::NONE, |case| case.cites);
    Refusal::new(Why::WrongNumber { place, found, right }, cites)
}

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

/// The paragraphs of the procedure that deal these cards only after a decision that is still open.
fn departure(book: &Rulebook, table: &Table, play: &Play, to: Place) -> Cites {
    let steps = book.procedure(table.settings.procedure).map(|p| p.steps.as_slice()).unwrap_or_default();
    let already = match to {
        Place::Board => play.board.len(),
        Place::Box(_) | Place::Dealer => 0,
    };
    let mut dealt = 0;
    let mut decisions = 0;
    for step in steps {
        match step.value {
            Step::Decide { .. } => decisions += 1,
            Step::Deal { to: target, cards, .. } if fits(target, to) => {
                dealt += usize::from(cards);
                if dealt > already {
                    let open =
                        play.hands.values().any(|hand| hand.in_play() && hand.decisions.len() < decisions);
                    return if open { step.cites } else { Cites::NONE };
                }
            }
            Step::Deal { .. } | Step::Burn | Step::Reveal { .. } => {}
        }
    }
    Cites::NONE
}

const fn fits(target: DealTo, to: Place) -> bool {
    matches!(
        (target, to),
        (DealTo::Boxes | DealTo::BoxesAndDealer, Place::Box(_))
            | (DealTo::Dealer | DealTo::BoxesAndDealer, Place::Dealer)
            | (DealTo::Board, Place::Board)
    )
}
