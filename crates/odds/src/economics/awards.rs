//! How often each award is paid, and what a wager is worth.

use baize_jackpot::value_of;
use baize_rules::{AwardChoice, AwardPay, BoxNumber, Claim, Money, Percent, Rulebook};
use serde::Serialize;

use super::setup::{Setup, dollars, share};
use crate::Fraction;
use crate::jackpot::{AwardCounts, AwardSet};

/// One line of the pay table.
#[derive(Debug, Clone, Serialize)]
pub struct AwardLine {
    /// What it is called.
    pub award: String,
    /// What it pays: a share of the meter, or an amount.
    pub pays: AwardPay,
    /// The share of the meter that it draws, if any.
    pub share: Fraction,
    /// The amount that it pays at any meter, in dollars.
    pub fixed: Fraction,
    /// The probability that a wager is paid it.
    pub probability: Fraction,
    /// The mean number of hours between two of them. `None` where it is never paid.
    pub hours_between: Option<Fraction>,
}

impl AwardLine {
    /// Whether it wins the whole meter.
    #[must_use]
    pub fn is_top(&self) -> bool {
        matches!(self.pays, AwardPay::Share(share) if share >= Percent::WHOLE)
    }
}

/// What a wager is worth: a fixed part, and a part that grows with the meter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct WagerWorth {
    /// Average payment at any meter, in dollars.
    pub fixed: Fraction,
    /// The share of the meter that is paid on average.
    pub meter_coefficient: Fraction,
    /// The meter at which the wager breaks even, in dollars. `None` if no award draws from the meter.
    pub break_even_meter: Option<Fraction>,
}

impl WagerWorth {
    pub(super) fn of(awards: &[AwardLine], setup: &Setup) -> WagerWorth {
        let sum = |part: fn(&AwardLine) -> Fraction| {
            awards.iter().fold(Fraction::ZERO, |sum, line| sum + line.probability * part(line))
        };
        let (fixed, meter_coefficient) = (sum(|line| line.fixed), sum(|line| line.share));
        let missing = dollars(setup.wager) - fixed;
        let break_even_meter =
            (meter_coefficient > Fraction::ZERO).then(|| missing * meter_coefficient.reciprocal());
        WagerWorth { fixed, meter_coefficient, break_even_meter }
    }

    /// What a wager is paid on average while the meter shows this amount, in dollars.
    #[must_use]
    pub fn at(&self, meter: Fraction) -> Fraction {
        self.fixed + self.meter_coefficient * meter
    }
}

/// The awards with their probabilities, for a player who stays in every hand.
pub(super) fn lines(
    rulebook: &Rulebook,
    setup: &Setup,
    counts: &AwardCounts,
    wagers_per_hour: Fraction,
) -> Vec<AwardLine> {
    let awards = &rulebook.jackpot.awards;
    let shown = setup.meter.unwrap_or(setup.reset);
    let amount = |award: usize, shown: Money| {
        let claim = Claim { seat: BoxNumber(1), award, made: 0, wager: setup.wager, multiple: 1 };
        value_of(&awards[award], &rulebook.readings, shown, setup.wager, &claim).unwrap_or(Money::ZERO)
    };
    // Which of the awards that the cards make is paid (I-2).
    let paid = |made: AwardSet| match rulebook.readings.award_choice {
        AwardChoice::HighestRanking => made.iter().next(),
        AwardChoice::HighestPaying => made
            .iter()
            .reduce(|best, next| if amount(next, shown) > amount(best, shown) { next } else { best }),
    };
    let mut deals = vec![0i128; awards.len()];
    for (made, number) in counts.totals() {
        if let Some(award) = paid(made) {
            deals[award] += i128::from(number);
        }
    }
    awards
        .iter()
        .zip(deals)
        .enumerate()
        .map(|(at, (award, deals))| {
            let probability = Fraction::new(deals, counts.cycle());
            let an_hour = probability * wagers_per_hour;
            let (part, fixed) = match award.pays {
                AwardPay::Share(percent) => (share(percent), Fraction::ZERO),
                AwardPay::Fixed(_) | AwardPay::ForOne(_) => (Fraction::ZERO, dollars(amount(at, shown))),
            };
            AwardLine {
                award: award.name.clone(),
                pays: award.pays,
                share: part,
                fixed,
                probability,
                hours_between: (an_hour > Fraction::ZERO).then(|| an_hour.reciprocal()),
            }
        })
        .collect()
}
