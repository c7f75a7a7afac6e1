//! Staff accounts: the list, one account with its actions, new accounts, locked players.
//!
//! Every step is an address (`?name=dora&do=suspend`), so it works without the script. Only the last button changes anything; its form carries an
//! id, so that pressing it twice acts once.

use maud::{Markup, html};

use super::actions::Account;
use super::model::{DutyChoice, StaffPage, StaffRow};
use super::{shell, staff_member};

/// The whole page.
pub(crate) fn page(page: &StaffPage) -> Markup {
    shell::page(
        &page.shell,
        "Staff",
        "staff",
        "staff",
        &html! {
            h1.quiet-title { "Staff" span {
                (page.all) @if page.all == 1 { " account" } @else { " accounts" }
                @if !page.manages { " · read-only: a Shift Manager can change them" }
            } }
            div.staff-grid.picked[page.member.is_some()] {
                (list(page))
                div.account-side {
                    @if let Some(member) = &page.member { (staff_member::panel(page, member)) }
                    @else if let Some(done) = &page.done { p.notice.good role="status" { (done) } }
                    @if page.manages { (new_account(page)) }
                    (locked_players(page))
                }
            }
        },
    )
}

/// The refusal of this form, if it was refused.
pub(super) fn problem(page: &StaffPage, form: &str) -> Markup {
    html! {
        @if let Some((_, words)) = page.problem.as_ref().filter(|(at, _)| *at == form) {
            p.notice.bad role="alert" id=(format!("problem-{form}")) { (words) }
        }
    }
}

/// Whether this form was refused.
pub(super) fn wrong(page: &StaffPage, form: &str) -> bool {
    page.problem.as_ref().is_some_and(|(at, _)| *at == form)
}

/// All duties as checkboxes, each with its description.
pub(super) fn duties(choices: &[DutyChoice]) -> Markup {
    html! {
        fieldset.duties {
            legend { "Duties" }
            @for choice in choices {
                label.duty {
                    input type="checkbox" name="duty" value=(choice.code) checked[choice.ticked];
                    span { b { (choice.name) } " " (choice.may) }
                }
            }
        }
    }
}

fn list(page: &StaffPage) -> Markup {
    let pick = [("", "everybody"), ("active", "active"), ("suspended", "suspended"), ("locked", "locked")];
    html! {
        section.people aria-label="All staff" {
            form.filters method="get" action=(page.shell.href("/staff")) role="search" data-plain {
                label { span { "Name or duty" } input name="find" type="search" value=(page.find) autocomplete="off"; }
                label { span { "Show" } select name="state" {
                    @for (code, words) in pick { option value=(code) selected[code == page.state] { (words) } }
                } }
                button type="submit" { "Find" }
            }
            (problem(page, "find"))
            @if page.rows.is_empty() { p.none { "Nobody matches." } }
            @else {
                div.scroll {
                    table.lines {
                        thead { tr { th scope="col" { "Name" } th scope="col" { "Duties" } th scope="col" { "State" } } }
                        tbody { @for row in &page.rows { (line(page, row)) } }
                    }
                }
                @if page.more > 0 { p.hint { "and " (page.more) " more; type more of the name." } }
            }
        }
    }
}

fn line(page: &StaffPage, row: &StaffRow) -> Markup {
    let here = page.member.as_ref().is_some_and(|member| member.row.name == row.name);
    html! {
        tr.here[here] {
            th scope="row" {
                a href=(page.shell.href(&format!("/staff?name={}", row.name))) aria-current=[here.then_some("true")] { (row.shown.as_deref().unwrap_or(&row.name)) }
                @if row.shown.is_some() { " " span.login { (row.name) } }
                @if row.you { " " span.tag { "you" } }
            }
            td { (row.duties) }
            td { (state(row)) }
        }
    }
}

/// The state of an account: active, locked, or suspended with the reason.
pub(super) fn state(row: &StaffRow) -> Markup {
    html! {
        @if row.locked { span.tag.bad { "locked" } " " }
        @if let Some(suspended) = &row.suspended { span.tag.bad { "suspended" } " " span.reason { (suspended.reason) } }
        @if !row.locked && row.suspended.is_none() { span.tag.good { "active" } }
    }
}

fn new_account(page: &StaffPage) -> Markup {
    let wrong = wrong(page, "new");
    html! {
        section.sheet.new-member aria-label="New member of staff" {
            details open[wrong] {
                summary { "New member of staff" }
                form method="post" action=(page.shell.href("/staff")) data-plain {
                    (shell::hidden(&page.shell))
                    (problem(page, "new"))
                    label { span { "Display name" } input name="shown" maxlength="60" autocomplete="off" placeholder="Siti binti Ahmad"; }
                    label { span { "Log-in" } input name="new" value=(page.new_name) required maxlength="32" autocomplete="off"
                        pattern="[A-Za-z0-9][A-Za-z0-9._\\-]*" title="Letters, digits, dots, dashes and underscores"
                        aria-invalid=[wrong.then_some("true")] aria-describedby=[wrong.then_some("problem-new")] autofocus[wrong]; }
                    (duties(&page.new_choices))
                    label { span { "First password (optional)" } input name="password" type="password" minlength="8" maxlength="200" autocomplete="new-password"; }
                    p.hint { "Without a password they log in with a one-time link. Links for the pit and for auditors are made only at the console where the casino is started, so give them a password, which they can change." }
                    button type="submit" { "Create the account" }
                }
            }
        }
    }
}

fn locked_players(page: &StaffPage) -> Markup {
    html! {
        @if !page.locked_players.is_empty() || wrong(page, "players") {
            section.sheet.locked-out aria-label="Locked players" {
                h2 { "Locked players" }
                p.none { "Password log-ins are delayed after repeated failures; sessions and links still work." @if page.manages { " Check who is asking before you unlock." } }
                (problem(page, "players"))
                ul.players {
                    @for name in &page.locked_players {
                        li {
                            span { (name) }
                            @if page.manages {
                                form method="post" action=(page.shell.href("/staff/do")) data-plain {
                                    (shell::hidden(&page.shell))
                                    input type="hidden" name="player" value=(name);
                                    input type="hidden" name="do" value=(Account::Unlock);
                                    button type="submit" aria-label=(format!("Unlock {name}")) { "Unlock" }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
