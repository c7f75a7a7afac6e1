//! What every page shares: the reader, the theme, the event stream; and the log-in page.

use baize_rules::Money;

use super::Names;

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

/// The reader of the page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) enum Who {
    /// Nobody is logged in.
    #[default]
    Nobody,
    /// A player.
    Player {
        /// Their name.
        name: String,
        /// What is in their purse.
        purse: Money,
        /// Whether they have practice chips.
        practice: bool,
    },
    /// A member of staff.
    Staff {
        /// Their name.
        name: String,
        /// Their highest position: "Pit Manager".
        position: String,
        /// Whether they may deal.
        deals: bool,
        /// Whether they may see the pit board.
        pit: bool,
        /// Whether they work at the cage.
        cage: bool,
        /// Whether they may read the journal.
        audits: bool,
        /// Whether they may see staff accounts.
        accounts: bool,
        /// Whether they may read reports.
        reports: bool,
    },
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
#[derive(Debug, Clone, Default)]
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
    pub(crate) who: Who,
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
    /// The house's clock and gaming day, for the footer.
    pub(crate) clock: String,
}

impl Shell {
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

    /// The reader's log-in name, if they are a player.
    pub(crate) fn player(&self) -> Option<&str> {
        match &self.who {
            Who::Player { name, .. } => Some(name),
            Who::Nobody | Who::Staff { .. } => None,
        }
    }

    /// The browser's title, beginning with the number of waiting tasks.
    pub(crate) fn title(&self, title: &str) -> String {
        let waiting = if self.waiting == 0 { String::new() } else { format!("({}) ", self.waiting) };
        format!("{waiting}{title} · Baize")
    }
}

/// The log-in page.
#[derive(Debug, Clone, Default)]
pub(crate) struct LoginPage {
    /// What every page shares.
    pub(crate) shell: Shell,
    /// The name that was typed, after a failure.
    pub(crate) name: String,
    /// Why the last attempt failed.
    pub(crate) refused: Option<String>,
    /// Where to go afterwards.
    pub(crate) next: String,
}
