//! Staff accounts.

use crate::pages::shell::Shell;

/// A duty with a checkbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DutyChoice {
    /// Its code in forms: `pit-supervisor`.
    pub(crate) code: &'static str,
    /// Its name.
    pub(crate) name: &'static str,
    /// What it allows, in a sentence.
    pub(crate) may: &'static str,
    /// Whether it is ticked.
    pub(crate) ticked: bool,
}

/// A member of staff in the list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct StaffRow {
    /// Their log-in name.
    pub(crate) name: String,
    /// Their display name.
    pub(crate) shown: Option<String>,
    /// Their duties, in words.
    pub(crate) duties: String,
    /// Whether they are locked after failed log-ins.
    pub(crate) locked: bool,
    /// Their suspension.
    pub(crate) suspended: Option<StaffSuspended>,
    /// Whether it is the reader.
    pub(crate) you: bool,
}

/// A suspension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StaffSuspended {
    /// The reason.
    pub(crate) reason: String,
    /// Who suspended them.
    pub(crate) by: String,
    /// When, formatted; empty if unknown.
    pub(crate) when: String,
}

/// The open account.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct StaffMember {
    /// Their row in the list.
    pub(crate) row: StaffRow,
    /// All duties, with their own or the requested ones ticked.
    pub(crate) choices: Vec<DutyChoice>,
    /// Why the reader cannot change this account.
    pub(crate) not_by_you: Option<String>,
    /// Why the reader cannot make a link for them.
    pub(crate) no_link: Option<String>,
}

/// A change to confirm.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum StaffConfirmation {
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
pub(crate) struct StaffLink {
    /// The whole address.
    pub(crate) address: String,
    /// When it expires, formatted.
    pub(crate) until: String,
}

/// The page of staff accounts.
#[derive(Debug, Clone, Default)]
pub(crate) struct StaffPage {
    /// What every page shares.
    pub(crate) shell: Shell,
    /// Whether the reader may change accounts.
    pub(crate) manages: bool,
    /// The search text.
    pub(crate) find: String,
    /// The filter: empty, `active`, `suspended` or `locked`.
    pub(crate) state: String,
    /// The matching accounts.
    pub(crate) rows: Vec<StaffRow>,
    /// How many more match.
    pub(crate) more: usize,
    /// The number of all accounts.
    pub(crate) all: usize,
    /// The open account.
    pub(crate) member: Option<StaffMember>,
    /// The change to confirm.
    pub(crate) confirmation: Option<StaffConfirmation>,
    /// A link that was just made.
    pub(crate) link: Option<StaffLink>,
    /// What was done, in a sentence.
    pub(crate) done: Option<String>,
    /// A refusal: the form (`find`, `new`, `players`, or the code of an action) and the message.
    pub(crate) problem: Option<(&'static str, String)>,
    /// The name typed for a new account.
    pub(crate) new_name: String,
    /// The duties of a new account.
    pub(crate) new_choices: Vec<DutyChoice>,
    /// Players who are locked after failed log-ins.
    pub(crate) locked_players: Vec<String>,
}
