//! The table page: the felt, the rail with the player's next action, the log.

use baize_house::{ClockKind, JackpotView, OrderKind, Pace, TableView};
use baize_rules::{IrregularityKind, Rulebook};
use baize_table::{Outcome, Player, Remedied};
use maud::{Markup, html};

use super::actions::Play;
use super::felt::{self, Bets, Felt, Side};
use super::shell::{self, Shell};
use super::table_actions::Advice;
use super::words::Dealing;
use super::{paint, table_actions, table_bets};

/// The table page.
pub(crate) struct TablePage<'a> {
    /// What every page shares.
    pub(crate) shell: Shell,
    /// The table's game.
    pub(crate) book: &'a Rulebook,
    /// The table as the reader may see it.
    pub(crate) of: &'a TableView,
    /// The linked jackpot.
    pub(crate) jackpot: Option<&'a JackpotView>,
    /// The reader, if they play.
    pub(crate) me: Option<Player>,
    /// The answer to a question about a decision.
    pub(crate) advice: Option<Advice>,
}

impl TablePage<'_> {
    /// The address of a page of this table.
    pub(super) fn href(&self, path: &str) -> String {
        self.shell.href(&format!("/table/{}{path}", self.of.info.id))
    }

    /// Whether the house deals; otherwise a dealer does.
    pub(super) fn by_house(&self) -> bool {
        Dealing::of(&self.of.info) == Dealing::ByHouse
    }
}

/// The whole page.
pub(crate) fn page(page: &TablePage<'_>) -> Markup {
    let title = format!("{} · {}", page.book.name, page.of.info.id);
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
            (page.book.operator) " · " span.long { "table " } (page.of.info.id) " · ante " (paint::limits(page.of.info.settings.ante))
            span.long { " · " (Dealing::of(&page.of.info).words()) }
            " · " a href=(format!("/rules/{}", paint::slug(page.book))) { "Rules" }
            " · " a href=(format!("/odds/{}", paint::slug(page.book))) { "Odds" }
            @if page.of.orders.contains(&OrderKind::Leave) { " " (leave(page)) }
        }
    }
}

/// The button to leave the table. The player keeps their purse and stays logged in.
fn leave(page: &TablePage<'_>) -> Markup {
    html! {
        form.leave method="post" action=(page.href("/do")) data-plain {
            (shell::hidden(&page.shell))
            input type="hidden" name="do" value=(Play::Leave);
            button.quiet type="submit" { "Leave" span.long { " the table" } }
        }
    }
}

fn felt_and_rail(page: &TablePage<'_>) -> Markup {
    let (seats, action) = (table_bets::seats(page), page.href("/do"));
    let bets = Bets {
        seats: &seats,
        jackpot: table_bets::takes_jackpot(page),
        sit: table_bets::may_move(page).then_some((&page.shell, action.as_str())),
    };
    html! {
        (felt::felt(&Felt {
            book: page.book,
            settings: &page.of.info.settings,
            view: &page.of.round,
            side: Side::Players,
            me: page.me.as_ref(),
            acting: &page.of.round.deciding,
            jackpot: page.jackpot,
            guests: &felt::guests(&page.of.info),
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
            @if page.of.round.number > 0 { span.round { "Round " (page.of.round.number) } }
            span.phase { (super::words::state(page.book, &page.of.round)) }
            (clock(page.of))
        }
    }
}

/// The reason given for a ruling.
fn reason(page: &TablePage<'_>) -> Markup {
    let reason = page.of.round.ruled.as_ref().and_then(|of| of.reason.as_ref());
    html! { @if let Some(reason) = reason { " Reason: " (reason) "." } }
}

/// Notices for everybody at the table: a void round, a remedy, jackpot notices, new limits, closing.
fn notices(page: &TablePage<'_>) -> Markup {
    let standing = &page.of.round.standing;
    let jackpot = baize_house::jackpot_notice(page.book, standing);
    // After the round, the jackpot's own notice replaces the remedy of a jackpot fault.
    let replaced = |of: &Remedied| {
        jackpot.is_some() && of.kind == IrregularityKind::JackpotFault && !page.of.round.phase.under_way()
    };
    let current = |of: &&Remedied| page.of.round.outcome.is_none() && !replaced(of);
    html! {
        div #standing {
            @if let Some(Outcome::Void { cites, because }) = &page.of.round.outcome {
                p.notice.bad role="alert" {
                    "The round is void and every wager goes back"
                    @if let Some(kind) = because { ": " (kind.words().to_lowercase()) }
                    "." (reason(page)) (paint::cites(&paint::slug(page.book), cites))
                }
            }
            @if let Some(remedied) = page.of.round.ruled.as_ref().filter(current) {
                p.notice role="status" {
                    (remedied.kind.words()) ". " (super::remedies::remedy(remedied.remedy)) "." (reason(page))
                    (paint::cites(&paint::slug(page.book), &remedied.cites))
                }
            }
            @if let Some(notice) = &jackpot {
                p.notice.bad role="alert" { (notice.words) (paint::cites(&paint::slug(page.book), &notice.cites)) }
            }
            @if let Some(next) = &page.of.info.next_limits {
                p.notice role="status" { "From the next round on: " (paint::next_limits(next)) "." }
            }
            @if let Some(notice) = &page.of.info.notice { p.notice role="alert" { (notice) } }
            @else if standing.closed { p.notice role="alert" { "This table is closing: no more rounds will be opened." } }
        }
    }
}

/// The running clock of a table, which the script counts down. Without the script it shows the time left at loading.
pub(crate) fn clock(view: &TableView) -> Markup {
    let Some(clock) = view.clock else { return html! {} };
    let (words, seconds) = match (clock.what, view.info.pace) {
        (ClockKind::Betting, Pace::Auto { betting_seconds, .. }) => ("Bets close", betting_seconds),
        (ClockKind::Decision, Pace::Auto { decision_seconds, .. }) => {
            ("Time to decide ends", decision_seconds)
        }
        (ClockKind::Choice, Pace::Auto { decision_seconds, .. }) => ("Time to choose ends", decision_seconds),
        (_, Pace::Dealer) => ("Time ends", 0),
    };
    let whole_ms = (u64::from(seconds) * 1_000).max(clock.left_ms);
    html! {
        span.clock #clock data-left=(clock.left_ms) data-whole=(whole_ms) role="timer" {
            (words) " in " b.seconds { (clock.left_ms.div_ceil(1000)) } " s"
            progress max=(whole_ms) value=(clock.left_ms) aria-hidden="true" {}
        }
    }
}
