//! What every page shares: the reader, the theme, the event stream; and the log-in page.

use baize_rules::Money;

use super::Names;

/// Light, dark, or the system's preference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
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
    #[must_use]
    pub fn from_cookie(value: &str) -> Theme {
        match value {
            "light" => Theme::Light,
            "dark" => Theme::Dark,
            _ => Theme::System,
        }
    }

    /// The name in the cookie and on the page.
    #[must_use]
    pub const fn code(self) -> &'static str {
        ["system", "light", "dark"][self as usize]
    }
}

/// The reader of the page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Who {
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
pub enum Tone {
    /// Information.
    Note,
    /// Success.
    Good,
    /// A refusal or an error.
    Bad,
}

/// A message at the top of the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// The tone.
    pub tone: Tone,
    /// The words.
    pub words: String,
}

/// What every page shares.
#[derive(Debug, Clone, Default)]
pub struct Shell {
    /// The prefix of the reader's addresses: empty, or `/as/ann` for one of several people in a browser.
    pub base: String,
    /// The CSRF token, which every form sends as `csrf`.
    pub csrf: String,
    /// A fresh id, which every form sends as `id`: sent twice, a command acts once.
    pub command: String,
    /// Light or dark.
    pub theme: Theme,
    /// The reader.
    pub who: Who,
    /// A message at the top.
    pub notice: Option<Notice>,
    /// The event stream of this page. Each event is HTML whose top-level elements replace those with the same id.
    pub events: Option<String>,
    /// The play chips of a new player.
    pub play_chips: Money,
    /// The reader's display name, if they have one.
    pub name: Option<String>,
    /// Display names of the players on the page.
    pub names: Names,
    /// The number of tasks that wait for this member of staff.
    pub waiting: usize,
    /// The version of the page's live regions: `RUN.NUMBER`. A page ignores regions with a smaller number of the same run.
    pub change: String,
    /// The house's clock and gaming day, for the footer.
    pub clock: String,
}

impl Shell {
    /// What a new player starts with, in words.
    #[must_use]
    pub fn starts_with(&self) -> String {
        if self.play_chips.is_zero() {
            return "an empty purse: the cage sells chips".to_owned();
        }
        let chips = self.play_chips.grouped();
        format!("{} in practice chips, which have no cash value", chips.trim_end_matches(".00"))
    }

    /// A path with the prefix of the reader's addresses.
    #[must_use]
    pub fn href(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// The reader's log-in name, if they are a player.
    #[must_use]
    pub fn player(&self) -> Option<&str> {
        match &self.who {
            Who::Player { name, .. } => Some(name),
            Who::Nobody | Who::Staff { .. } => None,
        }
    }

    /// The browser's title, beginning with the number of waiting tasks.
    #[must_use]
    pub fn title(&self, title: &str) -> String {
        let waiting = if self.waiting == 0 { String::new() } else { format!("({}) ", self.waiting) };
        format!("{waiting}{title} · Baize")
    }
}

/// The log-in page.
#[derive(Debug, Clone, Default)]
pub struct LoginPage {
    /// What every page shares.
    pub shell: Shell,
    /// The name that was typed, after a failure.
    pub name: String,
    /// Why the last attempt failed.
    pub refused: Option<String>,
    /// Where to go afterwards.
    pub next: String,
}
