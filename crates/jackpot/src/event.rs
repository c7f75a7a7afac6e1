//! What has happened to a jackpot. Events hold every amount, so replaying them requires no judgement.

use baize_rules::{BoxNumber, Cites, Claim, Money};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Exact, Meter, Parameters, Payment, Person, Pools, Registered, Resolution, TableLink};

/// What one wager added when bets closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct MadeContribution {
    /// The box.
    pub seat: BoxNumber,
    /// The wager.
    pub wager: Money,
    /// How many times the prescribed amount it is.
    pub multiple: u32,
    /// What it added.
    pub pools: Pools,
}

/// A hit as it is entered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewHit {
    /// Its number.
    pub id: u64,
    /// The round's claim.
    pub claim: Claim,
    /// The award's name.
    pub award: String,
    /// It wins the whole jackpot.
    pub top: bool,
    /// It draws from the meter.
    pub ordered: bool,
    /// Its own place in the order across tables, if that is behind the first of its round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<u64>,
}

/// The amount that is locked for a hit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Price {
    /// The hit.
    pub hit: u64,
    /// The amount.
    pub payment: Payment,
}

/// A change of parameters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Change {
    /// The complete new parameters.
    pub parameters: Parameters,
    /// Who proposed it.
    pub proposed_by: Person,
    /// Who approved it, if it is approved.
    pub approved_by: Option<Person>,
}

/// Something that has happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(tag = "event", rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the fields are named as in the commands that lead to these events")]
#[strum(serialize_all = "kebab-case")]
pub enum Event {
    /// The jackpot was opened with this value.
    #[strum(serialize = "jackpot-opened")]
    Opened { name: String, base: Money, parameters: Parameters },
    /// A table was linked. `by` is absent for the tables that the jackpot was opened with.
    TableLinked { link: Box<TableLink>, by: Option<Person> },
    /// A table was unlinked.
    TableUnlinked { table: String, by: Person },
    /// Bets closed: these wagers counted. `prescribed` is the wager amount that they were checked against.
    #[strum(serialize = "contributed")]
    BetsClosed { table: String, round: u64, prescribed: Money, contributions: Vec<MadeContribution> },
    /// A box got its full hand; without a box, all boxes of the round.
    HandsDealt {
        table: String,
        round: u64,
        order: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<BoxNumber>,
    },
    /// Every deal up to this place was reported.
    DealsCounted { order: u64 },
    /// A wager was returned and its contribution was taken out of the pools.
    #[strum(serialize = "contribution-taken-out")]
    TakenOut { table: String, round: u64, seat: BoxNumber, pools: Pools },
    /// A wager was returned; its contribution stayed, because the meter has been won since or by the reading of I-11.
    #[strum(serialize = "contribution-kept")]
    Kept { table: String, round: u64, seat: BoxNumber, won_since: bool },
    /// A round ended; nothing more comes from it.
    RoundEnded { table: String, round: u64, void: bool },
    /// A round was settled: it can be undone until the table's next bets close.
    RoundHeld { table: String, round: u64 },
    /// An award was reversed, because its round or its hand was undone. `paid` says whether it had been paid.
    HitReversed {
        hit: u64,
        table: String,
        round: u64,
        seat: BoxNumber,
        amount: Money,
        from_meter: Money,
        paid: bool,
        cites: Cites,
    },
    /// A fault caught this round: its awards are paid at the registered amount.
    FaultReported { table: String, round: u64, registered: Registered },
    /// A table works again.
    TableRestored { table: String, by: Person },
    /// A round ended with awards. `turn` is its place in the order across tables: that of the first of them.
    HitsEntered {
        table: String,
        round: u64,
        turn: u64,
        prescribed: Money,
        registered: Option<Registered>,
        hits: Vec<NewHit>,
    },
    /// Amounts were locked: for new hits, for pending ones whose turn has changed, and for the remaining hits of a partly undone
    /// round. The pools moved by `pools` (negative: down), `paid` went out to winners and `from_house` came in for resets.
    HitsPriced {
        prices: Vec<Price>,
        pools: Pools,
        paid: Exact,
        from_house: Exact,
        resolution: Option<Resolution>,
    },
    /// A waiting change took effect with a hit of the top award.
    ParametersChanged { before: Parameters, change: Change },
    /// The hit with which a change took effect was rejected: the change waits again.
    ParametersRestored { parameters: Parameters, change: Change },
    /// A person verified that a hit qualifies.
    HitVerified { hit: u64, by: Person },
    /// A second person confirmed the amount.
    HitConfirmed { hit: u64, amount: Money, by: Person },
    /// A hit was found not to qualify.
    HitRejected { hit: u64, by: Person, reason: String },
    /// A hit was paid.
    HitPaid { hit: u64, amount: Money, from_meter: Money, verified_by: Person, confirmed_by: Option<Person> },
    /// All hits of a round that drew from the meter are paid or rejected; the next round's turn has come.
    #[strum(serialize = "hits-settled")]
    RoundSettled { table: String, round: u64, opening: Meter, opening_added: Pools, resolution: Resolution },
    /// New parameters were proposed.
    ChangeProposed { parameters: Parameters, by: Person },
    /// They were approved and wait for the next hit of the top award.
    ChangeApproved { by: Person },
    /// They were withdrawn.
    ChangeWithdrawn { by: Person },
    /// The pools of another jackpot came in, as these pools.
    PoolsReceived { from: String, pools: Pools },
    /// The jackpot was closed and its pools moved.
    #[strum(serialize = "jackpot-closed")]
    Closed { into: String, pools: Pools, by: Person },
}

impl Registered {
    /// The amount, and the paragraphs under which it is paid.
    #[must_use]
    pub const fn new(amount: Money, cites: Cites) -> Registered {
        Registered { amount, cites }
    }
}
