//! The table page: felt, rail with the one next action, what happened.

use baize_rules::IrregularityKind;
use baize_table::{Outcome, Remedied};
use maud::{Markup, html};

use super::deeds::Play;
use super::felt::{self, Bets, Felt, Side};
use super::model::{Clock, Happened, TablePage};
use super::{paint, shell, table_actions, table_bets};

/// The whole page.
#[must_use]
pub fn page(page: &TablePage<'_>) -> Markup {
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

/// The regions that change: what the event stream and the answers to forms send.
#[must_use]
pub fn live(page: &TablePage<'_>) -> Markup {
    html! { (shell::change(&page.shell)) (about(page)) (state(page)) (notices(page)) (felt_and_rail(page)) }
}

/// Where one is, and the limits: they are displayed at the table, and may change during play.
fn about(page: &TablePage<'_>) -> Markup {
    html! {
        div #about-table {
            (page.book.operator) " · " span.long { "table " } (page.table) " · ante " (paint::limits(page.settings.ante))
            span.long { " · " (page.dealing.words()) }
            " · " a href=(format!("/rules/{}", paint::rulebook(page.book))) { "Rules" }
            " · " a href=(format!("/odds/{}", paint::rulebook(page.book))) { "Odds" }
            @if page.may_leave { " " (leave(page)) }
        }
    }
}

/// Leaving the table is not logging out: the purse stays, and the player stays logged in.
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
        (table_actions::promise(page))
        (table_actions::rail(page))
    }
}

/// [`live`] and the account in the banner.
#[must_use]
pub fn regions(page: &TablePage<'_>) -> Markup {
    html! { (live(page)) (shell::account(&page.shell)) }
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

/// The reason of the person who ruled, in their words.
fn reason(page: &TablePage<'_>) -> Markup {
    let reason = page.view.ruled.as_ref().and_then(|of| of.reason.as_ref());
    html! { @if let Some(reason) = reason { " Reason: " (reason) "." } }
}

/// What everybody at the table must see: a void, a remedy, no jackpot, closing.
fn notices(page: &TablePage<'_>) -> Markup {
    let standing = &page.view.standing;
    let jackpot = baize_house::jackpot_notice(page.book, standing);
    // How a round goes on after a fault says nothing of the rounds to come: the notice of the jackpot does.
    let said = |of: &Remedied| {
        jackpot.is_some() && of.kind == IrregularityKind::JackpotFault && !page.view.phase.under_way()
    };
    let told = |of: &&Remedied| page.view.outcome.is_none() && !said(of);
    html! {
        div #standing {
            @if let Some(Outcome::Void { cites, because }) = &page.view.outcome {
                p.notice.bad role="alert" {
                    "The round is void and every wager goes back"
                    @if let Some(kind) = because { ": " (kind.words().to_lowercase()) }
                    "." (reason(page)) (paint::cites(&paint::rulebook(page.book), cites))
                }
            }
            @if let Some(remedied) = page.view.ruled.as_ref().filter(told) {
                p.notice role="status" {
                    (remedied.kind.words()) ". " (super::remedies::remedy(remedied.remedy)) "." (reason(page))
                    (paint::cites(&paint::rulebook(page.book), &remedied.cites))
                }
            }
            @if let Some(notice) = &jackpot {
                p.notice.bad role="alert" { (notice.words) (paint::cites(&paint::rulebook(page.book), &notice.cites)) }
            }
            @if let Some(next) = &page.next_limits {
                p.notice role="status" { "From the next round on: " (paint::next_limits(next)) "." }
            }
            @if let Some(notice) = &page.closing { p.notice role="alert" { (notice) } }
            @else if standing.closed { p.notice role="alert" { "This table closes: no further round is opened." } }
        }
    }
}

/// A clock that the script counts down; without the script it says how long there was.
#[must_use]
pub fn clock_of(clock: &Clock) -> Markup {
    html! {
        span.clock #clock data-left=(clock.left_ms) data-whole=(clock.whole_ms) role="timer" {
            (clock.words) " in " b.seconds { (clock.left_ms.div_ceil(1000)) } " s"
            progress max=(clock.whole_ms) value=(clock.left_ms) aria-hidden="true" {}
        }
    }
}

/// What happened: the latest are read aloud, the rest is there to unfold.
#[must_use]
pub fn log(book: &str, happened: &[Happened]) -> Markup {
    let line = |one: &Happened| {
        html! { li id=(format!("h{}", one.number)) { (one.words) (paint::cites_text(book, &one.cites)) } }
    };
    html! {
        // The script speaks lines that are new, once, in the shell's own live region: this list is redrawn.
        section #log.log aria-labelledby="log-title" {
            h2 #log-title { "What happened" }
            @if happened.is_empty() { p.none { "Nothing yet." } }
            ol.latest reversed {
                @for one in happened.iter().take(5) { (line(one)) }
            }
            @if happened.len() > 5 {
                details #earlier {
                    summary { "Earlier" }
                    ol reversed { @for one in happened.iter().skip(5) { (line(one)) } }
                }
            }
        }
    }
}
