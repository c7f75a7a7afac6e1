//! What the house adds to rounds: tables, people, cage, seals. Version 1.

use std::collections::{BTreeMap, BTreeSet};

use baize_cards::Card;
use baize_rules::Money;
use baize_table::Player;

use super::Shape;
use super::command_v1::CommandV1;
use super::event_v1::EventV1;
use super::jackpot_v1::{JackpotCommandV1, JackpotEventV1};
use super::set_up_v1::{ActorV1, FromEarlierV1, JackpotConfigV1, LimitsV1, PaceV1, TableConfigV1};
use crate::facts::{HouseFact, JackpotStep, PurseFact, Step, TableFact};
use crate::{Duty, Instant, JackpotId, MoneyKind, PlayerId, Shoe, StaffId, TableId};

enum_shape!(TableFactV1 for TableFact as "fact" {
    plain Reopened;
    with SetUp {
        config: Box<TableConfigV1>,
        hash: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        earlier: Option<FromEarlierV1>,
    };
    with Sat { player: PlayerId, seat: u8 };
    with Left { player: PlayerId };
    with ReadySaid { player: PlayerId };
    with ShufflePrepared { round: u32, commitment: String };
    with ShuffleWithdrawn { round: u32, commitment: String };
    with ShuffleRevealed { round: u32, salt: String, deck: Vec<Card> };
    with NoticeGiven { reason: String };
    with PaceSet {
        pace: PaceV1,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Option<PaceV1>,
    };
    with ShoeSet {
        shoe: Shoe,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Option<Shoe>,
    };
    with LimitsSet { ante: LimitsV1, bonus: LimitsV1, ante_before: LimitsV1, bonus_before: LimitsV1 };
    with FloatFilled { amount: Money };
    with AwardDrawn { jackpot: JackpotId, hit: u64, seat: u8, amount: Money, from_meter: Money };
    with AwardReturned { jackpot: JackpotId, hit: u64, seat: u8, amount: Money, from_meter: Money };
    with Contributed { jackpot: JackpotId, amount: Money };
    with TimeRanOut { player: PlayerId, connected: bool };
    with DealerAssigned { dealer: StaffId };
    with DealerRelieved { dealer: StaffId };
    with BarReached { player: Player, barred: bool };
    with BetRequested { player: PlayerId, amount: Money, request: String };
    with Interrupted { phase: String };
    around Round(EventV1);
});

struct_shape!(StepV1 for Step {
    by: ActorV1,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    command: Option<CommandV1>,
    facts: Vec<TableFactV1>,
});

struct_shape!(JackpotStepV1 for JackpotStep {
    command: JackpotCommandV1,
    events: Vec<JackpotEventV1>,
});

enum_shape!(HouseFactV1 for HouseFact as "fact" {
    plain Stopped;
    with Started {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        version: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        hash: Option<String>,
    };
    with RulebookRecorded { hash: String, text: String };
    with TableCreated { table: TableId };
    with JackpotCreated { config: JackpotConfigV1 };
    with StaffCreated {
        id: StaffId,
        duties: BTreeSet<Duty>,
        password: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<String>,
    };
    with PlayerCreated {
        id: PlayerId,
        password: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        money: Option<MoneyKind>,
    };
    with LogInFailed {
        name: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        address: Option<String>,
    };
    with LoggedIn {
        name: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        address: Option<String>,
    };
    with Locked {
        name: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        until: Option<Instant>,
    };
    with Unlocked { name: String };
    with LinkIssued { whom: String, by: String };
    with LinkRedeemed {
        whom: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        address: Option<String>,
    };
    with PasswordChanged { name: String, password: Option<String> };
    with DutiesChanged { id: StaffId, before: BTreeSet<Duty>, after: BTreeSet<Duty> };
    with Suspended { id: StaffId, reason: String };
    with Reinstated { id: StaffId };
    with SessionsEnded { name: String };
    with ConsoleUsed {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        user: Option<String>,
        command: String,
    };
    with KeyTaken {
        key: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Option<String>,
    };
    with AttemptNoted { table: TableId, round: u32, by: String, what: String, since: Instant, count: u32 };
    with ClockJumped { expected: Instant, found: Instant };
    with DatabaseAccepted { reason: String, gone: BTreeMap<String, (u64, u64)> };
    with Sealed { heads: BTreeMap<String, (u64, String)> };
});

enum_shape!(PurseFactV1 for PurseFact as "fact" {
    with PlayChipsGiven { amount: Money };
    with BoughtIn {
        amount: Money,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        told: Option<Money>,
    };
    with CashedOut {
        amount: Money,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        told: Option<Money>,
    };
    with ClaimBooked { round: String, taken: Money, held: Money, amount: Money };
    with ClaimCollected {
        amount: Money,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        told: Option<Money>,
    };
});

/// A body. The name of its only field says which chain it belongs to.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum BodyV1 {
    Table {
        round: u32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        order: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        blind: Option<String>,
        steps: Vec<StepV1>,
    },
    Jackpot(Vec<JackpotStepV1>),
    House(Vec<HouseFactV1>),
    Purse(Vec<PurseFactV1>),
}

impl Shape for BodyV1 {
    type Core = crate::facts::Body;

    fn store(core: &crate::facts::Body) -> BodyV1 {
        use crate::facts::Body;
        match core {
            Body::Table { round, order, blind, steps } => BodyV1::Table {
                round: *round,
                order: order.clone(),
                blind: blind.clone(),
                steps: Shape::store(steps),
            },
            Body::Jackpot(steps) => BodyV1::Jackpot(Shape::store(steps)),
            Body::House(facts) => BodyV1::House(Shape::store(facts)),
            Body::Purse(facts) => BodyV1::Purse(Shape::store(facts)),
        }
    }

    fn load(self) -> crate::facts::Body {
        use crate::facts::Body;
        match self {
            BodyV1::Table { round, order, blind, steps } => {
                Body::Table { round, order, blind, steps: steps.load() }
            }
            BodyV1::Jackpot(steps) => Body::Jackpot(steps.load()),
            BodyV1::House(facts) => Body::House(facts.load()),
            BodyV1::Purse(facts) => Body::Purse(facts.load()),
        }
    }
}
