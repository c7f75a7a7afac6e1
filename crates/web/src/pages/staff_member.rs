//! The account of one member of staff: their duties, whether they are let in, what lets them in. What the reader cannot do says why.

use maud::{Markup, html};

use super::deeds::Account;
use super::model::{StaffAsk, StaffLink, StaffMember, StaffPage};
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
            @if let Some(link) = &page.link { (made(page, member, link)) }
            (problem(page, Account::Unlock.code()))
            dl {
                div { dt { "Duties" } dd { (row.duties) } }
                div { dt { "State" } dd { (state(row)) } }
                @if let Some(suspended) = row.suspended.as_ref().filter(|of| !of.when.is_empty()) {
                    div { dt { "Suspended" } dd { (suspended.when) " by " (suspended.by) } }
                }
            }
            @match &page.ask {
                Some(ask) => { (confirm(page, member, ask)) }
                None if page.manages => { (name(page, member)) (letting_in(page, member)) (change_duties(page, member)) }
                None => {}
            }
        }
    }
}

/// The name as people write it.
fn name(page: &StaffPage, member: &StaffMember) -> Markup {
    html! {
        div.thing {
            h3 { "Name" }
            (problem(page, Account::Name.code()))
            form method="post" action=(page.shell.href("/staff/do")) data-plain {
                (shell::hidden(&page.shell))
                input type="hidden" name="name" value=(member.row.name);
                input type="hidden" name="do" value=(Account::Name);
                label { span { "As people write it, in any script" } input name="shown" required maxlength="60" autocomplete="off" value=(member.row.shown.as_deref().unwrap_or_default()); }
                button type="submit" { "Change the name" }
            }
        }
    }
}

/// A button that acts at once: it takes nothing from anybody.
fn at_once(page: &StaffPage, member: &StaffMember, what: Account, button: &str) -> Markup {
    html! {
        form method="post" action=(page.shell.href("/staff/do")) data-plain {
            (shell::hidden(&page.shell))
            input type="hidden" name="name" value=(member.row.name);
            input type="hidden" name="do" value=(what);
            button type="submit" { (button) }
        }
    }
}

/// Where a change is confirmed.
fn step(page: &StaffPage, member: &StaffMember, what: Account) -> String {
    page.shell.href(&format!("/staff?name={}&do={what}", member.row.name))
}

fn letting_in(page: &StaffPage, member: &StaffMember) -> Markup {
    let row = &member.row;
    html! {
        @if row.locked {
            div.thing {
                h3 { "Locked" }
                p { "Log-ins by password wait after repeated failures. Sessions and links do not. Ask before you unlock; it may have been another person." }
                (at_once(page, member, Account::Unlock, "Unlock"))
            }
        }
        div.thing {
            h3 { "One-time link" }
            (problem(page, Account::Link.code()))
            @match &member.no_link {
                Some(why) => p.none.why-not { "No link can be made here: " (why) "." }
                None => {
                    p { "Logs " (row.name) " in once, within a day, without a password. Give it to " (row.name) " only. The record names you as its maker, and you can no longer be the second person who confirms what " (row.name) " does." }
                    (at_once(page, member, Account::Link, if page.link.is_some() { "Make another link" } else { "Make a link" }))
                }
            }
        }
        div.thing {
            h3 { "Sessions" }
            p { "Logs " @if row.you { "you" } @else { "them" } " out everywhere and cancels links that were not used yet." }
            (problem(page, Account::EndSessions.code()))
            a.button href=(step(page, member, Account::EndSessions)) { "End all sessions…" }
        }
        div.thing {
            (problem(page, Account::Suspend.code()))
            (problem(page, Account::Reinstate.code()))
            @if row.suspended.is_some() {
                h3 { "Reinstatement" }
                @match &member.not_by_you {
                    Some(why) => p.none.why-not { "They cannot be let in again by you: " (why) "." }
                    None => {
                        p { "They are let in again with the duties and the password that they have." }
                        (at_once(page, member, Account::Reinstate, "Reinstate"))
                    }
                }
            } @else {
                h3 { "Suspension" }
                @match &member.not_by_you {
                    Some(why) => p.none.why-not { @if row.you { "Not by you: " } @else { "This cannot be done: " } (why) "." }
                    None => {
                        p { "They are logged out at once and cannot log in until they are reinstated." }
                        a.button.danger href=(step(page, member, Account::Suspend)) { "Suspend…" }
                    }
                }
            }
        }
    }
}

fn change_duties(page: &StaffPage, member: &StaffMember) -> Markup {
    html! {
        div.thing {
            h3 { "Other duties" }
            (problem(page, Account::Duties.code()))
            @match &member.not_by_you {
                Some(why) => p.none.why-not { "Not by you: " (why) "." }
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

/// What will happen, and the button that makes it so.
fn confirm(page: &StaffPage, member: &StaffMember, ask: &StaffAsk) -> Markup {
    let name = &member.row.name;
    let (what, title, button) = match ask {
        StaffAsk::Duties { .. } => (Account::Duties, format!("Other duties for {name}"), "Change the duties"),
        StaffAsk::Suspend { .. } => (Account::Suspend, format!("Suspend {name}"), "Suspend"),
        StaffAsk::EndSessions => (Account::EndSessions, format!("End all sessions of {name}"), "End them"),
    };
    let wrong = wrong(page, what.code());
    html! {
        form.remedy.confirm method="post" action=(page.shell.href("/staff/do")) data-plain {
            (shell::hidden(&page.shell))
            input type="hidden" name="name" value=(name);
            input type="hidden" name="do" value=(what);
            // The focus is before the button and not on it: an Enter key that is held down confirms nothing.
            h3 tabindex="-1" autofocus[!matches!(ask, StaffAsk::Suspend { .. })] { (title) }
            (problem(page, what.code()))
            @match ask {
                StaffAsk::Duties { before, after } => {
                    @for choice in member.choices.iter().filter(|choice| choice.ticked) { input type="hidden" name="duty" value=(choice.code); }
                    p { "They are " b { (before) } " and will be " b { (after) } "." }
                    p { "Their sessions and links end: they log in again, with the new duties." }
                }
                StaffAsk::Suspend { reason } => {
                    p { "They are logged out everywhere at once and cannot log in until a Shift Manager reinstates them." }
                    label { span { "Why: it stays on record" } input name="reason" value=(reason) required maxlength="200" autocomplete="off" autofocus
                        aria-invalid=[wrong.then_some("true")] aria-describedby=[wrong.then_some("problem-suspend")]; }
                }
                StaffAsk::EndSessions => {
                    @if member.row.you { p { "You are logged out here too. " b { "Only your password lets you in again" } ", or a link from the console where the casino is started." } }
                    @else { p { "They are logged out everywhere, and links that they have not used are cancelled. They can log in again with their password or a new link." } }
                }
            }
            p.hint { "It is a significant event: the pit and the auditor see it, with your name." }
            div.buttons {
                button.primary type="submit" { (button) }
                a.button.quiet href=(page.shell.href(&format!("/staff?name={name}"))) { "Cancel" }
            }
        }
    }
}

fn made(page: &StaffPage, member: &StaffMember, link: &StaffLink) -> Markup {
    let name = &member.row.name;
    html! {
        div.remedy.made-link {
            h3 tabindex="-1" autofocus[page.problem.is_none()] { "A link for " (name) }
            p { b { "It is shown now and never again." } " The first person to use it is logged in as " (name) ". Hand it over in person; it is valid until " (link.until) "." }
            label { span { "Address" } input #link readonly value=(link.address) spellcheck="false"; }
            div.buttons {
                button type="button" data-copy="link" hidden { "Copy" }
                a.button.quiet href=(page.shell.href(&format!("/staff?name={name}"))) { "Done: take it off the screen" }
            }
        }
    }
}
