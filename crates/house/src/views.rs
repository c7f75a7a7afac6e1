//! Views of tables, rounds, jackpots and journal lines. Pages and API answers are built from these.

use std::collections::{BTreeMap, BTreeSet};

use baize_jackpot::HitState;
use baize_rules::{BoxNumber, Cites, Family, Money};
use baize_table::{BoxSettlement, Legal, Limits, Outcome, PhaseName, Reportable, RoundView, Settings};
use schemars::JsonSchema;
use serde::Serialize;

use crate::{
    CommandId, Commitment, Instant, JackpotId, MoneyKind, OrderKind, Pace, PlayerId, RoundId, Shoe,
    ShuffleProof, SignificantKind, StaffId, TableId,
};

/// A table as the lobby shows it, without anything secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TableInfo {
    /// The table's id.
    pub id: TableId,
    /// The rulebook's id.
    pub rulebook: String,
    /// The short name of the game.
    pub short: String,
    /// The name of the game.
    pub game: String,
    /// The operator's short name.
    pub operator: String,
    /// Hold'em or stud.
    pub family: Family,
    /// Number of boxes on the layout.
    pub boxes: u8,
    /// Procedure, limits, interpretations.
    pub settings: Settings,
    /// The smallest chip.
    pub chip: Money,
    /// Seated players and their boxes.
    pub guests: BTreeMap<PlayerId, BoxNumber>,
    /// Limits of the ante.
    pub ante: Limits,
    /// Limits of the bonus, if the game has one.
    pub bonus: Option<Limits>,
    /// The limits from the next round, if they will change.
    pub next_limits: Option<NextLimits>,
    /// The jackpot wager, if jackpot wagers are taken now.
    pub jackpot_wager: Option<Money>,
    /// The linked jackpot.
    pub jackpot: Option<JackpotId>,
    /// The notice about jackpot wagers: a fault awaiting a decision, or that none are accepted.
    pub jackpot_notice: Option<Displayed>,
    /// Who runs it.
    pub pace: Pace,
    /// Where the cards come from.
    pub shoe: Shoe,
    /// Practice or cash.
    pub money: MoneyKind,
    /// The phase of the round.
    pub phase: PhaseName,
    /// The round's number.
    pub round: u32,
    /// The round waits for a ruling or for players' choices.
    pub waiting: bool,
    /// The notice that the table closes after this round.
    pub notice: Option<String>,
    /// Whether the table is closed.
    pub closed: bool,
    /// Why the table is halted: its record is damaged.
    pub halted: Option<String>,
    /// The version of the table's last journal entry, which grows with every change.
    pub version: u64,
}

/// A notice displayed at a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Displayed {
    /// The text.
    pub words: &'static str,
    /// The paragraphs that it is based on.
    pub cites: Cites,
}

/// Limits from the next round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct NextLimits {
    /// Limits of the ante.
    pub ante: Limits,
    /// Limits of the bonus, if the game has one.
    pub bonus: Option<Limits>,
}

/// The purpose of a clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum ClockKind {
    Betting,
    Decision,
    Choice,
}

/// A running clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ClockView {
    /// Its purpose.
    pub what: ClockKind,
    /// When it expires.
    pub ends: Instant,
    /// Milliseconds left.
    pub left_ms: u64,
}

/// A table as one viewer may see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TableView {
    /// The table's public information.
    pub info: TableInfo,
    /// The round, without cards that the viewer may not see.
    pub round: RoundView,
    /// The promise of the deck of the current or next round. Absent if cards are entered.
    pub commitment: Option<Commitment>,
    /// The proof of the deck of the round that has just ended.
    pub proof: Option<ShuffleProof>,
    /// The running clock, if any.
    pub clock: Option<ClockView>,
    /// The balance of the viewer's purse, if they are a player.
    pub purse: Option<Money>,
    /// The viewer's boxes: the one they sit at and those with their chips.
    pub boxes: Vec<BoxNumber>,
    /// The commands of the rules that the viewer may send now.
    pub legal: Legal,
    /// The other orders that the viewer may send now.
    pub orders: Vec<OrderKind>,
    /// The table's opening float; for floor staff only.
    pub float: Option<Money>,
    /// The assigned dealers; for floor staff only.
    pub dealers: BTreeSet<StaffId>,
    /// What can be reported now, with questions and consequences; for staff only.
    pub reportable: Vec<Reportable>,
    /// Whether the viewer has said that they are ready.
    pub ready: bool,
    /// The viewer's wagers of the last round, for a rebet.
    pub last_wagers: Vec<crate::Chips>,
    /// The other players who have not said that they are ready: a table that runs itself waits for them.
    pub waiting_for: Vec<PlayerId>,
}

/// The answer to an order that was carried out. The same order sent again gets the same answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Receipt {
    /// The table.
    pub table: TableId,
    /// The order's id.
    pub command: CommandId,
    /// The table's version after it.
    pub version: u64,
    /// The number of its round.
    pub round: u32,
    /// The paragraphs of the dealing procedure that its cards depart from. They were recorded nevertheless.
    pub departs_from: Cites,
    /// Whether it had already been carried out before.
    pub repeated: bool,
}

/// A notification that something changed, without the content: the subscriber asks for its view.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    /// The number of the change in this database; it grows, with gaps.
    pub number: u64,
    /// The thing that changed.
    pub what: Changed,
    /// The version of the table or jackpot after it.
    pub version: u64,
    /// When.
    pub at: Instant,
}

/// The thing that changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Changed {
    /// A table.
    Table(TableId),
    /// A jackpot.
    Jackpot(JackpotId),
    /// A purse.
    Player(PlayerId),
    /// The house: people, tables, seals.
    House,
}

/// The state of a hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum HitStatus {
    /// Waiting for verification, confirmation or its turn.
    Pending,
    /// Paid.
    Paid,
    /// Rejected: the hand does not qualify.
    Rejected,
    /// Undone together with its round or hand.
    Reversed,
}

impl From<&HitState> for HitStatus {
    fn from(state: &HitState) -> HitStatus {
        match state {
            HitState::Pending => HitStatus::Pending,
            HitState::Paid => HitStatus::Paid,
            HitState::Rejected { .. } => HitStatus::Rejected,
            HitState::Reversed { .. } => HitStatus::Reversed,
        }
    }
}

/// A jackpot hit: a jackpot wager that won.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct HitView {
    /// Its number at this jackpot.
    pub number: u64,
    /// The round.
    pub round: RoundId,
    /// The box.
    pub seat: BoxNumber,
    /// The award's name.
    pub award: String,
    /// Whether it is the top award.
    pub top: bool,
    /// The amount locked or paid.
    pub amount: Money,
    /// The state of the hit.
    pub state: HitStatus,
    /// Who verified the hand.
    pub verified_by: Option<String>,
    /// Who confirmed the amount.
    pub confirmed_by: Option<String>,
    /// Whether it still needs confirmation by a second person.
    pub needs_confirmation: bool,
}

/// A jackpot as its display and the pit show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct JackpotView {
    /// The jackpot.
    pub id: JackpotId,
    /// The displayed value of the meter.
    pub displayed: Money,
    /// Practice or cash.
    pub money: MoneyKind,
    /// The prescribed wager.
    pub wager: Money,
    /// The value that the meter is reset to after the top award.
    pub reset: Money,
    /// The linked tables.
    pub tables: Vec<TableId>,
    /// Pending hits, oldest first.
    pub pending: Vec<HitView>,
    /// The last 25 hits, newest first.
    pub hits: Vec<HitView>,
    /// Why no jackpot wagers are taken, if so.
    pub stopped: Option<String>,
    /// The notices displayed at its tables.
    pub notices: BTreeMap<TableId, Displayed>,
    /// The jackpot's version.
    pub version: u64,
}

/// How a round ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema, strum::Display, strum::EnumString)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum OutcomeName {
    /// Settled.
    Settled,
    /// Void: all wagers were returned.
    Void,
}

impl From<&Outcome> for OutcomeName {
    fn from(outcome: &Outcome) -> OutcomeName {
        match outcome {
            Outcome::Settled => OutcomeName::Settled,
            Outcome::Void { .. } => OutcomeName::Void,
        }
    }
}

/// A finished round in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RoundLine {
    /// The round.
    pub id: RoundId,
    /// The rulebook's id.
    pub rulebook: String,
    /// When it was opened.
    pub opened: Instant,
    /// When it ended.
    pub ended: Instant,
    /// How it ended.
    pub outcome: OutcomeName,
    /// The players.
    pub players: Vec<PlayerId>,
    /// Total stakes.
    pub staked: Money,
    /// The house's win, negative for a loss; without jackpot awards from the meter.
    pub won: Money,
    /// Contributions to the jackpot.
    pub contributed: Money,
    /// Jackpot awards, from the meter and by the house.
    pub awarded: Money,
}

/// A complete finished round, with the cards that this viewer may see: see [`crate::House::round`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RoundRecord {
    /// The round as listed.
    pub line: RoundLine,
    /// How it ended.
    pub outcome: Outcome,
    /// The slips.
    pub slips: Vec<BoxSettlement>,
    /// The round after each step, for a replay.
    pub frames: Vec<Frame>,
    /// The proof of the shuffle, if the computer dealt.
    pub proof: Option<ShuffleProof>,
    /// Cards reported as exposed by mistake, in order, as far as the viewer may see them.
    pub exposed: Vec<baize_table::ExposedCard>,
}

/// The round after one step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Frame {
    /// When.
    pub at: Instant,
    /// The actor.
    pub by: String,
    /// What happened, in words.
    pub words: String,
    /// The round after the step.
    pub round: RoundView,
}

/// A filter for finished rounds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RoundFilter {
    /// At this table.
    pub table: Option<TableId>,
    /// With this player.
    pub player: Option<PlayerId>,
    /// Ended before this time.
    pub before: Option<Instant>,
    /// At most this many; the default is 50.
    pub limit: Option<u32>,
}

impl From<RoundFilter> for crate::journal::RoundFilter {
    fn from(RoundFilter { table, player, before, limit }: RoundFilter) -> crate::journal::RoundFilter {
        let (table, player) = (table.map(|id| id.to_string()), player.map(|id| id.to_string()));
        crate::journal::RoundFilter { table, player, before, limit }
    }
}

/// A cash movement at the cage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CageMovement {
    /// The entry's number in the journal.
    pub number: u64,
    /// The command's id.
    pub command: CommandId,
    /// When.
    pub at: Instant,
    /// The cashier's name.
    pub cashier: String,
    /// Whose purse.
    pub player: PlayerId,
    /// Whether it is a buy-in; otherwise it is a cash-out.
    pub buy_in: bool,
    /// The amount.
    pub amount: Money,
}

/// A receipt of the cage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CageReceipt {
    /// The movement.
    pub movement: CageMovement,
    /// The balance of the purse right after it.
    pub purse_after: Money,
}

/// A line of the journal for the auditor, without cards of a round in progress.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct JournalLine {
    /// Its number in the database.
    pub number: u64,
    /// The chain: `house`, `table/rh-1`, `jackpot/RWS`, `player/ann`.
    pub stream: String,
    /// Its version: its position in the chain, from 1.
    pub version: u64,
    /// When.
    pub at: Instant,
    /// The actor.
    pub actor: String,
    /// The names of its events and facts: `wager-placed`.
    pub kinds: Vec<String>,
    /// The body, as stored; `None` while its round is in progress.
    pub body: Option<serde_json::Value>,
    /// The postings: account and cents.
    pub postings: Vec<(String, i64)>,
    /// The hash of the previous entry.
    pub previous: String,
    /// Its hash.
    pub hash: String,
}

/// A journal entry with everything that its hash covers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Recorded {
    /// Its number in the database, which no hash covers.
    pub number: u64,
    /// The chain.
    pub stream: String,
    /// Its version: its position in the chain, from 1.
    pub version: u64,
    /// Milliseconds since 1970-01-01, UTC.
    pub at: Instant,
    /// The actor.
    pub actor: String,
    /// The id of the command that it answers; empty if none.
    pub command: String,
    /// The names of its events and facts, each between commas.
    pub kinds: String,
    /// The kind of significant event; empty if none.
    pub significant: String,
    /// The body. The hash covers its text without spaces; a body that would read differently is a string. `None` during its round.
    pub body: Option<serde_json::Value>,
    /// The hash of the entry of another chain that it is linked to; empty if none.
    pub link: String,
    /// The postings: account and cents.
    pub postings: Vec<(String, i64)>,
    /// The hash of the previous entry; empty for the first.
    pub previous: String,
    /// Its hash.
    pub hash: String,
}

impl JournalLine {
    /// Whether what is shown of it contains this text, ignoring case.
    #[must_use]
    pub fn says(&self, text: &str) -> bool {
        let text = text.to_ascii_lowercase();
        let has = |part: &str| part.to_ascii_lowercase().contains(&text);
        let body = || self.body.as_ref().map(ToString::to_string).unwrap_or_default();
        has(&self.stream)
            || has(&self.actor)
            || self.kinds.iter().any(|kind| has(kind))
            || self.postings.iter().any(|(account, _)| has(account))
            || has(&body())
    }
}

/// A filter for journal lines.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct JournalFilter {
    /// Of this chain.
    pub stream: Option<String>,
    /// With an event or fact of this name: `round-voided`.
    pub kind: Option<String>,
    /// By this actor: `staff:dora`.
    pub actor: Option<String>,
    /// At this time or later.
    pub from: Option<Instant>,
    /// Before this time.
    pub until: Option<Instant>,
    /// Containing this text in what is shown of it, ignoring case.
    pub text: Option<String>,
    /// After this number.
    pub after: Option<u64>,
    /// Before this number, newest first.
    pub before: Option<u64>,
    /// At most this many; the default is 100.
    pub limit: Option<u32>,
}

/// A significant event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Significant {
    /// The number of the journal line.
    pub number: u64,
    /// When.
    pub at: Instant,
    /// The actor.
    pub actor: String,
    /// The chain.
    pub stream: String,
    /// The kind.
    pub kind: SignificantKind,
    /// A description.
    pub words: String,
}
