//! Why a jackpot refuses a request. A refusal changes nothing.

use baize_rules::{BoxNumber, Money, Role};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{ConfigurationFault, PayFault};

/// Why a request is refused.
#[derive(Debug, Clone, PartialEq, Eq, Error, Serialize, Deserialize)]
#[serde(tag = "refusal", rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the message of each refusal names its fields")]
pub enum Refusal {
    /// It must be opened first.
    #[error("the jackpot is not open yet")]
    NotOpen,
    /// It is open already.
    #[error("jackpot {name} is already open")]
    AlreadyOpen { name: String },
    /// It is permanently closed.
    #[error("the jackpot is closed; its pools moved to {into}")]
    Closed { into: String },
    /// The configuration, or a proposed change of it, is wrong.
    #[error("{}", faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Configuration { faults: Vec<ConfigurationFault> },
    /// A table that is not linked.
    #[error("table {table} is not linked to this jackpot")]
    TableNotLinked { table: String },
    /// A fault stopped jackpot wagers at this table.
    #[error("table {table} takes no jackpot wagers until it is restored after its fault")]
    TableSuspended { table: String },
    /// The table has no fault.
    #[error("table {table} has no fault to be restored from")]
    TableNotSuspended { table: String },
    /// The round has ended.
    #[error("round {round} at table {table} has already ended")]
    RoundEnded { table: String, round: u64 },
    /// The awards of this round have been entered.
    #[error("the awards of round {round} at table {table} are already entered; a hit counts once")]
    HitReportedTwice { table: String, round: u64 },
    /// The table plays another round.
    #[error("table {table} still plays round {open}; it must end before round {round} can begin")]
    RoundStillOpen { table: String, open: u64, round: u64 },
    /// The round is unknown.
    #[error("table {table} has no open round {round}")]
    NoSuchRound { table: String, round: u64 },
    /// Two wagers or claims for one box.
    #[error("box {seat} is named twice")]
    SeatTwice { seat: BoxNumber },
    /// A wager of a different amount.
    #[error("the jackpot wager of box {seat} is {wager}; prescribed is {prescribed}{}", multiples(*most))]
    WagerNotPrescribed { seat: BoxNumber, wager: Money, prescribed: Money, most: u32 },
    /// There is no jackpot wager, or it was returned.
    #[error("box {seat} has no jackpot wager in round {round} at table {table}")]
    NoWager { table: String, round: u64, seat: BoxNumber },
    /// A claim that states a wager other than the one counted.
    #[error("box {seat} claims on a wager of {claimed}; {wagered} was accepted when bets closed")]
    ClaimDiffers { seat: BoxNumber, claimed: Money, wagered: Money },
    /// Nothing is claimed: the round ends without awards.
    #[error("round {round} at table {table} has no claims; end it without awards")]
    NoClaims { table: String, round: u64 },
    /// Claims that cannot be paid.
    #[error("{fault}")]
    Claims { fault: PayFault },
    /// The deal has already been reported.
    #[error("the hands of round {round} at table {table} are already reported as dealt")]
    DealtTwice { table: String, round: u64 },
    /// Two rounds in the same place.
    #[error("place {order} in the order of deals belongs to table {table} already")]
    OrderTaken { order: u64, table: String },
    /// Awards before the deal.
    #[error(
        "the hands of round {round} at table {table} are not reported as dealt; the order of payment depends on it"
    )]
    NotDealt { table: String, round: u64 },
    /// The round can no longer be undone.
    #[error("round {round} at table {table} can no longer be undone; only the round settled last can")]
    NotHeld { table: String, round: u64 },
    /// The fault has already been reported.
    #[error("a fault is already reported for round {round} at table {table}")]
    FaultReportedTwice { table: String, round: u64 },
    /// No such hit, or one that is no longer on record.
    #[error("there is no hit number {hit} on record")]
    NoSuchHit { hit: u64 },
    /// The hit is paid or rejected.
    #[error("hit number {hit} is already settled")]
    HitSettled { hit: u64 },
    /// The hit has been verified.
    #[error("hit number {hit} is already verified by {by}")]
    AlreadyVerified { hit: u64, by: String },
    /// The amount has been confirmed.
    #[error("hit number {hit} is already confirmed by {by}")]
    AlreadyConfirmed { hit: u64, by: String },
    /// Verification comes first.
    #[error("hit number {hit} must be verified before its amount can be confirmed")]
    NotVerified { hit: u64 },
    /// The amount needs no second person.
    #[error("hit number {hit} is {amount}; only amounts above {limit} are confirmed by a second person")]
    NoConfirmationNeeded { hit: u64, amount: Money, limit: Money },
    /// The same person twice.
    #[error("{name} has already acted on this; a different person must do it")]
    SamePerson { name: String },
    /// The position is too low.
    #[error("a {} cannot do this; it needs a {} or above", role.name(), needed.name())]
    RoleTooLow { role: Role, needed: Role },
    /// Nothing is proposed.
    #[error("no change of parameters is proposed")]
    NoChange,
    /// A change is already waiting.
    #[error("a change of parameters proposed by {by} is waiting; withdraw it first")]
    ChangeWaiting { by: String },
    /// The change is already approved.
    #[error("the change is already approved by {by}")]
    AlreadyApproved { by: String },
    /// Hits are pending.
    #[error("{} be paid or rejected first", pending(*number))]
    HitsPending { number: usize },
    /// A round is in progress.
    #[error("table {table} still plays round {round}")]
    RoundUnderWay { table: String, round: u64 },
    /// Pools with negative amounts.
    #[error("a pool cannot be received with a negative amount")]
    NegativePools,
    /// No name to move the pools to, or its own.
    #[error("the pools cannot move to `{into}`; name another jackpot")]
    NotAnotherJackpot { into: String },
}

fn pending(hits: usize) -> String {
    if hits == 1 {
        "1 hit is pending; it must".to_owned()
    } else {
        format!("{hits} hits are pending; they must")
    }
}

fn multiples(most: u32) -> String {
    if most > 1 { format!(", or 2 to {most} times that") } else { String::new() }
}
