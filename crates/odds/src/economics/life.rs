//! The meter between two hits of the top award: its mean, and its mean at the next hit.
//!
//! Write p for the probability that a wager wins the whole meter, σ = Σ q·s for what smaller awards (probability q, share s) draw
//! from it on average, c for what a wager adds, R for the reset value.
//!
//! *The meter at the next hit*, from a meter m, is on average V(m) = p·(m + c) + Σ over what else can happen of V(what is
//! left). Put V(m) = A·m + B: then A = p + (1 − p − σ)·A, so A = p / (p + σ); and p·B = p·c + (1 − p − σ)·A·c = A·c, so
//! B = c / (p + σ). Hence V(m) = (p·m + c) / (p + σ).
//!
//! *The long-run mean* of the meter as a wager sees it, itself added, is M with M = c + p·R + (1 − p − σ)·M, so
//! M = (p·R + c) / (p + σ): the same as V(R). A hit finds the meter as any other wager does.

use serde::Serialize;

use super::awards::AwardLine;
use super::setup::{Setup, dollars};
use crate::Fraction;

/// The meter between hits. Amounts are dollars.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct MeterLife {
    /// What each wager adds.
    pub added: Fraction,
    /// The probability that a wager wins the whole meter.
    pub top: Fraction,
    /// The share of the meter that smaller awards draw on average, a wager.
    pub drawn: Fraction,
    /// The mean number of wagers between two hits of the top award. `None` where there is no such award.
    pub wagers_between: Option<Fraction>,
    /// The meter's long-run mean. `None` if no award draws from it.
    pub mean: Option<Fraction>,
    /// The mean of the meter at the next hit of the top award, from where it stands now.
    pub mean_at_next_hit: Option<Fraction>,
    /// The mean number of hits of smaller shares between two hits of the top award.
    pub smaller_hits_between: Option<Fraction>,
}

impl MeterLife {
    pub(super) fn of(awards: &[AwardLine], setup: &Setup) -> MeterLife {
        let sum = |part: &dyn Fn(&AwardLine) -> Fraction| {
            awards.iter().fold(Fraction::ZERO, |sum, line| sum + line.probability * part(line))
        };
        let one = Fraction::from(1);
        let top = sum(&|line| if line.is_top() { one } else { Fraction::ZERO });
        let drawn = sum(&|line| if line.is_top() { Fraction::ZERO } else { line.share });
        let smaller =
            sum(&|line| if line.is_top() || line.share == Fraction::ZERO { Fraction::ZERO } else { one });
        let added = setup.added();
        let leaves = top + drawn;
        let from = |meter: Fraction| (top * meter + added) * leaves.reciprocal();
        let some = |condition: bool, value: Fraction| condition.then_some(value);
        let hits = top > Fraction::ZERO;
        MeterLife {
            added,
            top,
            drawn,
            wagers_between: some(hits, top.reciprocal()),
            mean: some(leaves > Fraction::ZERO, from(dollars(setup.reset))),
            mean_at_next_hit: some(hits, from(setup.start())),
            smaller_hits_between: some(hits, smaller * top.reciprocal()),
        }
    }
}
