//! States as snapshots keep them: a table between two rounds, a jackpot, the house's register. Version 1.

use std::collections::{BTreeMap, BTreeSet};

use baize_cards::Card;
use baize_jackpot::{
    Contest, Counters, Exact, HeldRound, Hit, HitState, Jackpot, OpenRound, PaidFrom, PendingRound, Status,
    Table as JackpotTable,
};
use baize_rules::{Area, Cites, Money};
use serde::{Deserialize, Serialize};

use super::Shape;
use super::event_v1::ClaimV1;
use super::jackpot_v1::{
    ChangeV1, ContributionV1, MeterV1, ParametersV1, PaymentV1, PersonV1, PoolsV1, RegisteredV1,
    ResolutionV1, TableLinkV1,
};
use super::set_up_v1::{StandingV1, TableConfigV1};
use crate::between::BetweenRounds;
use crate::live::{Guest, Promise, Told};
use crate::rulebooks::Rulebooks;
use crate::slots::{Account, Register};
use crate::snapshots::State;
use crate::{Chips, Duty, Instant, JackpotId, MoneyKind, PlayerId, StaffId, TableId};

struct_shape!(GuestV1 for Guest { seat: u8, idle: u32 });

struct_shape!(PromiseV1 for Promise { round: u32, commitment: String });

struct_shape!(ToldV1 for Told { promise: PromiseV1, salt: String, deck: Vec<Card>, dealt: usize });

struct_shape!(ChipsV1 for Chips { seat: u8, area: Area, amount: Money });

struct_shape!(TableStateV1 for BetweenRounds {
    config: TableConfigV1,
    rulebook: String,
    standing: StandingV1,
    round: u32,
    guests: BTreeMap<PlayerId, GuestV1>,
    notice: Option<String>,
    promise: Option<PromiseV1>,
    told: Option<ToldV1>,
    last_wagers: BTreeMap<PlayerId, Vec<ChipsV1>>,
    ended: Instant,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    dealers: BTreeSet<StaffId>,
});

/// Whether a jackpot takes part in play.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum StatusV1 {
    Unopened,
    Open,
    Closed(String),
}

impl Shape for StatusV1 {
    type Core = Status;

    fn store(core: &Status) -> StatusV1 {
        match core {
            Status::Unopened => StatusV1::Unopened,
            Status::Open => StatusV1::Open,
            Status::Closed(into) => StatusV1::Closed(into.clone()),
        }
    }

    fn load(self) -> Status {
        match self {
            StatusV1::Unopened => Status::Unopened,
            StatusV1::Open => Status::Open,
            StatusV1::Closed(into) => Status::Closed(into),
        }
    }
}

struct_shape!(OpenRoundV1 for OpenRound {
    round: u64,
    prescribed: Money,
    contributions: Vec<ContributionV1>,
    won_before: u64,
    dealt: Option<u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    hands: Vec<(u8, u64)>,
    registered: Option<RegisteredV1>,
});

struct_shape!(PaidFromV1 for PaidFrom { meter: MeterV1, hits: Vec<u64> });

struct_shape!(HeldRoundV1 for HeldRound { played: OpenRoundV1, paid_from: Vec<PaidFromV1> });

struct_shape!(JackpotTableV1 for JackpotTable {
    link: TableLinkV1,
    open: Option<OpenRoundV1>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    held: Option<HeldRoundV1>,
    ended: Option<(u64, bool)>,
    suspended: bool,
    superseded: Option<Money>,
});

/// A counter that began after the first version.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
const fn none_yet(count: &u64) -> bool {
    *count == 0
}

struct_shape!(CountersV1 for Counters {
    base: Money,
    amount_in: Exact,
    taken_out: Exact,
    from_house: Exact,
    received: Exact,
    paid_from_meter: Exact,
    paid_by_house: Money,
    moved_out: Exact,
    hits: u64,
    wins: u64,
    rejected: u64,
    #[serde(default, skip_serializing_if = "none_yet")]
    reversed: u64,
    won: u64,
});

enum_shape!(HitStateV1 for HitState as "state" {
    plain Pending;
    plain Paid;
    with Rejected { by: PersonV1, reason: String };
    with Reversed { paid: bool, cites: Cites };
});

struct_shape!(HitV1 for Hit {
    id: u64,
    table: String,
    round: u64,
    claim: ClaimV1,
    award: String,
    top: bool,
    ordered: bool,
    payment: Option<PaymentV1>,
    state: HitStateV1,
    verified_by: Option<PersonV1>,
    confirmed_by: Option<PersonV1>,
});

struct_shape!(PendingRoundV1 for PendingRound {
    table: String,
    round: u64,
    turn: u64,
    prescribed: Money,
    registered: Option<RegisteredV1>,
    added: PoolsV1,
    hits: Vec<u64>,
});

struct_shape!(ContestV1 for Contest {
    opening: MeterV1,
    opening_added: PoolsV1,
    added: PoolsV1,
    rounds: Vec<PendingRoundV1>,
    resolution: ResolutionV1,
    applied: Option<(ParametersV1, ChangeV1)>,
});

struct_shape!(JackpotStateV1 for Jackpot {
    name: String,
    status: StatusV1,
    parameters: ParametersV1,
    meter: MeterV1,
    tables: BTreeMap<String, JackpotTableV1>,
    unlinked: BTreeMap<String, (u64, bool)>,
    hits: Vec<HitV1>,
    contest: Option<ContestV1>,
    change: Option<ChangeV1>,
    counters: CountersV1,
    #[serde(default, skip_serializing_if = "none_yet")]
    deals: u64,
});

struct_shape!(AccountV1 for Account {
    password: Option<String>,
    failures: u32,
    locked: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    suspended: bool,
    #[serde(default, skip_serializing_if = "is_zero")]
    ended: u32,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    let_in_by: BTreeSet<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    waits_until: Option<Instant>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    money: Option<MoneyKind>,
});

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde wants")]
const fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// The recorded rulebooks: text by hash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct RulebooksV1(BTreeMap<String, String>);

impl Shape for RulebooksV1 {
    type Core = Rulebooks;

    fn store(core: &Rulebooks) -> RulebooksV1 {
        RulebooksV1(core.texts().map(|(hash, text)| (hash.to_owned(), text.to_owned())).collect())
    }

    fn load(self) -> Rulebooks {
        let mut books = Rulebooks::default();
        for (hash, text) in &self.0 {
            books.record(hash, text);
        }
        books
    }
}

struct_shape!(RegisterStateV1 for Register {
    rulebooks: RulebooksV1,
    tables: Vec<TableId>,
    jackpots: Vec<JackpotId>,
    staff: BTreeMap<StaffId, (BTreeSet<Duty>, AccountV1)>,
    players: BTreeMap<PlayerId, AccountV1>,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    cash_jackpots: BTreeSet<JackpotId>,
});

/// A state. The name of its only field says whose it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum StateV1 {
    Table(Box<TableStateV1>),
    Jackpot(Box<JackpotStateV1>),
    House(Box<RegisterStateV1>),
}

impl Shape for StateV1 {
    type Core = State;

    fn store(core: &State) -> StateV1 {
        match core {
            State::Table(state) => StateV1::Table(Shape::store(state)),
            State::Jackpot(state) => StateV1::Jackpot(Shape::store(state)),
            State::House(state) => StateV1::House(Shape::store(state)),
        }
    }

    fn load(self) -> State {
        match self {
            StateV1::Table(state) => State::Table(state.load()),
            StateV1::Jackpot(state) => State::Jackpot(state.load()),
            StateV1::House(state) => State::House(state.load()),
        }
    }
}
