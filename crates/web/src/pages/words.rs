//! Short words of the pages: what a table waits for, the names of cards, where a hand stands. What happened is told by
//! [`baize_table::describe`].

use baize_cards::Card;
pub use baize_table::describe::phrases::{boxes, list};
use baize_table::{Awaiting, CardView, HandStatus, Outcome, RoundView};

/// The name of a card: "Ace of Spades".
#[must_use]
pub fn card(card: Card) -> String {
    let suit = ["Clubs", "Diamonds", "Hearts", "Spades"][card.suit().index()];
    format!("{} of {suit}", card.rank().name())
}

/// What happens at a table, in a few words.
#[must_use]
pub fn state(view: &RoundView) -> String {
    match &view.awaiting {
        Some(Awaiting::Ruling { by, .. }) => return format!("Waiting for the {}", by.name()),
        Some(Awaiting::Options { seats, .. }) => return format!("{} to choose", boxes(seats)),
        None => {}
    }
    match view.phase {
        "betting" => "Place your bets".to_owned(),
        "play" => match view.board.iter().filter(|card| matches!(card, CardView::Up(_))).count() {
            0 => "Hands are out".to_owned(),
            1..=3 => "Flop is open".to_owned(),
            4 => "Turn is open".to_owned(),
            _ => "River is open".to_owned(),
        },
        "finished" if matches!(view.outcome, Some(Outcome::Void { .. })) => "Round void".to_owned(),
        "finished" => "Between rounds".to_owned(),
        _ if view.standing.closed => "Closed".to_owned(),
        _ => "Ready".to_owned(),
    }
}

/// Where a hand stands, in a word; empty while it plays on.
#[must_use]
pub const fn hand_status(status: Option<HandStatus>) -> &'static str {
    match status {
        None | Some(HandStatus::InPlay) => "",
        Some(HandStatus::Folded(_)) => "folded",
        Some(HandStatus::Invalid(_)) => "invalid",
        Some(HandStatus::NoAnte) => "no ante",
    }
}
