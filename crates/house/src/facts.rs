//! Facts: what the journal stores, in the past tense. `stored.rs` serialises them with a version.

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

/// A fact in a table's chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "kebab-case", tag = "fact")]
#[strum(serialize_all = "kebab-case")]
#[expect(missing_docs, reason = "the names of facts and their fields say it")]
pub enum TableFact {
    /// The table was set up, under the rulebook with this hash; `earlier` is carried over from rounds played elsewhere.
    #[strum(serialize = "table-set-up")]
    SetUp {
        config: Box<TableConfig>,
        hash: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        earlier: Option<FromEarlier>,
    },
    /// A player took a box.
    Sat { player: PlayerId, seat: BoxNumber },
    /// A player gave up their box.
    Left { player: PlayerId },
    /// A player has finished betting.
    ReadySaid { player: PlayerId },
    /// The deck for the next round was shuffled and its hash published.
    ShufflePrepared { round: u32, commitment: String },
    /// The promise was withdrawn before any card was dealt; another deck follows.
    ShuffleWithdrawn { round: u32, commitment: String },
    /// The round is over: its deck and salt are revealed.
    ShuffleRevealed { round: u32, salt: String, deck: Vec<Card> },
    /// The table closes after this round.
    NoticeGiven { reason: String },
    /// The notice was withdrawn, or the closed table was reopened.
    Reopened,
    /// The pace was changed.
    PaceSet {
        pace: Pace,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Option<Pace>,
    },
    /// The shoe was changed.
    ShoeSet {
        shoe: Shoe,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Option<Shoe>,
    },
    /// The limits were changed; they apply from the next round.
    LimitsSet { ante: Limits, bonus: Limits, ante_before: Limits, bonus_before: Limits },
    /// The house added chips to the float.
    FloatFilled { amount: Money },
    /// The jackpot paid its part of an award to the float, which pays the player.
    AwardDrawn { jackpot: JackpotId, hit: u64, seat: BoxNumber, amount: Money, from_meter: Money },
    /// A drawn award was returned to the jackpot, because its hand or round was undone, or another award of the round was.
    AwardReturned { jackpot: JackpotId, hit: u64, seat: BoxNumber, amount: Money, from_meter: Money },
    /// The round's wagers added this amount to the jackpot, or removed it if negative. The jackpot's own entry moves the money.
    #[strum(serialize = "round-contributed")]
    Contributed { jackpot: JackpotId, amount: Money },
    /// A player's time to decide ran out. A player who was shown the table since the deal folds or checks; one who was never connected is
    /// absent (I-12).
    TimeRanOut { player: PlayerId, connected: bool },
    /// The pit assigned a dealer to the table.
    DealerAssigned { dealer: StaffId },
    /// The pit took a dealer off the table.
    DealerRelieved { dealer: StaffId },
    /// A bar from further play ruled at another table now holds here too, or was lifted (I-16).
    BarReached { player: Player, barred: bool },
    /// A ruling here affects other tables: bars, lifted bars, or a fault of the whole jackpot system. It is applied to them next.
    OthersToTell {
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        bars: Vec<(Player, bool)>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fault: Option<Report>,
        registered: Money,
    },
    /// The ruling has been applied to the other tables.
    OthersTold,
    /// A player asked staff to place a wager; `request` quotes them. The wager follows.
    BetRequested { player: PlayerId, amount: Money, request: String },
    /// The dealer took back the cards entered last.
    EntryTakenBack,
    /// The house reopened after a planned stop. A round in progress continues, and its clocks restart.
    Resumed,
    /// The house stopped unexpectedly during a round.
    Interrupted { phase: PhaseName },
    /// An event of the round.
    Round(Event),
}

impl TableFact {
    /// The event of the round, if this is one.
    pub const fn round(&self) -> Option<&Event> {
        if let TableFact::Round(event) = self { Some(event) } else { None }
    }

    /// The player and amount of a requested bet.
    pub fn requested(&self) -> Option<(PlayerId, Money)> {
        if let TableFact::BetRequested { player, amount, .. } = self {
            Some((player.clone(), *amount))
        } else {
            None
        }
    }

    /// The round whose deck this fact reveals.
    pub(crate) const fn revealed_round(&self) -> Option<u32> {
        if let TableFact::ShuffleRevealed { round, .. } = self { Some(*round) } else { None }
    }

    /// The number of the round that this fact opens.
    pub fn opened(&self) -> Option<u32> {
        if let Some(Event::RoundOpened { number, .. }) = self.round() { Some(*number) } else { None }
    }

    /// The configuration and the hash of the rulebook, if this is a set-up.
    pub fn set_up(&self) -> Option<(&TableConfig, &str)> {
        if let TableFact::SetUp { config, hash, .. } = self { Some((config, hash)) } else { None }
    }
}

/// One action at a table and the resulting facts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Who acted.
    pub by: Actor,
    /// The command of the rules, if it was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<Command>,
    /// The resulting facts.
    pub facts: Vec<TableFact>,
}

/// A fact in the house's own chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "kebab-case", tag = "fact")]
#[strum(serialize_all = "kebab-case")]
#[expect(missing_docs, reason = "the names of facts and their fields say it")]
pub enum HouseFact {
    /// A process opened the house: its version and the SHA-256 of its file.
    Started {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        version: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        hash: Option<String>,
        /// No other process had the database open. Absent in entries of older programs.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        alone: Option<bool>,
    },
    /// A process closed the house as planned.
    Stopped,
    /// The text of a rulebook used by a table. Each text is recorded once.
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
        /// Practice or cash. Absent in entries of older programs, where the player's own chain tells.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        money: Option<MoneyKind>,
    },
    /// An unknown name is stored as a digest: people sometimes type a password there.
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
    /// No password is tested under this name until that time.
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
    /// All sessions and links issued to this person so far are invalid.
    SessionsEnded {
        name: String,
    },
    /// A player set limits of their own: `limits` apply at once, `later` from that time.
    OwnLimitsSet {
        player: PlayerId,
        limits: OwnLimits,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        later: Option<(Instant, OwnLimits)>,
    },
    /// A player takes a break: no wager of theirs is accepted until that time.
    BreakTaken {
        player: PlayerId,
        until: Instant,
    },
    /// A console command, with the operating system's name of the user. The console needs the database's key.
    ConsoleUsed {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        user: Option<String>,
        command: String,
    },
    /// The house's key was set or changed; `before` is the previous one.
    KeyTaken {
        key: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Option<String>,
        /// Tables with a round in progress when the previous key was lost, with the chips returned to their players.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        given_up: BTreeMap<TableId, Money>,
    },
    /// An actor asked for something that only cards hidden from them could decide; `count` attempts since `since`.
    AttemptNoted {
        table: TableId,
        round: u32,
        by: String,
        what: String,
        since: Instant,
        count: u32,
    },
    /// The clock of a host jumped: the expected time and the actual one.
    ClockJumped {
        expected: Instant,
        found: Instant,
    },
    /// The database was restored from a backup: when that was made, how many entries it has, and what is known to be missing.
    Restored {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        user: Option<String>,
        taken: Instant,
        entries: u64,
        missing: String,
    },
    /// The database lacked entries that a host knew, and a Shift Manager continued from it. `gone`: for each chain, the known version and
    /// the one found.
    DatabaseAccepted {
        reason: String,
        gone: BTreeMap<String, (u64, u64)>,
    },
    /// The display name of a person, in addition to the log-in name.
    NameGiven {
        login: String,
        name: String,
    },
    /// A cashier checked this identity document of a player.
    PlayerIdentified {
        player: PlayerId,
        document: String,
    },
    /// A player's cash reached the reporting threshold on this gaming day.
    CashReportDue {
        player: PlayerId,
        day: Date,
    },
    /// The report was filed under this reference, with these totals.
    CashReportFiled {
        player: PlayerId,
        day: Date,
        reference: String,
        cash_in: Money,
        cash_out: Money,
    },
    /// A cashier counted the drawer: opening amount, cash moved since the last count, amount counted, amount kept in it. `through`: the
    /// number of the last entry included.
    DrawerCounted {
        cashier: StaffId,
        opening: Money,
        cash_in: Money,
        cash_out: Money,
        counted: Money,
        kept: Money,
        through: u64,
    },
    /// Seals the heads of all other chains: version and hash.
    Sealed {
        heads: BTreeMap<String, (u64, String)>,
    },
}

/// A fact in a player's chain: a movement of their purse outside tables.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "kebab-case", tag = "fact")]
#[strum(serialize_all = "kebab-case")]
#[expect(missing_docs, reason = "the names of facts and their fields say it")]
pub enum PurseFact {
    /// Play chips were given. The cage does not handle such a purse.
    PlayChipsGiven { amount: Money },
    /// Cash for chips. `told`: the balance reported to the cashier; `day`: the gaming day that the cash counts for.
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
    /// The correction of this round takes back more than the purse held; the difference is owed.
    ClaimBooked { round: String, taken: Money, held: Money, amount: Money },
    /// The player paid all or part of what they owed, from their purse.
    ClaimCollected {
        amount: Money,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        told: Option<Money>,
    },
    /// Chips returned from a round that can no longer be read because the key was lost.
    ChipsReturned { table: TableId, round: u32, amount: Money },
}

/// The body of an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names of facts and their fields say it")]
pub enum Body {
    /// Steps at a table. `round`: the round number before them; `order`: the digest of the order that they answer; `blind`: random text, so
    /// that the cards cannot be found by trying which give the entry's hash.
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
