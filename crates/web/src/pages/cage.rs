//! The cage: find a player, buy in or cash out, with a confirmation before and a receipt after.
//!
//! Every step is an address (`?player=ann&do=buy-in&amount=100`), so it works without the script. Only the last button changes anything; its form
//! carries an id, so that pressing it twice acts once.

use baize_house::{CashDay, MoneyKind, PlayerLine};
use maud::{Markup, html};

use super::actions::Cage;
use super::model::{CageConfirmation, CagePage, CageReceipt};
use super::shell::Shell;
use super::{cash, paint, shell};

/// The whole page.
pub(crate) fn page(page: &CagePage) -> Markup {
    shell::page(
        &page.shell,
        "Cage",
        "cage",
        "cage",
        &html! {
            h1.quiet-title { "Cage" span { "Gaming day " (page.day) } @if !page.reports.is_empty() { span { a href="#cash-reports" { (page.reports.len()) " cash transaction " @if page.reports.len() == 1 { "report is" } @else { "reports are" } " due" } } } }
            div.cage-grid {
                div.counter {
                    @match (&page.receipt, &page.player) {
                        (Some(receipt), _) => { (receipt_of(page, receipt)) }
                        (None, Some(player)) => { (counter(page, player)) }
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

fn counter(page: &CagePage, player: &PlayerLine) -> Markup {
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
                @if let Some(day) = &page.cash { (cash_today(page, day)) }
                @if !player.owed.is_zero() { (owing(page, player)) }
                @match &page.confirmation {
                    Some(movement) => { (confirm(page, player, movement)) }
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
    page.cash.as_ref().map_or(0, |day| day.movements.len())
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
fn confirm(page: &CagePage, player: &PlayerLine, movement: &CageConfirmation) -> Markup {
    let (what, title) = if movement.buy_in { (Cage::BuyIn, "Buy in") } else { (Cage::CashOut, "Cash out") };
    html! {
        @if let Some(day) = page.cash.as_ref().filter(|_| movement.identify) { (cash::identify(page, day, true)) }
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
    html! {
        section.sheet.receipt aria-label="Receipt" {
            // Not when a receipt is looked up later.
            @if page.player.is_some() {
                p.notice.good.done role="status" {
                    @if receipt.buy_in { "Done: the chips are in the purse." } @else { "Done: the chips are out of the purse." }
                }
            }
            h2 { "Receipt" span.operator { @if receipt.buy_in { "Buy-in" } @else { "Cash-out" } } }
            p.sum { (receipt.amount.grouped()) }
            dl {
                div { dt { "Player" } dd { @if let Some(name) = &receipt.player_name { (name) " " } span.login[receipt.player_name.is_some()] { (receipt.player) } } }
                div { dt { "Purse after" } dd { (receipt.purse_after.grouped()) } }
                div { dt { "Cashier" } dd { (receipt.cashier) } }
                div { dt { "Time" } dd { (receipt.when) " " span.zone { (receipt.clock) } } }
                div { dt { "Journal entry" } dd { (receipt.number) } }
                div { dt { "Id" } dd { code.hash { (receipt.command) } } }
            }
            p.sign-here { span { "Cashier" } span { "Player" } }
            div.buttons {
                button.primary type="button" data-print { "Print" }
                a.button href=(page.shell.href(&format!("/cage?player={}", receipt.player))) { (receipt.player_name.as_deref().unwrap_or(&receipt.player)) " again" }
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
                        @let here = page.player.as_ref().is_some_and(|player| player.id == one.id);
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
    let (bought, cashed) = page.totals;
    html! {
        section.day aria-label="Your movements today" {
            h2 { "Your movements today" }
            @if page.lines.is_empty() { p.none { "No activity yet." } }
            @else {
                div.scroll tabindex="0" role="region" aria-label="Movements" {
                    table.lines {
                        thead { tr { th scope="col" { "Receipt" } th scope="col" { "Player" } th.n scope="col" { "Bought in" } th.n scope="col" { "Cashed out" } } }
                        tbody {
                            @for line in &page.lines {
                                tr {
                                    td { a href=(line.href) aria-label=(format!("Receipt {} of {}", line.number, line.time)) { (line.time) } }
                                    th scope="row" { (line.player) }
                                    td.n { @if line.buy_in { (line.amount.grouped()) } }
                                    td.n { @if !line.buy_in { (line.amount.grouped()) } }
                                }
                            }
                        }
                        tfoot {
                            tr { th scope="row" colspan="2" { (page.lines.len()) @if page.lines.len() == 1 { " movement" } @else { " movements" } }
                                td.n { b { (bought.grouped()) } } td.n { b { (cashed.grouped()) } } }
                            tr { th scope="row" colspan="2" { "Cash in less cash out" } td.n colspan="2" { (paint::net(bought - cashed)) } }
                        }
                    }
                }
            }
        }
    }
}
