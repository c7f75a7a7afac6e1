//! What may come next: the lines that the table would accept after a script's last one.

use baize_table::{Command, Due, Place, Player, Players, Ruling, Staff, legal};

use crate::{Statement, Transcript};

/// The lines that would be accepted now at the table where the script ends, each with a remark if it leaves something open. What
/// is due by the dealing procedure comes first. Empty if the script names no game.
#[must_use]
pub fn next_lines(transcript: &Transcript) -> Vec<(String, String)> {
    let at = transcript.entries.last().map_or(0, |entry| entry.table);
    let Some(table) = transcript.tables.get(at) else { return Vec::new() };
    let legal = legal(&table.book, &table.state);
    let mut lines = Vec::new();
    let mut say =
        |command: Command, remark: String| lines.push((Statement::Step(command).to_string(), remark));
    let none = String::new;
    match &legal.due {
        Some(Due::Burn { cites, .. }) => {
            lines.push(("burn CARD".to_owned(), format!("due ({cites}); may be left out")))
        }
        Some(Due::Reveal { what, cites }) => say(Command::Reveal { what: *what }, format!("due ({cites})")),
        Some(Due::Settle) => say(Command::Settle, "due".to_owned()),
        Some(Due::PutBack { card, left, cites }) => {
            let line = card.to.map_or("burn CARD".to_owned(), |to| format!("deal {} CARD", written(&to)));
            let left = if *left == 1 {
                "1 card of the reconstruction is left".to_owned()
            } else {
                format!("{left} cards of the reconstruction are left")
            };
            lines.push((line, format!("due ({cites}): {left}")));
        }
        Some(Due::Report { place, found, right, .. }) => lines.push((
            "report KIND".to_owned(),
            format!(
                "{} has {found} {} instead of {right}",
                written(place),
                if *found == 1 { "card" } else { "cards" }
            ),
        )),
        Some(Due::Deal(_) | Due::Decide { .. }) | None => {}
    }
    // Cards at another moment than the procedure's are accepted too, as a departure: those are not offered.
    if matches!(legal.due, Some(Due::Burn { .. } | Due::Deal(_))) {
        let places = legal.deals.iter().flat_map(|deals| &deals.places);
        lines.extend(places.map(|place| (format!("deal {} CARD…", written(place)), none())));
    }
    let mut say =
        |command: Command, remark: String| lines.push((Statement::Step(command).to_string(), remark));
    if legal.open {
        say(Command::Open, none());
    }
    for wager in &legal.wagers {
        let (player, who) = match &wager.players {
            Players::Only(player) => (player.clone(), none()),
            Players::AnyoneBut(others) if others.is_empty() => (Player("PLAYER".to_owned()), none()),
            Players::AnyoneBut(others) => {
                let others: Vec<&str> = others.iter().map(|player| player.0.as_str()).collect();
                (Player("PLAYER".to_owned()), format!("not {}; ", others.join(", ")))
            }
        };
        let amounts = &wager.amounts;
        let how_much = if amounts.from == amounts.to {
            none()
        } else {
            format!("{} to {}, in steps of {}", amounts.from, amounts.to, amounts.step)
        };
        let (seat, area, amount) = (wager.seat, wager.area, amounts.from);
        let place = Command::PlaceWager { seat, player, area, amount, unnoticed: false, placed_by: None };
        say(place, format!("{who}{how_much}"));
    }
    for (seat, player, area) in &legal.withdrawals {
        say(Command::Withdraw { seat: *seat, player: player.clone(), area: *area }, none());
    }
    if legal.close {
        say(Command::Close, none());
    }
    legal.looks.iter().for_each(|seat| say(Command::Look { seat: *seat }, none()));
    legal.folds.iter().for_each(|seat| say(Command::Fold { seat: *seat }, none()));
    legal.checks.iter().for_each(|seat| say(Command::Check { seat: *seat }, none()));
    let due_reveal = |what| matches!(&legal.due, Some(Due::Reveal { what: due, .. }) if *due == what);
    for what in legal.reveals.iter().filter(|what| !due_reveal(**what)) {
        say(Command::Reveal { what: *what }, none());
    }
    legal.shows.iter().for_each(|seat| say(Command::Show { seat: *seat }, none()));
    legal.declines.iter().for_each(|seat| say(Command::Decline { seat: *seat }, none()));
    for (seat, choice) in &legal.choices {
        say(Command::Choose { seat: *seat, player: None, choice: *choice }, none());
    }
    for (seat, player, choice) in &legal.shared_choices {
        say(Command::Choose { seat: *seat, player: Some(player.clone()), choice: *choice }, none());
    }
    legal.absences.iter().for_each(|seat| say(Command::Absent { seat: *seat }, none()));
    for (kind, role) in &legal.rulings {
        let ruling = Ruling { kind: kind.clone(), by: Staff::of(*role), reason: None };
        say(Command::Rule(ruling), none());
    }
    if legal.settle && legal.due != Some(Due::Settle) {
        say(Command::Settle, none());
    }
    if !legal.reports.is_empty() {
        let kinds: Vec<&str> = legal.reports.iter().map(|kind| kind.code()).collect();
        lines.push(("report KIND".to_owned(), kinds.join(", ")));
    }
    lines
}

fn written(place: &Place) -> String {
    match place {
        Place::Box(seat) => seat.to_string(),
        Place::Board => "board".to_owned(),
        Place::Dealer => "dealer".to_owned(),
    }
}
