//! What can be asked of a jackpot.

use baize_rules::{BoxNumber, Cites, Claim, Money, Role};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Configuration, Parameters, Pools, TableLink};

/// Somebody who acts: two people are different when their names are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Person {
    /// The name.
    pub name: String,
    /// The position in which they act.
    pub role: Role,
}

/// A jackpot wager that lies on a box when bets close.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wager {
    /// The box.
    pub seat: BoxNumber,
    /// The amount.
    pub amount: Money,
}

/// A request. The jackpot answers with events or with a [`crate::Refusal`]; a request that is refused changes nothing.
///
/// A table has one round open at a time. Its numbers grow: a round that has ended cannot come back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "kebab-case")]
pub enum Command {
    /// Opens the jackpot.
    Open {
        /// As configured.
        configuration: Configuration,
    },
    /// Links another table. Pit Manager or above.
    LinkTable {
        /// The table.
        link: Box<TableLink>,
        /// Who links it.
        by: Person,
    },
    /// Takes a table off the link. Pit Manager or above.
    UnlinkTable {
        /// The table.
        table: String,
        /// Who takes it off.
        by: Person,
    },
    /// "No more bets" at a table: its accepted jackpot wagers count towards the meter.
    CloseBets {
        /// The table.
        table: String,
        /// The number of its round.
        round: u64,
        /// The wagers.
        wagers: Vec<Wager>,
    },
    /// A box has its full hand; without a box, all hands of the round have been dealt. `order` is the house's word on who was dealt
    /// first: the smaller, the earlier. Boxes of one table may share a place.
    DealHands {
        /// The table.
        table: String,
        /// The number of its round.
        round: u64,
        /// The place in the order of all deals of the house.
        order: u64,
        /// The box.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<BoxNumber>,
    },
    /// Every deal up to this place has been reported: a hand that is not dealt yet comes after it, and nobody waits for it.
    CountDeals {
        /// The place in the order of all deals of the house.
        order: u64,
    },
    /// Wagers go back to their players (an invalid hand): their contributions are taken out (I-11).
    TakeOut {
        /// The table.
        table: String,
        /// The number of its round.
        round: u64,
        /// The boxes.
        seats: Vec<BoxNumber>,
    },
    /// A round is void: all its contributions are taken out and it ends.
    VoidRound {
        /// The table.
        table: String,
        /// The number of its round.
        round: u64,
    },
    /// A round ends without an award.
    EndRound {
        /// The table.
        table: String,
        /// The number of its round.
        round: u64,
    },
    /// A round ends with these awards: each locks its value and is pending until it is verified and paid.
    EnterClaims {
        /// The table.
        table: String,
        /// The number of its round.
        round: u64,
        /// What the round states.
        claims: Vec<Claim>,
    },
    /// A round is settled, with these awards or with none, and ends as by the two commands above. It stays on record until the
    /// table's next bets close, so that it can be undone.
    SettleRound {
        /// The table.
        table: String,
        /// The number of its round.
        round: u64,
        /// What the round states.
        claims: Vec<Claim>,
    },
    /// A round is undone after its settlement: it is void, or hands of it are invalid. Their awards are reversed, paid or not, what is
    /// left of the round is worked out anew, and the contributions of the wagers that go back are taken out (I-11).
    UndoRound {
        /// The table.
        table: String,
        /// The number of its round.
        round: u64,
        /// The boxes whose hands are invalid; none: the whole round is void.
        seats: Option<Vec<BoxNumber>>,
        /// The paragraphs by which it is undone.
        cites: Cites,
    },
    /// The jackpot system fails during a round that goes on: its awards are paid at the amount registered now, and no wager is
    /// accepted from the table until it is restored (RH 5.17, RS 5.18).
    ReportFault {
        /// The table.
        table: String,
        /// The number of its round.
        round: u64,
        /// The paragraphs by which the round goes on.
        cites: Cites,
        /// The amount that was registered, where the fault began elsewhere; otherwise the one that is displayed now.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        registered: Option<Money>,
    },
    /// A table works again after a fault. Pit Manager or above.
    Restore {
        /// The table.
        table: String,
        /// Who says so.
        by: Person,
    },
    /// The hand qualifies. Pit Supervisor or above.
    Verify {
        /// The hit.
        hit: u64,
        /// Who looked.
        by: Person,
    },
    /// A second, different person confirms an amount above the limit. Pit Supervisor or above.
    Confirm {
        /// The hit.
        hit: u64,
        /// Who confirms.
        by: Person,
    },
    /// The hand does not qualify: what it had locked goes back. Pit Supervisor or above.
    Reject {
        /// The hit.
        hit: u64,
        /// Who rules so.
        by: Person,
        /// Why.
        reason: String,
    },
    /// Proposes other parameters. Pit Manager or above.
    ProposeChange {
        /// All parameters as they are to be.
        parameters: Parameters,
        /// Who proposes.
        by: Person,
    },
    /// Approves the proposal; it waits for the next hit of the top award. Another person, Shift Manager or above.
    ApproveChange {
        /// Who approves.
        by: Person,
    },
    /// Takes back a proposal or an approved change that still waits. Pit Manager or above.
    WithdrawChange {
        /// Who takes it back.
        by: Person,
    },
    /// The pools of a jackpot that closes come in.
    ReceivePools {
        /// Its name.
        from: String,
        /// What it moved.
        pools: Pools,
    },
    /// Closes the jackpot; all its pools move to another. Shift Manager or above.
    Close {
        /// The name of the other jackpot.
        into: String,
        /// Who closes it.
        by: Person,
    },
}
