//! The jackpot wager: its fixed return, the return per dollar of the meter, and the break-even meter.
//!
//! Returns are shares of the wager: `fixed_return + meter_coefficient × meter ÷ wager`. The meter coefficient is the expected win of one
//! wager per dollar on the meter.

use baize_rules::{AwardPay, Money, Rulebook};
use serde::Serialize;

use super::figures::{decimal, decimal_or_null, dollars_or_null};
use crate::jackpot::{AwardCounts, AwardValue, JackpotStakes, JackpotWorth, paid_awards};
use crate::{Fraction, GameError};

/// The default jackpot wager of an analysis: the usual one of a table.
pub const USUAL_JACKPOT_WAGER: Money = Money::from_dollars(5);

/// The wager and the meter that are analysed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JackpotTerms {
    /// The wager.
    pub wager: Money,
    /// The meter, if one is given.
    pub meter: Option<Money>,
}

impl JackpotTerms {
    /// These terms, if they can be analysed.
    ///
    /// # Errors
    /// The wager is zero, or an amount is too large.
    pub fn checked(wager: Money, meter: Option<Money>) -> Result<JackpotTerms, GameError> {
        let shown = meter.unwrap_or(Money::ZERO);
        if wager <= Money::ZERO || wager > Money::from_dollars(1_000_000) || shown.cents() > 1_000_000_000_000
        {
            return Err(GameError::JackpotStakes { wager, meter: shown });
        }
        Ok(JackpotTerms { wager, meter })
    }

    /// The stakes of a wager that is this multiple of the minimum.
    #[must_use]
    pub fn stakes(self, multiple: u32) -> JackpotStakes {
        let wager = Money::from_cents(self.wager.cents().saturating_mul(i64::from(multiple)));
        JackpotStakes { wager, multiple, meter: self.meter.unwrap_or(Money::ZERO) }
    }
}

/// One line of the jackpot pay table.
#[derive(Debug, Clone, Serialize)]
pub struct AwardRow {
    /// What the line is called.
    pub award: String,
    /// What it pays.
    pub pays: String,
    /// How often a wager is paid it with best play of the main wagers.
    #[serde(serialize_with = "decimal")]
    pub probability: Fraction,
    /// The same for a player who never folds.
    #[serde(serialize_with = "decimal")]
    pub probability_without_folds: Fraction,
    /// The first of them as a fraction.
    pub exact: Fraction,
}

/// Return and break-even meter of a wager of one size.
#[derive(Debug, Clone, Serialize)]
pub struct JackpotReturn {
    /// The wager.
    pub wager: Money,
    /// Fixed return as a share of the wager, independent of the meter.
    #[serde(serialize_with = "decimal")]
    pub fixed_return: Fraction,
    /// What a wager expects to win of each dollar of the meter.
    #[serde(serialize_with = "decimal")]
    pub meter_coefficient: Fraction,
    /// The meter in dollars at which the wager comes back in full on average. `None` where the meter pays nothing.
    #[serde(serialize_with = "dollars_or_null")]
    pub break_even_meter: Option<Fraction>,
    /// The three figures as fractions.
    pub exact: ExactReturn,
}

/// The figures as fractions.
#[derive(Debug, Clone, Serialize)]
pub struct ExactReturn {
    /// Share of the wager.
    pub fixed_return: Fraction,
    /// Dollars for each dollar of the meter.
    pub meter_coefficient: Fraction,
    /// Dollars.
    pub break_even_meter: Option<Fraction>,
}

impl JackpotReturn {
    fn new(wager: Money, value: AwardValue) -> JackpotReturn {
        let cents = Fraction::from(wager.cents());
        let fixed_return = value.fixed * cents.reciprocal();
        let missing = (Fraction::from(1) - fixed_return) * cents * Fraction::new(1, 100);
        let break_even = (value.share > Fraction::ZERO).then(|| missing * value.share.reciprocal());
        JackpotReturn {
            wager,
            fixed_return,
            meter_coefficient: value.share,
            break_even_meter: break_even,
            exact: ExactReturn { fixed_return, meter_coefficient: value.share, break_even_meter: break_even },
        }
    }

    /// The return at this meter, as a share of the wager.
    #[must_use]
    pub fn at(&self, meter: Money) -> Fraction {
        self.fixed_return + self.meter_coefficient * Fraction::new(meter.cents(), self.wager.cents())
    }
}

/// What the jackpot wager returns.
#[derive(Debug, Clone, Serialize)]
pub struct JackpotAnalysis {
    /// A wager of the prescribed amount, or of the minimum.
    #[serde(flatten)]
    pub single: JackpotReturn,
    /// The meter that was asked about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meter: Option<Money>,
    /// The return at that meter, as a share of the wager.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "decimal_or_null")]
    pub return_at_meter: Option<Fraction>,
    /// Wagers of several times the minimum, where the game allows them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub multiples: Vec<JackpotReturn>,
    /// The awards.
    pub awards: Vec<AwardRow>,
    /// How often any award is paid.
    #[serde(serialize_with = "decimal")]
    pub hit_rate: Fraction,
}

impl JackpotAnalysis {
    /// The jackpot wager where the share `folded` of each kind of hand is folded, in the order of [`AwardCounts::kinds`].
    #[must_use]
    pub fn new(
        rulebook: &Rulebook,
        counts: &AwardCounts,
        terms: JackpotTerms,
        folded: &[Fraction],
    ) -> JackpotAnalysis {
        let (rules, readings) = (&rulebook.jackpot, &rulebook.readings);
        let returns = |multiple: u32| {
            let stakes = terms.stakes(multiple);
            let worth = JackpotWorth::of_kinds(counts, rules, readings, stakes);
            JackpotReturn::new(stakes.wager, JackpotWorth::overall(counts, &worth, folded))
        };
        let single = returns(1);
        let none = vec![Fraction::ZERO; folded.len()];
        let stakes = terms.stakes(1);
        let with_folds = paid_awards(counts, rules, readings, stakes, folded);
        let without = paid_awards(counts, rules, readings, stakes, &none);
        let awards = rules.awards.iter().zip(with_folds.iter().zip(&without));
        let awards = awards.map(|(award, (probability, without))| AwardRow {
            award: award.name.clone(),
            pays: pays(award.pays),
            probability: *probability,
            probability_without_folds: *without,
            exact: *probability,
        });
        let multiples = rulebook.betting.jackpot_multiples.value;
        JackpotAnalysis {
            return_at_meter: terms.meter.map(|meter| single.at(meter)),
            meter: terms.meter,
            single,
            multiples: if multiples > 1 { (2..=multiples).map(returns).collect() } else { Vec::new() },
            awards: awards.collect(),
            hit_rate: with_folds.iter().fold(Fraction::ZERO, |sum, each| sum + *each),
        }
    }
}

fn pays(pays: AwardPay) -> String {
    match pays {
        AwardPay::Share(share) => format!("{share} of the meter"),
        AwardPay::Fixed(_) | AwardPay::ForOne(_) => pays.to_string(),
    }
}
