//! The log-in and log-out pages, and error pages.

use maud::{Markup, html};

use super::shell::{self, Shell};

/// The log-in page. After a failure it says why, and has the name as it was typed. Posts `name`, `password`, `next` to `/login`.
pub(crate) fn page(shell: &Shell, name: &str, refused: Option<&str>, next: &str) -> Markup {
    shell::page(
        shell,
        "Log in",
        "",
        "login narrow",
        &html! {
            h1 { "Log in" }
            p { "Enter your name and password. Staff can also use the one-time link printed when the casino started. To practise you need neither: "
                a href="/" { "sit down at a table" } "." }
            @if let Some(refused) = refused { p.notice.bad role="alert" { (refused) } }
            form.sheet method="post" action="/login" data-plain {
                (shell::hidden(shell))
                input type="hidden" name="next" value=(next);
                label { span { "Name" } input name="name" value=(name) required autocomplete="username" autofocus; }
                label { span { "Password" } input name="password" type="password" required autocomplete="current-password"; }
                button.primary type="submit" { "Log in" }
            }
        },
    )
}

/// The page of a one-time link: whom it logs in, and the button that uses it up. Posts to `address`.
pub(crate) fn link(shell: &Shell, name: &str, address: &str) -> Markup {
    shell::page(
        shell,
        "Log in",
        "",
        "login narrow",
        &html! {
            h1 { "Log in" }
            p { "This link logs you in as " b { (name) } ", once." }
            form.sheet method="post" action=(address) data-plain {
                (shell::hidden(shell))
                button.primary type="submit" autofocus { "Log in as " (name) }
            }
        },
    )
}

/// Asks for confirmation before a player without a password logs out, because nobody could log in again. Posts `sure` to `/logout`.
pub(crate) fn leaving(shell: &Shell, name: &str, purse: &str) -> Markup {
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
                    button.danger type="submit" { "Log out and lose the chips" }
                }
                a.button.quiet href=(shell.href("/")) { "Stay logged in" }
            }
        },
    )
}

/// An error page, with a link: address and text.
pub(crate) fn error(shell: &Shell, status: u16, title: &str, words: &str, link: (&str, &str)) -> Markup {
    shell::page(
        shell,
        title,
        "",
        "error narrow",
        &html! {
            p.status { (status) }
            h1 { (title) }
            p { (words) }
            p.buttons { a.button.primary href=(shell.href(link.0)) { (link.1) } }
        },
    )
}

/// An error as a live region, for requests of the script: it appears as a message.
pub(crate) fn refusal(words: &str) -> Markup {
    html! { div #toast.toast.bad.shown role="alert" { (words) } }
}
