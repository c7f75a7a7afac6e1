//! The cage: find a player, buy in or cash out, with a confirmation before and a receipt after.
//!
//! Every step is an address (`?player=ann&do=buy-in&amount=100`), so it works without the script. Only the last button changes anything; its form
//! carries an id, so that pressing it twice acts once.

use baize_house::{
    CageMovement, CageReceipt, CashDay, CashReport, Drawer, DrawerCount, FiledReport, MoneyKind, PlayerLine,
};
use baize_rules::Money;
use maud::{Markup, html};

use super::actions::Cage;
use super::shell::{self, Shell};
use super::{cash, paint};

/// A movement to confirm.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CageConfirmation {
    /// A buy-in; otherwise a cash-out.
    pub(crate) buy_in: bool,
    /// The amount.
    pub(crate) amount: Money,
    /// The purse after it.
    pub(crate) after: Money,
    /// The player must be identified first: their cash today reaches the threshold.
    pub(crate) identify: bool,
    /// Their cash today reaches the threshold for a cash transaction report.
    pub(crate) reported: bool,
}

/// The cashier's page.
pub(crate) struct CagePage {
    /// What every page shares.
    pub(crate) shell: Shell,
    /// The search text.
    pub(crate) find: String,
    /// The matching players; all players if the search is empty. Shortened.
    pub(crate) found: Vec<PlayerLine>,
    /// How many more there are.
    pub(crate) more: usize,
    /// The player at the counter, with their cash today.
    pub(crate) player: Option<(PlayerLine, CashDay)>,
    /// The movement to confirm.
    pub(crate) confirmation: Option<CageConfirmation>,
    /// A refusal: the form (`buy-in`, `cash-out`, `register`, `find`, …), what was typed, and the message.
    pub(crate) problem: Option<(&'static str, String, String)>,
    /// The receipt to show.
    pub(crate) receipt: Option<CageReceipt>,
    /// This cashier's movements of the day, latest first.
    pub(crate) movements: Vec<CageMovement>,
    /// Cash transaction reports that are due.
    pub(crate) reports: Vec<CashReport>,
    /// Filed reports, latest first.
    pub(crate) filed: Vec<FiledReport>,
    /// The cashier's drawer since the last count.
    pub(crate) drawer: Drawer,
    /// The cashier's drawer counts, latest first.
    pub(crate) counts: Vec<DrawerCount>,
}

/// The whole page.
pub(crate) fn page(page: &CagePage) -> Markup {
    shell::page(
        &page.shell,
        "Cage",
        "cage",
        "cage",
        &html! {
            h1.quiet-title { "Cage" span { @if let Some(now) = page.shell.now { "Gaming day " (page.shell.day.of(now)) ", " (page.shell.day) } } @if !page.reports.is_empty() { span { a href="#cash-reports" { (page.reports.len()) " cash transaction " @if page.reports.len() == 1 { "report is" } @else { "reports are" } " due" } } } }
            div.cage-grid {
                div.counter {
                    @match (&page.receipt, &page.player) {
                        (Some(receipt), _) => { (receipt_of(page, receipt)) }
                        (None, Some((player, day))) => { (counter(page, player, day)) }
                        (None, None) => {
                            section.sheet.empty aria-label="The counter" {
                                h2 { "Who is at the counter?" }
                                p.none { "Find the player by name, or register a new one. Then sell chips or buy them back." }
                            }
                        }
                    }
                    (day(page))
                    (cash::drawer(page))
                }
                div.finding { (cash::reports(page)) (find(page)) (register(page)) }
            }
        },
    )
}

/// The page for a movement whose outcome is unknown: it retries the same form with the same id until the outcome is known.
pub(crate) fn outcome_unknown(shell: &Shell, fields: &[(&str, &str)]) -> Markup {
    shell::page(
        shell,
        "Cage",
        "cage",
        "error narrow",
        &html! {
            h1 { "Outcome not known yet" }
            p { "The database did not answer. Do not hand over anything, and do not enter the movement again: this page keeps asking under the same number, so the cash moves only once." }
            form method="post" action="/cage/do" data-again data-once {
                @for (name, value) in fields { input type="hidden" name=(name) value=(value); }
                div.buttons { button.primary type="submit" { "Check now" } }
            }
        },
    )
}

/// The refusal of this form, if it was refused.
pub(super) fn problem(page: &CagePage, form: &str) -> Markup {
    html! {
        @if let Some((_, _, words)) = page.problem.as_ref().filter(|(at, _, _)| *at == form) {
            p.notice.bad role="alert" id=(format!("problem-{form}")) { (words) }
        }
    }
}

/// What was typed into this form, if it was refused.
pub(super) fn typed<'a>(page: &'a CagePage, form: &str) -> &'a str {
    page.problem
        .as_ref()
        .filter(|(at, _, _)| *at == form)
        .map(|(_, typed, _)| typed.as_str())
        .unwrap_or_default()
}

/// The display name, with the log-in name beside it.
fn named(player: &PlayerLine) -> Markup {
    html! { @match &player.name { Some(name) => { (name) " " span.login { (player.id) } }, None => (player.id) } }
}

fn counter(page: &CagePage, player: &PlayerLine, day: &CashDay) -> Markup {
    let practice = player.money == MoneyKind::Practice;
    html! {
        section.sheet.at-counter aria-label="The counter" {
            div.whose {
                h2 { (named(player)) }
                @if practice { span.tag { "practice" } }
                @if player.locked { span.tag.bad { "locked" } }
                a.quiet.button href=(page.shell.href("/cage")) { "Next player" }
            }
            @if player.locked { p.hint { "Password log-ins are delayed after repeated failures. A Shift Manager can unlock the account on the staff page. Buying in and cashing out still work." } }
            p.holds { span { @if practice { "Practice chips in the purse" } @else { "In the purse" } } b { (player.purse.grouped()) } }
            @if practice {
                p.notice { b { "Practice chips. " } "The cage neither sells nor cashes them. To play for cash, register the player under another log-in." }
            } @else {
                (cash_today(page, day))
                @if !player.owed.is_zero() { (owing(page, player)) }
                @match &page.confirmation {
                    Some(movement) => { (confirm(page, player, day, movement)) }
                    None => {
                        div.two {
                            (amount(page, player, Cage::BuyIn, "Buy in", "Cash from the player", "Sell chips"))
                            (amount(page, player, Cage::CashOut, "Cash out", "Chips from the player", "Buy chips back"))
                        }
                    }
                }
            }
        }
    }
}

/// The player's cash of this gaming day, and whether they have been identified.
fn cash_today(page: &CagePage, day: &CashDay) -> Markup {
    html! {
        dl.cash-today {
            div { dt { "Cash in today" } dd { (day.cash_in.grouped()) } }
            div { dt { "Cash out today" } dd { (day.cash_out.grouped()) } }
            div { dt { "Identified" } dd { @match &day.identified { Some(document) => (document), None => "not yet" } } }
        }
        (problem(page, Cage::Identify.code()))
        @if day.identified.is_none() && !page.confirmation.as_ref().is_some_and(|movement| movement.identify) { (cash::identify(page, day, false)) }
    }
}

/// The player's debt, and the button that collects as much of it as the purse holds.
fn owing(page: &CagePage, player: &PlayerLine) -> Markup {
    let takes = player.owed.min(player.purse);
    html! {
        form.owing method="post" action=(page.shell.href("/cage/do")) data-plain {
            (shell::hidden(&page.shell))
            input type="hidden" name="player" value=(player.id);
            input type="hidden" name="do" value=(Cage::Collect);
            input type="hidden" name="amount" value=(takes);
            (problem(page, Cage::Collect.code()))
            p.notice.bad {
                b { "Owes " (player.owed.grouped()) ". " }
                "A round was corrected after its winner had cashed out. Nothing is paid out until this is settled."
            }
            @if !takes.is_zero() { button type="submit" { "Collect " (takes.grouped()) " from the purse" } }
        }
    }
}

/// The number of the player's movements today. A confirmation is only for the next one: the back button must not repeat a movement.
pub(super) fn moved(page: &CagePage) -> usize {
    page.player.as_ref().map_or(0, |(_, day)| day.movements.len())
}

/// The form for an amount. It leads to the confirmation and changes nothing.
fn amount(
    page: &CagePage,
    player: &PlayerLine,
    what: Cage,
    title: &str,
    label: &str,
    button: &str,
) -> Markup {
    let wrong = page.problem.as_ref().is_some_and(|(at, _, _)| *at == what.code());
    html! {
        form.cash-form method="get" action=(page.shell.href("/cage")) data-plain {
            h3 { (title) }
            input type="hidden" name="player" value=(player.id);
            input type="hidden" name="do" value=(what);
            input type="hidden" name="moved" value=(moved(page));
            (problem(page, what.code()))
            label {
                span { (label) }
                input name="amount" value=(typed(page, what.code())) inputmode="decimal" autocomplete="off" required placeholder="0.00"
                    aria-invalid=[wrong.then_some("true")] aria-describedby=[wrong.then(|| format!("problem-{what}"))]
                    autofocus[wrong || (what == Cage::BuyIn && page.problem.is_none())];
            }
            @if what == Cage::CashOut && !player.purse.is_zero() {
                a.everything href=(page.shell.href(&format!("/cage?player={}&do={}&amount={}&moved={}", player.id, Cage::CashOut, player.purse, moved(page)))) {
                    "All: " (player.purse.grouped())
                }
            }
            button type="submit" { (button) "…" }
        }
    }
}

/// The confirmation: what will happen, and the button that does it.
fn confirm(page: &CagePage, player: &PlayerLine, day: &CashDay, movement: &CageConfirmation) -> Markup {
    let (what, title) = if movement.buy_in { (Cage::BuyIn, "Buy in") } else { (Cage::CashOut, "Cash out") };
    html! {
        @if movement.identify { (cash::identify(page, day, true)) }
        form.remedy.confirm method="post" action=(page.shell.href("/cage/do")) data-plain {
            (shell::hidden(&page.shell))
            input type="hidden" name="player" value=(player.id);
            input type="hidden" name="do" value=(what);
            input type="hidden" name="amount" value=(movement.amount);
            // Focus the heading, not the button: holding down Enter must not confirm.
            h3 tabindex="-1" autofocus { (title) ": " (movement.amount.grouped()) }
            (problem(page, what.code()))
            p {
                @if movement.buy_in { "Count the cash: " b { (movement.amount.grouped()) } " from " b { (named(player)) } ". The chips go into the purse." }
                @else { "The chips leave the purse. Count out " b { (movement.amount.grouped()) } " to " b { (named(player)) } "." }
            }
            p { "The purse goes from " (player.purse.grouped()) " to " b { (movement.after.grouped()) } "." }
            @if movement.reported { p.notice { "With this movement the player's cash reaches 10,000 today. A cash transaction report is opened, to be filed within 15 days." } }
            div.buttons {
                button.primary[!movement.identify] type="submit" { @if movement.buy_in { "Cash taken: give the chips" } @else { "Chips taken: pay the cash" } }
                a.button.quiet href=(page.shell.href(&format!("/cage?player={}", player.id))) { "Cancel" }
            }
        }
    }
}

fn receipt_of(page: &CagePage, receipt: &CageReceipt) -> Markup {
    let (of, day) = (&receipt.movement, page.shell.day);
    let (login, name) = (of.player.as_str(), page.shell.names.name(of.player.as_str()));
    html! {
        section.sheet.receipt aria-label="Receipt" {
            // Not when a receipt is looked up later.
            @if page.player.is_some() {
                p.notice.good.done role="status" {
                    @if of.buy_in { "Done: the chips are in the purse." } @else { "Done: the chips are out of the purse." }
                }
            }
            h2 { "Receipt" span.operator { @if of.buy_in { "Buy-in" } @else { "Cash-out" } } }
            p.sum { (of.amount.grouped()) }
            dl {
                div { dt { "Player" } dd { @if let Some(name) = name { (name) " " } span.login[name.is_some()] { (login) } } }
                div { dt { "Purse after" } dd { (receipt.purse_after.grouped()) } }
                div { dt { "Cashier" } dd { (of.cashier) } }
                div { dt { "Time" } dd { (day.local(of.at)) " " span.zone { "UTC" (day.utc_offset) } } }
                div { dt { "Journal entry" } dd { (of.number) } }
                div { dt { "Id" } dd { code.hash { (of.command) } } }
            }
            p.sign-here { span { "Cashier" } span { "Player" } }
            div.buttons {
                button.primary type="button" data-print { "Print" }
                a.button href=(page.shell.href(&format!("/cage?player={login}"))) { (name.unwrap_or(login)) " again" }
                a.button.quiet href=(page.shell.href("/cage")) autofocus { "Next player" }
            }
        }
    }
}

fn find(page: &CagePage) -> Markup {
    html! {
        section.sheet.find aria-label="Find a player" {
            h2 { "Find a player" }
            form.inline method="get" action=(page.shell.href("/cage")) role="search" data-plain {
                label { span { "Name, or part of it" } input name="find" type="search" value=(page.find) autocomplete="off"
                    autofocus[page.player.is_none() && page.receipt.is_none() && page.problem.is_none()]; }
                button type="submit" { "Find" }
            }
            (problem(page, "find"))
            @if page.found.is_empty() { p.none { @if page.find.is_empty() { "There are no players yet." } @else { "No name contains “" (page.find) "”." } } }
            @else {
                ul.players {
                    @for one in &page.found {
                        @let here = page.player.as_ref().is_some_and(|(player, _)| player.id == one.id);
                        li { a href=(page.shell.href(&format!("/cage?player={}", one.id))) aria-current=[here.then_some("true")] {
                            span { (named(one)) @if one.money == MoneyKind::Practice { " " span.tag { "practice" } } @if one.locked { " " span.tag.bad { "locked" } } } span.n { (one.purse.grouped()) }
                        } }
                    }
                }
                @if page.more > 0 { p.hint { "and " (page.more) " more; type more of the name." } }
            }
        }
    }
}

fn register(page: &CagePage) -> Markup {
    let wrong = page.problem.as_ref().is_some_and(|(at, _, _)| *at == "register");
    html! {
        section.sheet.register aria-label="Register a player" {
            details open[wrong] {
                summary { "Register a new player" }
                form method="post" action=(page.shell.href("/cage/player")) data-plain {
                    (shell::hidden(&page.shell))
                    (problem(page, "register"))
                    label { span { "Display name" } input name="shown" maxlength="60" autocomplete="off" placeholder="Tan Mei Ling 陈美玲"; }
                    label { span { "Log-in" } input name="name" value=(typed(page, "register")) required maxlength="32" autocomplete="off"
                        pattern="[A-Za-z0-9][A-Za-z0-9._\\-]*" title="Letters, digits, dots, dashes and underscores" autofocus[wrong]; }
                    label { span { "Password, if they want to log in themselves" } input name="password" type="password" maxlength="200" autocomplete="new-password"; }
                    p.hint { "For cash. The purse is empty until the first buy-in." }
                    button type="submit" { "Register" }
                }
            }
        }
    }
}

fn day(page: &CagePage) -> Markup {
    let total = |buy_in: bool| -> Money {
        page.movements.iter().filter(|line| line.buy_in == buy_in).map(|line| line.amount).sum()
    };
    let (bought, cashed, count) = (total(true), total(false), page.movements.len());
    html! {
        section.day aria-label="Your movements today" {
            h2 { "Your movements today" }
            @if count == 0 { p.none { "No activity yet." } }
            @else {
                div.scroll tabindex="0" role="region" aria-label="Movements" {
                    table.lines {
                        thead { tr { th scope="col" { "Receipt" } th scope="col" { "Player" } th.n scope="col" { "Bought in" } th.n scope="col" { "Cashed out" } } }
                        tbody {
                            @for line in &page.movements {
                                @let local = page.shell.local(line.at);
                                @let time = local.split(' ').next_back().unwrap_or_default();
                                tr {
                                    td { a href=(page.shell.href(&format!("/cage?receipt={}", line.command))) aria-label=(format!("Receipt {} of {time}", line.number)) { (time) } }
                                    th scope="row" { (page.shell.names.of(line.player.as_str())) }
                                    td.n { @if line.buy_in { (line.amount.grouped()) } }
                                    td.n { @if !line.buy_in { (line.amount.grouped()) } }
                                }
                            }
                        }
                        tfoot {
                            tr { th scope="row" colspan="2" { (count) @if count == 1 { " movement" } @else { " movements" } }
                                td.n { b { (bought.grouped()) } } td.n { b { (cashed.grouped()) } } }
                            tr { th scope="row" colspan="2" { "Cash in less cash out" } td.n colspan="2" { (paint::net(bought - cashed)) } }
                        }
                    }
                }
            }
        }
    }
}
