//! Paying the jackpot awards of one round at one table.

use baize_rules::{AwardPay, BoxNumber, Cites, Claim, JackpotRules, Money, OpenPoint, PaidBy, Readings};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::draw::{Draw, chosen};
use crate::order::turns;
use crate::{Meter, Reset};

/// One payment to a winner. Lists of payments are in the order of payment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Payment {
    /// The box.
    pub seat: BoxNumber,
    /// The index of the award in [`JackpotRules::awards`].
    pub award: usize,
    /// What the sign showed at their turn.
    pub shown: Money,
    /// What they are paid.
    pub amount: Money,
    /// How much of it came out of the meter; the house paid the rest.
    pub from_meter: Money,
    /// The meter was reset with this payment.
    pub reset: Option<Reset>,
    /// The paragraphs: the pay table, then what ordered or pooled the winners.
    pub cites: Cites,
    /// The open point (`I-3`) whose other reading would have paid them a different amount.
    pub interpretation: Option<OpenPoint>,
}

impl Payment {
    /// The house's part of it.
    #[must_use]
    pub fn from_house(&self) -> Money {
        self.amount - self.from_meter
    }
}

/// Claims that cannot be paid. The table makes none of these; a script or another system might.
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
    /// An amount above the largest supported.
    #[error("the award of box {seat} is larger than the largest supported amount")]
    TooLarge {
        /// The box.
        seat: BoxNumber,
    },
}

/// The open points that decide amounts, the most important first.
const POINTS: [OpenPoint; 7] = [
    OpenPoint::AwardChoice,
    OpenPoint::PooledStraightFlush,
    OpenPoint::SeveralWinners,
    OpenPoint::ForOne,
    OpenPoint::PaidBy,
    OpenPoint::PoolRounding,
    OpenPoint::Rounding,
];

/// Pays a round's claims in the order of the rules and lowers or resets the meter. `minimum` is the prescribed wager, or the
/// smallest if multiples are allowed. If a claim is invalid, nothing is paid and the meter is unchanged.
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

/// Like [`pay`], but each award is worth its value at the amount registered before a fault (RH 5.17.1, RS 5.18.1).
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
    for point in POINTS.into_iter().filter(|point| may_matter(rules, readings, *point, claims)) {
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

/// Whether another reading of this open point could change anything for these claims: a quick test before computing it.
fn may_matter(rules: &JackpotRules, readings: &Readings, point: OpenPoint, claims: &[Claim]) -> bool {
    let pays = |claim: &Claim| rules.awards.get(claim.award).map(|award| award.pays);
    let any = |kind: fn(AwardPay) -> bool| claims.iter().filter_map(pays).any(kind);
    let several = claims.len() > 1;
    // If a hand makes several awards, it is open which kind is paid.
    let choice = claims.iter().any(|claim| claim.made.count_ones() > 1);
    if choice {
        true
    } else if point == OpenPoint::AwardChoice {
        false
    } else if point == OpenPoint::ForOne {
        any(|pays| matches!(pays, AwardPay::ForOne(_)))
    } else if point == OpenPoint::Rounding {
        any(|pays| matches!(pays, AwardPay::Share(_)))
    } else {
        several || (point == OpenPoint::PaidBy && readings.paid_by != PaidBy::default())
    }
}

/// The readings that differ from these in one open point.
fn others(readings: &Readings, point: OpenPoint) -> impl Iterator<Item = Readings> + '_ {
    let in_force = readings.reading(point);
    let others = point.readings().iter().filter(move |(name, _)| *name != in_force);
    others.filter_map(move |(name, _)| readings.with(point, name).ok())
}

/// Another reading of the point would have paid a different amount; or, if the house does not use the default reading, it
/// would have taken a different part of it from the meter.
fn mattered(readings: &Readings, point: OpenPoint, payment: &Payment, twin: &Payment) -> bool {
    let usual = readings.reading(point) == Readings::default().reading(point);
    twin.amount != payment.amount || (!usual && twin.from_meter != payment.from_meter)
}
