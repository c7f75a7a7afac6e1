//! How tables and jackpots are set up, and who acts. Version 1.

use std::collections::BTreeSet;

use baize_rules::{
    AllFold, AwardChoice, BarReach, BonusAfterLoss, BonusOfInvalid, CapOn, Contribution, ForOne, HouseActs,
    Money, NotShown, OneTimeOnly, PaidBy, Percent, PoolRounding, PooledStraightFlush, ProcedureName,
    PutRight, RaisesOfAbsent, Readings, Rounding, SeveralWinners, SharedExcess, Silence,
};
use baize_table::{Limits, Player, Settings, Standing};

use crate::{
    Actor, Duty, FromEarlier, JackpotConfig, JackpotId, MoneyKind, Pace, PlayerId, Shoe, StaffId,
    TableConfig, TableId,
};

enum_shape!(ActorV1 for Actor as "as" {
    plain House;
    plain Public;
    with Player { id: PlayerId };
    with Staff { id: StaffId, duties: BTreeSet<Duty> };
});

struct_shape!(LimitsV1 for Limits { least: Money, most: Money });

struct_shape!(ReadingsV1 for Readings {
    bonus_after_loss: BonusAfterLoss,
    award_choice: AwardChoice,
    pooled_straight_flush: PooledStraightFlush,
    several_winners: SeveralWinners,
    for_one: ForOne,
    rounding: Rounding,
    bonus_of_invalid: BonusOfInvalid,
    all_fold: AllFold,
    cap_on: CapOn,
    paid_by: PaidBy,
    contribution: Contribution,
    // Named later: a journal from before has none of these, and their default is not written.
    #[serde(default, skip_serializing_if = "is_default")]
    silence: Silence,
    #[serde(default, skip_serializing_if = "is_default")]
    not_shown: NotShown,
    #[serde(default, skip_serializing_if = "is_default")]
    shared_excess: SharedExcess,
    #[serde(default, skip_serializing_if = "is_default")]
    one_time_only: OneTimeOnly,
    #[serde(default, skip_serializing_if = "is_default")]
    bar_reach: BarReach,
    #[serde(default, skip_serializing_if = "is_default")]
    house_acts: HouseActs,
    #[serde(default, skip_serializing_if = "is_default")]
    pool_rounding: PoolRounding,
    #[serde(default, skip_serializing_if = "is_default")]
    put_right: PutRight,
    #[serde(default, skip_serializing_if = "is_default")]
    raises_of_absent: RaisesOfAbsent,
});

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

struct_shape!(SettingsV1 for Settings {
    boxes: u8,
    procedure: ProcedureName,
    ante: LimitsV1,
    bonus: LimitsV1,
    jackpot_wager: Money,
    readings: ReadingsV1,
});

enum_shape!(PaceV1 for Pace as "pace" {
    plain Dealer;
    with Auto { betting_seconds: u32, decision_seconds: u32 };
});

struct_shape!(TableConfigV1 for TableConfig {
    id: TableId,
    rulebook: String,
    settings: SettingsV1,
    pace: PaceV1,
    shoe: Shoe,
    jackpot: Option<JackpotId>,
    float: Money,
    #[serde(default, skip_serializing_if = "MoneyKind::is_practice")]
    money: MoneyKind,
    #[serde(default = "TableConfig::usual_bets_by_staff", skip_serializing_if = "TableConfig::are_usual_bets_by_staff")]
    bets_by_staff: Money,
});

struct_shape!(JackpotConfigV1 for JackpotConfig {
    id: JackpotId,
    base: Money,
    wager: Money,
    reset: Money,
    increment: Percent,
    reserve: Percent,
    ceiling: Option<Money>,
    confirm_above: Money,
    #[serde(default, skip_serializing_if = "MoneyKind::is_practice")]
    money: MoneyKind,
});

struct_shape!(StandingV1 for Standing {
    closed: bool,
    jackpot_fault: bool,
    no_jackpot: bool,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    faulty_boxes: BTreeSet<u8>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    fault_everywhere: bool,
    barred_boxes: BTreeSet<u8>,
    restricted: BTreeSet<Player>,
    barred: BTreeSet<Player>,
    stopped: BTreeSet<Player>,
    under_minimum: BTreeSet<Player>,
});

struct_shape!(FromEarlierV1 for FromEarlier { rounds: u32, standing: StandingV1 });
