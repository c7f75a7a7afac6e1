//! What a form was made for. A page that is old, a second window or a second dealer must not carry out the step that comes after:
//! every form that moves a round on says what it saw, and is taken only while that still holds.
//!
//! The marks hold nothing that the reader does not see: counts of cards, of decisions, their own stakes.

use baize_rules::{BoxNumber, Money};
use baize_table::{Awaiting, BoxView, CardView, Player, RoundView};

use super::NextStep;

/// The step that a dealer's form is for: round, step, cards on the table and how many of the dealer's and the board's lie open. What
/// players do meanwhile does not change it.
#[must_use]
pub fn step(next: &NextStep, view: &RoundView) -> String {
    let cards: usize = view.boxes.values().map(|on_box| on_box.cards.len()).sum::<usize>()
        + view.board.len()
        + view.dealer.len()
        + view.burnt.len()
        + view.awaiting.as_ref().map_or(0, Awaiting::cards_left);
    let open = view.board.iter().chain(&view.dealer).filter(|card| matches!(card, CardView::Up(_))).count();
    format!("{}.{}.{cards}.{open}", view.number, next.code())
}

/// What a player's bets are for: the round to come or the one that is open, and what they have staked in it. Others may open the round
/// between their look and their bet.
#[must_use]
pub fn bets(view: &RoundView, me: Option<&Player>) -> String {
    let under_way = view.phase.under_way();
    let round = if under_way { view.number } else { view.number.saturating_add(1) };
    let mine = |on_box: &BoxView| -> Money {
        on_box.stakes.iter().filter(|stake| Some(&stake.player) == me).map(|stake| stake.amount).sum()
    };
    let staked: Money = view.boxes.values().filter(|_| under_way).map(mine).sum();
    format!("{round}.bets.{}", staked.cents())
}

/// What a decision of a box is for: the round and how many decisions the box has made.
#[must_use]
pub fn decision(view: &RoundView, seat: BoxNumber) -> String {
    let made = view.boxes.get(&seat).map_or(0, |on_box| on_box.decisions.len());
    format!("{}.box-{seat}.{made}", view.number)
}

/// What a report or a ruling is for. Where the round waits for a decision, its consequences hold for that state of the table alone.
/// Otherwise players may act while the pit reads, but a new round or phase is another matter.
#[must_use]
pub fn desk(view: &RoundView, version: u64) -> String {
    if view.awaiting.is_some() || view.standing.jackpot_fault {
        format!("{}.waits.{version}", view.number)
    } else {
        format!("{}.{}", view.number, view.phase.code())
    }
}
