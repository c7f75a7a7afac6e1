//! Parts of sentences: reports, remedies, rulings, choices, lists.

use baize_cards::Card;
use baize_rules::{BoxNumber, Cites, Money, Place, Remedy};

use crate::{Allowed, Choice, Remedied, Report, Ruling, RulingKind};

/// "a", "a and b", "a, b and c".
#[must_use]
pub fn list<T: ToString>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    match items.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// "Box 1", "Boxes 1 and 3".
#[must_use]
pub fn boxes<'a>(seats: impl IntoIterator<Item = &'a BoxNumber>) -> String {
    let seats: Vec<&BoxNumber> = seats.into_iter().collect();
    format!("{} {}", if seats.len() == 1 { "Box" } else { "Boxes" }, list(seats))
}

/// A net result with its sign and thousands separated: `+1,145.00`.
#[must_use]
pub fn signed(amount: Money) -> String {
    format!("{}{}", if amount.cents() > 0 { "+" } else { "" }, amount.grouped())
}

/// The cards with their signs: "A♠ 10♦".
#[must_use]
pub fn spaced(cards: &[Card]) -> String {
    cards.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// Where a card lies: "box 2", "the burnt cards".
#[must_use]
pub fn among(place: Option<Place>) -> String {
    place.map_or_else(|| "the burnt cards".to_owned(), |place| place.to_string())
}

/// "1 card", "3 cards".
pub(super) fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// The suffix for cards that came at another moment or in another order than the procedure says.
pub(super) const fn departing(departs_from: Cites) -> &'static str {
    if departs_from.is_empty() { "" } else { ", which departs from the procedure" }
}

/// A remedy as a sentence without its full stop.
#[must_use]
pub const fn remedy(remedy: Remedy) -> &'static str {
    match remedy {
        Remedy::Void => "The round is void: every wager goes back",
        Remedy::Continue => "Play continues",
        Remedy::Reconstruct => "The cards are put where they belong and play continues",
        Remedy::ReconstructThenOptions => {
            "The cards are put where they belong, then the affected players choose"
        }
        Remedy::Options => "The affected players choose how to continue",
        Remedy::Invalid => "The hand is invalid: its wagers go back",
        Remedy::InvalidUnviewed => "The player's other hands are invalid: their wagers go back",
        Remedy::BecomesFaceUp => "The exposed card becomes the dealer's face-up card",
        Remedy::ContinueAtRegistered => {
            "Play continues; jackpot awards are paid at the amount registered before the fault"
        }
        Remedy::Refer => "A ruling is needed",
    }
}

/// "Another dealing error. The affected players choose how to continue"
pub(super) fn remedied(remedied: &Remedied) -> String {
    let because = remedied.reason.as_ref().map(|reason| format!(", because {reason}"));
    format!("{}. {}{}", remedied.kind.words(), remedy(remedied.remedy), because.unwrap_or_default())
}

pub(super) fn reported(report: &Report, remedied: &Remedied) -> String {
    let mut text = format!("reports: {}", report.kind.words());
    if let Some(seat) = report.seat {
        text.push_str(&format!(", box {seat}"));
    }
    if report.facts.previous_round {
        text.push_str(", in the round before");
    }
    format!("{text}. {}", remedy(remedied.remedy))
}

pub(super) fn options(allowed: Allowed) -> String {
    let mut options = Vec::new();
    if allowed.unchanged {
        options.push("continue with the hand");
    }
    if allowed.reconstructed {
        options.push("continue with the reconstructed hand");
    }
    options.push(if allowed.all_boxes { "take all bets back" } else { "take the bets back" });
    options.join(" or ")
}

pub(super) const fn chosen(choice: Choice) -> &'static str {
    match choice {
        Choice::Continue => "continues with the hand",
        Choice::Reconstructed => "continues with the reconstructed hand",
        Choice::Withdraw => "takes the bets back",
    }
}

pub(super) fn ruled(ruling: &Ruling) -> String {
    let what = match &ruling.kind {
        RulingKind::Void => "the round is void".to_owned(),
        RulingKind::Continue => "play continues".to_owned(),
        RulingKind::FirstCard(card) => format!("card {card} of those drawn together is received first"),
        RulingKind::NoJackpot => {
            "later rounds are played without jackpot, under a displayed notice".to_owned()
        }
        RulingKind::CloseTable => "the table closes".to_owned(),
        RulingKind::BarBox(seat) => format!("no bets on box {seat} in later rounds"),
        RulingKind::JackpotRestored => "the jackpot works again".to_owned(),
        RulingKind::Restrict(player) => format!("{player} may wager on one position only"),
        RulingKind::Bar(player) => format!("{player} is barred from further play"),
        RulingKind::Lift(player) => format!("{player} is no longer barred"),
        RulingKind::Stop(player) => format!("{player} may not act on more than one hand"),
        RulingKind::PermitWithdrawal => "players with correct hands may withdraw".to_owned(),
        RulingKind::Intentional => "the second look was intentional".to_owned(),
        RulingKind::NotIntentional => "the second look was not intentional".to_owned(),
    };
    match &ruling.reason {
        Some(reason) => format!("rules: {what}, because {reason}"),
        None => format!("rules: {what}"),
    }
}
