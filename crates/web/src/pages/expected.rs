//! The state that a form was made for. Every form that advances a round contains it and is refused once it has changed, so an outdated page, a second
//! window or a second dealer cannot act on the next step by mistake.
//!
//! It contains only what the reader can see: counts of cards and decisions, their own stakes.

use baize_rules::{BoxNumber, Money};
use baize_table::{Awaiting, BoxView, CardView, Player, RoundView};

use super::next_step::NextStep;

/// For a dealer's form: round, step, number of cards on the table, and how many of the dealer's and the board's are face up. Players' actions do not
/// change it.
pub(crate) fn step(next: &NextStep, view: &RoundView) -> String {
    let cards: usize = view.boxes.values().map(|on_box| on_box.cards.len()).sum::<usize>()
        + view.board.len()
        + view.dealer.len()
        + view.burnt.len()
        + view.awaiting.as_ref().map_or(0, Awaiting::cards_left);
    let open = view.board.iter().chain(&view.dealer).filter(|card| matches!(card, CardView::Up(_))).count();
    format!("{}.{}.{cards}.{open}", view.number, next.code())
}

/// For a player's bets: the current or next round, and their stakes in it. It stays the same if another player opens the round in the meantime.
pub(crate) fn bets(view: &RoundView, me: Option<&Player>) -> String {
    let under_way = view.phase.under_way();
    let round = if under_way { view.number } else { view.number.saturating_add(1) };
    let mine = |on_box: &BoxView| -> Money {
        on_box.stakes.iter().filter(|stake| Some(&stake.player) == me).map(|stake| stake.amount).sum()
    };
    let staked: Money = view.boxes.values().filter(|_| under_way).map(mine).sum();
    format!("{round}.bets.{}", staked.cents())
}

/// For a decision of a box: the round and the number of decisions that the box has made.
pub(crate) fn decision(view: &RoundView, seat: BoxNumber) -> String {
    let made = view.boxes.get(&seat).map_or(0, |on_box| on_box.decisions.len());
    format!("{}.box-{seat}.{made}", view.number)
}

/// For a report or a ruling: the exact version while the table waits for a decision, because the consequences depend on it; otherwise round and phase,
/// so that players may act in the meantime.
pub(crate) fn desk(view: &RoundView, version: u64) -> String {
    if view.awaiting.is_some() || view.standing.jackpot_fault {
        format!("{}.waits.{version}", view.number)
    } else {
        format!("{}.{}", view.number, view.phase.code())
    }
}
