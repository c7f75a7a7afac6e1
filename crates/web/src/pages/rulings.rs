//! Rulings: the list of possible ones, those that answer the report first, and the confirmation with its consequences.
//!
//! The lists contain only links. What a ruling does to every box is shown before the button that gives it.

use baize_house::Preview;
use baize_table::{BoxFate, BoxForeseen, RulingKind};
use maud::{Markup, html};

use super::model::WaitingRuling;
use super::names::Names;
use super::shell::Shell;
use super::{remedies, shell};

/// The preview of a ruling, or why it cannot be given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RulingPreview {
    /// It can be given.
    Can(RulingKind, Preview),
    /// The rules or the reader's position do not allow it now.
    Cannot(RulingKind, String),
}

/// A card for a pending ruling, with links to the possible rulings at the table's desk.
pub(crate) fn waiting(waits: &WaitingRuling, names: &Names) -> Markup {
    html! {
        article.wait-card id=(format!("ruling-{}", waits.table)) {
            h3 { (waits.table) @if waits.round > 0 { " · round " (waits.round) } @if let Some(seat) = waits.seat { " · box " (seat) } }
            p { (waits.words) "." @for p in waits.cites.split(", ").filter(|p| !p.is_empty()) { " " span.cite { "§ " (p) } }
                @if let Some(since) = &waits.since { span.hint { " Since " (since) "." } } }
            @if waits.answers.is_empty() && waits.others.is_empty() {
                p.none { "Waiting for the " (waits.by.name()) "." }
            } @else { (choices(&waits.table, &waits.answers, &waits.others, waits.answers.is_empty(), names)) }
        }
    }
}

/// The rulings as links: those that answer the report first, the others folded unless `unfolded`.
pub(crate) fn choices(
    table: &str,
    answers: &[RulingKind],
    others: &[RulingKind],
    unfolded: bool,
    names: &Names,
) -> Markup {
    let link = |kind: &RulingKind| {
        let code = remedies::ruling_code(kind).replace(' ', "+");
        html! { li { a href=(format!("/pit/{table}?rule={code}#ruling")) { (remedies::ruling(kind, names)) } } }
    };
    let (boxes, answers): (Vec<_>, Vec<_>) =
        answers.iter().partition(|kind| matches!(kind, RulingKind::BarBox(_)));
    html! {
        @if !answers.is_empty() { ul.ruling-list { @for kind in answers { (link(kind)) } } }
        // One entry for all boxes.
        @if !boxes.is_empty() {
            details.more id=(format!("boxes-{table}")) {
                summary { "Take no bets on one box" }
                ul.ruling-list { @for kind in boxes { (link(kind)) } }
            }
        }
        @if !others.is_empty() {
            details.more id=(format!("other-{table}")) open[unfolded] {
                summary { "Other rulings" }
                ul.ruling-list { @for kind in others { (link(kind)) } }
            }
        }
    }
}

/// The confirmation of a ruling: what it does to every box, the reason, and the button.
pub(crate) fn confirmation(shell: &Shell, table: &str, expects: &str, picked: &RulingPreview) -> Markup {
    html! {
        section #ruling.ruling aria-label="The ruling" {
            @match picked {
                RulingPreview::Cannot(kind, why) => {
                    h2 { (remedies::ruling(kind, &shell.names)) }
                    p.notice.bad { (why) }
                    a.button.quiet href=(format!("/pit/{table}")) { "Back" }
                }
                RulingPreview::Can(kind, preview) => {
                    h2 { (remedies::ruling(kind, &shell.names)) }
                    ol.ruling-steps { @for step in &preview.steps { li { (step) } } }
                    (boxes(&preview.boxes, &shell.names))
                    form method="post" action=(format!("/pit/{table}/rule")) {
                        (shell::hidden(shell))
                        input type="hidden" name="expects" value=(expects);
                        input type="hidden" name="ruling" value=(remedies::ruling_code(kind));
                        label { span { "Reason, for the record" @if !preview.moves_money() { " (optional)" } }
                            // A text area, so that Enter does not confirm.
                            textarea name="reason" rows="2" maxlength="500" required[preview.moves_money()] {} }
                        div.buttons {
                            button.danger type="submit" { "Confirm: " (remedies::ruling(kind, &shell.names)) }
                            a.button.quiet href=(format!("/pit/{table}")) { "Cancel" }
                        }
                    }
                }
            }
        }
    }
}

/// What happens to each box.
pub(crate) fn boxes(boxes: &[BoxForeseen], names: &Names) -> Markup {
    html! {
        @if boxes.is_empty() { p.none { "There are no chips on the table." } }
        @else {
            table.foreseen {
                thead { tr { th scope="col" { "Box" } th scope="col" { "Player" } th.sum scope="col" { "On the box" } th.sum scope="col" { "Goes back" } th scope="col" { "Then" } } }
                tbody {
                    @for on_box in boxes {
                        tr { td { (on_box.seat) } td { (names.of(&on_box.player.0)) } td.sum { (on_box.staked.grouped()) }
                            td.sum { @if on_box.back.is_zero() { "–" } @else { (on_box.back.grouped()) } }
                            td { (fate(on_box.fate)) } }
                    }
                }
            }
        }
    }
}

const fn fate(fate: BoxFate) -> &'static str {
    match fate {
        BoxFate::Stays => "stays as it is",
        BoxFate::WagersBack => "wagers go back",
        BoxFate::Invalid => "hand invalid, wagers go back",
        BoxFate::Chooses => "the player chooses",
        BoxFate::SettledAnew => "settled again",
    }
}
