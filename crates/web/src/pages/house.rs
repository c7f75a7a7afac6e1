//! The page of tables and jackpots: the lists, forms for new ones, and changes of parameters, which need two people.

use baize_rules::Area;
use maud::{Markup, html};

use super::model::{HouseJackpot, HousePage, HouseTable, Parameter, ParameterChange};
use super::{paint, shell};

/// The id of the form for a new table.
pub(crate) const NEW_TABLE: &str = "new-table";
/// The id of the form for a new jackpot.
pub(crate) const NEW_JACKPOT: &str = "new-jackpot";

/// The whole page.
pub(crate) fn page(page: &HousePage<'_>) -> Markup {
    shell::page(
        &page.shell,
        "Tables and jackpots",
        "pit",
        "house",
        &html! {
            h1.quiet-title { "Tables and jackpots" span { a href="/pit" { "Pit board" } } }
            section.sheet.all-tables aria-label="Tables" {
                h2 { "Tables" }
                (tables(page))
                @match &page.set_up_refused {
                    Some(why) => p.none.why-not { "New table: " (why) "." }
                    None => (new_table(page))
                }
            }
            @for one in &page.jackpots { (jackpot(page, one)) }
            section.sheet aria-label="New jackpot" {
                h2 { "Another jackpot" }
                @match &page.set_up_refused {
                    Some(why) => p.none.why-not { "New jackpot: " (why) "." }
                    None => (new_jackpot(page))
                }
            }
        },
    )
}

fn tables(page: &HousePage<'_>) -> Markup {
    let row = |table: &HouseTable<'_>| {
        html! {
            tr {
                th scope="row" { a href=(format!("/pit/{}", table.id)) { (table.id) } }
                td data-label="Game" { span { (table.book.name) span.operator { (table.book.operator) } } }
                td data-label="Limits" { span {
                    span.limits { "ante " (paint::limits(table.settings.ante)) }
                    @if table.book.has_area(Area::Bonus) { span.limits { "bonus " (paint::limits(table.settings.bonus)) } }
                    @if let Some(next) = &table.next_limits { span.hint { "next round: " (paint::next_limits(next)) } }
                } }
                td.n data-label="Boxes" { (table.settings.boxes) }
                td data-label="Dealt" { (table.dealing.words()) }
                td data-label="Jackpot" { (table.jackpot.as_deref().unwrap_or("none")) }
                td data-label="Played for" { (table.money) }
                td data-label="Now" { (table.state) }
            }
        }
    };
    html! {
        @if page.tables.is_empty() { p.none { "There are no tables yet." } }
        @else {
            div.scroll tabindex="0" role="region" aria-label="All tables" {
                table.lines {
                    thead { tr {
                        th scope="col" { "Table" } th scope="col" { "Game" } th scope="col" { "Limits" } th.n scope="col" { "Boxes" }
                        th scope="col" { "Dealt" } th scope="col" { "Jackpot" } th scope="col" { "Played for" } th scope="col" { "Now" }
                    } }
                    tbody { @for table in &page.tables { (row(table)) } }
                }
            }
            p.hint { "Limits, who deals and closing are set on the page of each table." }
        }
    }
}

/// The refusal of this form, if it was refused.
fn problem(page: &HousePage<'_>, form: &str) -> Markup {
    html! {
        @if let Some((_, words)) = page.problem.as_ref().filter(|(at, _)| at == form) {
            p.notice.bad role="alert" { (words) }
        }
    }
}

fn is_wrong(page: &HousePage<'_>, form: &str) -> bool {
    page.problem.as_ref().is_some_and(|(at, _)| at == form)
}

/// A text field; keeps what was typed if the form was refused.
fn field(page: &HousePage<'_>, form: &str, name: &str, title: &str, otherwise: &str) -> Markup {
    html! {
        label { span { (title) } input name=(name) inputmode="decimal" autocomplete="off" value=(page.typed(form, name, otherwise)); }
    }
}

fn new_table(page: &HousePage<'_>) -> Markup {
    let at = NEW_TABLE;
    let chosen = |name: &str, otherwise: &str, value: &str| page.typed(at, name, otherwise) == value;
    html! {
        details.more id=(at) open[is_wrong(page, at)] {
            summary { "Set up a new table" }
            form method="post" action=(page.shell.href("/house/tables")) data-plain {
                (shell::hidden(&page.shell))
                (problem(page, at))
                p { "The table appears in the lobby at once, and its rulebook is recorded in the journal. Its name, game, boxes and jackpot cannot be changed later." }
                div.fields {
                    label { span { "Name" } input name="table" required maxlength="32" autocomplete="off" placeholder="rh-2" value=(page.typed(at, "table", ""))
                        pattern="[A-Za-z0-9][A-Za-z0-9._\\-]*" title="Letters, digits, dots, dashes and underscores"; }
                    label.wide { span { "Game" } select name="game" {
                        @for book in &page.games { option value=(book.id) selected[chosen("game", "", &book.id)] { (book.operator) " " (book.name) } }
                    } }
                    label { span { "Boxes, if not all" } input name="boxes" inputmode="numeric" autocomplete="off" value=(page.typed(at, "boxes", "")); }
                    (money(page, at))
                    label { span { "Jackpot" } select name="jackpot" {
                        option value="" { "none" }
                        @for one in &page.jackpots { option value=(one.id) selected[chosen("jackpot", "", &one.id)] { (one.id) ", " (one.money) } }
                    } }
                    label.wide { span { "Dealt by" } select name="dealt" {
                        @for (value, words) in [("house", "the house by itself"), ("dealer", "a dealer, computer's shoe"), ("entered", "a dealer, real shoe")] {
                            option value=(value) selected[chosen("dealt", "house", value)] { (words) }
                        }
                    } }
                    (field(page, at, "float", "Float", "1,000,000"))
                    (field(page, at, "ante_least", "Ante from", "5"))
                    (field(page, at, "ante_most", "Ante to", "1,000"))
                    (field(page, at, "bonus_least", "Bonus from", "5"))
                    (field(page, at, "bonus_most", "Bonus to", "500"))
                }
                button.primary type="submit" { "Set up the table" }
            }
        }
    }
}

/// Practice or cash. It cannot be changed later.
fn money(page: &HousePage<'_>, form: &str) -> Markup {
    html! {
        label { span { "Played for" } select name="money" {
            @for kind in ["practice", "cash"] { option value=(kind) selected[page.typed(form, "money", page.money) == kind] { (kind) } }
        } }
    }
}

fn figures(page: &HousePage<'_>, form: &str, all: &[Parameter]) -> Markup {
    html! {
        div.fields {
            @for one in all {
                label { span { (one.title) } input name=(one.name) inputmode="decimal" autocomplete="off" required[one.name != "ceiling"]
                    value=(page.typed(form, one.name, if one.now == "none" { "" } else { &one.now })); small { (one.does) } }
            }
        }
    }
}

fn jackpot(page: &HousePage<'_>, of: &HouseJackpot) -> Markup {
    html! {
        section.sheet id=(format!("jackpot-{}", of.id)) aria-label=(format!("Jackpot {}", of.id)) {
            h2 { "Jackpot " (of.id) span.operator { (of.displayed.grouped()) } " " span.tag.cash[of.money == "cash"] { (of.money) } }
            @if let Some(why) = &of.stopped { p.notice.bad role="alert" { "No wagers are accepted: " (why) } }
            p { "Linked tables: " @if of.tables.is_empty() { "none" } @else { (of.tables.join(", ")) } " · " a href=(format!("/sign/{}", of.id)) { "Open the sign" } }
            div.scroll tabindex="0" role="region" aria-label=(format!("Parameters of {}", of.id)) {
                table.lines {
                    thead { tr { th scope="col" { "Parameter" } th.n scope="col" { "Now" } @if of.change.is_some() { th.n scope="col" { "Then" } } } }
                    tbody {
                        @for one in &of.parameters {
                            tr {
                                th scope="row" { (one.title) span.hint { (one.does) } }
                                td.n { (one.now) }
                                @if of.change.is_some() { td.n { @if let Some(then) = &one.then { b { (then) } } @else { "unchanged" } } }
                            }
                        }
                    }
                }
            }
            @if of.stopped.is_none() {
                @match &of.change {
                    Some(change) => (pending_change(page, of, change)),
                    None => (propose(page, of)),
                }
                (close(page, of))
            }
        }
    }
}

fn propose(page: &HousePage<'_>, of: &HouseJackpot) -> Markup {
    let at = format!("propose-{}", of.id);
    let may_change: Vec<Parameter> =
        of.parameters.iter().filter(|one| one.name != "wager").cloned().collect();
    html! {
        @match &page.propose_refused {
            Some(why) => p.none.why-not { "New parameters: " (why) "." }
            None => details.more id=(at) open[is_wrong(page, &at)] {
                summary { "Propose new parameters" }
                form method="post" action=(page.shell.href(&format!("/house/jackpots/{}/propose", of.id))) data-plain {
                    (shell::hidden(&page.shell))
                    (problem(page, &at))
                    p { "A Shift Manager other than the proposer must approve the change. It takes effect at the next hit of the top award, because nothing may change \
                         while the link operates. The wager, which is displayed at the tables, cannot change." }
                    (figures(page, &at, &may_change))
                    button type="submit" { "Propose" }
                }
            }
        }
    }
}

/// The form to close a jackpot, with the jackpot that receives its pools and a box to confirm.
fn close(page: &HousePage<'_>, of: &HouseJackpot) -> Markup {
    let at = format!("close-{}", of.id);
    let others = || page.jackpots.iter().filter(|other| of.may_close_into(other));
    html! {
        @if page.set_up_refused.is_none() && others().next().is_none() {
            p.none.why-not { "To close this jackpot, first open another one to receive its pools." }
        } @else if page.set_up_refused.is_none() {
            details.more id=(at) open[is_wrong(page, &at)] {
                summary { "Close this jackpot" }
                form method="post" action=(page.shell.href(&format!("/house/jackpots/{}/close", of.id))) data-plain {
                    (shell::hidden(&page.shell))
                    (problem(page, &at))
                    p { "This is final. Meter, reserve and overflow move to the other jackpot; its tables continue without jackpot wagers. No round with jackpot \
                         wagers may be in progress, and no hit may be pending." }
                    div.fields {
                        label { span { "Its pools move to" } select name="into" {
                            @for one in others() { option value=(one.id) selected[page.typed(&at, "into", "") == one.id] { (one.id) } }
                        } }
                        label.check { input type="checkbox" name="sure" value="yes" required; span { "Close " (of.id) " for good" } }
                    }
                    button.danger type="submit" { "Close the jackpot" }
                }
            }
        }
    }
}

fn pending_change(page: &HousePage<'_>, of: &HouseJackpot, change: &ParameterChange) -> Markup {
    let at = format!("change-{}", of.id);
    let action = |what: &str| page.shell.href(&format!("/house/jackpots/{}/{what}", of.id));
    html! {
        div.waiting-change id=(at) {
            (problem(page, &at))
            p.notice {
                "Proposed by " b { (change.by) }
                @match &change.approved_by {
                    Some(by) => { ", approved by " b { (by) } ": it takes effect at the next hit of the top award." }
                    None => { ". It needs another person's approval." }
                }
            }
            div.buttons {
                @if change.approved_by.is_none() {
                    @match &change.approve_refused {
                        Some(why) => p.none.why-not { "Approve: " (why) "." }
                        None => form method="post" action=(action("approve")) data-plain {
                            (shell::hidden(&page.shell))
                            button.primary type="submit" { "Approve" }
                        }
                    }
                }
                @if page.propose_refused.is_none() {
                    form method="post" action=(action("withdraw")) data-plain {
                        (shell::hidden(&page.shell))
                        button type="submit" { "Withdraw" }
                    }
                }
            }
        }
    }
}

fn new_jackpot(page: &HousePage<'_>) -> Markup {
    let at = NEW_JACKPOT;
    html! {
        details.more id=(at) open[is_wrong(page, at)] {
            summary { "Open a new jackpot" }
            form method="post" action=(page.shell.href("/house/jackpots")) data-plain {
                (shell::hidden(&page.shell))
                (problem(page, at))
                p { "A jackpot links tables of one operator. The house pays in its opening value. Tables are linked when they are set up." }
                div.fields {
                    label { span { "Name" } input name="jackpot" required maxlength="32" autocomplete="off" placeholder="High" value=(page.typed(at, "jackpot", ""))
                        pattern="[A-Za-z0-9][A-Za-z0-9._\\-]*" title="Letters, digits, dots, dashes and underscores"; }
                    (money(page, at))
                }
                (figures(page, at, &page.usual))
                button.primary type="submit" { "Open the jackpot" }
            }
        }
    }
}
