//! The price of awards: a fixed part and a part that grows with the meter.

use baize_rules::{
    AfterFold, Award, AwardCards, AwardChoice, AwardPay, ForOne, JackpotRules, Money, Readings,
};

use super::{AwardCounts, AwardSet};
use crate::Fraction;

/// The jackpot wager and the current meter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JackpotStakes {
    /// The wager.
    pub wager: Money,
    /// How many times the minimum wager it is.
    pub multiple: u32,
    /// The meter, which decides between awards where the rulebook pays the highest-paying one.
    pub meter: Money,
}

/// An amount in cents that may depend on the meter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AwardValue {
    /// Cents at any meter.
    pub fixed: Fraction,
    /// The share of the meter.
    pub share: Fraction,
}

impl AwardValue {
    /// Zero.
    pub const ZERO: AwardValue = AwardValue { fixed: Fraction::ZERO, share: Fraction::ZERO };

    /// The amount in cents at this meter.
    #[must_use]
    pub fn at(self, meter: Money) -> Fraction {
        self.fixed + self.share * Fraction::from(meter.cents())
    }

    fn plus(self, other: AwardValue, weight: Fraction) -> AwardValue {
        AwardValue { fixed: self.fixed + other.fixed * weight, share: self.share + other.share * weight }
    }

    /// Both together.
    #[must_use]
    #[expect(
        clippy::should_implement_trait,
        reason = "amounts that depend on the meter are added in one place only"
    )]
    pub fn add(self, other: AwardValue) -> AwardValue {
        self.plus(other, Fraction::from(1))
    }

    /// This amount times a factor.
    #[must_use]
    pub fn times(self, factor: Fraction) -> AwardValue {
        AwardValue { fixed: self.fixed * factor, share: self.share * factor }
    }

    /// This less the other.
    #[must_use]
    pub fn minus(self, other: AwardValue) -> AwardValue {
        self.plus(other, Fraction::from(-1))
    }
}

/// What the jackpot is worth to one kind of hand, before the wager itself is taken off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JackpotWorth {
    /// To a player who stays.
    pub stay: AwardValue,
    /// To a player who folds.
    pub fold: AwardValue,
}

impl JackpotWorth {
    /// The worth for each kind of hand, in the order of [`AwardCounts::kinds`].
    #[must_use]
    pub fn of_kinds(
        counts: &AwardCounts,
        rules: &JackpotRules,
        readings: &Readings,
        stakes: JackpotStakes,
    ) -> Vec<JackpotWorth> {
        let kept = after_fold(rules);
        let average = |sets: &[(AwardSet, i64)], only: AwardSet| {
            sets.iter().fold(AwardValue::ZERO, |sum, (made, deals)| {
                match paid(rules, readings, stakes, made.and(only)) {
                    Some(award) => {
                        let weight = Fraction::new(*deals, counts.deals);
                        sum.plus(value(&rules.awards[award], readings, stakes), weight)
                    }
                    None => sum,
                }
            })
        };
        let everything = (0..rules.awards.len()).fold(AwardSet::NONE, AwardSet::with);
        let worth = |sets: &Vec<(AwardSet, i64)>| JackpotWorth {
            stay: average(sets, everything),
            fold: average(sets, kept),
        };
        counts.kinds.iter().map(|of_kind| worth(&of_kind.made)).collect()
    }

    /// The worth over all hands, for a player who folds the share `folded` of each kind.
    #[must_use]
    pub fn overall(counts: &AwardCounts, worth: &[JackpotWorth], folded: &[Fraction]) -> AwardValue {
        let kinds = counts.kinds.iter().zip(worth).zip(folded);
        kinds.fold(AwardValue::ZERO, |sum, ((of_kind, worth), folded)| {
            let weight = Fraction::new(of_kind.hands, counts.hands);
            let stayed = Fraction::from(1) - *folded;
            sum.plus(worth.stay, weight * stayed).plus(worth.fold, weight * *folded)
        })
    }
}

/// How often a wager is paid each award, for a player who folds the share `folded` of each kind of hand.
#[must_use]
pub fn paid_awards(
    counts: &AwardCounts,
    rules: &JackpotRules,
    readings: &Readings,
    stakes: JackpotStakes,
    folded: &[Fraction],
) -> Vec<Fraction> {
    let kept = after_fold(rules);
    let mut probabilities = vec![Fraction::ZERO; rules.awards.len()];
    for (of_kind, folded) in counts.kinds.iter().zip(folded) {
        for (made, deals) in &of_kind.made {
            let weight = Fraction::new(of_kind.hands * deals, counts.cycle());
            if let Some(award) = paid(rules, readings, stakes, *made) {
                probabilities[award] = probabilities[award] + weight * (Fraction::from(1) - *folded);
            }
            if let Some(award) = paid(rules, readings, stakes, made.and(kept)) {
                probabilities[award] = probabilities[award] + weight * *folded;
            }
        }
    }
    probabilities
}

/// What a set of awards that are made is worth: one of them is paid.
#[must_use]
pub fn worth_of_made(
    rules: &JackpotRules,
    readings: &Readings,
    stakes: JackpotStakes,
    made: AwardSet,
) -> JackpotWorth {
    let worth = |made: AwardSet| {
        let award = paid(rules, readings, stakes, made);
        award.map_or(AwardValue::ZERO, |award| value(&rules.awards[award], readings, stakes))
    };
    JackpotWorth { stay: worth(made), fold: worth(made.and(after_fold(rules))) }
}

/// The awards that a player who folds can still win.
fn after_fold(rules: &JackpotRules) -> AwardSet {
    let keeps = |award: &Award| match rules.after_fold.value {
        AfterFold::Everything => true,
        AfterFold::CommunityOnly => award.cards == AwardCards::Community,
        AfterFold::Nothing => false,
    };
    let kept = rules.awards.iter().enumerate().filter(|(_, award)| keeps(award));
    kept.fold(AwardSet::NONE, |kept, (n, _)| kept.with(n))
}

/// The award that is paid of those that are made: the first in the pay table, or the highest-paying.
fn paid(rules: &JackpotRules, readings: &Readings, stakes: JackpotStakes, made: AwardSet) -> Option<usize> {
    let amount = |n: usize| value(&rules.awards[n], readings, stakes).at(stakes.meter);
    match readings.award_choice {
        AwardChoice::HighestRanking => made.iter().next(),
        AwardChoice::HighestPaying => {
            made.iter().reduce(|best, next| if amount(next) > amount(best) { next } else { best })
        }
    }
}

/// What an award pays.
fn value(award: &Award, readings: &Readings, stakes: JackpotStakes) -> AwardValue {
    let multiple = if award.multiplied { i64::from(stakes.multiple) } else { 1 };
    match award.pays {
        AwardPay::Share(percent) => AwardValue {
            share: Fraction::new(i64::from(percent.hundredths()) * multiple, 10_000),
            ..AwardValue::ZERO
        },
        AwardPay::Fixed(amount) => {
            AwardValue { fixed: Fraction::from(amount.cents() * multiple), ..AwardValue::ZERO }
        }
        AwardPay::ForOne(times) => {
            // A multiplied award scales with the wager; others pay for a single unit of it.
            let unit = Fraction::new(stakes.wager.cents() * multiple, i64::from(stakes.multiple.max(1)));
            let times = match readings.for_one {
                ForOne::StakeKept => i64::from(times),
                ForOne::StakeIncluded => i64::from(times) - 1,
            };
            AwardValue { fixed: unit * Fraction::from(times), ..AwardValue::ZERO }
        }
    }
}
