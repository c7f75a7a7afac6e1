//! The account of one member of staff, with the actions on it. Actions that the reader cannot take say why.

use maud::{Markup, html};

use super::actions::Account;
use super::model::{StaffConfirmation, StaffLink, StaffMember, StaffPage};
use super::shell;
use super::staff::{duties, problem, state, wrong};

/// The panel.
pub(super) fn panel(page: &StaffPage, member: &StaffMember) -> Markup {
    let row = &member.row;
    html! {
        section.sheet.member aria-label="Account" {
            div.whose {
                h2 { (row.shown.as_deref().unwrap_or(&row.name)) @if row.shown.is_some() { " " span.login { (row.name) } } }
                @if row.you { span.tag { "you" } }
                a.quiet.button href=(page.shell.href("/staff")) { "Close" }
            }
            @if let Some(done) = &page.done { p.notice.good role="status" { (done) } }
            @if let Some(link) = &page.link { (new_link(page, member, link)) }
            (problem(page, Account::Unlock.code()))
            dl {
                div { dt { "Duties" } dd { (row.duties) } }
                div { dt { "State" } dd { (state(row)) } }
                @if let Some(suspended) = row.suspended.as_ref().filter(|of| !of.when.is_empty()) {
                    div { dt { "Suspended" } dd { (suspended.when) " by " (suspended.by) } }
                }
            }
            @match &page.confirmation {
                Some(change) => { (confirm(page, member, change)) }
                None if page.manages => { (name(page, member)) (access(page, member)) (change_duties(page, member)) }
                None => {}
            }
        }
    }
}

/// The form for the display name.
fn name(page: &StaffPage, member: &StaffMember) -> Markup {
    html! {
        div.thing {
            h3 { "Name" }
            (problem(page, Account::Name.code()))
            form method="post" action=(page.shell.href("/staff/do")) data-plain {
                (shell::hidden(&page.shell))
                input type="hidden" name="name" value=(member.row.name);
                input type="hidden" name="do" value=(Account::Name);
                label { span { "Display name, in any script" } input name="shown" required maxlength="60" autocomplete="off" value=(member.row.shown.as_deref().unwrap_or_default()); }
                button type="submit" { "Change the name" }
            }
        }
    }
}

/// A button that acts without confirmation.
fn action_button(page: &StaffPage, member: &StaffMember, what: Account, button: &str) -> Markup {
    html! {
        form method="post" action=(page.shell.href("/staff/do")) data-plain {
            (shell::hidden(&page.shell))
            input type="hidden" name="name" value=(member.row.name);
            input type="hidden" name="do" value=(what);
            button type="submit" { (button) }
        }
    }
}

/// The address of the confirmation of an action.
fn confirmation_href(page: &StaffPage, member: &StaffMember, what: Account) -> String {
    page.shell.href(&format!("/staff?name={}&do={what}", member.row.name))
}

fn access(page: &StaffPage, member: &StaffMember) -> Markup {
    let row = &member.row;
    html! {
        @if row.locked {
            div.thing {
                h3 { "Locked" }
                p { "Password log-ins are delayed after repeated failures. Sessions and links still work. Ask them before you unlock: the failed log-ins may not be theirs." }
                (action_button(page, member, Account::Unlock, "Unlock"))
            }
        }
        div.thing {
            h3 { "One-time link" }
            (problem(page, Account::Link.code()))
            @match &member.no_link {
                Some(why) => p.none.why-not { "No link can be made here: " (why) "." }
                None => {
                    p { "Logs " (row.name) " in once, within a day, without a password. Give it only to " (row.name) ". The link is recorded with your name, and you can no longer be the second person who confirms what " (row.name) " does." }
                    (action_button(page, member, Account::Link, if page.link.is_some() { "Make another link" } else { "Make a link" }))
                }
            }
        }
        div.thing {
            h3 { "Sessions" }
            p { "Logs " @if row.you { "you" } @else { "them" } " out everywhere and cancels unused links." }
            (problem(page, Account::EndSessions.code()))
            a.button href=(confirmation_href(page, member, Account::EndSessions)) { "End all sessions…" }
        }
        div.thing {
            (problem(page, Account::Suspend.code()))
            (problem(page, Account::Reinstate.code()))
            @if row.suspended.is_some() {
                h3 { "Reinstatement" }
                @match &member.not_by_you {
                    Some(why) => p.none.why-not { "You cannot reinstate them: " (why) "." }
                    None => {
                        p { "They can log in again, with their duties and password." }
                        (action_button(page, member, Account::Reinstate, "Reinstate"))
                    }
                }
            } @else {
                h3 { "Suspension" }
                @match &member.not_by_you {
                    Some(why) => p.none.why-not { "Not possible: " (why) "." }
                    None => {
                        p { "They are logged out at once and cannot log in until they are reinstated." }
                        a.button.danger href=(confirmation_href(page, member, Account::Suspend)) { "Suspend…" }
                    }
                }
            }
        }
    }
}

fn change_duties(page: &StaffPage, member: &StaffMember) -> Markup {
    html! {
        div.thing {
            h3 { "Duties" }
            (problem(page, Account::Duties.code()))
            @match &member.not_by_you {
                Some(why) => p.none.why-not { "Not possible: " (why) "." }
                None => {
                    form method="get" action=(page.shell.href("/staff")) data-plain {
                        input type="hidden" name="name" value=(member.row.name);
                        input type="hidden" name="do" value=(Account::Duties);
                        (duties(&member.choices))
                        button type="submit" { "Change duties…" }
                    }
                }
            }
        }
    }
}

/// The confirmation: what will happen, and the button that does it.
fn confirm(page: &StaffPage, member: &StaffMember, change: &StaffConfirmation) -> Markup {
    let name = &member.row.name;
    let (what, title, button) = match change {
        StaffConfirmation::Duties { .. } => {
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
                StaffConfirmation::Duties { before, after } => {
                    @for choice in member.choices.iter().filter(|choice| choice.ticked) { input type="hidden" name="duty" value=(choice.code); }
                    p { "From " b { (before) } " to " b { (after) } "." }
                    p { "Their sessions and links end; they must log in again." }
                }
                StaffConfirmation::Suspend { reason } => {
                    p { "They are logged out everywhere at once and cannot log in until a Shift Manager reinstates them." }
                    label { span { "Reason, for the record" } input name="reason" value=(reason) required maxlength="200" autocomplete="off" autofocus
                        aria-invalid=[wrong.then_some("true")] aria-describedby=[wrong.then_some("problem-suspend")]; }
                }
                StaffConfirmation::EndSessions => {
                    @if member.row.you { p { "You are logged out here too. " b { "You can log in again only with your password" } ", or with a link from the console where the casino is started." } }
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

fn new_link(page: &StaffPage, member: &StaffMember, link: &StaffLink) -> Markup {
    let name = &member.row.name;
    html! {
        div.remedy.made-link {
            h3 tabindex="-1" autofocus[page.problem.is_none()] { "A link for " (name) }
            p { b { "It is shown only once." } " The first person to use it is logged in as " (name) ". Hand it over in person; it is valid until " (link.until) "." }
            label { span { "Address" } input #link readonly value=(link.address) spellcheck="false"; }
            div.buttons {
                button type="button" data-copy="link" hidden { "Copy" }
                a.button.quiet href=(page.shell.href(&format!("/staff?name={name}"))) { "Hide the link" }
            }
        }
    }
}
