//! Staff accounts, and the page for the reader's own password.

use super::Shell;

/// A duty with a checkbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DutyChoice {
    /// Its code in forms: `pit-supervisor`.
    pub code: &'static str,
    /// Its name.
    pub name: &'static str,
    /// What it allows, in a sentence.
    pub may: &'static str,
    /// Whether it is ticked.
    pub ticked: bool,
}

/// A member of staff in the list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StaffRow {
    /// Their log-in name.
    pub name: String,
    /// Their display name.
    pub shown: Option<String>,
    /// Their duties, in words.
    pub duties: String,
    /// Whether they are locked after failed log-ins.
    pub locked: bool,
    /// Their suspension.
    pub suspended: Option<StaffSuspended>,
    /// Whether it is the reader.
    pub you: bool,
}

/// A suspension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StaffSuspended {
    /// The reason.
    pub reason: String,
    /// Who suspended them.
    pub by: String,
    /// When, formatted; empty if unknown.
    pub when: String,
}

/// The open account.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StaffMember {
    /// Their row in the list.
    pub row: StaffRow,
    /// All duties, with their own or the requested ones ticked.
    pub choices: Vec<DutyChoice>,
    /// Why the reader cannot change this account.
    pub not_by_you: Option<String>,
    /// Why the reader cannot make a link for them.
    pub no_link: Option<String>,
}

/// A change to confirm.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StaffConfirmation {
    /// New duties.
    Duties {
        /// Now.
        before: String,
        /// Then.
        after: String,
    },
    /// Suspension.
    Suspend {
        /// The reason, as typed.
        reason: String,
    },
    /// Ending all sessions and links.
    EndSessions,
}

/// A new one-time log-in link, which is shown only once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StaffLink {
    /// The whole address.
    pub address: String,
    /// When it expires, formatted.
    pub until: String,
}

/// The page of staff accounts.
#[derive(Debug, Clone, Default)]
pub struct StaffPage {
    /// What every page shares.
    pub shell: Shell,
    /// Whether the reader may change accounts.
    pub manages: bool,
    /// The search text.
    pub find: String,
    /// The filter: empty, `active`, `suspended` or `locked`.
    pub state: String,
    /// The matching accounts.
    pub rows: Vec<StaffRow>,
    /// How many more match.
    pub more: usize,
    /// The number of all accounts.
    pub all: usize,
    /// The open account.
    pub member: Option<StaffMember>,
    /// The change to confirm.
    pub confirmation: Option<StaffConfirmation>,
    /// A link that was just made.
    pub link: Option<StaffLink>,
    /// What was done, in a sentence.
    pub done: Option<String>,
    /// A refusal: the form (`find`, `new`, `players`, or the code of an action) and the message.
    pub problem: Option<(&'static str, String)>,
    /// The name typed for a new account.
    pub new_name: String,
    /// The duties of a new account.
    pub new_choices: Vec<DutyChoice>,
    /// Players who are locked after failed log-ins.
    pub locked_players: Vec<String>,
}

/// The page for the reader's own password and name.
#[derive(Debug, Clone, Default)]
pub struct PasswordPage {
    /// What every page shares.
    pub shell: Shell,
    /// Their log-in name.
    pub name: String,
    /// Whether they have a password, which they must enter.
    pub has: bool,
    /// Whether it was just changed.
    pub changed: bool,
    /// A refusal: the field (`old`, `new`, `again`, `shown`) and the message.
    pub problem: Option<(&'static str, String)>,
}
