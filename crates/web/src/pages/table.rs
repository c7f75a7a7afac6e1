//! The table page: the felt, the rail with the player's next action, the log.

use baize_rules::IrregularityKind;
use baize_table::{Outcome, Remedied};
use maud::{Markup, html};

use super::actions::Play;
use super::felt::{self, Bets, Felt, Side};
use super::model::{Clock, LogLine, TablePage};
use super::{paint, shell, table_actions, table_bets};

/// The whole page.
pub(crate) fn page(page: &TablePage<'_>) -> Markup {
    let title = format!("{} · {}", page.book.name, page.table);
    shell::page(
        &page.shell,
        &title,
        "tables",
        "table-page",
        &html! {
            div.table-head {
                h1 { (page.book.name) }
                (about(page))
                (state(page))
            }
            (notices(page))
            (felt_and_rail(page))
            (shell::change(&page.shell))
        },
    )
}

/// The live regions.
pub(crate) fn regions(page: &TablePage<'_>) -> Markup {
    html! {
        (shell::change(&page.shell)) (about(page)) (state(page)) (notices(page)) (felt_and_rail(page))
        (shell::account(&page.shell))
    }
}

/// The table, its limits and links. Live, because the limits can change.
fn about(page: &TablePage<'_>) -> Markup {
    html! {
        div #about-table {
            (page.book.operator) " · " span.long { "table " } (page.table) " · ante " (paint::limits(page.settings.ante))
            span.long { " · " (page.dealing.words()) }
            " · " a href=(format!("/rules/{}", paint::slug(page.book))) { "Rules" }
            " · " a href=(format!("/odds/{}", paint::slug(page.book))) { "Odds" }
            @if page.may_leave { " " (leave(page)) }
        }
    }
}

/// The button to leave the table. The player keeps their purse and stays logged in.
fn leave(page: &TablePage<'_>) -> Markup {
    html! {
        form.leave method="post" action=(page.shell.href(&format!("/table/{}/do", page.table))) data-plain {
            (shell::hidden(&page.shell))
            input type="hidden" name="do" value=(Play::Leave);
            button.quiet type="submit" { "Leave" span.long { " the table" } }
        }
    }
}

fn felt_and_rail(page: &TablePage<'_>) -> Markup {
    let (seats, action) = (table_bets::seats(page), page.shell.href(&format!("/table/{}/do", page.table)));
    let bets = Bets {
        seats: &seats,
        jackpot: table_bets::takes_jackpot(page),
        sit: table_bets::may_move(page).then_some((&page.shell, action.as_str())),
    };
    html! {
        (felt::felt(&Felt {
            book: page.book,
            settings: page.settings,
            view: page.view,
            side: Side::Players,
            me: page.me.as_ref(),
            acting: &page.view.deciding,
            meter: page.meter.as_ref(),
            guests: &page.guests,
            names: &page.shell.names,
            bets: table_bets::open(page).then_some(bets),
        }))
        (table_actions::commitment(page))
        (table_actions::rail(page))
    }
}

/// Round number, phase, clock.
fn state(page: &TablePage<'_>) -> Markup {
    html! {
        div #state.round-state {
            @if page.view.number > 0 { span.round { "Round " (page.view.number) } }
            span.phase { (super::words::state(page.book, page.view)) }
            @if let Some(clock) = &page.clock { (clock_of(clock)) }
        }
    }
}

/// The reason given for a ruling.
fn reason(page: &TablePage<'_>) -> Markup {
    let reason = page.view.ruled.as_ref().and_then(|of| of.reason.as_ref());
    html! { @if let Some(reason) = reason { " Reason: " (reason) "." } }
}

/// Notices for everybody at the table: a void round, a remedy, jackpot notices, new limits, closing.
fn notices(page: &TablePage<'_>) -> Markup {
    let standing = &page.view.standing;
    let jackpot = baize_house::jackpot_notice(page.book, standing);
    // After the round, the jackpot's own notice replaces the remedy of a jackpot fault.
    let replaced = |of: &Remedied| {
        jackpot.is_some() && of.kind == IrregularityKind::JackpotFault && !page.view.phase.under_way()
    };
    let current = |of: &&Remedied| page.view.outcome.is_none() && !replaced(of);
    html! {
        div #standing {
            @if let Some(Outcome::Void { cites, because }) = &page.view.outcome {
                p.notice.bad role="alert" {
                    "The round is void and every wager goes back"
                    @if let Some(kind) = because { ": " (kind.words().to_lowercase()) }
                    "." (reason(page)) (paint::cites(&paint::slug(page.book), cites))
                }
            }
            @if let Some(remedied) = page.view.ruled.as_ref().filter(current) {
                p.notice role="status" {
                    (remedied.kind.words()) ". " (super::remedies::remedy(remedied.remedy)) "." (reason(page))
                    (paint::cites(&paint::slug(page.book), &remedied.cites))
                }
            }
            @if let Some(notice) = &jackpot {
                p.notice.bad role="alert" { (notice.words) (paint::cites(&paint::slug(page.book), &notice.cites)) }
            }
            @if let Some(next) = &page.next_limits {
                p.notice role="status" { "From the next round on: " (paint::next_limits(next)) "." }
            }
            @if let Some(notice) = &page.closing { p.notice role="alert" { (notice) } }
            @else if standing.closed { p.notice role="alert" { "This table is closing: no more rounds will be opened." } }
        }
    }
}

/// A clock that the script counts down. Without the script it shows the time left at loading.
pub(crate) fn clock_of(clock: &Clock) -> Markup {
    html! {
        span.clock #clock data-left=(clock.left_ms) data-whole=(clock.whole_ms) role="timer" {
            (clock.words) " in " b.seconds { (clock.left_ms.div_ceil(1000)) } " s"
            progress max=(clock.whole_ms) value=(clock.left_ms) aria-hidden="true" {}
        }
    }
}

/// The log: the latest five lines, the rest folded.
pub(crate) fn log(slug: &str, lines: &[LogLine]) -> Markup {
    let line = |one: &LogLine| {
        html! { li id=(format!("h{}", one.number)) { (one.words) (paint::cites_text(slug, &one.cites)) } }
    };
    html! {
        // Not a live region for screen readers: the script announces new lines in the shell's `#spoken`.
        section #log.log aria-labelledby="log-title" {
            h2 #log-title { "What happened" }
            @if lines.is_empty() { p.none { "Nothing yet." } }
            ol.latest reversed {
                @for one in lines.iter().take(5) { (line(one)) }
            }
            @if lines.len() > 5 {
                details #earlier {
                    summary { "Earlier" }
                    ol reversed { @for one in lines.iter().skip(5) { (line(one)) } }
                }
            }
        }
    }
}
