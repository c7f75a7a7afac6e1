//! Commands, version 1.

use baize_cards::Card;
use baize_rules::{Area, Cites, FaultScope, IrregularityKind, Money, Reveal, Role, Whose};
use baize_table::{Choice, OpenPoint, Place, Player};
use baize_table::{Command, Facts, JackpotPayment, Report, Ruling, Staff};

use super::Shape;

struct_shape!(StaffV1 for Staff {
    role: Role,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
});

struct_shape!(FactsV1 for Facts {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    count: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seen: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reconstructable: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    intentional: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    whose: Option<Whose>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    card: Option<Card>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    player: Option<Player>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    boxes: Vec<u8>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    moves: Vec<(u8, u8)>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    shift: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    dealing: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    scope: Option<FaultScope>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    previous_round: bool,
});

struct_shape!(ReportV1 for Report {
    kind: IrregularityKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seat: Option<u8>,
    facts: FactsV1,
    by: StaffV1,
});

/// A ruling's kind is written with its value beside its name.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case", tag = "ruling", content = "of")]
pub(crate) enum RulingKindV1 {
    Void,
    Continue,
    FirstCard(u8),
    NoJackpot,
    CloseTable,
    BarBox(u8),
    JackpotRestored,
    Restrict(Player),
    Bar(Player),
    Stop(Player),
    Lift(Player),
    PermitWithdrawal,
    Intentional,
    NotIntentional,
}

impl Shape for RulingKindV1 {
    type Core = baize_table::RulingKind;

    fn store(core: &baize_table::RulingKind) -> RulingKindV1 {
        use baize_table::RulingKind as Kind;
        match core {
            Kind::Void => RulingKindV1::Void,
            Kind::Continue => RulingKindV1::Continue,
            Kind::FirstCard(card) => RulingKindV1::FirstCard(*card),
            Kind::NoJackpot => RulingKindV1::NoJackpot,
            Kind::CloseTable => RulingKindV1::CloseTable,
            Kind::BarBox(seat) => RulingKindV1::BarBox(*seat),
            Kind::JackpotRestored => RulingKindV1::JackpotRestored,
            Kind::Restrict(player) => RulingKindV1::Restrict(player.clone()),
            Kind::Bar(player) => RulingKindV1::Bar(player.clone()),
            Kind::Stop(player) => RulingKindV1::Stop(player.clone()),
            Kind::Lift(player) => RulingKindV1::Lift(player.clone()),
            Kind::PermitWithdrawal => RulingKindV1::PermitWithdrawal,
            Kind::Intentional => RulingKindV1::Intentional,
            Kind::NotIntentional => RulingKindV1::NotIntentional,
        }
    }

    fn load(self) -> baize_table::RulingKind {
        use baize_table::RulingKind as Kind;
        match self {
            RulingKindV1::Void => Kind::Void,
            RulingKindV1::Continue => Kind::Continue,
            RulingKindV1::FirstCard(card) => Kind::FirstCard(card),
            RulingKindV1::NoJackpot => Kind::NoJackpot,
            RulingKindV1::CloseTable => Kind::CloseTable,
            RulingKindV1::BarBox(seat) => Kind::BarBox(seat),
            RulingKindV1::JackpotRestored => Kind::JackpotRestored,
            RulingKindV1::Restrict(player) => Kind::Restrict(player),
            RulingKindV1::Bar(player) => Kind::Bar(player),
            RulingKindV1::Stop(player) => Kind::Stop(player),
            RulingKindV1::Lift(player) => Kind::Lift(player),
            RulingKindV1::PermitWithdrawal => Kind::PermitWithdrawal,
            RulingKindV1::Intentional => Kind::Intentional,
            RulingKindV1::NotIntentional => Kind::NotIntentional,
        }
    }
}

struct_shape!(RulingV1 for Ruling {
    kind: RulingKindV1,
    by: StaffV1,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
});

struct_shape!(JackpotPaymentV1 for JackpotPayment {
    seat: u8,
    amount: Money,
    cites: Cites,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    interpretation: Option<OpenPoint>,
});

enum_shape!(CommandV1 for Command as "command" {
    plain Open;
    plain Close;
    plain Settle;
    with PlaceWager {
        seat: u8,
        player: Player,
        area: Area,
        amount: Money,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        unnoticed: bool,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        placed_by: Option<Role>,
    };
    with Withdraw { seat: u8, player: Player, area: Area };
    with Burn { card: Card };
    with Deal { to: Place, cards: Vec<Card> };
    with Look { seat: u8 };
    with Fold { seat: u8 };
    with Check { seat: u8 };
    with Reveal { what: Reveal };
    with Show { seat: u8 };
    with Decline { seat: u8 };
    with Absent { seat: u8 };
    with Choose {
        seat: u8,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        player: Option<Player>,
        choice: Choice,
    };
    with PayJackpot { payments: Vec<JackpotPaymentV1> };
    around Report(ReportV1);
    around Rule(RulingV1);
});
