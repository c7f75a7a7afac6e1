//! Facts: what the journal stores, in the past tense. `stored.rs` writes these types with a version.

use std::collections::{BTreeMap, BTreeSet};

use baize_cards::Card;
pub use baize_floor::JackpotStep;
use baize_rules::{BoxNumber, Money};
use baize_table::{Command, Event, Limits, PhaseName, Player, Report};
use serde::{Deserialize, Serialize};

use crate::{
    Actor, Date, Duty, FromEarlier, Instant, JackpotConfig, JackpotId, MoneyKind, OwnLimits, Pace, PlayerId,
    Shoe, StaffId, TableConfig, TableId,
};

/// Something that happened at a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "kebab-case", tag = "fact")]
#[strum(serialize_all = "kebab-case")]
#[expect(missing_docs, reason = "the names of facts and their fields say it")]
pub enum TableFact {
    /// The table was set up so, under the rulebook of this hash, with what stands from earlier rounds.
    #[strum(serialize = "table-set-up")]
    SetUp {
        config: Box<TableConfig>,
        hash: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        earlier: Option<FromEarlier>,
    },
    /// A player took a box.
    Sat { player: PlayerId, seat: BoxNumber },
    /// A player left.
    Left { player: PlayerId },
    /// A player has placed what they want.
    ReadySaid { player: PlayerId },
    /// The deck for a coming round was shuffled and its hash published.
    ShufflePrepared { round: u32, commitment: String },
    /// A promise that no card was dealt from is taken back: another deck follows.
    ShuffleWithdrawn { round: u32, commitment: String },
    /// The round is over: what was promised.
    ShuffleRevealed { round: u32, salt: String, deck: Vec<Card> },
    /// The table closes after this round.
    NoticeGiven { reason: String },
    /// The notice was taken back, or the closed table opened again.
    Reopened,
    /// Another pace, and the one before.
    PaceSet {
        pace: Pace,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Option<Pace>,
    },
    /// Another shoe, and the one before.
    ShoeSet {
        shoe: Shoe,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Option<Shoe>,
    },
    /// Other limits, from the next round on, and those before.
    LimitsSet { ante: Limits, bonus: Limits, ante_before: Limits, bonus_before: Limits },
    /// The house brought chips.
    FloatFilled { amount: Money },
    /// The jackpot paid its part of an award to the table, which hands it to the player.
    AwardDrawn { jackpot: JackpotId, hit: u64, seat: BoxNumber, amount: Money, from_meter: Money },
    /// An award that had been drawn went back to the jackpot, because its hand or its round was undone or another of the round was.
    AwardReturned { jackpot: JackpotId, hit: u64, seat: BoxNumber, amount: Money, from_meter: Money },
    /// The round's wagers added so much to the jackpot; negative: so much was taken out again. The jackpot's own entry moves the money.
    #[strum(serialize = "round-contributed")]
    Contributed { jackpot: JackpotId, amount: Money },
    /// A player let the time to decide run out: one to whom the table was shown since the deal folds or checks, and one who was not
    /// connected at all is absent (I-12).
    TimeRanOut { player: PlayerId, connected: bool },
    /// The pit assigned a dealer to the table.
    DealerAssigned { dealer: StaffId },
    /// The pit took a dealer off the table.
    DealerRelieved { dealer: StaffId },
    /// A bar from further play that was ruled at another table holds here too, or was lifted there (I-16).
    BarReached { player: Player, barred: bool },
    /// A ruling here affects other tables: bars and their ends, a fault of the whole jackpot system. It is applied to them next.
    OthersToTell {
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        bars: Vec<(Player, bool)>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fault: Option<Report>,
        registered: Money,
    },
    /// The other tables have been told.
    OthersTold,
    /// A player asked staff to place a wager, in these words. The wager follows.
    BetRequested { player: PlayerId, amount: Money, request: String },
    /// The cards that a dealer entered last were entered by mistake: they are not out.
    EntryTakenBack,
    /// The house stopped by plan and is open again: a round under way goes on, and its clocks run from now.
    Resumed,
    /// The house stopped while a round was under way.
    Interrupted { phase: PhaseName },
    /// Something that the rules know.
    Round(Event),
}

impl TableFact {
    /// The event of the round, where it is one.
    pub const fn round(&self) -> Option<&Event> {
        if let TableFact::Round(event) = self { Some(event) } else { None }
    }

    /// What a player asked staff to place.
    pub fn requested(&self) -> Option<(PlayerId, Money)> {
        if let TableFact::BetRequested { player, amount, .. } = self {
            Some((player.clone(), *amount))
        } else {
            None
        }
    }

    /// The round whose deck it tells.
    pub(crate) const fn told(&self) -> Option<u32> {
        if let TableFact::ShuffleRevealed { round, .. } = self { Some(*round) } else { None }
    }

    /// The number of the round that it opened.
    pub fn opened(&self) -> Option<u32> {
        if let Some(Event::RoundOpened { number, .. }) = self.round() { Some(*number) } else { None }
    }

    /// The set-up and the hash of its rulebook, where it is one.
    pub fn set_up(&self) -> Option<(&TableConfig, &str)> {
        if let TableFact::SetUp { config, hash, .. } = self { Some((config, hash)) } else { None }
    }
}

/// One action at a table and its facts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Who.
    pub by: Actor,
    /// The command of the rules, where it was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<Command>,
    /// What came of it.
    pub facts: Vec<TableFact>,
}

/// Something that happened in the house.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "kebab-case", tag = "fact")]
#[strum(serialize_all = "kebab-case")]
#[expect(missing_docs, reason = "the names of facts and their fields say it")]
pub enum HouseFact {
    /// A process opened the house: the version of its program and the hash of its file.
    Started {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        version: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        hash: Option<String>,
        /// No other process was there. Older programs did not say.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        alone: Option<bool>,
    },
    /// A process closed it in good order.
    Stopped,
    /// The text of a rulebook that tables are set up with, once for each text.
    RulebookRecorded {
        hash: String,
        text: String,
    },
    TableCreated {
        table: TableId,
    },
    JackpotCreated {
        config: JackpotConfig,
    },
    StaffCreated {
        id: StaffId,
        duties: BTreeSet<Duty>,
        password: Option<String>,
        /// Who chose the password.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<String>,
    },
    PlayerCreated {
        id: PlayerId,
        password: Option<String>,
        /// What the player plays with. Older programs did not say: the player's own chain does.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        money: Option<MoneyKind>,
    },
    /// An unknown name is not kept as it was typed: it may be a password.
    LogInFailed {
        name: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        address: Option<String>,
    },
    LoggedIn {
        name: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        address: Option<String>,
    },
    /// No password is tried under this name until then.
    Locked {
        name: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        until: Option<Instant>,
    },
    Unlocked {
        name: String,
    },
    /// A one-time link for `staff:dora`, made by `staff:sue`.
    LinkIssued {
        whom: String,
        by: String,
    },
    /// A person logged in with the link that `by` had made.
    LinkRedeemed {
        whom: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        address: Option<String>,
    },
    PasswordChanged {
        name: String,
        password: Option<String>,
    },
    DutiesChanged {
        id: StaffId,
        before: BTreeSet<Duty>,
        after: BTreeSet<Duty>,
    },
    Suspended {
        id: StaffId,
        reason: String,
    },
    Reinstated {
        id: StaffId,
    },
    /// All sessions and links of this person that were given before are worth nothing.
    SessionsEnded {
        name: String,
    },
    /// A player limits themself: what holds at once, and what holds from a moment on.
    OwnLimitsSet {
        player: PlayerId,
        limits: OwnLimits,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        later: Option<(Instant, OwnLimits)>,
    },
    /// A player takes a break: no wager of theirs is taken until then.
    BreakTaken {
        player: PlayerId,
        until: Instant,
    },
    /// A command at the console, and the system's name of the user who gave it. The console needs the database's key.
    ConsoleUsed {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        user: Option<String>,
        command: String,
    },
    /// Sealed with this key from now on; `before`: the key until now.
    KeyTaken {
        key: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Option<String>,
        /// Tables whose round was under way when the key before was lost, with the chips that went back to their players.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        given_up: BTreeMap<TableId, Money>,
    },
    /// An actor asked for something that only cards which they may not see could decide: how often since then.
    AttemptNoted {
        table: TableId,
        round: u32,
        by: String,
        what: String,
        since: Instant,
        count: u32,
    },
    /// The clock of a host jumped: what it should have shown, and what it shows.
    ClockJumped {
        expected: Instant,
        found: Instant,
    },
    /// The database is a backup that was restored: when it was made, how many entries it has, and what is known to be missing.
    Restored {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        user: Option<String>,
        taken: Instant,
        entries: u64,
        missing: String,
    },
    /// The database had less than this host knew, and a Shift Manager goes on from it: what is gone, by chain, with the versions that
    /// were known and found.
    DatabaseAccepted {
        reason: String,
        gone: BTreeMap<String, (u64, u64)>,
    },
    /// A display name, beside the name that the person logs in with.
    NameGiven {
        login: String,
        name: String,
    },
    /// A cashier has seen this document of a player.
    PlayerIdentified {
        player: PlayerId,
        document: String,
    },
    /// The cash of a player has reached the amount on this gaming day from which it is reported.
    CashReportDue {
        player: PlayerId,
        day: Date,
    },
    /// The report was filed under this reference, with so much cash.
    CashReportFiled {
        player: PlayerId,
        day: Date,
        reference: String,
        cash_in: Money,
        cash_out: Money,
    },
    /// A cashier counted the drawer: what it began with, what moved since the last count, what was found, and what stays in it. The
    /// movements are those up to this number of the journal.
    DrawerCounted {
        cashier: StaffId,
        opening: Money,
        cash_in: Money,
        cash_out: Money,
        counted: Money,
        kept: Money,
        through: u64,
    },
    /// The heads of all other chains.
    Sealed {
        heads: BTreeMap<String, (u64, String)>,
    },
}

/// Something that happened to a purse at the cage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "kebab-case", tag = "fact")]
#[strum(serialize_all = "kebab-case")]
#[expect(missing_docs, reason = "the names of facts and their fields say it")]
pub enum PurseFact {
    /// For practice: the cage has nothing to do with this purse.
    PlayChipsGiven { amount: Money },
    /// With what the cage was told that is in the purse then, and the gaming day that the cash counts for.
    BoughtIn {
        amount: Money,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        told: Option<Money>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        day: Option<Date>,
    },
    CashedOut {
        amount: Money,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        told: Option<Money>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        day: Option<Date>,
    },
    /// What was put right in this round takes more back than the purse held: so much is owed.
    ClaimBooked { round: String, taken: Money, held: Money, amount: Money },
    /// The player has paid what they owed, or part of it, out of their purse.
    ClaimCollected {
        amount: Money,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        told: Option<Money>,
    },
    /// What the player had on the table in a round that nobody can read any more: the key of the house was lost.
    ChipsReturned { table: TableId, round: u32, amount: Money },
}

/// The contents of an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names of facts and their fields say it")]
pub enum Body {
    /// Steps at a table; the number of its round before them; the digest of the order that they answer, if there is one. `blind`:
    /// a random text, so that nobody finds the cards by trying which of them give the entry's hash.
    Table {
        round: u32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        order: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        blind: Option<String>,
        steps: Vec<Step>,
    },
    Jackpot(Vec<JackpotStep>),
    House(Vec<HouseFact>),
    Purse(Vec<PurseFact>),
}
