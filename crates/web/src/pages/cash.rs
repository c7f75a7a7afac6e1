//! Singapore's cash rules at the counter: identifying a player, cash transaction reports, the drawer at the end of a shift.

use baize_house::{CashDay, CashReport};
use maud::{Markup, html};

use super::actions::Cage;
use super::cage::{CagePage, moved, problem, typed};
use super::{paint, shell};

/// The form for the document by which a player was identified. `now`: the movement to be confirmed requires it.
pub(crate) fn identify(page: &CagePage, day: &CashDay, now: bool) -> Markup {
    let form = html! {
        form.inline method="post" action=(page.shell.href("/cage/do")) data-plain {
            (shell::hidden(&page.shell))
            input type="hidden" name="player" value=(day.player);
            input type="hidden" name="do" value=(Cage::Identify);
            @if let Some(movement) = page.confirmation.as_ref().filter(|_| now) {
                input type="hidden" name="then" value=(if movement.buy_in { Cage::BuyIn } else { Cage::CashOut });
                input type="hidden" name="amount" value=(movement.amount);
                input type="hidden" name="moved" value=(moved(page));
            }
            label { span { "Document, last characters of its number" } input name="document" required maxlength="60" autocomplete="off" placeholder="passport …567A" value=(typed(page, Cage::Identify.code())); }
            button type="submit" { "Identified" }
        }
    };
    html! {
        @if now {
            div.notice.bad.identify role="alert" {
                p { b { "Identify the player first. " } "With this movement their cash today reaches 4,000. Ask for a passport or an identity card." }
                (form)
            }
        } @else { details.more #identify { summary { "Identify the player" } (form) } }
    }
}

/// Cash transaction reports: due and filed.
pub(crate) fn reports(page: &CagePage) -> Markup {
    html! {
        @if !page.reports.is_empty() || !page.filed.is_empty() {
            section.sheet.cash-reports #cash-reports aria-label="Cash transaction reports" {
                h2 { "Cash transaction reports" @if !page.reports.is_empty() { span.waits { (page.reports.len()) } } }
                @if page.reports.is_empty() { p.none { "No report is due." } }
                (problem(page, Cage::File.code()))
                @for report in &page.reports { (due(page, report)) }
                @if !page.filed.is_empty() {
                    details.more #filed {
                        summary { "Filed (" (page.filed.len()) ")" }
                        ul.filed { @for one in &page.filed {
                            li { b { (one.player) } ", " (one.day) ": in " (one.cash_in.grouped()) ", out " (one.cash_out.grouped()) span.hint { (one.reference) " · " (one.by.trim_start_matches("staff:")) ", " (page.shell.local(one.at)) } }
                        } }
                    }
                }
                p.hint { "Export: " a href=(page.shell.href("/cage/reports.csv")) download { "CSV" } " · " a href=(page.shell.href("/cage/reports.json")) download { "JSON" } }
            }
        }
    }
}

fn due(page: &CagePage, report: &CashReport) -> Markup {
    let of = &report.of;
    html! {
        article.wait-card id=(format!("report-{}-{}", of.day, of.player)) {
            h3 { @if let Some(name) = &of.name { (name) " " span.login { (of.player) } } @else { (of.player) } }
            p { "Gaming day " (of.day) ": in " b { (of.cash_in.grouped()) } ", out " b { (of.cash_out.grouped()) } ", " (of.movements.len()) @if of.movements.len() == 1 { " movement. " } @else { " movements. " }
                @match &of.identified { Some(document) => { "Identified: " (document) "." }, None => b { "Not identified." } } }
            p.hint { "Due by " b { (report.due) } }
            form.inline method="post" action=(page.shell.href("/cage/do")) data-plain {
                (shell::hidden(&page.shell))
                input type="hidden" name="player" value=(of.player);
                input type="hidden" name="day" value=(of.day);
                input type="hidden" name="do" value=(Cage::File);
                label { span { "Reference of the filing" } input name="reference" required maxlength="60" autocomplete="off"; }
                button type="submit" { "Filed" }
            }
        }
    }
}

/// The cashier's drawer: expected, counted, difference.
pub(crate) fn drawer(page: &CagePage) -> Markup {
    let drawer = &page.drawer;
    let row = |title: &str, value: Markup| html! { div { dt { (title) } dd { (value) } } };
    html! {
        section.sheet.drawer aria-label="Your drawer" {
            h2 { "Your drawer" }
            dl {
                (row("Left by the last count", html! { (drawer.opening.grouped()) }))
                (row("Cash in since", html! { (drawer.cash_in.grouped()) }))
                (row("Cash out since", html! { (drawer.cash_out.grouped()) }))
                (row("Expected now", html! { b { (drawer.expected().grouped()) } }))
            }
            details.more #count-drawer open[page.problem.as_ref().is_some_and(|(at, _, _)| *at == Cage::Count.code())] {
                summary { "Count the drawer: end of the shift" }
                form method="post" action=(page.shell.href("/cage/do")) data-plain {
                    (shell::hidden(&page.shell))
                    input type="hidden" name="do" value=(Cage::Count);
                    (problem(page, Cage::Count.code()))
                    div.fields {
                        label { span { "Counted" } input name="amount" required inputmode="decimal" autocomplete="off" placeholder="0.00" value=(typed(page, Cage::Count.code())); }
                        label { span { "Left for the next shift" } input name="kept" inputmode="decimal" autocomplete="off" placeholder="0.00"; }
                    }
                    p.hint { "The count and the difference are recorded. The rest goes to the vault." }
                    button type="submit" { "Record the count" }
                }
            }
            @if !page.counts.is_empty() {
                div.scroll tabindex="0" role="region" aria-label="Counts" {
                    table.lines {
                        thead { tr { th scope="col" { "Counted at" } th.n scope="col" { "Expected" } th.n scope="col" { "Counted" } th.n scope="col" { "Difference" } } }
                        tbody { @for count in &page.counts {
                            tr { th scope="row" { (page.shell.local(count.at)) } td.n { (count.expected.grouped()) } td.n { (count.counted.grouped()) } td.n { (paint::net(count.difference())) } }
                        } }
                    }
                }
            }
        }
    }
}
