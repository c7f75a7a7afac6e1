//! What is asked of a jackpot and what happens to it. Version 1.

use baize_cards::HandClass;
use baize_jackpot::{
    Change, Command, Configuration, Event, Exact, MadeContribution, Meter, NewHit, Parameters, Payment,
    Person, Pools, Price, Registered, Reset, Resolution, TableLink, Wager,
};
use baize_rules::{
    AcrossTables, AfterFold, Award, AwardCards, AwardPay, Cited, Cites, JackpotRules, Money, Percent,
    Readings, Role, WithinTable,
};
use serde::{Deserialize, Serialize};

use super::Shape;
use super::event_v1::ClaimV1;
use super::set_up_v1::ReadingsV1;

struct_shape!(PersonV1 for Person { name: String, role: Role });

struct_shape!(WagerV1 for Wager { seat: u8, amount: Money });

struct_shape!(ParametersV1 for Parameters {
    wager: Money,
    reset: Money,
    increment: Percent,
    reserve: Percent,
    ceiling: Option<Money>,
    confirm_above: Money,
});

struct_shape!(ConfigurationV1 for Configuration {
    name: String,
    base: Money,
    parameters: ParametersV1,
    tables: Vec<TableLinkV1>,
});

struct_shape!(TableLinkV1 for TableLink {
    name: String,
    rulebook: String,
    hash: String,
    multiples: u32,
    rules: JackpotRulesV1,
    readings: ReadingsV1,
});

/// A value and the paragraphs behind it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CitedV1<T> {
    value: T,
    cites: Cites,
}

impl<T: Shape> Shape for CitedV1<T> {
    type Core = Cited<T::Core>;

    fn store(core: &Cited<T::Core>) -> CitedV1<T> {
        CitedV1 { value: T::store(&core.value), cites: core.cites }
    }

    fn load(self) -> Cited<T::Core> {
        Cited { value: self.value.load(), cites: self.cites }
    }
}

/// What an award pays: its kind is the name of its only field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum AwardPayV1 {
    Share(Percent),
    Fixed(Money),
    ForOne(u32),
}

impl Shape for AwardPayV1 {
    type Core = AwardPay;

    fn store(core: &AwardPay) -> AwardPayV1 {
        match core {
            AwardPay::Share(share) => AwardPayV1::Share(*share),
            AwardPay::Fixed(amount) => AwardPayV1::Fixed(*amount),
            AwardPay::ForOne(times) => AwardPayV1::ForOne(*times),
        }
    }

    fn load(self) -> AwardPay {
        match self {
            AwardPayV1::Share(share) => AwardPay::Share(share),
            AwardPayV1::Fixed(amount) => AwardPay::Fixed(amount),
            AwardPayV1::ForOne(times) => AwardPay::ForOne(times),
        }
    }
}

struct_shape!(AwardV1 for Award {
    name: String,
    class: HandClass,
    cards: AwardCards,
    pays: AwardPayV1,
    multiplied: bool,
    cites: Cites,
});

struct_shape!(WithinTableV1 for WithinTable {
    clockwise: CitedV1<bool>,
    royals_pooled: Option<Cites>,
    straight_flushes_pooled: Option<Cites>,
});

struct_shape!(JackpotRulesV1 for JackpotRules {
    awards: Vec<AwardV1>,
    table: Cites,
    after_fold: CitedV1<AfterFold>,
    in_addition: Cites,
    across_tables: CitedV1<AcrossTables>,
    within_table: WithinTableV1,
    meter: Cites,
    shown: Cites,
});

struct_shape!(PoolsV1 for Pools { meter: Exact, overflow: Exact, reserve: Exact });

struct_shape!(ResetV1 for Reset { to: Money, from_reserve: Exact, from_house: Exact });

/// A meter: its parts are its own affair, so that it is taken apart and put together by name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MeterV1 {
    value: Exact,
    reserve: Exact,
    overflow: Exact,
    reset: Money,
    next_reset: Option<Money>,
    ceiling: Option<Money>,
}

impl Shape for MeterV1 {
    type Core = Meter;

    fn store(core: &Meter) -> MeterV1 {
        MeterV1 {
            value: core.value(),
            reserve: core.reserve(),
            overflow: core.overflow(),
            reset: core.reset(),
            next_reset: core.next_reset(),
            ceiling: core.ceiling(),
        }
    }

    fn load(self) -> Meter {
        let pools = Pools { meter: self.value, overflow: self.overflow, reserve: self.reserve };
        Meter::restored(pools, self.reset, self.next_reset, self.ceiling)
    }
}

/// A payment. An open point is written by its name; a name that no longer exists is left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PaymentV1 {
    seat: u8,
    award: usize,
    shown: Money,
    amount: Money,
    from_meter: Money,
    reset: Option<ResetV1>,
    cites: Cites,
    interpretation: Option<String>,
}

impl Shape for PaymentV1 {
    type Core = Payment;

    fn store(core: &Payment) -> PaymentV1 {
        PaymentV1 {
            seat: core.seat,
            award: core.award,
            shown: core.shown,
            amount: core.amount,
            from_meter: core.from_meter,
            reset: Shape::store(&core.reset),
            cites: core.cites,
            interpretation: core.interpretation.map(str::to_owned),
        }
    }

    fn load(self) -> Payment {
        let known = |name: String| Readings::choices().iter().map(|(id, ..)| *id).find(|id| **id == name);
        Payment {
            seat: self.seat,
            award: self.award,
            shown: self.shown,
            amount: self.amount,
            from_meter: self.from_meter,
            reset: self.reset.load(),
            cites: self.cites,
            interpretation: self.interpretation.and_then(known),
        }
    }
}

struct_shape!(RegisteredV1 for Registered { amount: Money, cites: Cites });

struct_shape!(ResolutionV1 for Resolution { value: Exact, reserve: Exact, paid: Exact, won: bool });

struct_shape!(ContributionV1 for MadeContribution { seat: u8, wager: Money, multiple: u32, pools: PoolsV1 });

struct_shape!(NewHitV1 for NewHit {
    id: u64,
    claim: ClaimV1,
    award: String,
    top: bool,
    ordered: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    turn: Option<u64>,
});

struct_shape!(PriceV1 for Price { hit: u64, payment: PaymentV1 });

struct_shape!(ChangeV1 for Change {
    parameters: ParametersV1,
    proposed_by: PersonV1,
    approved_by: Option<PersonV1>,
});

enum_shape!(JackpotCommandV1 for Command as "command" {
    with Open { configuration: ConfigurationV1 };
    with LinkTable { link: Box<TableLinkV1>, by: PersonV1 };
    with UnlinkTable { table: String, by: PersonV1 };
    with CloseBets { table: String, round: u64, wagers: Vec<WagerV1> };
    with DealHands {
        table: String,
        round: u64,
        order: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<u8>,
    };
    with CountDeals { order: u64 };
    with TakeOut { table: String, round: u64, seats: Vec<u8> };
    with VoidRound { table: String, round: u64 };
    with EndRound { table: String, round: u64 };
    with EnterClaims { table: String, round: u64, claims: Vec<ClaimV1> };
    with SettleRound { table: String, round: u64, claims: Vec<ClaimV1> };
    with UndoRound { table: String, round: u64, seats: Option<Vec<u8>>, cites: Cites };
    with ReportFault {
        table: String,
        round: u64,
        cites: Cites,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        registered: Option<Money>,
    };
    with Restore { table: String, by: PersonV1 };
    with Verify { hit: u64, by: PersonV1 };
    with Confirm { hit: u64, by: PersonV1 };
    with Reject { hit: u64, by: PersonV1, reason: String };
    with ProposeChange { parameters: ParametersV1, by: PersonV1 };
    with ApproveChange { by: PersonV1 };
    with WithdrawChange { by: PersonV1 };
    with ReceivePools { from: String, pools: PoolsV1 };
    with Close { into: String, by: PersonV1 };
});

enum_shape!(JackpotEventV1 for Event as "event" {
    with Opened { name: String, base: Money, parameters: ParametersV1 };
    with TableLinked { link: Box<TableLinkV1>, by: Option<PersonV1> };
    with TableUnlinked { table: String, by: PersonV1 };
    with BetsClosed { table: String, round: u64, prescribed: Money, contributions: Vec<ContributionV1> };
    with HandsDealt {
        table: String,
        round: u64,
        order: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<u8>,
    };
    with DealsCounted { order: u64 };
    with TakenOut { table: String, round: u64, seat: u8, pools: PoolsV1 };
    with Kept { table: String, round: u64, seat: u8, won_since: bool };
    with RoundEnded { table: String, round: u64, void: bool };
    with RoundHeld { table: String, round: u64 };
    with HitReversed {
        hit: u64,
        table: String,
        round: u64,
        seat: u8,
        amount: Money,
        from_meter: Money,
        paid: bool,
        cites: Cites,
    };
    with FaultReported { table: String, round: u64, registered: RegisteredV1 };
    with TableRestored { table: String, by: PersonV1 };
    with HitsEntered {
        table: String,
        round: u64,
        turn: u64,
        prescribed: Money,
        registered: Option<RegisteredV1>,
        hits: Vec<NewHitV1>,
    };
    with HitsPriced {
        prices: Vec<PriceV1>,
        pools: PoolsV1,
        paid: Exact,
        from_house: Exact,
        resolution: Option<ResolutionV1>,
    };
    with ParametersChanged { before: ParametersV1, change: ChangeV1 };
    with ParametersRestored { parameters: ParametersV1, change: ChangeV1 };
    with HitVerified { hit: u64, by: PersonV1 };
    with HitConfirmed { hit: u64, amount: Money, by: PersonV1 };
    with HitRejected { hit: u64, by: PersonV1, reason: String };
    with HitPaid {
        hit: u64,
        amount: Money,
        from_meter: Money,
        verified_by: PersonV1,
        confirmed_by: Option<PersonV1>,
    };
    with RoundSettled {
        table: String,
        round: u64,
        opening: MeterV1,
        opening_added: PoolsV1,
        resolution: ResolutionV1,
    };
    with ChangeProposed { parameters: ParametersV1, by: PersonV1 };
    with ChangeApproved { by: PersonV1 };
    with ChangeWithdrawn { by: PersonV1 };
    with PoolsReceived { from: String, pools: PoolsV1 };
    with Closed { into: String, pools: PoolsV1, by: PersonV1 };
});
