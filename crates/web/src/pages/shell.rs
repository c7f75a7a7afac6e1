//! What all pages share: the reader, the theme, the event stream; head, navigation, account menu, notices, footer.

use baize_house::{Actor, Duty, GamingDay, Instant, MoneyKind};
use baize_rules::Money;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::names::Names;
use super::{assets, paint};

/// Light, dark, or the system's preference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Theme {
    /// The system's preference.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl Theme {
    /// From the `theme` cookie: `light` or `dark`; anything else is the system's preference.
    pub(crate) fn from_cookie(value: &str) -> Theme {
        match value {
            "light" => Theme::Light,
            "dark" => Theme::Dark,
            _ => Theme::System,
        }
    }

    /// The name in the cookie and on the page.
    pub(crate) const fn code(self) -> &'static str {
        ["system", "light", "dark"][self as usize]
    }
}

/// The tone of a notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    /// Success.
    Good,
    /// A refusal or an error.
    Bad,
}

/// A message at the top of the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Notice {
    /// The tone.
    pub(crate) tone: Tone,
    /// The words.
    pub(crate) words: String,
}

/// What every page shares.
#[derive(Debug, Clone)]
pub(crate) struct Shell {
    /// The prefix of the reader's addresses: empty, or `/as/ann` for one of several people in a browser.
    pub(crate) base: String,
    /// The CSRF token, which every form sends as `csrf`.
    pub(crate) csrf: String,
    /// A fresh id, which every form sends as `id`: sent twice, a command acts once.
    pub(crate) command: String,
    /// Light or dark.
    pub(crate) theme: Theme,
    /// The reader.
    pub(crate) actor: Actor,
    /// What is in the reader's purse, and the kind of their chips, if they play.
    pub(crate) purse: Option<(Money, MoneyKind)>,
    /// A message at the top.
    pub(crate) notice: Option<Notice>,
    /// The event stream of this page. Each event is HTML whose top-level elements replace those with the same id.
    pub(crate) events: Option<String>,
    /// The play chips of a new player.
    pub(crate) play_chips: Money,
    /// The reader's display name, if they have one.
    pub(crate) name: Option<String>,
    /// Display names of the players on the page.
    pub(crate) names: Names,
    /// The number of tasks that wait for this member of staff.
    pub(crate) waiting: usize,
    /// The version of the page's live regions: `RUN.NUMBER`. A page ignores regions with a smaller number of the same run.
    pub(crate) change: String,
    /// The house's clock and gaming day.
    pub(crate) day: GamingDay,
    /// The time, for the footer; `None` on pages that say that the house is not available.
    pub(crate) now: Option<Instant>,
}

impl Shell {
    /// The shell of a page that needs neither the house nor a reader.
    pub(crate) fn plain(base: String, theme: Theme) -> Shell {
        Shell {
            base,
            csrf: String::new(),
            command: String::new(),
            theme,
            actor: Actor::Public,
            purse: None,
            notice: None,
            events: None,
            play_chips: Money::ZERO,
            name: None,
            names: Names::default(),
            waiting: 0,
            change: String::new(),
            day: GamingDay::default(),
            now: None,
        }
    }

    /// What a new player starts with, in words.
    pub(crate) fn starts_with(&self) -> String {
        if self.play_chips.is_zero() {
            return "an empty purse: the cage sells chips".to_owned();
        }
        let chips = self.play_chips.grouped();
        format!("{} in practice chips, which have no cash value", chips.trim_end_matches(".00"))
    }

    /// A path with the prefix of the reader's addresses.
    pub(crate) fn href(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// The house's clock at this time: day, hours, minutes and seconds.
    pub(crate) fn local(&self, at: Instant) -> String {
        self.day.local(at)
    }

    /// Why the reader cannot do what needs this duty; `None` if they can.
    pub(crate) fn refused(&self, duty: Duty) -> Option<String> {
        (!self.actor.may(duty)).then(|| format!("this needs the {}", duty.name()))
    }

    /// The browser's title, beginning with the number of waiting tasks.
    fn title(&self, title: &str) -> String {
        let waiting = if self.waiting == 0 { String::new() } else { format!("({}) ", self.waiting) };
        format!("{waiting}{title} · Baize")
    }
}

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
    let may = |duty: Duty| shell.actor.may(duty);
    let (pit, audits) = (may(Duty::PitSupervisor), may(Duty::Auditor));
    html! {
        header.banner {
            a.brand href=(shell.href("/")) { (mark()) span { "Baize" } }
            nav aria-label="Main" {
                a href=(shell.href("/")) aria-current=[current("tables")] { "Tables" }
                @if let Actor::Staff { .. } = shell.actor {
                    @if may(Duty::Dealer) { a href="/dealer" aria-current=[current("dealer")] { "Dealer" } }
                    @if pit { a href="/pit" aria-current=[current("pit")] { "Pit" (waiting(shell.waiting)) } }
                    @if may(Duty::Cage) { a href=(shell.href("/cage")) aria-current=[current("cage")] { "Cage" @if !pit { (waiting(shell.waiting)) } } }
                    @if may(Duty::Cage) || may(Duty::PitManager) || audits { a href=(shell.href("/report")) aria-current=[current("report")] { "Reports" } }
                    @if audits || pit { a href=(shell.href("/surveillance")) aria-current=[current("surveillance")] { "Surveillance" } }
                    @if audits { a href=(shell.href("/rating")) aria-current=[current("rating")] { "Ratings" } }
                    @if audits { a href="/audit" aria-current=[current("audit")] { "Journal" } }
                    @if may(Duty::ShiftManager) || audits { a href=(shell.href("/staff")) aria-current=[current("staff")] { "Staff" } }
                }
                @if shell.actor.as_player().is_some() { a href=(shell.href("/coach")) aria-current=[current("coach")] { "Coach" } }
                a href="/rules" aria-current=[current("rules")] { "Rules" }
                a href="/odds" aria-current=[current("odds")] { "Odds" }
                a href=(shell.href("/history")) aria-current=[current("history")] { "History" }
            }
            (account(shell))
        }
    }
}

/// The number of tasks that wait for the reader, a live region on every page of staff. The script also shows it in the browser's title.
pub(crate) fn waiting(count: usize) -> Markup {
    let said = match count {
        1 => "1 task is waiting for you".to_owned(),
        _ => format!("{count} tasks are waiting for you"),
    };
    html! {
        span #waiting.waits data-count=(count) role="status" hidden[count == 0] title=(said) {
            span aria-hidden="true" { (count) } span.unseen { ", " (said) }
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
            @match (&shell.actor, shell.purse) {
                (Actor::Player { id }, Some((purse, kind))) => {
                    a.purse href=(shell.href("/session")) title="Your session and limits" {
                        span.coin aria-hidden="true" {} span.unseen { "Your purse: " } (purse.grouped()) @if kind == MoneyKind::Practice { " " span.tag { "practice" } }
                    }
                    (account_menu(shell, id.as_str()))
                }
                (Actor::Staff { id, duties }, _) => {
                    span.position { (duties.iter().max().map(|duty| duty.name()).unwrap_or_default()) } (account_menu(shell, id.as_str()))
                }
                _ => { a.button.quiet href="/login" { "Log in" } }
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
                @if shell.actor.as_player().is_some() { a href=(shell.href("/session")) { "Session and limits" } a href=(shell.href("/rating")) { "How you play" } }
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
            @if let Some(now) = shell.now {
                p { "House time UTC" (shell.day.utc_offset) " · gaming day " (shell.day.of(now)) ", from " (shell.day.begins) }
            }
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
