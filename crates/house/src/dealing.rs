//! What comes next in a round, by the dealing procedure of its rulebook.

use baize_rules::{Cited, DealTo, Reveal, Rulebook, Step};
use baize_table::{HandInPlay, HandStatus, Phase, Place, Play, Table, can_settle};

/// The next thing that the dealer, or the computer in his stead, does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    /// Burn a card.
    Burn,
    /// Deal so many cards there.
    Deal { to: Place, cards: usize },
    /// Players decide.
    Decide,
    /// Turn cards.
    Reveal(Reveal),
    /// Settle.
    Settle,
    /// Nothing: no round is in play, or it waits for a person.
    Wait,
}

/// How many cards the procedure has dealt up to some step.
#[derive(Default, Clone, Copy)]
struct Dealt {
    burns: usize,
    each_box: usize,
    dealer: usize,
    board: usize,
}

impl Dealt {
    fn add(&mut self, step: Step) {
        match step {
            Step::Burn => self.burns += 1,
            Step::Deal { to, cards, .. } => {
                let cards = usize::from(cards);
                match to {
                    DealTo::Boxes => self.each_box += cards,
                    DealTo::Dealer => self.dealer += cards,
                    DealTo::Board => self.board += cards,
                    DealTo::BoxesAndDealer => {
                        self.each_box += cards;
                        self.dealer += cards;
                    }
                }
            }
            Step::Decide { .. } | Step::Reveal { .. } => {}
        }
    }
}

/// The boxes that are dealt to: those with an ante.
fn boxes(play: &Play) -> impl Iterator<Item = (u8, &HandInPlay)> {
    play.hands.iter().map(|(seat, hand)| (*seat, hand)).filter(|(_, hand)| hand.status != HandStatus::NoAnte)
}

/// What comes next.
pub(crate) fn next(book: &Rulebook, table: &Table) -> Next {
    let Phase::Play(play) = &table.round.phase else { return Next::Wait };
    if table.round.awaiting.is_some() {
        return Next::Wait;
    }
    // Nothing is settled while a hand in play has to be decided: the rules need not be asked after every card.
    let undecided =
        play.hands.values().any(HandInPlay::in_play) && play.undecided(book).any(|(_, hand)| !hand.absent);
    if !undecided && can_settle(book, table) {
        return Next::Settle;
    }
    let Some(procedure) = book.procedure(table.settings.procedure) else { return Next::Wait };
    let steps = &procedure.steps;
    let begun = last_begun(play, steps);
    let mut dealt = Dealt::default();
    for (at, step) in steps.iter().enumerate() {
        let before = dealt;
        dealt.add(step.value);
        match step.value {
            // A burn that was missed is not made up for once later cards are out.
            Step::Burn if play.burnt.len() < dealt.burns && begun.is_none_or(|begun| at > begun) => {
                return Next::Burn;
            }
            Step::Deal { to, cards, one_at_a_time, .. } => {
                let turns = if one_at_a_time { usize::from(cards) } else { 1 };
                for turn in 1..=turns {
                    let reach = if one_at_a_time { turn } else { usize::from(cards) };
                    if let Some(next) = missing(play, to, before, reach) {
                        return next;
                    }
                }
            }
            Step::Decide { .. } if play.undecided(book).any(|(_, hand)| !hand.absent) => return Next::Decide,
            Step::Reveal { what } if !play.revealed.contains(&what) => return Next::Reveal(what),
            Step::Burn | Step::Decide { .. } | Step::Reveal { .. } => {}
        }
    }
    Next::Wait
}

/// Where cards are missing in a turn that brings every place `reach` cards beyond what it had before the step.
fn missing(play: &Play, to: DealTo, before: Dealt, reach: usize) -> Option<Next> {
    if matches!(to, DealTo::Boxes | DealTo::BoxesAndDealer) {
        let right = before.each_box + reach;
        if let Some((seat, hand)) = boxes(play).find(|(_, hand)| hand.cards.len() < right) {
            return Some(Next::Deal { to: Place::Box(seat), cards: right - hand.cards.len() });
        }
    }
    if matches!(to, DealTo::Dealer | DealTo::BoxesAndDealer) && play.dealer.len() < before.dealer + reach {
        return Some(Next::Deal { to: Place::Dealer, cards: before.dealer + reach - play.dealer.len() });
    }
    if to == DealTo::Board && play.board.len() < before.board + reach {
        return Some(Next::Deal { to: Place::Board, cards: before.board + reach - play.board.len() });
    }
    None
}

/// The last step of which anything has happened.
fn last_begun(play: &Play, steps: &[Cited<Step>]) -> Option<usize> {
    let mut dealt = Dealt::default();
    let mut last = None;
    for (at, step) in steps.iter().enumerate() {
        let begun = match step.value {
            Step::Deal { to, .. } => match to {
                DealTo::Boxes => boxes(play).any(|(_, hand)| hand.cards.len() > dealt.each_box),
                DealTo::Dealer => play.dealer.len() > dealt.dealer,
                DealTo::Board => play.board.len() > dealt.board,
                DealTo::BoxesAndDealer => {
                    play.dealer.len() > dealt.dealer
                        || boxes(play).any(|(_, hand)| hand.cards.len() > dealt.each_box)
                }
            },
            Step::Reveal { what } => play.revealed.contains(&what),
            Step::Burn | Step::Decide { .. } => false,
        };
        if begun {
            last = Some(at);
        }
        dealt.add(step.value);
    }
    last
}
