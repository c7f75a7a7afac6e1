//! Views: tables, rounds, jackpots and journal lines as the house shows them. Pages and API answers are made of these.

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

/// A table as the lobby shows it: nothing secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TableInfo {
    /// The table.
    pub id: TableId,
    /// The rulebook's id.
    pub rulebook: String,
    /// The two letters of the game.
    pub short: String,
    /// The name of the game.
    pub game: String,
    /// The casino's short name.
    pub operator: String,
    /// Hold'em or stud.
    pub family: Family,
    /// Boxes on the layout.
    pub boxes: u8,
    /// How it is set up: procedure, limits, readings.
    pub settings: Settings,
    /// The smallest chip.
    pub chip: Money,
    /// Who sits where.
    pub guests: BTreeMap<PlayerId, BoxNumber>,
    /// Limits of the ante.
    pub ante: Limits,
    /// Limits of the bonus, where there is one.
    pub bonus: Option<Limits>,
    /// The limits from the next round on, where they will be others.
    pub next_limits: Option<NextLimits>,
    /// The jackpot wager, where jackpot wagers are taken now.
    pub jackpot_wager: Option<Money>,
    /// The jackpot.
    pub jackpot: Option<JackpotId>,
    /// What is displayed about its jackpot wagers: a fault that nobody has decided on, or that none are accepted.
    pub jackpot_notice: Option<Displayed>,
    /// Who runs it.
    pub pace: Pace,
    /// Where the cards come from.
    pub shoe: Shoe,
    /// What is played with.
    pub money: MoneyKind,
    /// The phase of its round.
    pub phase: PhaseName,
    /// The round's number.
    pub round: u32,
    /// It waits for a ruling or for choices.
    pub waiting: bool,
    /// It closes after this round.
    pub notice: Option<String>,
    /// It is closed.
    pub closed: bool,
    /// The record is damaged and the table halted: why.
    pub halted: Option<String>,
    /// The number of its last journal entry: grows with every change.
    pub version: u64,
}

/// A notice to everybody at a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Displayed {
    /// The words.
    pub words: &'static str,
    /// The paragraphs.
    pub cites: Cites,
}

/// Limits from the next round on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct NextLimits {
    /// Of the ante.
    pub ante: Limits,
    /// Of the bonus, where there is one.
    pub bonus: Option<Limits>,
}

/// What a clock is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum ClockKind {
    Betting,
    Decision,
    Choice,
}

/// A clock that runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ClockView {
    /// What for.
    pub what: ClockKind,
    /// When it runs out.
    pub ends: Instant,
    /// Thousandths of a second that are left.
    pub left_ms: u64,
}

/// A table as one person may see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TableView {
    /// As the lobby shows it.
    pub info: TableInfo,
    /// The round: cards that they may not see are not in it.
    pub round: RoundView,
    /// The promise for the round that is open or comes next. Absent where cards are entered.
    pub commitment: Option<Commitment>,
    /// The deck of the round that is over.
    pub proof: Option<ShuffleProof>,
    /// The clock that runs.
    pub clock: Option<ClockView>,
    /// What is in their purse, if they are a player.
    pub purse: Option<Money>,
    /// Their boxes: the one they sit at, and those with their chips.
    pub boxes: Vec<BoxNumber>,
    /// What they may do now.
    pub legal: Legal,
    /// What they may order besides.
    pub orders: Vec<OrderKind>,
    /// What the table was set up with as its float; for floor staff only.
    pub float: Option<Money>,
    /// The dealers whom the pit assigned; for floor staff only.
    pub dealers: BTreeSet<StaffId>,
    /// For staff: what can be reported now, with questions and consequences.
    pub reportable: Vec<Reportable>,
    /// Has said that they are ready.
    pub ready: bool,
    /// Their wagers of the last round, for a rebet.
    pub last_wagers: Vec<crate::Chips>,
    /// Who else is at a table that runs itself and has not said that they are ready: the deal waits for them.
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
    /// The round that it belongs to.
    pub round: u32,
    /// The paragraphs of the dealing procedure that its cards depart from: they were taken all the same.
    pub departs_from: Cites,
    /// It had been carried out before.
    pub repeated: bool,
}

/// Something changed. Not what: the reader asks for their view.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    /// The number of the change in this database; grows, with gaps.
    pub number: u64,
    /// What changed.
    pub what: Changed,
    /// The version of the table or jackpot after it.
    pub version: u64,
    /// When.
    pub at: Instant,
}

/// What changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Changed {
    /// A table.
    Table(TableId),
    /// A jackpot.
    Jackpot(JackpotId),
    /// A purse.
    Player(PlayerId),
    /// People, tables, seals.
    House,
}

/// Whether a hit is paid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum HitStatus {
    /// It waits for verification, confirmation or its turn.
    Pending,
    /// Paid.
    Paid,
    /// Found not to qualify.
    Rejected,
    /// Undone with its round or its hand.
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

/// One jackpot wager that won.
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
    /// It wins the whole jackpot.
    pub top: bool,
    /// The amount that is locked or was paid.
    pub amount: Money,
    /// Whether it is paid.
    pub state: HitStatus,
    /// Who found that the hand qualifies.
    pub verified_by: Option<String>,
    /// Who confirmed the amount.
    pub confirmed_by: Option<String>,
    /// It needs a second, different person.
    pub needs_confirmation: bool,
}

/// A jackpot as its sign and the pit see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct JackpotView {
    /// The jackpot.
    pub id: JackpotId,
    /// What the sign shows.
    pub displayed: Money,
    /// What its tables are played with.
    pub money: MoneyKind,
    /// The prescribed wager.
    pub wager: Money,
    /// The value that it goes back to when it is won.
    pub reset: Money,
    /// The tables that it links.
    pub tables: Vec<TableId>,
    /// Hits that wait for a person, oldest first.
    pub pending: Vec<HitView>,
    /// The last 25 hits, newest first.
    pub hits: Vec<HitView>,
    /// Why no jackpot wagers are taken, if they are not.
    pub stopped: Option<String>,
    /// What its tables display about jackpot wagers.
    pub notices: BTreeMap<TableId, Displayed>,
    /// Its version.
    pub version: u64,
}

/// How a round ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema, strum::Display, strum::EnumString)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum OutcomeName {
    /// Settled.
    Settled,
    /// Void: every wager was returned.
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
    /// All that was staked.
    pub staked: Money,
    /// What the house won; negative: lost. Jackpot awards out of the meter are not in it.
    pub won: Money,
    /// What its wagers added to the jackpot.
    pub contributed: Money,
    /// What the jackpot paid, from the meter and by the house.
    pub awarded: Money,
}

/// A finished round with everything. Cards are as this viewer may see them: see [`crate::House::round`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RoundRecord {
    /// The line of the list.
    pub line: RoundLine,
    /// How it ended.
    pub outcome: Outcome,
    /// The slips.
    pub slips: Vec<BoxSettlement>,
    /// The round after each step, as the viewer may see it: for a replay.
    pub frames: Vec<Frame>,
    /// The proof of the shuffle, where the computer dealt.
    pub proof: Option<ShuffleProof>,
    /// Cards that were reported as exposed by mistake, in order, as far as the viewer may see them.
    pub exposed: Vec<baize_table::ExposedCard>,
}

/// The round after one step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Frame {
    /// When.
    pub at: Instant,
    /// Who acted.
    pub by: String,
    /// What happened, in words.
    pub words: String,
    /// The round as it was then.
    pub round: RoundView,
}

/// Which rounds are asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RoundFilter {
    /// Of this table.
    pub table: Option<TableId>,
    /// With this player.
    pub player: Option<PlayerId>,
    /// That ended before this.
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

/// Something that went over the counter of the cage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CageMovement {
    /// Its number in the journal.
    pub number: u64,
    /// The id of the command.
    pub command: CommandId,
    /// When.
    pub at: Instant,
    /// The cashier's name.
    pub cashier: String,
    /// Whose purse.
    pub player: PlayerId,
    /// Chips for cash; otherwise cash for chips.
    pub buy_in: bool,
    /// How much.
    pub amount: Money,
}

/// A receipt of the cage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CageReceipt {
    /// What it is for.
    pub movement: CageMovement,
    /// What was in the purse right after it.
    pub purse_after: Money,
}

/// A line of the journal for the auditor. Cards of a round that is not over are not in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct JournalLine {
    /// Its number in the database.
    pub number: u64,
    /// The chain that it belongs to: `house`, `table/rh-1`, `jackpot/RWS`, `player/ann`.
    pub stream: String,
    /// Its place in that chain, from 1.
    pub version: u64,
    /// When.
    pub at: Instant,
    /// Who.
    pub actor: String,
    /// The kinds of what happened: `wager-placed`.
    pub kinds: Vec<String>,
    /// What happened, as stored; `None` while its round is under way.
    pub body: Option<serde_json::Value>,
    /// The ledger entries: account and cents.
    pub postings: Vec<(String, i64)>,
    /// The hash of the entry before.
    pub previous: String,
    /// Its hash.
    pub hash: String,
}

/// An entry of the journal with all that its hash covers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Recorded {
    /// Its number in the database. No hash covers it.
    pub number: u64,
    /// The chain that it belongs to.
    pub stream: String,
    /// Its place in that chain, from 1.
    pub version: u64,
    /// When: thousandths of a second since 1970, UTC.
    pub at: Instant,
    /// Who.
    pub actor: String,
    /// The id of the command that it answers; empty: none.
    pub command: String,
    /// The kinds of what happened, each between commas.
    pub kinds: String,
    /// The name of the significant event that it is; empty: none.
    pub significant: String,
    /// What happened. The hash is over this text without spaces; a body that reads otherwise is a string. `None` while its round is under way.
    pub body: Option<serde_json::Value>,
    /// The hash of the entry of another chain that it belongs to; empty: none.
    pub link: String,
    /// The ledger entries: account and cents.
    pub postings: Vec<(String, i64)>,
    /// The hash of the entry before; empty for the first.
    pub previous: String,
    /// Its hash.
    pub hash: String,
}

impl JournalLine {
    /// Whether these words are in what is shown of it, in capitals or not.
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

/// Which journal lines are asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct JournalFilter {
    /// Of this chain.
    pub stream: Option<String>,
    /// With something of this kind: `round-voided`.
    pub kind: Option<String>,
    /// By this actor: `staff:dora`.
    pub actor: Option<String>,
    /// At this time or later.
    pub from: Option<Instant>,
    /// Before this time.
    pub until: Option<Instant>,
    /// With these words in what is shown of it, in capitals or not.
    pub text: Option<String>,
    /// After this number.
    pub after: Option<u64>,
    /// Before this number: newest first.
    pub before: Option<u64>,
    /// At most this many; the default is 100.
    pub limit: Option<u32>,
}

/// A significant event: who, when, what, before and after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Significant {
    /// The number of the journal line.
    pub number: u64,
    /// When.
    pub at: Instant,
    /// Who.
    pub actor: String,
    /// Where: the chain.
    pub stream: String,
    /// Which kind.
    pub kind: SignificantKind,
    /// In words.
    pub words: String,
}
