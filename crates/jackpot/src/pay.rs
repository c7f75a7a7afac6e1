//! Paying the jackpot awards of one round at one table.

use baize_rules::{AwardPay, BoxNumber, Cites, Claim, JackpotRules, Money, PaidBy, Readings};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::draw::{Draw, chosen};
use crate::order::turns;
use crate::{Meter, Reset};

/// The name of an open point: `I-3`.
pub type OpenPoint = &'static str;

/// One winner paid. A list of payments stands in the order of payment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Payment {
    /// The box.
    pub seat: BoxNumber,
    /// The index of the award in [`JackpotRules::awards`].
    pub award: usize,
    /// What the sign showed when their turn came.
    pub shown: Money,
    /// What they are paid.
    pub amount: Money,
    /// How much of it came out of the meter; the house paid the rest.
    pub from_meter: Money,
    /// The meter went back to its reset value with this payment.
    pub reset: Option<Reset>,
    /// The paragraphs: the pay table, then what ordered or pooled the winners.
    pub cites: Cites,
    /// The open point (`I-3`) of which another reading would have paid them another amount.
    #[serde(with = "open_point")]
    pub interpretation: Option<OpenPoint>,
}

impl Payment {
    /// What the house paid of it.
    #[must_use]
    pub fn from_house(&self) -> Money {
        self.amount - self.from_meter
    }
}

/// Claims that cannot be paid. The table states none of these; a script or another system might.
#[derive(Debug, Clone, PartialEq, Eq, Error, Serialize, Deserialize)]
pub enum PayFault {
    /// An award that the pay table does not have.
    #[error("box {seat} claims award number {award}, which the pay table does not have")]
    NoSuchAward {
        /// The box.
        seat: BoxNumber,
        /// The index.
        award: usize,
    },
    /// A claim without a wager.
    #[error("box {seat} claims an award without a jackpot wager")]
    NoWager {
        /// The box.
        seat: BoxNumber,
    },
    /// Two awards for one wager (I-2).
    #[error("box {seat} claims two awards; one jackpot wager is paid one award (I-2)")]
    TwoAwards {
        /// The box.
        seat: BoxNumber,
    },
    /// An amount beyond any of this world.
    #[error("the award of box {seat} is beyond any amount that can be paid")]
    TooLarge {
        /// The box.
        seat: BoxNumber,
    },
}

/// The open points that decide amounts, the most telling first.
const POINTS: [&str; 7] = ["I-2", "I-3", "I-4", "I-5", "I-10", "I-18", "I-6"];

/// Pays a round's claims in the order of the rules and lowers or resets the meter. `minimum` is the prescribed wager, or the
/// smallest where multiples are allowed. Nothing is paid and the meter stays as it was when a claim is at fault.
///
/// # Errors
/// A claim for an award that does not exist, without a wager, or for a second award.
pub fn pay(
    rules: &JackpotRules,
    readings: &Readings,
    meter: &mut Meter,
    minimum: Money,
    claims: &[Claim],
) -> Result<Vec<Payment>, PayFault> {
    pay_registered(rules, readings, meter, None, minimum, claims)
}

/// As [`pay`], but each award is worth what it was worth at the amount that was registered before a fault (RH 5.17.1,
/// RS 5.18.1).
///
/// # Errors
/// As [`pay`].
// RH 5.17.1; RS 5.18.1: at the amount registered before the fault.
pub fn pay_registered(
    rules: &JackpotRules,
    readings: &Readings,
    meter: &mut Meter,
    registered: Option<Money>,
    minimum: Money,
    claims: &[Claim],
) -> Result<Vec<Payment>, PayFault> {
    let before = meter.clone();
    let run = |readings: &Readings, meter: &mut Meter| -> Result<Vec<Payment>, PayFault> {
        let mut payments = Vec::with_capacity(claims.len());
        let shown = registered.unwrap_or_else(|| meter.displayed());
        let claims: Vec<Claim> =
            claims.iter().map(|claim| chosen(rules, readings, shown, minimum, *claim)).collect();
        let order = turns(rules, readings, &claims)?;
        let mut draw = Draw::new(rules, readings, meter, registered, minimum, &claims);
        for turn in &order {
            draw.turn(turn, &mut payments)?;
        }
        Ok(payments)
    };
    let mut after = before.clone();
    let mut payments = run(readings, &mut after)?;
    for point in POINTS.into_iter().filter(|point| may_matter(rules, readings, point, claims)) {
        for other in others(readings, point) {
            let Ok(alternative) = run(&other, &mut before.clone()) else { continue };
            for payment in payments.iter_mut().filter(|payment| payment.interpretation.is_none()) {
                let twin = alternative.iter().find(|twin| twin.seat == payment.seat);
                if twin.is_some_and(|twin| mattered(readings, point, payment, twin)) {
                    payment.interpretation = Some(point);
                }
            }
        }
    }
    *meter = after;
    Ok(payments)
}

/// Whether another reading of this open point could change anything for these claims: a quick look before working it out.
fn may_matter(rules: &JackpotRules, readings: &Readings, point: &str, claims: &[Claim]) -> bool {
    let pays = |claim: &Claim| rules.awards.get(claim.award).map(|award| award.pays);
    let any = |kind: fn(AwardPay) -> bool| claims.iter().filter_map(pays).any(kind);
    let several = claims.len() > 1;
    // Where a hand makes several awards, the kind of the one that is paid is open.
    let choice = claims.iter().any(|claim| claim.made.count_ones() > 1);
    match point {
        _ if choice => true,
        "I-2" => false,
        "I-5" => any(|pays| matches!(pays, AwardPay::ForOne(_))),
        "I-6" => any(|pays| matches!(pays, AwardPay::Share(_))),
        "I-10" => several || readings.paid_by != PaidBy::default(),
        _ => several,
    }
}

/// The readings that differ from these in one open point.
fn others<'a>(readings: &'a Readings, point: &'static str) -> impl Iterator<Item = Readings> + 'a {
    let in_force = readings.reading(point);
    let choices =
        Readings::choices().iter().find(|(id, ..)| *id == point).map_or(&[][..], |(_, _, names)| names);
    choices
        .iter()
        .filter(move |(name, _)| Some(*name) != in_force)
        .filter_map(move |(name, _)| readings.with(point, name).ok())
}

/// Another reading of the point would have paid another amount; or, where the house does not use the usual reading, it would
/// have taken another part of it from the meter.
fn mattered(readings: &Readings, point: &str, payment: &Payment, twin: &Payment) -> bool {
    let usual = readings.reading(point) == Readings::default().reading(point);
    twin.amount != payment.amount || (!usual && twin.from_meter != payment.from_meter)
}

/// Open points are written by their name and read back into the names that exist.
mod open_point {
    use baize_rules::Readings;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(
        point: &Option<&'static str>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        point.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<&'static str>, D::Error> {
        let Some(name) = Option::<String>::deserialize(deserializer)? else { return Ok(None) };
        let known = Readings::choices().iter().find(|(id, ..)| *id == name).map(|(id, ..)| *id);
        known.map(Some).ok_or_else(|| serde::de::Error::custom(format!("`{name}` is not an open point")))
    }
}
