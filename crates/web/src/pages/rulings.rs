//! Rulings: the list of possible ones, those that answer the report first, and the confirmation with its consequences.
//!
//! The lists contain only links. What a ruling does to every box is shown before the button that gives it.

use baize_house::{Instant, Preview, Significant, TableId, TableView};
use baize_rules::{BoxNumber, Cites, Role, Rulebook};
use baize_table::{Awaiting, BoxFate, BoxForeseen, RulingKind};
use maud::{Markup, html};

use super::names::Names;
use super::remedies;
use super::shell::{self, Shell};

/// The ruling that a table waits for: on a report that the rules leave to a person, or on how to continue after a jackpot fault.
pub(crate) struct WaitingRuling<'a> {
    of: &'a TableView,
    /// The cause, as a sentence without full stop.
    words: &'static str,
    seat: Option<BoxNumber>,
    /// The lowest position that may rule.
    by: Role,
    cites: Cites,
    since: Option<Instant>,
    /// The rulings that answer it and that the reader may give. If `others` is empty too, it waits for a higher position.
    answers: Vec<RulingKind>,
    others: Vec<RulingKind>,
}

impl<'a> WaitingRuling<'a> {
    /// What this table waits for, for a reader with this position.
    pub(crate) fn of(
        of: &'a TableView,
        book: &Rulebook,
        role: Role,
        events: &[Significant],
    ) -> Option<WaitingRuling<'a>> {
        let (words, seat, by, cites) = match &of.round.awaiting {
            Some(Awaiting::Ruling { kind, seat, by, cites, .. }) => (kind.words(), *seat, *by, *cites),
            Some(Awaiting::Options { .. } | Awaiting::Reconstruction { .. }) => return None,
            None if of.round.standing.jackpot_fault => {
                let fault = book.irregularities.jackpot_fault.as_ref()?;
                let words =
                    "Jackpot fault: no round opens before the Shift Manager decides how play continues";
                (words, None, fault.decided_by, fault.close_table.and(fault.bar_box).and(fault.no_jackpot))
            }
            None => return None,
        };
        let (answers, others) = if by <= role { possible(of, role) } else { Default::default() };
        // Nothing else can happen at a table that waits, so its latest event is the cause.
        let stream = format!("table/{}", of.info.id);
        let since = events.iter().find(|event| event.stream == stream).map(|event| event.at);
        Some(WaitingRuling { of, words, seat, by, cites, since, answers, others })
    }
}

/// The rulings that this position may give now: those that answer the pending one, and the others.
pub(crate) fn possible(of: &TableView, role: Role) -> (Vec<RulingKind>, Vec<RulingKind>) {
    let mine = of.legal.rulings.iter().filter(|(_, needs)| *needs <= role).map(|(kind, _)| kind.clone());
    mine.partition(|kind| kind.answers(of.round.awaiting.as_ref(), &of.round.standing))
}

/// A card for a pending ruling, with links to the possible rulings at the table's desk.
pub(crate) fn waiting(waits: &WaitingRuling<'_>, shell: &Shell) -> Markup {
    let (table, round) = (&waits.of.info.id, waits.of.round.number);
    html! {
        article.wait-card id=(format!("ruling-{table}")) {
            h3 { (table) @if round > 0 { " · round " (round) } @if let Some(seat) = waits.seat { " · box " (seat) } }
            p { (waits.words) "." @for paragraph in waits.cites.iter() { " " span.cite { "§ " (paragraph) } }
                @if let Some(since) = waits.since { span.hint { " Since " (shell.local(since)) "." } } }
            @if waits.answers.is_empty() && waits.others.is_empty() {
                p.none { "Waiting for the " (waits.by.name()) "." }
            } @else { (choices(table, &waits.answers, &waits.others, waits.answers.is_empty(), &shell.names)) }
        }
    }
}

/// The rulings as links: those that answer the report first, the others folded unless `unfolded`.
pub(crate) fn choices(
    table: &TableId,
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

/// The confirmation of a ruling: what it does to every box, the reason, and the button; or why it cannot be given.
pub(crate) fn confirmation(
    shell: &Shell,
    table: &TableId,
    expects: &str,
    (kind, preview): &(RulingKind, Result<Preview, String>),
) -> Markup {
    html! {
        section #ruling.ruling aria-label="The ruling" {
            h2 { (remedies::ruling(kind, &shell.names)) }
            @match preview {
                Err(why) => {
                    p.notice.bad { (why) }
                    a.button.quiet href=(format!("/pit/{table}")) { "Back" }
                }
                Ok(preview) => {
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
