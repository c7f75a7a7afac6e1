//! What every page shares: who reads it, how it looks, where it listens for news.

use baize_rules::Money;

use super::Names;

/// Light, dark, or as the reader's system has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    /// As the system has it.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl Theme {
    /// The value of the `theme` cookie: `light`, `dark`; anything else is the system's.
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

/// Who reads the page.
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
        /// It holds chips that were given for practice.
        practice: bool,
    },
    /// A member of staff.
    Staff {
        /// Their name.
        name: String,
        /// Their highest position, for people: "Pit Manager".
        position: String,
        /// They may deal.
        deals: bool,
        /// They may see the pit board.
        pit: bool,
        /// They work at the cage.
        cage: bool,
        /// They may read the journal.
        audits: bool,
        /// They may see the accounts of staff.
        accounts: bool,
        /// They may read reports.
        reports: bool,
    },
}

/// How a notice is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Something to know.
    Note,
    /// Something good.
    Good,
    /// Something was refused or went wrong.
    Bad,
}

/// A message on top of the page: the answer to a form that was posted without JavaScript, or a house-wide notice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// How it is meant.
    pub tone: Tone,
    /// The words.
    pub words: String,
}

/// What every page shares.
#[derive(Debug, Clone, Default)]
pub struct Shell {
    /// Put before every address of the page: empty, or `/as/ann` for one of several players in one browser.
    pub base: String,
    /// The token that every form sends back as `csrf`.
    pub csrf: String,
    /// A fresh id that every form sends back as `id`: sent twice, a command acts once.
    pub command: String,
    /// Light or dark.
    pub theme: Theme,
    /// Who reads it.
    pub who: Who,
    /// A message on top.
    pub notice: Option<Notice>,
    /// The event stream of this page (`text/event-stream`). Each message is HTML whose top elements replace those of the same id.
    pub events: Option<String>,
    /// The play chips that a newcomer is given.
    pub play_chips: Money,
    /// The reader's name as people write it, where the house knows one.
    pub name: Option<String>,
    /// What the players of the page are called.
    pub names: Names,
    /// How much waits for this member of staff.
    pub waiting: usize,
    /// How much had happened when the page's live regions were read: `RUN.NUMBER`. A region never goes back to a smaller number of the
    /// same run.
    pub change: String,
    /// The house's clock and its gaming day, for the foot of the page.
    pub clock: String,
}

impl Shell {
    /// What a newcomer starts with, in words for the page that gives it.
    #[must_use]
    pub fn starts_with(&self) -> String {
        if self.play_chips.is_zero() {
            return "an empty purse: the cage sells chips".to_owned();
        }
        let chips = self.play_chips.grouped();
        format!("{} in practice chips, which have no cash value", chips.trim_end_matches(".00"))
    }

    /// The address of a page of this reader.
    #[must_use]
    pub fn href(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// The player's name, if they are one.
    #[must_use]
    pub fn player(&self) -> Option<&str> {
        match &self.who {
            Who::Player { name, .. } => Some(name),
            Who::Nobody | Who::Staff { .. } => None,
        }
    }

    /// A title for the browser: what waits for the reader comes first.
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
    /// The name that was given, after a failure.
    pub name: String,
    /// Why the last try failed.
    pub refused: Option<String>,
    /// Where to go afterwards.
    pub next: String,
}
