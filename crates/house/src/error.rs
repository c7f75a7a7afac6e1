//! Errors of the house. An error means that nothing changed, except `NotKnown`.

use baize_rules::{BoxNumber, Cites, Money};
use baize_table::{Refusal, Why};
use thiserror::Error;

use crate::journal::{SCHEMA, StoreError};
use crate::{CommandId, Duty, JackpotId, MoneyKind, NameFault, PlayerId, RoundId, StaffId, TableId};

/// Why the house did not carry out a request. A refusal (the rules), a conflict (another writer was first) and corruption (the record is
/// damaged) are different variants.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum HouseError {
    /// The rules do not allow it.
    #[error("{0}")]
    Refused(Refusal),
    /// The house does not allow it, for a reason outside the rule texts.
    #[error("{0}")]
    NotNow(&'static str),
    /// Version conflicts on every attempt.
    #[error("others changed {stream} at the same time, {tries} times in a row; try again")]
    Conflict {
        /// The chain with the conflicts.
        stream: String,
        /// Number of attempts.
        tries: u32,
    },
    /// The actor's position is too low, or they do not have the duty.
    #[error("this needs the {}{}", needs.name(), cited(cites))]
    Forbidden {
        /// The lowest position, or the duty, that is allowed.
        needs: Duty,
        /// The paragraphs that require it, if any.
        cites: Cites,
    },
    /// The box belongs to another player.
    #[error("box {seat} is not yours")]
    NotYourBox {
        /// The box.
        seat: BoxNumber,
    },
    /// Rounds of other players.
    #[error("a round's names and amounts are shown only to its players")]
    NotYourRound,
    /// The amount is not a multiple of the table's smallest chip.
    #[error("{amount} is not a multiple of this table's smallest chip, {chip}")]
    Chip {
        /// The wager.
        amount: Money,
        /// The smallest chip.
        chip: Money,
    },
    /// A limit or break that the player has set for themself.
    #[error("{0}")]
    OwnLimit(String),
    /// The request is not logged in.
    #[error("log in first")]
    NotLoggedIn,
    /// Wrong name or password; the message does not say which.
    #[error("name or password is wrong")]
    WrongPassword,
    /// Too many failed log-ins under this name or from this address; no password is tested until the delay ends.
    #[error(
        "too many wrong passwords: try again in {wait_seconds} s, log in with a link, or ask a shift manager to unlock the name"
    )]
    Locked {
        /// Seconds until the delay ends.
        wait_seconds: u32,
    },
    /// The account is suspended.
    #[error("the account is suspended: a shift manager can reinstate it")]
    Suspended,
    /// Two duties that must be held by different people.
    #[error("{0}")]
    Apart(&'static str),
    /// Two persons are required, and these two count as one; the text says why.
    #[error("{0}")]
    NotTwoPersons(String),
    /// The dealer is not assigned to this table.
    #[error("you are not assigned to table {0}: ask the pit")]
    NotAssigned(TableId),
    /// Practice and cash cannot be mixed.
    #[error("{what} is for {of}, and {who} for {other}", of = of.code(), other = other.code())]
    OtherMoney {
        /// The table or jackpot.
        what: String,
        /// Its kind of money.
        of: MoneyKind,
        /// The player, table or jackpot of the other kind.
        who: String,
        /// That one's kind of money.
        other: MoneyKind,
    },
    /// The one-time link was used, has expired or never existed.
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
    /// No such round, or it has not ended yet.
    #[error("there is no finished round {0}")]
    UnknownRound(RoundId),
    /// No such rulebook.
    #[error("there is no rulebook `{0}`")]
    UnknownRulebook(String),
    /// Neither the journal nor the program has the text of a table's rulebook.
    #[error(
        "the rulebook `{id}` with the hash {hash} is neither in the journal nor in this program: use the program that the table was set up with"
    )]
    RulebookGone {
        /// The id of the rulebook.
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
    /// The name is not valid.
    #[error(transparent)]
    Name(#[from] NameFault),
    /// The command id was used for another command before.
    #[error("command id {0} was already used for another command: use a new id for each command")]
    CommandReused(CommandId),
    /// The actor's own purse is too short.
    #[error("{player} has {has} and needs {needs}")]
    Purse {
        /// Whose purse.
        player: PlayerId,
        /// Its balance.
        has: Money,
        /// The amount needed.
        needs: Money,
    },
    /// Another player's purse is too short; the message does not say what for.
    #[error("{player} has only {has}")]
    PurseOf {
        /// Whose purse.
        player: PlayerId,
        /// Its balance.
        has: Money,
    },
    /// The purse holds play chips, which the cage does not handle.
    #[error("{0} has play chips, which the cage does not sell or redeem: register a cash player at the cage")]
    Practice(PlayerId),
    /// The player owes the house money, which must be collected before a cash-out.
    #[error("{player} owes {amount}: collect it first")]
    Owes {
        /// Who.
        player: PlayerId,
        /// How much.
        amount: Money,
    },
    /// The table has changed since the version that the sender saw.
    #[error("the table has changed from version {seen} to {now}; nothing was done")]
    Stale {
        /// The version that the sender saw.
        seen: u64,
        /// The current version.
        now: u64,
    },
    /// An amount that is zero, negative or above the maximum.
    #[error("{0} is not valid: the amount must be above 0 and at most 10,000,000.00")]
    Amount(Money),
    /// The configuration is not valid.
    #[error("{0}")]
    SetUp(String),
    /// The jackpot refused.
    #[error("jackpot {jackpot}: {why}")]
    Jackpot {
        /// Which.
        jackpot: JackpotId,
        /// Why.
        why: String,
    },
    /// The jackpot is not available; no jackpot wagers are taken until it is.
    #[error("jackpot {jackpot} is not available: no jackpot wagers are taken ({why})")]
    JackpotAway {
        /// Which.
        jackpot: JackpotId,
        /// Why.
        why: String,
    },
    /// The console refused.
    #[error("{0}")]
    Console(String),
    /// The answer of the database was lost, and the outcome could not be looked up.
    #[error("it is not known whether this was done ({why}): send it again{}", asked_by(id))]
    NotKnown {
        /// The id of the request. Sent again under this id, it acts once.
        id: Option<CommandId>,
        /// What happened.
        why: String,
    },
    /// Only cards that the sender may not see could decide it. The attempt is on record.
    #[error("this cannot be decided from the cards that you can see; your request is on record")]
    Hidden,
    /// The database lacks entries that this host has read or written: an older one was restored or promoted.
    #[error(
        "the database is older than this host's state: {0}; all tables are stopped until a shift manager decides"
    )]
    Behind(String),
    /// The house's key is missing, or is not the key of this database.
    #[error("{0}")]
    Key(String),
    /// The database cannot be reached or written. Nothing was done.
    #[error("the database is not available: {0}")]
    Unavailable(String),
    /// The database belongs to a newer program.
    #[error(
        "the database has version {found}, and this program supports up to {known}: use the newer baize that wrote it, or restore a backup from before the upgrade"
    )]
    Newer {
        /// The version of the database.
        found: u32,
        /// The newest version that this program supports.
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
    #[error("the database {0} is in use by another baize: stop it first, or use PostgreSQL to run several")]
    InUse(String),
    /// The journal is damaged. The table or jackpot that it belongs to is halted.
    #[error("the record is damaged: {0}; run `baize audit`")]
    Corrupt(String),
    /// Not a database, or another program's.
    #[error("not the database of a casino: {0}")]
    NotACasino(String),
    /// An invalid option in a database address.
    #[error("{0}")]
    DatabaseOption(String),
    /// An invalid database address.
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
        // The rules never settle such a round: halt the table before anything is paid.
        if let Why::Settlement(fault) = refusal.why {
            return HouseError::Corrupt(fault.to_string());
        }
        HouseError::Refused(refusal)
    }
}

impl HouseError {
    /// The error code: `refused`, `conflict`, `forbidden`, `unknown`…
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
