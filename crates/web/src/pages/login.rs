//! Logging in, and pages that say that something is not there or not allowed.

use maud::{Markup, html};

use super::model::{LoginPage, Shell};
use super::shell;

/// The log-in page. Posts `name`, `password`, `next` to `/login`.
#[must_use]
pub fn page(page: &LoginPage) -> Markup {
    shell::page(
        &page.shell,
        "Log in",
        "",
        "login narrow",
        &html! {
            h1 { "Log in" }
            p { "With your name and password. Staff can also use the one-time link printed when the casino started. To play for practice you need neither: "
                a href="/" { "sit down at a table" } "." }
            @if let Some(refused) = &page.refused { p.notice.bad role="alert" { (refused) } }
            form.sheet method="post" action="/login" data-plain {
                (shell::hidden(&page.shell))
                input type="hidden" name="next" value=(page.next);
                label { span { "Name" } input name="name" value=(page.name) required autocomplete="username" autofocus; }
                label { span { "Password" } input name="password" type="password" required autocomplete="current-password"; }
                button.primary type="submit" { "Log in" }
            }
        },
    )
}

/// A one-time link: whom it lets in, and the button that spends it. Posts to `address`.
#[must_use]
pub fn link(shell: &Shell, name: &str, address: &str) -> Markup {
    shell::page(
        shell,
        "Come in",
        "",
        "login narrow",
        &html! {
            h1 { "Come in" }
            p { "This link logs you in as " b { (name) } ", once." }
            form.sheet method="post" action=(address) data-plain {
                (shell::hidden(shell))
                button.primary type="submit" autofocus { "Come in as " (name) }
            }
        },
    )
}

/// Logging out of a name without a password: nobody could come back to it. Posts `sure` to `/logout`.
#[must_use]
pub fn leaving(shell: &Shell, name: &str, purse: &str) -> Markup {
    shell::page(
        shell,
        "Log out",
        "",
        "login narrow",
        &html! {
            h1 { "Log out?" }
            p { b { (name) } " has no password. Once you log out, nobody can log in under this name again, and the purse of " b { (purse) } " is lost." }
            div.buttons {
                a.button.primary href=(shell.href("/password")) { "Set a password" }
                form method="post" action=(shell.href("/logout")) data-plain {
                    (shell::hidden(shell))
                    input type="hidden" name="sure" value="yes";
                    button.danger type="submit" { "Log out and lose it" }
                }
                a.button.quiet href=(shell.href("/")) { "Stay" }
            }
        },
    )
}

/// A page for what cannot be done: status, what, why, and where to go: an address and its words.
#[must_use]
pub fn error(shell: &Shell, status: u16, title: &str, words: &str, go: (&str, &str)) -> Markup {
    shell::page(
        shell,
        title,
        "",
        "error narrow",
        &html! {
            p.status { (status) }
            h1 { (title) }
            p { (words) }
            p.buttons { a.button.primary href=(shell.href(go.0)) { (go.1) } }
        },
    )
}

/// The same as a region, for forms that are posted by the script: it appears as a message and changes nothing.
#[must_use]
pub fn refusal(words: &str) -> Markup {
    html! { div #toast.toast.bad.shown role="alert" { (words) } }
}
