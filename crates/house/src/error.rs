//! What the house answers when it cannot do what was asked. In every case nothing has changed.

use baize_rules::{Cites, Money};
use baize_table::{Refusal, Why};
use thiserror::Error;

use crate::{CommandId, Duty, JackpotId, MoneyKind, NameFault, PlayerId, RoundId, StaffId, TableId};

/// Why the house did not do what was asked. A refusal (the rules), a conflict (somebody was faster) and corruption (the record
/// is damaged) are three different things.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum HouseError {
    /// The rules do not allow it.
    #[error("{0}")]
    Refused(Refusal),
    /// The house does not allow it, for a reason that is not one of the rule texts.
    #[error("{0}")]
    NotNow(&'static str),
    /// Others changed the same thing at the same time, again and again.
    #[error("others changed {stream} at the same time, {tries} times in a row: try again")]
    Conflict {
        /// What was changed.
        stream: String,
        /// How often it was tried.
        tries: u32,
    },
    /// He has not the position for it.
    #[error("this needs the {}{}", needs.name(), cited(cites))]
    Forbidden {
        /// The lowest position that may.
        needs: Duty,
        /// The paragraphs that say so, if any do.
        cites: Cites,
    },
    /// A player acts for another player.
    #[error("box {seat} is not yours")]
    NotYourBox {
        /// The box.
        seat: u8,
    },
    /// Nobody is logged in.
    #[error("log in first")]
    NotLoggedIn,
    /// Wrong name or password: which of them is not told.
    #[error("name or password is wrong")]
    WrongPassword,
    /// Too many failures under this name or from this address: no password is tried until the time is over.
    #[error(
        "too many wrong passwords: log-ins by password wait {wait_seconds} s; a link lets you in at once, and a shift manager can unlock the name"
    )]
    Locked {
        /// How long.
        wait_seconds: u32,
    },
    /// A member of staff who is suspended.
    #[error("the account is suspended: a shift manager can reinstate it")]
    Suspended,
    /// Duties that must be different people's.
    #[error("{0}")]
    Apart(&'static str),
    /// Two persons are needed, and these count as one: why.
    #[error("{0}")]
    NotTwoPersons(String),
    /// A dealer acts at a table that is not theirs.
    #[error("you do not deal at table {0}: the pit assigns dealers to tables")]
    NotAssigned(TableId),
    /// Practice and cash do not meet.
    #[error("{what} is for {of}, and {who} for {other}", of = of.code(), other = other.code())]
    OtherMoney {
        /// The table or jackpot.
        what: String,
        /// What it is for.
        of: MoneyKind,
        /// Whoever or whatever does not fit.
        who: String,
        /// What that is for.
        other: MoneyKind,
    },
    /// A one-time link that was used, has expired or never was.
    #[error("this link has been used or has expired: ask for a new one")]
    LinkSpent,
    /// No such table.
    #[error("there is no table {0}")]
    UnknownTable(TableId),
    /// No such player.
    #[error("there is no player {0}")]
    UnknownPlayer(PlayerId),
    /// No such member of staff.
    #[error("there is no member of staff {0}")]
    UnknownStaff(StaffId),
    /// No such jackpot.
    #[error("there is no jackpot {0}")]
    UnknownJackpot(JackpotId),
    /// No such round, or it is not over yet.
    #[error("there is no finished round {0}")]
    UnknownRound(RoundId),
    /// No such rulebook.
    #[error("there is no rulebook `{0}`")]
    UnknownRulebook(String),
    /// The text of a table's rulebook is nowhere to be found.
    #[error(
        "the rulebook `{id}` with the hash {hash} is neither in the journal nor in this program: use the program that the table was set up with"
    )]
    RulebookGone {
        /// The rulebook's id.
        id: String,
        /// The hash of its text.
        hash: String,
    },
    /// A rulebook with faults.
    #[error("{0}")]
    Rulebook(baize_rules::Faults),
    /// The name is taken.
    #[error("the name {0} is taken")]
    NameTaken(String),
    /// Not a good name.
    #[error(transparent)]
    Name(#[from] NameFault),
    /// The command id stands for something else already.
    #[error("command id {0} was used for another command: choose a new one for each command")]
    CommandReused(CommandId),
    /// The purse does not hold so much.
    #[error("{player} has {has} and needs {needs}")]
    Purse {
        /// Whose purse.
        player: PlayerId,
        /// What is in it.
        has: Money,
        /// What was to be taken out.
        needs: Money,
    },
    /// A purse does not hold what somebody else wants to take out of it.
    #[error("{player} has only {has}")]
    PurseOf {
        /// Whose purse.
        player: PlayerId,
        /// What is in it.
        has: Money,
    },
    /// A purse with chips that were given for play.
    #[error(
        "{0} plays with chips that were given for practice: the cage neither sells nor pays for them; register a player at the cage"
    )]
    Practice(PlayerId),
    /// A player who owes must pay before he is paid.
    #[error("{player} owes {amount}: collect it first")]
    Owes {
        /// Who.
        player: PlayerId,
        /// How much.
        amount: Money,
    },
    /// Somebody else acted first: the table is not as the sender saw it.
    #[error("the table has gone on: it was at version {seen} and is at {now}; nothing was done")]
    Stale {
        /// The version that the sender saw.
        seen: u64,
        /// The present one.
        now: u64,
    },
    /// An amount that is nothing, negative or beyond the house's limit.
    #[error("{0} cannot be handled: an amount above nothing, at most 10,000,000.00")]
    Amount(Money),
    /// A set-up that does not fit.
    #[error("{0}")]
    SetUp(String),
    /// What the jackpot answered.
    #[error("jackpot {jackpot}: {why}")]
    Jackpot {
        /// Which.
        jackpot: JackpotId,
        /// Why.
        why: String,
    },
    /// The jackpot cannot be used: no jackpot wagers are taken until it is back.
    #[error("the jackpot {jackpot} cannot be reached: no jackpot wagers are taken ({why})")]
    JackpotAway {
        /// Which.
        jackpot: JackpotId,
        /// Why.
        why: String,
    },
    /// What the console answered.
    #[error("{0}")]
    Console(String),
    /// A report that cannot be made.
    #[error(transparent)]
    Report(#[from] crate::ReportFault),
    /// The database cannot be reached or written now. Nothing was done; work goes on when it is back.
    #[error("the database is not available: {0}; nothing was changed, try again")]
    Unavailable(String),
    /// The database belongs to a newer program.
    #[error("the database has version {found}, this program knows up to {known}: use a newer baize")]
    Newer {
        /// The version of the database.
        found: u32,
        /// The newest that this program knows.
        known: u32,
    },
    /// The file is in use by another process.
    #[error("the database {0} is in use by another baize: stop it first, or use PostgreSQL for several")]
    InUse(String),
    /// The record is damaged. The table or jackpot it belongs to is halted.
    #[error("the record is damaged: {0}; run `baize audit`")]
    Corrupt(String),
    /// The file is no database, or another program's.
    #[error("this is not the database of a casino: {0}")]
    NotACasino(String),
    /// An option in an address of a database that cannot be.
    #[error("{0}")]
    DatabaseOption(String),
    /// An address of a database that cannot be read.
    #[error("`{0}` is not a database: give a file, sqlite:FILE or postgres://…")]
    DatabaseAddress(String),
}

fn cited(cites: &Cites) -> String {
    if cites.is_empty() { String::new() } else { format!(" ({cites})") }
}

impl From<Refusal> for HouseError {
    fn from(refusal: Refusal) -> HouseError {
        // No round that the rules let be settled comes to this: the table is halted before anything is paid.
        if let Why::Settlement(fault) = refusal.why {
            return HouseError::Corrupt(fault.to_string());
        }
        HouseError::Refused(refusal)
    }
}

impl HouseError {
    /// A short name for programs: `refused`, `conflict`, `forbidden`, `unknown`…
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            HouseError::Refused(_) => "refused",
            HouseError::NotNow(_) => "not-now",
            HouseError::Conflict { .. } => "conflict",
            HouseError::Forbidden { .. }
            | HouseError::NotYourBox { .. }
            | HouseError::Apart(_)
            | HouseError::NotTwoPersons(_)
            | HouseError::NotAssigned(_) => "forbidden",
            HouseError::OtherMoney { .. } => "other-money",
            HouseError::NotLoggedIn => "not-logged-in",
            HouseError::WrongPassword => "wrong-password",
            HouseError::Locked { .. } => "locked",
            HouseError::Suspended => "suspended",
            HouseError::LinkSpent => "link-spent",
            HouseError::UnknownTable(_)
            | HouseError::UnknownPlayer(_)
            | HouseError::UnknownStaff(_)
            | HouseError::UnknownJackpot(_)
            | HouseError::UnknownRound(_)
            | HouseError::UnknownRulebook(_) => "unknown",
            HouseError::RulebookGone { .. } | HouseError::Rulebook(_) => "rulebook",
            HouseError::NameTaken(_) => "name-taken",
            HouseError::Name(_) => "name",
            HouseError::CommandReused(_) => "command-reused",
            HouseError::Purse { .. } | HouseError::PurseOf { .. } => "purse",
            HouseError::Practice(_) => "practice",
            HouseError::Owes { .. } => "owes",
            HouseError::Stale { .. } => "stale",
            HouseError::Amount(_) => "amount",
            HouseError::SetUp(_) => "set-up",
            HouseError::Jackpot { .. } => "jackpot",
            HouseError::JackpotAway { .. } => "jackpot-away",
            HouseError::Console(_) => "console",
            HouseError::Report(_) => "report",
            HouseError::Unavailable(_) => "unavailable",
            HouseError::Newer { .. } => "newer",
            HouseError::InUse(_) => "in-use",
            HouseError::Corrupt(_) | HouseError::NotACasino(_) => "corrupt",
            HouseError::DatabaseAddress(_) | HouseError::DatabaseOption(_) => "database-address",
        }
    }
}
