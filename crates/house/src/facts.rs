//! What happens in the house, in the past tense: the contents of the journal.

use std::collections::{BTreeMap, BTreeSet};

use baize_cards::Card;
pub(crate) use baize_floor::JackpotStep;
use baize_rules::Money;
use baize_table::{Command, Event, Limits, Player};

use crate::{
    Actor, Duty, FromEarlier, Instant, JackpotConfig, JackpotId, MoneyKind, Pace, PlayerId, Shoe, StaffId,
    TableConfig, TableId,
};

/// Something that happened at a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TableFact {
    /// The table was set up so, under the rulebook of this hash, with what stands from earlier rounds.
    SetUp { config: Box<TableConfig>, hash: String, earlier: Option<FromEarlier> },
    /// A player took a box.
    Sat { player: PlayerId, seat: u8 },
    /// A player left.
    Left { player: PlayerId },
    /// A player has placed what he wants.
    ReadySaid { player: PlayerId },
    /// The deck for a coming round was shuffled and its hash is told.
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
    PaceSet { pace: Pace, before: Option<Pace> },
    /// Another shoe, and the one before.
    ShoeSet { shoe: Shoe, before: Option<Shoe> },
    /// Other limits, from the next round on, and those before.
    LimitsSet { ante: Limits, bonus: Limits, ante_before: Limits, bonus_before: Limits },
    /// The house brought chips.
    FloatFilled { amount: Money },
    /// The jackpot paid its part of an award to the table, which hands it to the player.
    AwardDrawn { jackpot: JackpotId, hit: u64, seat: u8, amount: Money, from_meter: Money },
    /// An award that had been drawn went back to the jackpot, because its hand or its round was undone or another of the round was.
    AwardReturned { jackpot: JackpotId, hit: u64, seat: u8, amount: Money, from_meter: Money },
    /// The round's wagers added so much to the jackpot; negative: so much was taken out again. The jackpot's own entry moves the money.
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
    /// A player asked staff to place a wager, in these words. The wager follows.
    BetRequested { player: PlayerId, amount: Money, request: String },
    /// The house stopped while a round was under way.
    Interrupted { phase: String },
    /// Something that the rules know.
    Round(Event),
}

impl TableFact {
    /// The event of the round, where it is one.
    pub(crate) const fn round(&self) -> Option<&Event> {
        if let TableFact::Round(event) = self { Some(event) } else { None }
    }

    /// The number of the round that it opened.
    pub(crate) fn opened(&self) -> Option<u32> {
        if let Some(Event::RoundOpened { number, .. }) = self.round() { Some(*number) } else { None }
    }

    /// The set-up and the hash of its rulebook, where it is one.
    pub(crate) fn set_up(&self) -> Option<(&TableConfig, &str)> {
        if let TableFact::SetUp { config, hash, .. } = self { Some((config, hash)) } else { None }
    }
}

/// One thing that somebody did at a table, and what came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) by: Actor,
    /// The command of the rules, where it was one.
    pub(crate) command: Option<Command>,
    pub(crate) facts: Vec<TableFact>,
}

/// Something that happened in the house.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum HouseFact {
    /// A process opened the house: the version of its program and the hash of its file.
    Started {
        version: Option<String>,
        hash: Option<String>,
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
        by: Option<String>,
    },
    PlayerCreated {
        id: PlayerId,
        password: Option<String>,
        /// What the player plays with. Older programs did not say: the player's own chain does.
        money: Option<MoneyKind>,
    },
    /// A name that nobody has is not kept as it was typed: it may be somebody's password.
    LogInFailed {
        name: String,
        address: Option<String>,
    },
    LoggedIn {
        name: String,
        address: Option<String>,
    },
    /// No password is tried under this name until then.
    Locked {
        name: String,
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
    /// Somebody came in by the link that `by` had made.
    LinkRedeemed {
        whom: String,
        by: Option<String>,
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
    /// Somebody who can read the database's key gave a command at the console: the name that the system knows them by, and the command.
    ConsoleUsed {
        user: Option<String>,
        command: String,
    },
    /// Sealed with this key from now on; `before`: the key until now.
    KeyTaken {
        key: String,
        before: Option<String>,
    },
    /// Somebody asked for something that only cards which they may not see could decide: the so-manieth time since then.
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
    /// The database had less than this host knew, and a Shift Manager goes on from it: what is gone, by chain, with the versions that
    /// were known and found.
    DatabaseAccepted {
        reason: String,
        gone: BTreeMap<String, (u64, u64)>,
    },
    /// The heads of all other chains.
    Sealed {
        heads: BTreeMap<String, (u64, String)>,
    },
}

/// Something that happened to a purse at the cage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PurseFact {
    /// For practice: the cage has nothing to do with this purse.
    PlayChipsGiven {
        amount: Money,
    },
    /// With what the cage was told that is in the purse then.
    BoughtIn {
        amount: Money,
        told: Option<Money>,
    },
    CashedOut {
        amount: Money,
        told: Option<Money>,
    },
    /// What was put right in this round takes more back than the purse held: so much is owed.
    ClaimBooked {
        round: String,
        taken: Money,
        held: Money,
        amount: Money,
    },
    /// The player has paid what he owed, or part of it, out of his purse.
    ClaimCollected {
        amount: Money,
        told: Option<Money>,
    },
}

/// The contents of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Body {
    /// Steps at a table; the number of its round before them; the digest of the order that they answer, if somebody sent one. `blind`:
    /// a random text, so that nobody finds the cards by trying which of them give the entry's hash.
    Table {
        round: u32,
        order: Option<String>,
        blind: Option<String>,
        steps: Vec<Step>,
    },
    Jackpot(Vec<JackpotStep>),
    House(Vec<HouseFact>),
    Purse(Vec<PurseFact>),
}
