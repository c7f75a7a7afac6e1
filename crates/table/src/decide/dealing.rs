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
    let departs_from = departure(book, table, play, to, cards.len());
    Ok(vec![Event::CardsDealt { to, cards: cards.to_vec(), departs_from }])
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

/// The paragraphs of the procedure that deal these cards at another moment: after a decision that is still open, after cards that are
/// not dealt yet, or before cards that are.
fn departure(book: &Rulebook, table: &Table, play: &Play, to: Place, count: usize) -> Cites {
    let steps = book.procedure(table.settings.procedure).map(|p| p.steps.as_slice()).unwrap_or_default();
    let already = match to {
        Place::Board => play.board.len(),
        Place::Box(_) | Place::Dealer => 0,
    };
    let mut dealt = 0;
    let mut decisions = 0;
    let mut early = false;
    for (at, step) in steps.iter().enumerate() {
        match step.value {
            Step::Decide { .. } => decisions += 1,
            Step::Deal { to: target, cards, .. } if fits(target, to) => {
                dealt += usize::from(cards);
                if dealt > already {
                    let open =
                        play.hands.values().any(|hand| hand.in_play() && hand.decisions.len() < decisions);
                    // Community cards that come whole have a place in the order; flop, turn and river may come one by one.
                    let whole = to == Place::Board && count == book.board_size();
                    let late = whole && steps[at + 1..].iter().any(|step| begun(play, step.value));
                    let departs = open || early || late || out_of_turn(book, play, target, to, count);
                    return if departs { step.cites } else { Cites::NONE };
                }
            }
            // Community cards may also come later, one by one: nobody waits for them.
            Step::Deal { to: DealTo::Board, .. } | Step::Burn | Step::Reveal { .. } => {}
            Step::Deal { to: target, .. } => {
                early |= target != DealTo::Dealer && short(book, play, |_| true, usize::MAX);
                early |= target != DealTo::Boxes && play.dealer.len() < book.hand_size();
            }
        }
    }
    Cites::NONE
}

/// Whether a hand in play among these boxes has fewer cards than so many, or than belong there.
fn short(book: &Rulebook, play: &Play, among: impl Fn(u8) -> bool, cards: usize) -> bool {
    let mut hands = play.hands.iter().filter(|(seat, hand)| hand.in_play() && among(**seat));
    hands.any(|(_, hand)| hand.cards.len() < cards.min(book.hand_size()))
}

/// Whether the cards of a step to boxes or the dealer have begun to come.
fn begun(play: &Play, step: Step) -> bool {
    let Step::Deal { to, .. } = step else { return false };
    let boxes = to != DealTo::Dealer && play.hands.values().any(|hand| !hand.cards.is_empty());
    to != DealTo::Board && (boxes || (to != DealTo::Boxes && !play.dealer.is_empty()))
}

/// Within a step the boxes come clockwise, then the dealer: nobody has more cards than those before him.
fn out_of_turn(book: &Rulebook, play: &Play, step: DealTo, to: Place, count: usize) -> bool {
    match to {
        Place::Box(seat) => {
            let has = play.hands.get(&seat).map_or(0, |hand| hand.cards.len());
            short(book, play, |other| other < seat, has + count)
        }
        Place::Dealer if step == DealTo::BoxesAndDealer => {
            short(book, play, |_| true, play.dealer.len() + count)
        }
        Place::Dealer | Place::Board => false,
    }
}

const fn fits(target: DealTo, to: Place) -> bool {
    matches!(
        (target, to),
        (DealTo::Boxes | DealTo::BoxesAndDealer, Place::Box(_))
            | (DealTo::Dealer | DealTo::BoxesAndDealer, Place::Dealer)
            | (DealTo::Board, Place::Board)
    )
}
