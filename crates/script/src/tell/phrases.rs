//! What people do and rule, in words.

use std::collections::BTreeSet;

use baize_rules::{Area, Money, Remedy, Role};
use baize_table::{Allowed, Choice, Report, Ruling, RulingKind, Staff};

/// Chips on an area: a bet before the close, or a raise.
pub(super) fn chips(
    area: Area,
    amount: Money,
    raising: bool,
    unnoticed: bool,
    placed_by: Option<Role>,
) -> String {
    let amount = amount.grouped();
    let mut text = match (area, raising) {
        (Area::Bet, true) => format!("bets {amount}"),
        (_, true) => format!("bets {amount} on the {}", area.code()),
        (_, false) => format!("{} {amount}", area.name()),
    };
    if unnoticed {
        text.push_str(" (unnoticed)");
    }
    if let Some(role) = placed_by {
        text.push_str(&format!(" (placed by the {} at the player's request)", role.name()));
    }
    text
}

pub(super) fn chosen(choice: Choice) -> &'static str {
    match choice {
        Choice::Continue => "goes on with the hand",
        Choice::Reconstructed => "goes on with the reconstructed hand",
        Choice::Withdraw => "takes the bets back",
    }
}

pub(super) fn moves(moves: &[(u8, u8)]) -> String {
    let moves: Vec<String> = moves.iter().map(|(from, to)| format!("from box {from} to box {to}")).collect();
    format!("moves the hands: {}", moves.join(", "))
}

pub(super) fn staff(by: &Staff) -> String {
    match &by.name {
        Some(name) => format!("{} {name}", by.role.name()),
        None => by.role.name().to_owned(),
    }
}

pub(super) fn reported(report: &Report) -> String {
    let mut text = format!("reports: {}", report.kind.words());
    if let Some(seat) = report.seat {
        text.push_str(&format!(", box {seat}"));
    }
    if report.facts.previous_round {
        text.push_str(", in the round before");
    }
    text
}

pub(super) fn remedy(remedy: Remedy) -> &'static str {
    match remedy {
        Remedy::Void => "the round is void",
        Remedy::Continue => "play goes on",
        Remedy::Reconstruct => "the cards are put where they belong",
        Remedy::ReconstructThenOptions => "the cards are put where they belong, then the players choose",
        Remedy::Options => "the players choose",
        Remedy::Invalid => "the hand is invalid",
        Remedy::InvalidUnviewed => "the hands that were not looked at are invalid",
        Remedy::BecomesFaceUp => "it becomes the face-up card",
        Remedy::ContinueAtRegistered => "play goes on, at the jackpot registered before",
        Remedy::Refer => "somebody must rule",
    }
}

pub(super) fn options(seats: &BTreeSet<u8>, allowed: Allowed) -> String {
    let boxes: Vec<String> = seats.iter().map(ToString::to_string).collect();
    let mut options = Vec::new();
    if allowed.unchanged {
        options.push("go on with the hand");
    }
    if allowed.reconstructed {
        options.push("go on with the reconstructed hand");
    }
    options.push(if allowed.all_boxes { "take all bets back" } else { "take the bets back" });
    let word = if boxes.len() == 1 { "Box" } else { "Boxes" };
    format!("{word} {} may {}.", boxes.join(", "), options.join(" or "))
}

pub(super) fn ruled(ruling: &Ruling) -> String {
    let what = match &ruling.kind {
        RulingKind::Void => "the round is void".to_owned(),
        RulingKind::Continue => "play goes on".to_owned(),
        RulingKind::FirstCard(card) => format!("card {card} of those drawn together is received first"),
        RulingKind::NoJackpot => {
            "later rounds are played without jackpot, under a displayed notice".to_owned()
        }
        RulingKind::CloseTable => "the table closes".to_owned(),
        RulingKind::BarBox(seat) => format!("no bets on box {seat} in later rounds"),
        RulingKind::JackpotRestored => "the jackpot works again".to_owned(),
        RulingKind::Restrict(player) => format!("{player} may wager on one position only"),
        RulingKind::Bar(player) => format!("{player} is barred from further play"),
        RulingKind::Stop(player) => format!("{player} may not act on more than one hand"),
        RulingKind::Lift(player) => format!("{player} is no longer barred"),
        RulingKind::PermitWithdrawal => "players with correct hands may withdraw".to_owned(),
        RulingKind::Intentional => "the second look was intentional".to_owned(),
        RulingKind::NotIntentional => "the second look was not intentional".to_owned(),
    };
    match &ruling.reason {
        Some(reason) => format!("rules: {what}, because {reason}"),
        None => format!("rules: {what}"),
    }
}
