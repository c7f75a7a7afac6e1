//! Staff accounts: the list, one account with its actions, new accounts, locked players.
//!
//! Every step is an address (`?name=dora&do=suspend`), so it works without the script. Only the last button changes anything; its form carries an
//! id, so that pressing it twice acts once.

use std::collections::BTreeSet;

use baize_house::{Actor, Duty, Instant, PlayerId, StaffLine, Suspension};
use maud::{Markup, html};

use super::actions::Account;
use super::shell::{self, Shell};
use super::staff_member;
use super::words::joined;

/// A change to confirm.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum StaffConfirmation {
    /// New duties.
    Duties(BTreeSet<Duty>),
    /// Suspension.
    Suspend {
        /// The reason, as typed.
        reason: String,
    },
    /// Ending all sessions and links.
    EndSessions,
}

/// A member of staff, and why they are suspended.
pub(crate) type Member = (StaffLine, Option<Suspension>);

/// The page of staff accounts.
pub(crate) struct StaffPage {
    /// What every page shares.
    pub(crate) shell: Shell,
    /// The search text.
    pub(crate) find: String,
    /// The filter: empty, `active`, `suspended` or `locked`.
    pub(crate) state: String,
    /// The matching accounts.
    pub(crate) found: Vec<Member>,
    /// How many more match.
    pub(crate) more: usize,
    /// The number of all accounts.
    pub(crate) all: usize,
    /// The open account, with the duties that are ticked: their own, or those that were asked for.
    pub(crate) member: Option<(Member, BTreeSet<Duty>)>,
    /// The change to confirm.
    pub(crate) confirmation: Option<StaffConfirmation>,
    /// The address of a link that was just made, and when it expires.
    pub(crate) link: Option<(String, Instant)>,
    /// What was done, in a sentence.
    pub(crate) done: Option<String>,
    /// A refusal: the form (`find`, `new`, `players`, or the code of an action) and the message.
    pub(crate) problem: Option<(&'static str, String)>,
    /// The name and the duties typed for a new account.
    pub(crate) new: (String, BTreeSet<Duty>),
    /// Players who are locked after failed log-ins.
    pub(crate) locked_players: Vec<PlayerId>,
}

impl StaffPage {
    /// Whether the reader may change accounts.
    pub(crate) fn manages(&self) -> bool {
        self.shell.actor.may(Duty::ShiftManager)
    }

    /// Whether this is the reader's own account.
    pub(super) fn is_reader(&self, line: &StaffLine) -> bool {
        matches!(&self.shell.actor, Actor::Staff { id, .. } if *id == line.id)
    }
}

/// The names of duties, for display.
pub(crate) fn named(duties: &BTreeSet<Duty>) -> String {
    joined(duties.iter().map(|duty| duty.name()))
}

/// What a duty allows. Each position on the floor includes those before it.
const fn may_do(duty: Duty) -> &'static str {
    match duty {
        Duty::Dealer => "deals at a table's console and reports irregularities.",
        Duty::PitSupervisor => {
            "also has the pit board: gives rulings, verifies jackpot awards, sets who deals and from which shoe."
        }
        Duty::PitManager => {
            "also gives the rulings that need a manager, closes and opens tables, sets limits, proposes parameters of jackpots, reads reports."
        }
        Duty::ShiftManager => {
            "also sets up tables and jackpots, approves parameters, manages the accounts of staff."
        }
        Duty::Cage => "sells chips, buys them back and registers players. No other duties.",
        Duty::Auditor => "reads all that is on record and changes nothing. No other duties.",
    }
}

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
                @if !page.manages() { " · read-only: a Shift Manager can change them" }
            } }
            div.staff-grid.picked[page.member.is_some()] {
                (list(page))
                div.account-side {
                    @if let Some((member, ticked)) = &page.member { (staff_member::panel(page, member, ticked)) }
                    @else if let Some(done) = &page.done { p.notice.good role="status" { (done) } }
                    @if page.manages() { (new_account(page)) }
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
pub(super) fn duties(ticked: &BTreeSet<Duty>) -> Markup {
    html! {
        fieldset.duties {
            legend { "Duties" }
            @for duty in Duty::ALL {
                label.duty {
                    input type="checkbox" name="duty" value=(duty.code()) checked[ticked.contains(&duty)];
                    span { b { (duty.name()) } " " (may_do(duty)) }
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
            @if page.found.is_empty() { p.none { "Nobody matches." } }
            @else {
                div.scroll {
                    table.lines {
                        thead { tr { th scope="col" { "Name" } th scope="col" { "Duties" } th scope="col" { "State" } } }
                        tbody { @for member in &page.found { (line(page, member)) } }
                    }
                }
                @if page.more > 0 { p.hint { "and " (page.more) " more; type more of the name." } }
            }
        }
    }
}

fn line(page: &StaffPage, member: &Member) -> Markup {
    let (of, _) = member;
    let here = page.member.as_ref().is_some_and(|((open, _), _)| open.id == of.id);
    html! {
        tr.here[here] {
            th scope="row" {
                a href=(page.shell.href(&format!("/staff?name={}", of.id))) aria-current=[here.then_some("true")] { (of.name.as_deref().unwrap_or(of.id.as_str())) }
                @if of.name.is_some() { " " span.login { (of.id) } }
                @if page.is_reader(of) { " " span.tag { "you" } }
            }
            td { (named(&of.duties)) }
            td { (state(member)) }
        }
    }
}

/// The state of an account: active, locked, or suspended with the reason.
pub(super) fn state((of, suspension): &Member) -> Markup {
    html! {
        @if of.locked { span.tag.bad { "locked" } " " }
        // If they were suspended after the suspensions were read, the next page shows the reason.
        @if of.suspended { span.tag.bad { "suspended" } " " span.reason { (suspension.as_ref().map_or("", |of| &of.reason)) } }
        @if !of.locked && !of.suspended { span.tag.good { "active" } }
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
                    label { span { "Log-in" } input name="new" value=(page.new.0) required maxlength="32" autocomplete="off"
                        pattern="[A-Za-z0-9][A-Za-z0-9._\\-]*" title="Letters, digits, dots, dashes and underscores"
                        aria-invalid=[wrong.then_some("true")] aria-describedby=[wrong.then_some("problem-new")] autofocus[wrong]; }
                    (duties(&page.new.1))
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
                p.none { "Password log-ins are delayed after repeated failures; sessions and links still work." @if page.manages() { " Check who is asking before you unlock." } }
                (problem(page, "players"))
                ul.players {
                    @for name in &page.locked_players {
                        li {
                            span { (name) }
                            @if page.manages() {
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
