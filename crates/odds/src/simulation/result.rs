//! Results of a simulation, with confidence intervals, beside the exact figures.

use baize_rules::{Area, Money};
use serde::Serialize;

use super::exact::{Decimal, ExactFigures};
use super::jackpot::JackpotRun;
use super::totals::{Moments, Totals};
use super::{JackpotPlan, Plan};
use crate::Fraction;
use crate::advice::Action;

/// 95 of 100 intervals of this many standard errors to either side contain the true value.
const STANDARD_ERRORS: f64 = 1.959_963_984_540_054;

/// An average with its 95 % confidence interval and the exact value.
#[derive(Debug, Clone, Serialize)]
pub struct Estimate {
    /// The average.
    pub mean: f64,
    /// Half the width of the interval.
    pub margin: f64,
    /// The interval's lower end.
    pub low: f64,
    /// The interval's upper end.
    pub high: f64,
    /// The exact value.
    #[serde(skip_serializing_if = "Option::is_none")]
    exact: Option<Decimal>,
    /// How many standard errors the average is away from it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deviations: Option<f64>,
    #[serde(skip)]
    exact_value: Option<Fraction>,
}

impl Estimate {
    fn new(mean: f64, standard_error: f64, exact: Option<Fraction>) -> Estimate {
        let margin = STANDARD_ERRORS * standard_error;
        let deviations = exact.map(|exact| (mean - exact.to_f64()) / standard_error);
        Estimate {
            mean,
            margin,
            low: mean - margin,
            high: mean + margin,
            exact: exact.map(Decimal::from),
            deviations: deviations.filter(|deviations| deviations.is_finite()),
            exact_value: exact,
        }
    }

    /// The average of a result by rounds, for each box and each `unit` cents.
    fn of_rounds(
        moments: &Moments,
        rounds: u64,
        boxes: u8,
        unit: Money,
        exact: Option<Fraction>,
    ) -> Estimate {
        let (sum, squares, n) = (float(moments.sum), float(moments.squares), as_float(rounds));
        let per = f64::from(boxes) * as_float(unit.cents().unsigned_abs());
        let variance = (squares - sum * sum / n).max(0.0) / (n - 1.0).max(1.0);
        // The boxes of a round have the dealer's cards in common, so that rounds are what is independent.
        Estimate::new(sum / n / per, (variance / n).sqrt() / per, exact)
    }

    /// A share of boxes.
    fn of_share(times: u64, boxes: u64, exact: Option<Fraction>) -> Estimate {
        let (share, n) = (as_float(times) / as_float(boxes), as_float(boxes));
        Estimate::new(share, (share * (1.0 - share) / n).sqrt(), exact)
    }

    /// What theory says.
    #[must_use]
    pub const fn exact(&self) -> Option<Fraction> {
        self.exact_value
    }
}

#[expect(clippy::cast_precision_loss, reason = "an estimate is no more exact than that")]
fn float(value: i128) -> f64 {
    value as f64
}

#[expect(clippy::cast_precision_loss, reason = "an estimate is no more exact than that")]
fn as_float(value: u64) -> f64 {
    value as f64
}

/// How often an award was paid.
#[derive(Debug, Clone, Serialize)]
pub struct AwardHits {
    /// The award.
    pub award: String,
    /// How often.
    pub hits: u64,
    /// The expected number.
    pub expected: f64,
    /// The total paid.
    pub paid: String,
}

/// What the jackpot did.
#[derive(Debug, Clone, Serialize)]
pub struct JackpotResult {
    /// The net result of a wager of 1. The exact value is that at `mean_meter`: the return is linear in the meter.
    pub ev: Estimate,
    /// The awards.
    pub awards: Vec<AwardHits>,
    /// What the meter showed on average when bets closed.
    pub mean_meter: Money,
    /// What the meter shows in the end.
    pub meter: Money,
    /// The highest value at which an award was paid.
    pub highest_meter: Money,
    /// How often it went back to its reset value.
    pub resets: u64,
    /// Total paid from the meter.
    pub paid_from_meter: String,
}

/// Results of a simulation.
#[derive(Debug, Clone, Serialize)]
pub struct SimulationResult {
    /// The rulebook's id.
    pub id: String,
    /// Rounds settled.
    pub rounds: u64,
    /// The seed.
    pub seed: u64,
    /// Boxes in play.
    pub boxes: u8,
    /// Boxes settled over all rounds.
    pub settled_boxes: u64,
    /// The ante.
    pub ante: Money,
    /// Ante and raises: the net result of a box in antes.
    pub main: Estimate,
    /// Observed standard deviation of one round of all boxes together, in antes.
    pub round_std_dev: f64,
    /// How often each decision was made.
    pub decisions: Vec<(Action, Estimate)>,
    /// The bonus: the net result of a bonus of 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bonus: Option<Estimate>,
    /// The jackpot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jackpot: Option<JackpotResult>,
    /// All wagers of a box together, in antes.
    pub total: Estimate,
    /// Stakes and net results, by area.
    pub areas: Vec<AreaResult>,
}

/// Result of one area.
#[derive(Debug, Clone, Serialize)]
pub struct AreaResult {
    /// The area.
    pub area: Area,
    /// The total staked.
    pub staked: String,
    /// The players' total net result.
    pub net: String,
}

impl SimulationResult {
    pub(super) fn new(
        plan: &Plan<'_>,
        exact: ExactFigures,
        totals: &Totals,
        jackpot: Option<JackpotRun<'_>>,
    ) -> SimulationResult {
        let by_rounds = |moments: &Moments, unit: Money, exact: Option<Fraction>| {
            Estimate::of_rounds(moments, totals.rounds, plan.boxes, unit, exact)
        };
        let main = by_rounds(&totals.main, plan.playing_ante(), Some(exact.main));
        let decisions = exact.decisions.iter().map(|(action, share)| {
            let times = action.area().map_or(totals.folded, |area| totals.wagered[area.index()]);
            (*action, Estimate::of_share(times, totals.boxes, Some(*share)))
        });
        let decisions = decisions.collect();
        let bonus = plan.playing_bonus().map(|bonus| by_rounds(&totals.bonus, bonus, exact.bonus));
        let mut all = totals.all;
        let mut net = totals.net;
        if let Some(run) = &jackpot {
            all.sum += run.all.sum;
            all.squares += run.all.squares;
            net[Area::Jackpot.index()] += run.net.sum;
        }
        let areas = plan.rulebook.areas.iter().map(|rule| AreaResult {
            area: rule.area,
            staked: dollars(totals.staked[rule.area.index()]),
            net: dollars(net[rule.area.index()]),
        });
        let jackpot = plan.jackpot.zip(jackpot);
        SimulationResult {
            id: plan.rulebook.id.clone(),
            rounds: totals.rounds,
            seed: plan.seed,
            boxes: plan.boxes,
            settled_boxes: totals.boxes,
            ante: plan.ante,
            round_std_dev: main.margin / STANDARD_ERRORS
                * as_float(totals.rounds).sqrt()
                * f64::from(plan.boxes),
            main,
            decisions,
            bonus,
            total: by_rounds(&all, plan.playing_ante(), None),
            jackpot: jackpot.map(|(terms, run)| JackpotResult::new(plan, terms, &exact, totals, &run)),
            areas: areas.collect(),
        }
    }
}

impl JackpotResult {
    fn new(
        plan: &Plan<'_>,
        terms: JackpotPlan,
        exact: &ExactFigures,
        totals: &Totals,
        run: &JackpotRun<'_>,
    ) -> JackpotResult {
        // Every round loses its wagers; the rounds with awards are put right on top of that.
        let lost = i128::from(terms.wager.cents()) * i128::from(plan.boxes);
        let rounds = i128::from(totals.rounds);
        let net =
            Moments { sum: run.net.sum - lost * rounds, squares: run.net.squares + lost * lost * rounds };
        let mean_meter = run.mean_meter();
        let returns = exact.jackpot.as_ref().map(|(returns, _)| returns.at(mean_meter) - Fraction::from(1));
        let probabilities = exact.jackpot.as_ref().map_or(&[][..], |(_, probabilities)| probabilities);
        let awards = plan.rulebook.jackpot.awards.iter().zip(&run.paid).zip(probabilities);
        let awards = awards.map(|((award, (hits, paid)), probability)| AwardHits {
            award: award.name.clone(),
            hits: *hits,
            expected: probability.to_f64() * as_float(totals.boxes),
            paid: dollars(*paid),
        });
        JackpotResult {
            ev: Estimate::of_rounds(&net, totals.rounds, plan.boxes, terms.wager, returns),
            awards: awards.collect(),
            mean_meter,
            meter: run.meter(),
            highest_meter: run.highest,
            resets: run.resets,
            paid_from_meter: dollars(run.from_meter),
        }
    }
}

/// An amount of any size with two decimals.
fn dollars(cents: i128) -> String {
    let sign = if cents < 0 { "-" } else { "" };
    format!("{sign}{}.{:02}", cents.unsigned_abs() / 100, cents.unsigned_abs() % 100)
}
