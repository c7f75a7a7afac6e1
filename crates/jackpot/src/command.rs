//! Requests to a jackpot.

use baize_rules::{BoxNumber, Cites, Claim, Money, Role};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Configuration, Parameters, Pools, TableLink};

/// A person who acts: two people are different if their names are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Person {
    /// The name.
    pub name: String,
    /// The position in which they act.
    pub role: Role,
}

/// A jackpot wager on a box when bets close.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wager {
    /// The box.
    pub seat: BoxNumber,
    /// The amount.
    pub amount: Money,
}

/// A request. The jackpot answers with events or with a [`crate::Refusal`]; a refused request changes nothing.
///
/// A table has one open round at a time. Its numbers grow: a round that has ended cannot come back.
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
    /// Unlinks a table. Pit Manager or above.
    UnlinkTable {
        /// The table.
        table: String,
        /// Who unlinks it.
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
    /// A box has its full hand; without a box, all hands of the round have been dealt. `order` is the house's record of who was
    /// dealt first: smaller is earlier. Boxes of one table may share a place.
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
    /// Every deal up to this place has been reported: a hand that is not dealt yet comes later, and no hit waits for it.
    CountDeals {
        /// The place in the order of all deals of the house.
        order: u64,
    },
    /// Wagers are returned to their players (an invalid hand): their contributions are taken out (I-11).
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
        /// The round's claims.
        claims: Vec<Claim>,
    },
    /// A round is settled, with or without awards, and ends as by the two commands above. It can be undone until the
    /// table's next bets close.
    SettleRound {
        /// The table.
        table: String,
        /// The number of its round.
        round: u64,
        /// The round's claims.
        claims: Vec<Claim>,
    },
    /// A round is undone after its settlement: it is void, or some of its hands are invalid. Their awards are reversed, paid or
    /// not, the rest of the round is recomputed, and the contributions of the returned wagers are taken out (I-11).
    UndoRound {
        /// The table.
        table: String,
        /// The number of its round.
        round: u64,
        /// The boxes whose hands are invalid; empty means that the whole round is void.
        seats: Option<Vec<BoxNumber>>,
        /// The paragraphs under which it is undone.
        cites: Cites,
    },
    /// The jackpot system fails during a round that continues: its awards are paid at the amount registered now, and no wager
    /// is accepted from the table until it is restored (RH 5.17, RS 5.18).
    ReportFault {
        /// The table.
        table: String,
        /// The number of its round.
        round: u64,
        /// The paragraphs under which the round continues.
        cites: Cites,
        /// The amount that was registered, if the fault began elsewhere; otherwise the amount displayed now.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        registered: Option<Money>,
    },
    /// A table works again after a fault. Pit Manager or above.
    Restore {
        /// The table.
        table: String,
        /// Who restores it.
        by: Person,
    },
    /// The hand qualifies. Pit Supervisor or above.
    Verify {
        /// The hit.
        hit: u64,
        /// Who verified it.
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
        /// Who rejects it.
        by: Person,
        /// Why.
        reason: String,
    },
    /// Proposes new parameters. Pit Manager or above.
    ProposeChange {
        /// The complete new parameters.
        parameters: Parameters,
        /// Who proposes.
        by: Person,
    },
    /// Approves the proposal; it waits for the next hit of the top award. Another person, Shift Manager or above.
    ApproveChange {
        /// Who approves.
        by: Person,
    },
    /// Withdraws a proposal, or an approved change that still waits. Pit Manager or above.
    WithdrawChange {
        /// Who withdraws it.
        by: Person,
    },
    /// Receives the pools of a jackpot that closes.
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
