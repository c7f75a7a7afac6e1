//! What the house answers when it cannot do what was asked. Nothing has changed then, except where that is not known.

use baize_rules::{BoxNumber, Cites, Money};
use baize_table::{Refusal, Why};
use thiserror::Error;

use crate::journal::{SCHEMA, StoreError};
use crate::{CommandId, Duty, JackpotId, MoneyKind, NameFault, PlayerId, RoundId, StaffId, TableId};

/// Why the house did not do what was asked. A refusal (the rules), a conflict (another writer was first) and corruption (the record
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
    /// They have not the position for it.
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
        seat: BoxNumber,
    },
    /// A round, or rounds, of others.
    #[error("a round is its players': names and amounts are for those who played in it")]
    NotYourRound,
    /// An amount that no chips of the table make.
    #[error("{amount} cannot be made with the chips of this table: the smallest is {chip}")]
    Chip {
        /// What was wagered.
        amount: Money,
        /// The smallest chip.
        chip: Money,
    },
    /// A limit that the player set for themself.
    #[error("{0}")]
    OwnLimit(String),
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
        /// The person, table or jackpot that does not fit.
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
    /// A purse does not hold what another person wants to take out of it.
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
    /// A player who owes must pay before they are paid.
    #[error("{player} owes {amount}: collect it first")]
    Owes {
        /// Who.
        player: PlayerId,
        /// How much.
        amount: Money,
    },
    /// Another person acted first: the table is not as the sender saw it.
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
    /// The answer of the database was lost, and what became of the request could not be looked up.
    #[error("it is not known whether this was done ({why}): ask again{}", asked_by(id))]
    NotKnown {
        /// The id of the request: sent again under it, it acts once.
        id: Option<CommandId>,
        /// What happened.
        why: String,
    },
    /// Only cards that the sender may not see could decide it. It is on record.
    #[error("this cannot be judged by what lies open to you; it is on record that it was asked")]
    Hidden,
    /// The database has less than this host knows: another one was restored or promoted.
    #[error(
        "the database is behind what was answered: {0}; the tables are stopped until a shift manager decides"
    )]
    Behind(String),
    /// The key of the house is missing or not the one of this database.
    #[error("{0}")]
    Key(String),
    /// The database cannot be reached or written now. This request has done nothing; work goes on when it is back.
    #[error("the database is not available: {0}")]
    Unavailable(String),
    /// The database belongs to a newer program.
    #[error(
        "the database has version {found}, this program knows up to {known}: use the newer baize that wrote it; to go back, restore a backup from before the upgrade"
    )]
    Newer {
        /// The version of the database.
        found: u32,
        /// The newest that this program knows.
        known: u32,
    },
    /// The database belongs to an older program.
    #[error(
        "the database has version {found}: back it up, then `baize upgrade` or the next `baize serve` brings it to {known}"
    )]
    Older {
        /// The version of the database.
        found: u32,
        /// This program's.
        known: u32,
    },
    /// There is no database at this place.
    #[error("no database at {0}; check --database")]
    NoDatabase(String),
    /// The file is in use by another process.
    #[error("the database {0} is in use by another baize: stop it first, or use PostgreSQL for several")]
    InUse(String),
    /// The record is damaged. The table or jackpot it belongs to is halted.
    #[error("the record is damaged: {0}; run `baize audit`")]
    Corrupt(String),
    /// The file is no database, or another program's.
    #[error("not the database of a casino: {0}")]
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

fn asked_by(id: &Option<CommandId>) -> String {
    id.as_ref().map(|id| format!(" with the id {id}")).unwrap_or_default()
}

impl From<StoreError> for HouseError {
    fn from(error: StoreError) -> HouseError {
        match error {
            StoreError::Conflict(stream) => HouseError::Conflict { stream: stream.to_string(), tries: 1 },
            StoreError::CommandKnown => HouseError::NotNow("the command id is known"),
            StoreError::Short(account) => HouseError::Unavailable(format!("{account} does not hold so much")),
            StoreError::Away(why) => HouseError::Unavailable(why),
            StoreError::Unknown(why) => HouseError::NotKnown { id: None, why },
            StoreError::Corrupt(why) => HouseError::Corrupt(why),
            StoreError::NotOurs(why) => HouseError::NotACasino(why),
            StoreError::Missing(path) => HouseError::NoDatabase(path),
            StoreError::Older(found) => HouseError::Older { found, known: SCHEMA },
            StoreError::Newer(found) => HouseError::Newer { found, known: SCHEMA },
            StoreError::InUse(file) => HouseError::InUse(file),
            StoreError::Address(address) => HouseError::DatabaseAddress(address),
            StoreError::Option(why) => HouseError::DatabaseOption(why),
            StoreError::NotEmpty(why) => HouseError::SetUp(why),
            StoreError::Key(why) => HouseError::Key(why),
        }
    }
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
            | HouseError::NotYourRound
            | HouseError::Apart(_)
            | HouseError::NotTwoPersons(_)
            | HouseError::NotAssigned(_) => "forbidden",
            HouseError::OtherMoney { .. } => "other-money",
            HouseError::Chip { .. } => "chip",
            HouseError::OwnLimit(_) => "own-limit",
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
            HouseError::Unavailable(_) => "unavailable",
            HouseError::NotKnown { .. } => "not-known",
            HouseError::Hidden => "hidden",
            HouseError::Behind(_) => "behind",
            HouseError::Key(_) => "key",
            HouseError::NoDatabase(_) => "no-database",
            HouseError::Older { .. } => "older",
            HouseError::Newer { .. } => "newer",
            HouseError::InUse(_) => "in-use",
            HouseError::Corrupt(_) | HouseError::NotACasino(_) => "corrupt",
            HouseError::DatabaseAddress(_) | HouseError::DatabaseOption(_) => "database-address",
        }
    }
}
