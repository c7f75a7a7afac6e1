//! The house's account: takings and payments, on average and in the long run.
//!
//! Of a wager w the house pays the fixed awards f; r·w goes to the reserve and c to the meter, from where it all comes back to
//! players. The reset value R is paid once for each hit of the top award, p·R a wager: by the reserve as far as it goes, then by
//! the house. So players get f + c + p·R a wager in the long run, and the house keeps w − f − c − p·R. The reserve pays for the
//! resets by itself when r·w = p·R.

use serde::Serialize;

use super::awards::WagerWorth;
use super::life::MeterLife;
use super::setup::{Setup, dollars, share};
use crate::Fraction;

/// Averages per wager, in dollars unless stated otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct HouseAccount {
    /// The fixed awards.
    pub fixed_awards: Fraction,
    /// What goes to the meter.
    pub to_meter: Fraction,
    /// What goes to the reserve.
    pub to_reserve: Fraction,
    /// What resets cost.
    pub resets: Fraction,
    /// The part of it that the house pays; the reserve pays the rest.
    pub resets_by_house: Fraction,
    /// What the house pays for each reset on average.
    pub by_house_each_reset: Option<Fraction>,
    /// What the reserve receives beyond the cost of resets.
    pub reserve_surplus: Fraction,
    /// What the house keeps in the long run.
    pub kept: Fraction,
    /// The same as a share of the wager: the house edge.
    pub house_edge: Fraction,
    /// The reserve rate at which resets pay for themselves, as a share of the wager.
    pub self_funding_reserve: Fraction,
}

impl HouseAccount {
    pub(super) fn of(worth: &WagerWorth, meter: &MeterLife, setup: &Setup) -> HouseAccount {
        let wager = dollars(setup.wager);
        let to_reserve = wager * share(setup.reserve);
        let resets = meter.top * dollars(setup.reset);
        let missing = resets - to_reserve;
        let zero = Fraction::ZERO;
        let resets_by_house = missing.max(zero);
        let reserve_surplus = (-missing).max(zero);
        let kept = wager - worth.fixed - meter.added - resets - reserve_surplus;
        HouseAccount {
            fixed_awards: worth.fixed,
            to_meter: meter.added,
            to_reserve,
            resets,
            resets_by_house,
            by_house_each_reset: meter.wagers_between.map(|wagers| resets_by_house * wagers),
            reserve_surplus,
            kept,
            house_edge: kept * wager.reciprocal(),
            self_funding_reserve: resets * wager.reciprocal(),
        }
    }
}
