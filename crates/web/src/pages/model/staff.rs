//! Accounts of people: who works here, what they are there for, whether they are let in; and one's own password.

use super::Shell;

/// A duty that can be ticked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DutyChoice {
    /// Its name in forms: `pit-supervisor`.
    pub code: &'static str,
    /// Its name for people.
    pub name: &'static str,
    /// What it allows, in a sentence.
    pub may: &'static str,
    /// Ticked.
    pub ticked: bool,
}

/// A member of staff in the list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StaffRow {
    /// Their name.
    pub name: String,
    /// The name as people write it.
    pub shown: Option<String>,
    /// Their duties, for people.
    pub duties: String,
    /// Locked after three failures.
    pub locked: bool,
    /// Why they are let in no more.
    pub suspended: Option<StaffSuspended>,
    /// The reader themselves.
    pub you: bool,
}

/// A suspension as it was written down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StaffSuspended {
    /// The reason that was given.
    pub reason: String,
    /// Who did it.
    pub by: String,
    /// When, by the house's clock.
    pub when: String,
}

/// The member of staff whose account is open.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StaffMember {
    /// Their line of the list.
    pub row: StaffRow,
    /// All duties, their own ticked; or those that were asked for.
    pub choices: Vec<DutyChoice>,
    /// Why the reader changes neither their duties nor whether they are let in.
    pub not_by_you: Option<String>,
    /// Why the reader can make no link for them.
    pub no_link: Option<String>,
}

/// A change that is to be confirmed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StaffAsk {
    /// Other duties: what they are now and what they will be, for people.
    Duties {
        /// Now.
        before: String,
        /// Then.
        after: String,
    },
    /// They are let in no more.
    Suspend {
        /// The reason, as far as it is typed.
        reason: String,
    },
    /// All their sessions and links end.
    EndSessions,
}

/// A one-time log-in link. It is shown once, to the person who asked for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StaffLink {
    /// The whole address.
    pub address: String,
    /// Until when it holds, by the house's clock.
    pub until: String,
}

/// The page of the accounts of staff.
#[derive(Debug, Clone, Default)]
pub struct StaffPage {
    /// What every page shares.
    pub shell: Shell,
    /// The reader may change accounts; otherwise they only read them.
    pub manages: bool,
    /// What was looked for.
    pub find: String,
    /// Only these: ``, `active`, `suspended`, `locked`.
    pub state: String,
    /// Those that were found.
    pub rows: Vec<StaffRow>,
    /// How many more were found.
    pub more: usize,
    /// How many members of staff there are.
    pub all: usize,
    /// Whose account is open.
    pub member: Option<StaffMember>,
    /// What is to be confirmed.
    pub ask: Option<StaffAsk>,
    /// A link that was just made.
    pub link: Option<StaffLink>,
    /// What was done, in a sentence.
    pub done: Option<String>,
    /// What was refused: which form (`find`, `new`, `duties`, `suspend`, `reinstate`, `end-sessions`, `unlock`, `link`, `players`), and why.
    pub problem: Option<(&'static str, String)>,
    /// The name that was typed for a new member of staff.
    pub new_name: String,
    /// The duties of a new member of staff.
    pub new_choices: Vec<DutyChoice>,
    /// Players who are locked after three failures.
    pub locked_players: Vec<String>,
}

/// The page where one changes one's own password.
#[derive(Debug, Clone, Default)]
pub struct PasswordPage {
    /// What every page shares.
    pub shell: Shell,
    /// Whose it is.
    pub name: String,
    /// They have one, which they must bring.
    pub has: bool,
    /// It was just changed.
    pub changed: bool,
    /// What was refused: which field (`old`, `new`, `again`), and why.
    pub problem: Option<(&'static str, String)>,
}
