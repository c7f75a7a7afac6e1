//! The page where users change their own password and display name.

use maud::{Markup, html};

use super::actions::Account;
use super::shell::{self, Shell};

/// The page for the reader's own password and name.
#[derive(Debug, Clone)]
pub(crate) struct PasswordPage {
    /// What every page shares.
    pub(crate) shell: Shell,
    /// Their log-in name.
    pub(crate) name: String,
    /// Whether they have a password, which they must enter.
    pub(crate) has: bool,
    /// Whether it was just changed.
    pub(crate) changed: bool,
    /// A refusal: the field (`old`, `new`, `again`, `shown`) and the message.
    pub(crate) problem: Option<(&'static str, String)>,
}

/// The whole page. Posts `old`, `new` and `again` to `/password`.
pub(crate) fn page(page: &PasswordPage) -> Markup {
    shell::page(
        &page.shell,
        "Name and password",
        "password",
        "password narrow",
        &html! {
            h1 { "Name and password" }
            @if page.changed { p.notice.good role="status" { "Your password is changed. All your other sessions have ended, and unused log-in links no longer work." } }
            p {
                @if page.has { "Changing it logs you out everywhere else. You stay logged in here." }
                @else { "You have no password yet: only this browser, or a one-time link, can log you in. With a password you can log in by name from any device." }
            }
            form.sheet method="post" action=(page.shell.href("/password")) data-plain data-once {
                (shell::hidden(&page.shell))
                // Not sent; it is for password managers.
                label { span { "Name" } input value=(page.name) readonly autocomplete="username"; }
                @if page.has { (field(page, "old", "Old password", "current-password")) }
                (field(page, "new", "New password", "new-password"))
                (field(page, "again", "New password again", "new-password"))
                p.hint { "At least 8 characters. Longer is better: several words make a good password." }
                button.primary type="submit" { @if page.has { "Change password" } @else { "Set password" } }
            }
            form.sheet method="post" action=(page.shell.href("/password")) data-plain data-once {
                (shell::hidden(&page.shell))
                input type="hidden" name="do" value=(Account::Name);
                @if let Some((_, words)) = page.problem.as_ref().filter(|(at, _)| *at == "shown") { p.notice.bad role="alert" { (words) } }
                label { span { "Display name, in any script" } input name="shown" required maxlength="60" autocomplete="name" value=(page.shell.name.as_deref().unwrap_or_default()); }
                p.hint { "You still log in as " b { (page.name) } "." }
                button type="submit" { "Save name" }
            }
        },
    )
}

/// A password field, with its refusal. What was typed is a secret and not sent back.
fn field(page: &PasswordPage, name: &str, label: &str, kind: &str) -> Markup {
    let problem = page.problem.as_ref().filter(|(at, _)| *at == name);
    let first = if page.has { "old" } else { "new" };
    let focus = problem.is_some() || (page.problem.is_none() && !page.changed && name == first);
    let min_length = (name != "old").then_some("8");
    html! {
        @if let Some((_, words)) = problem { p.notice.bad role="alert" id=(format!("problem-{name}")) { (words) } }
        label { span { (label) } input name=(name) type="password" required minlength=[min_length] maxlength="200" autocomplete=(kind)
            aria-invalid=[problem.map(|_| "true")] aria-describedby=[problem.map(|_| format!("problem-{name}"))] autofocus[focus]; }
    }
}
