//! The layout shared by all pages: head, navigation, account menu, notices, footer.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::model::{Shell, Theme, Tone, Who};
use super::{assets, paint};

/// A whole page. `section` is the navigation entry that is current: `tables`, `rules`, `odds`, `history`, `dealer`, `pit`, `cage`,
/// `audit`, `staff`, `surveillance`, `rating`, `coach`.
pub(crate) fn page(shell: &Shell, title: &str, section: &str, class: &str, main: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" data-theme=(shell.theme.code()) {
            (head(&shell.title(title)))
            body class=(class) data-events=[shell.events.as_deref()] {
                a.skip href="#main" { "Skip to content" }
                (paint::sprite())
                (banner(shell, section))
                (notice(shell))
                main #main tabindex="-1" { (main) }
                (page_footer(shell))
                (toast())
            }
        }
    }
}

/// A page without navigation, for wall displays and printing.
pub(crate) fn bare(shell: &Shell, title: &str, class: &str, main: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" data-theme=(shell.theme.code()) {
            (head(&shell.title(title)))
            body class=(class) data-events=[shell.events.as_deref()] {
                (paint::sprite())
                main #main { (main) }
                (toast())
            }
        }
    }
}

fn head(title: &str) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            title { (title) }
            link rel="icon" href="/assets/icon.svg" type="image/svg+xml";
            link rel="stylesheet" href=(assets::style_href());
            script src=(assets::script_href()) defer {}
        }
    }
}

/// The toast, and the live region in which the script announces new lines to screen readers.
fn toast() -> Markup {
    html! { div #toast.toast role="status" aria-live="polite" {} div #spoken.unseen aria-live="polite" {} }
}

fn banner(shell: &Shell, section: &str) -> Markup {
    let current = |name: &str| (name == section).then_some("page");
    html! {
        header.banner {
            a.brand href=(shell.href("/")) { (mark()) span { "Baize" } }
            nav aria-label="Main" {
                a href=(shell.href("/")) aria-current=[current("tables")] { "Tables" }
                @if let Who::Staff { deals, pit, cage, audits, accounts, reports, .. } = &shell.who {
                    @if *deals { a href="/dealer" aria-current=[current("dealer")] { "Dealer" } }
                    @if *pit { a href="/pit" aria-current=[current("pit")] { "Pit" (waiting(shell)) } }
                    @if *cage { a href=(shell.href("/cage")) aria-current=[current("cage")] { "Cage" @if !*pit { (waiting(shell)) } } }
                    @if *reports { a href=(shell.href("/report")) aria-current=[current("report")] { "Reports" } }
                    @if *audits || *pit { a href=(shell.href("/surveillance")) aria-current=[current("surveillance")] { "Surveillance" } }
                    @if *audits { a href=(shell.href("/rating")) aria-current=[current("rating")] { "Ratings" } }
                    @if *audits { a href="/audit" aria-current=[current("audit")] { "Journal" } }
                    @if *accounts { a href=(shell.href("/staff")) aria-current=[current("staff")] { "Staff" } }
                }
                @if shell.player().is_some() { a href=(shell.href("/coach")) aria-current=[current("coach")] { "Coach" } }
                a href="/rules" aria-current=[current("rules")] { "Rules" }
                a href="/odds" aria-current=[current("odds")] { "Odds" }
                a href=(shell.href("/history")) aria-current=[current("history")] { "History" }
            }
            (account(shell))
        }
    }
}

/// The number of tasks that wait for the reader, a live region on every page of staff. The script also shows it in the browser's title.
pub(crate) fn waiting(shell: &Shell) -> Markup {
    let said = if shell.waiting == 1 {
        "1 task is waiting for you".to_owned()
    } else {
        format!("{} tasks are waiting for you", shell.waiting)
    };
    html! {
        span #waiting.waits data-count=(shell.waiting) role="status" hidden[shell.waiting == 0] title=(said) {
            span aria-hidden="true" { (shell.waiting) } span.unseen { ", " (said) }
        }
    }
}

/// The version of the live regions beside it, so that older ones that arrive late are ignored.
pub(crate) fn change(shell: &Shell) -> Markup {
    html! { data #change value=(shell.change) hidden {} }
}

/// The account menu, a live region because the purse changes.
pub(crate) fn account(shell: &Shell) -> Markup {
    html! {
        div #account.account {
            @match &shell.who {
                Who::Nobody => { a.button.quiet href="/login" { "Log in" } }
                Who::Player { name, purse, practice } => {
                    a.purse href=(shell.href("/session")) title="Your session and limits" {
                        span.coin aria-hidden="true" {} span.unseen { "Your purse: " } (purse.grouped()) @if *practice { " " span.tag { "practice" } }
                    }
                    (account_menu(shell, name))
                }
                Who::Staff { name, position, .. } => { span.position { (position) } (account_menu(shell, name)) }
            }
            form.theme method="post" action="/theme" data-theme-form {
                @let next = if shell.theme == Theme::Dark { "light" } else { "dark" };
                input type="hidden" name="theme" value=(next);
                button.icon type="submit" aria-label="Light or dark" title="Light or dark" { (half_moon()) }
            }
        }
    }
}

/// The menu under the reader's name; on a phone, under an icon.
fn account_menu(shell: &Shell, name: &str) -> Markup {
    html! {
        details.own-menu #own-menu {
            summary.who { (person()) span { (shell.name.as_deref().unwrap_or(name)) } }
            div.menu {
                @if shell.player().is_some() { a href=(shell.href("/session")) { "Session and limits" } a href=(shell.href("/rating")) { "How you play" } }
                a href=(shell.href("/password")) { "Name and password" }
                button type="button" data-switch="keys" aria-pressed="true" hidden { "Single-letter keys" }
                button type="button" data-switch="sounds" aria-pressed="false" hidden { "Sounds" }
                form method="post" action=(shell.href("/logout")) data-plain {
                    (hidden(shell))
                    button type="submit" { "Log out" }
                }
            }
        }
    }
}

fn person() -> Markup {
    html! {
            svg viewBox="0 0 24 24" aria-hidden="true" width="20" height="20" {
                circle cx="12" cy="8" r="4" fill="none" stroke="currentColor" stroke-width="2" {}
                path d="M4.500 20.500c0-4.500 3.400-7 7.500-7s7.500 2.500 7.500 7" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" {}
            }
    }
}

/// The hidden fields of every form: CSRF token and id.
pub(crate) fn hidden(shell: &Shell) -> Markup {
    html! {
        input type="hidden" name="csrf" value=(shell.csrf);
        input type="hidden" name="id" value=(shell.command);
    }
}

fn notice(shell: &Shell) -> Markup {
    html! {
        div #notice.notices {
            @if let Some(notice) = &shell.notice {
                @let class = match notice.tone { Tone::Good => "notice good", Tone::Bad => "notice bad" };
                p class=(class) role="status" { (notice.words) }
            }
        }
    }
}

fn page_footer(shell: &Shell) -> Markup {
    html! {
        footer.foot {
            p { "Every payment cites its paragraph. Every round can be verified." }
            @if !shell.clock.is_empty() { p { (shell.clock) } }
            p { a href="/rules" { "Rules" } " · " a href="/odds" { "Odds" } " · " a href="/api" { "API" } }
        }
    }
}

fn mark() -> Markup {
    html! {
        svg.mark viewBox="0 0 64 64" aria-hidden="true" {
            (PreEscaped("<rect width=\"64\" height=\"64\" rx=\"14\" fill=\"#0d5b41\"/><rect x=\"4.500\" y=\"4.500\" width=\"55\" height=\"55\" rx=\"10\" fill=\"none\" stroke=\"#d9b765\" stroke-width=\"2\"/><path fill=\"#f3ecd6\" d=\"M32 11c-5 10-19 16-19 27a9.500 9.500 0 0 0 16 6.900c-.5 3.600-2 6-4.500 8.100h15c-2.500-2.100-4-4.500-4.500-8.100A9.500 9.500 0 0 0 51 38c0-11-14-17-19-27z\"/>"))
        }
    }
}

fn half_moon() -> Markup {
    html! {
        svg viewBox="0 0 24 24" aria-hidden="true" width="20" height="20" {
            circle cx="12" cy="12" r="8.500" fill="none" stroke="currentColor" stroke-width="2" {}
            path d="M12 3.500a8.500 8.500 0 0 1 0 17z" fill="currentColor" {}
        }
    }
}
