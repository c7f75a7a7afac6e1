//! The account of one member of staff, with the actions on it. Actions that the reader cannot take say why.

use std::collections::BTreeSet;

use baize_house::{Actor, Duty, Instant, StaffLine};
use maud::{Markup, html};

use super::actions::Account;
use super::shell;
use super::staff::{Member, StaffConfirmation, StaffPage, duties, named, problem, state, wrong};

/// Why the reader cannot change this account.
fn not_by_reader(page: &StaffPage, of: &StaffLine) -> Option<&'static str> {
    page.is_reader(of).then_some("you cannot change your own account; ask another Shift Manager")
}

/// Why the reader cannot make a link for them.
fn no_link(of: &StaffLine) -> Option<&'static str> {
    let whom = Actor::staff(of.id.clone(), of.duties.iter().copied());
    if whom.may(Duty::PitSupervisor) || whom.may(Duty::Auditor) {
        Some("links for the pit and for auditors are made at the casino's console")
    } else {
        of.suspended.then_some("they are suspended; reinstate them first")
    }
}

/// The panel.
pub(super) fn panel(page: &StaffPage, member: &Member, ticked: &BTreeSet<Duty>) -> Markup {
    let (of, suspension) = member;
    html! {
        section.sheet.member aria-label="Account" {
            div.whose {
                h2 { (of.name.as_deref().unwrap_or(of.id.as_str())) @if of.name.is_some() { " " span.login { (of.id) } } }
                @if page.is_reader(of) { span.tag { "you" } }
                a.quiet.button href=(page.shell.href("/staff")) { "Close" }
            }
            @if let Some(done) = &page.done { p.notice.good role="status" { (done) } }
            @if let Some((address, expires)) = &page.link { (new_link(page, of, address, *expires)) }
            (problem(page, Account::Unlock.code()))
            dl {
                div { dt { "Duties" } dd { (named(&of.duties)) } }
                div { dt { "State" } dd { (state(member)) } }
                @if let Some(suspended) = suspension.as_ref().filter(|_| of.suspended) {
                    div { dt { "Suspended" } dd { (moment(page, suspended.at)) " by " (suspended.by.trim_start_matches("staff:")) } }
                }
            }
            @match &page.confirmation {
                Some(change) => { (confirm(page, of, change)) }
                None if page.manages() => { (name(page, of)) (access(page, of)) (change_duties(page, of, ticked)) }
                None => {}
            }
        }
    }
}

/// A time with its UTC offset.
fn moment(page: &StaffPage, at: Instant) -> String {
    format!("{} UTC{}", page.shell.local(at), page.shell.day.utc_offset)
}

/// The form for the display name.
fn name(page: &StaffPage, of: &StaffLine) -> Markup {
    html! {
        div.thing {
            h3 { "Name" }
            (problem(page, Account::Name.code()))
            form method="post" action=(page.shell.href("/staff/do")) data-plain {
                (shell::hidden(&page.shell))
                input type="hidden" name="name" value=(of.id);
                input type="hidden" name="do" value=(Account::Name);
                label { span { "Display name, in any script" } input name="shown" required maxlength="60" autocomplete="off" value=(of.name.as_deref().unwrap_or_default()); }
                button type="submit" { "Change the name" }
            }
        }
    }
}

/// A button that acts without confirmation.
fn action_button(page: &StaffPage, of: &StaffLine, what: Account, button: &str) -> Markup {
    html! {
        form method="post" action=(page.shell.href("/staff/do")) data-plain {
            (shell::hidden(&page.shell))
            input type="hidden" name="name" value=(of.id);
            input type="hidden" name="do" value=(what);
            button type="submit" { (button) }
        }
    }
}

/// The address of the confirmation of an action.
fn confirmation_href(page: &StaffPage, of: &StaffLine, what: Account) -> String {
    page.shell.href(&format!("/staff?name={}&do={what}", of.id))
}

fn access(page: &StaffPage, of: &StaffLine) -> Markup {
    html! {
        @if of.locked {
            div.thing {
                h3 { "Locked" }
                p { "Password log-ins are delayed after repeated failures. Sessions and links still work. Ask them before you unlock: the failed log-ins may not be theirs." }
                (action_button(page, of, Account::Unlock, "Unlock"))
            }
        }
        div.thing {
            h3 { "One-time link" }
            (problem(page, Account::Link.code()))
            @match no_link(of) {
                Some(why) => p.none.why-not { "No link can be made here: " (why) "." }
                None => {
                    p { "Logs " (of.id) " in once, within a day, without a password. Give it only to " (of.id) ". The link is recorded with your name, and you can no longer be the second person who confirms what " (of.id) " does." }
                    (action_button(page, of, Account::Link, if page.link.is_some() { "Make another link" } else { "Make a link" }))
                }
            }
        }
        div.thing {
            h3 { "Sessions" }
            p { "Logs " @if page.is_reader(of) { "you" } @else { "them" } " out everywhere and cancels unused links." }
            (problem(page, Account::EndSessions.code()))
            a.button href=(confirmation_href(page, of, Account::EndSessions)) { "End all sessions…" }
        }
        div.thing {
            (problem(page, Account::Suspend.code()))
            (problem(page, Account::Reinstate.code()))
            @if of.suspended {
                h3 { "Reinstatement" }
                @match not_by_reader(page, of) {
                    Some(why) => p.none.why-not { "You cannot reinstate them: " (why) "." }
                    None => {
                        p { "They can log in again, with their duties and password." }
                        (action_button(page, of, Account::Reinstate, "Reinstate"))
                    }
                }
            } @else {
                h3 { "Suspension" }
                @match not_by_reader(page, of) {
                    Some(why) => p.none.why-not { "Not possible: " (why) "." }
                    None => {
                        p { "They are logged out at once and cannot log in until they are reinstated." }
                        a.button.danger href=(confirmation_href(page, of, Account::Suspend)) { "Suspend…" }
                    }
                }
            }
        }
    }
}

fn change_duties(page: &StaffPage, of: &StaffLine, ticked: &BTreeSet<Duty>) -> Markup {
    html! {
        div.thing {
            h3 { "Duties" }
            (problem(page, Account::Duties.code()))
            @match not_by_reader(page, of) {
                Some(why) => p.none.why-not { "Not possible: " (why) "." }
                None => {
                    form method="get" action=(page.shell.href("/staff")) data-plain {
                        input type="hidden" name="name" value=(of.id);
                        input type="hidden" name="do" value=(Account::Duties);
                        (duties(ticked))
                        button type="submit" { "Change duties…" }
                    }
                }
            }
        }
    }
}

/// The confirmation: what will happen, and the button that does it.
fn confirm(page: &StaffPage, of: &StaffLine, change: &StaffConfirmation) -> Markup {
    let name = &of.id;
    let (what, title, button) = match change {
        StaffConfirmation::Duties(_) => {
            (Account::Duties, format!("Change the duties of {name}"), "Change the duties")
        }
        StaffConfirmation::Suspend { .. } => (Account::Suspend, format!("Suspend {name}"), "Suspend"),
        StaffConfirmation::EndSessions => {
            (Account::EndSessions, format!("End all sessions of {name}"), "End all sessions")
        }
    };
    let wrong = wrong(page, what.code());
    html! {
        form.remedy.confirm method="post" action=(page.shell.href("/staff/do")) data-plain {
            (shell::hidden(&page.shell))
            input type="hidden" name="name" value=(name);
            input type="hidden" name="do" value=(what);
            // Focus the heading, not the button: holding down Enter must not confirm.
            h3 tabindex="-1" autofocus[!matches!(change, StaffConfirmation::Suspend { .. })] { (title) }
            (problem(page, what.code()))
            @match change {
                StaffConfirmation::Duties(after) => {
                    @for duty in after { input type="hidden" name="duty" value=(duty.code()); }
                    p { "From " b { (named(&of.duties)) } " to " b { (named(after)) } "." }
                    p { "Their sessions and links end; they must log in again." }
                }
                StaffConfirmation::Suspend { reason } => {
                    p { "They are logged out everywhere at once and cannot log in until a Shift Manager reinstates them." }
                    label { span { "Reason, for the record" } input name="reason" value=(reason) required maxlength="200" autocomplete="off" autofocus
                        aria-invalid=[wrong.then_some("true")] aria-describedby=[wrong.then_some("problem-suspend")]; }
                }
                StaffConfirmation::EndSessions => {
                    @if page.is_reader(of) { p { "You are logged out here too. " b { "You can log in again only with your password" } ", or with a link from the console where the casino is started." } }
                    @else { p { "They are logged out everywhere, and unused links are cancelled. They can log in again with their password or a new link." } }
                }
            }
            p.hint { "This is recorded as a significant event, with your name." }
            div.buttons {
                button.primary type="submit" { (button) }
                a.button.quiet href=(page.shell.href(&format!("/staff?name={name}"))) { "Cancel" }
            }
        }
    }
}

fn new_link(page: &StaffPage, of: &StaffLine, address: &str, expires: Instant) -> Markup {
    let name = &of.id;
    html! {
        div.remedy.made-link {
            h3 tabindex="-1" autofocus[page.problem.is_none()] { "A link for " (name) }
            p { b { "It is shown only once." } " The first person to use it is logged in as " (name) ". Hand it over in person; it is valid until " (moment(page, expires)) "." }
            label { span { "Address" } input #link readonly value=(address) spellcheck="false"; }
            div.buttons {
                button type="button" data-copy="link" hidden { "Copy" }
                a.button.quiet href=(page.shell.href(&format!("/staff?name={name}"))) { "Hide the link" }
            }
        }
    }
}
