//! The distribution of the meter at a hit of the top award.
//!
//! Let wagers come in at a rate of one, adding c each; let the meter be won at the rate p and let smaller awards leave 1 − s of it at
//! the rate q. Events come at the rate θ = p + Σ q. Just before an event the meter is what the event before left, plus c times
//! an exponential time of mean 1/θ. What an event leaves is, when the process starts anew from the same value after each
//! win, the start with weight p and a fraction 1 − s of the meter with weight q. So the distribution function F of the
//! meter before an event, which is also the one at a win, solves
//!
//!   F = E ∗ G,   G(x) = (p·[x ≥ start] + Σ q·F(x / (1 − s))) / θ,   E exponential with mean c/θ.
//!
//! Without smaller awards G is a step and F the exponential law, the limit of the geometric number of wagers. Otherwise putting F
//! into the right side again and again converges, by a factor of Σ q / θ each time. F is kept on a grid; between two points of it G is
//! taken as a straight line and the convolution is then exact.

use serde::Serialize;

use super::awards::AwardLine;
use super::life::MeterLife;
use super::setup::Setup;

/// Grid intervals.
const GRID: usize = 4_096;
/// Bins of the histogram.
const BINS: usize = 16;
/// The quantiles that are given.
const QUANTILES: [f64; 9] = [0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99];

/// Parameters of the meter at a hit.
#[derive(Debug, Clone, PartialEq)]
pub struct HitLevel {
    /// Where the meter starts.
    pub start: f64,
    /// What each wager adds.
    pub added: f64,
    /// The probability of the top award.
    pub top: f64,
    /// The probability and the share of each smaller award.
    pub smaller: Vec<(f64, f64)>,
}

/// The meter at the next hit of the top award, in dollars.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Distribution {
    /// Where the meter starts.
    pub start: f64,
    /// Mean of this distribution: close to the closed form.
    pub mean: f64,
    /// Quantiles: probability and meter.
    pub quantiles: Vec<(f64, f64)>,
    /// Ranges of equal width up to the last quantile; the first and the last bin hold the rest.
    pub histogram: Vec<Bin>,
}

/// A range of the meter and its probability.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Bin {
    /// From here.
    pub from: f64,
    /// To here. `None`: and more.
    pub to: Option<f64>,
    /// How likely.
    pub probability: f64,
}

impl HitLevel {
    /// The parameters. `None` if there is no top award, or nothing is added to the meter.
    pub(super) fn of(awards: &[AwardLine], meter: &MeterLife, setup: &Setup) -> Option<HitLevel> {
        let smaller = awards.iter().filter(|line| !line.is_top() && line.share.numerator() > 0);
        let smaller = smaller.map(|line| (line.probability.to_f64(), line.share.to_f64()));
        let level = HitLevel {
            start: setup.start().to_f64(),
            added: meter.added.to_f64(),
            top: meter.top.to_f64(),
            smaller: smaller.filter(|(probability, _)| *probability > 0.0).collect(),
        };
        (level.added > 0.0 && level.top > 0.0).then_some(level)
    }

    /// Solves for the distribution; `None` for non-finite parameters.
    #[must_use]
    pub fn solve(&self) -> Option<Distribution> {
        let scale = self.added / self.top;
        if !(scale.is_finite() && scale > 0.0 && self.start.is_finite() && self.start >= 0.0) {
            return None;
        }
        let law = Law::solve(self);
        let quantiles: Vec<(f64, f64)> = QUANTILES.iter().map(|&q| (q, law.quantile(q))).collect();
        let last = quantiles.last().map_or(0.0, |(_, value)| *value);
        let first = law.quantile(0.001);
        Some(Distribution {
            start: self.start,
            mean: law.mean(),
            histogram: law.histogram(first, last),
            quantiles,
        })
    }
}

/// A distribution function on a grid of equal steps from 0.
struct Law {
    step: f64,
    values: Vec<f64>,
}

impl Law {
    /// Solves on a coarse grid as wide as could be needed, then on a fine one as wide as is needed.
    fn solve(level: &HitLevel) -> Law {
        // Even without smaller awards only one hit in a billion comes later than this.
        let widest = level.start + level.added / level.top * 1e9f64.ln();
        let coarse = Law::on_grid(level, widest, GRID / 4, None);
        let needed = coarse.quantile(1.0 - 1e-8).max(level.start) * 1.05;
        Law::on_grid(level, needed.min(widest), GRID, Some(&coarse))
    }

    #[expect(clippy::cast_precision_loss, reason = "the grid is small")]
    fn on_grid(level: &HitLevel, most: f64, intervals: usize, first_guess: Option<&Law>) -> Law {
        // The start must be a point of the grid: the inflow jumps there.
        let start_at = (level.start / most * intervals as f64).round();
        let step = if start_at > 0.0 { level.start / start_at } else { most / intervals as f64 };
        let rate = level.top + level.smaller.iter().map(|(probability, _)| probability).sum::<f64>();
        let per_step = rate / level.added * step;
        let stay = (-per_step).exp();
        // The weight of the slope: (1 − e)/β − h·e with β·h = per_step, divided by h.
        let bend = (1.0 - stay) / per_step - stay;
        let guess = |at: usize| first_guess.map_or(1.0, |guess| guess.at(at as f64 * step));
        let mut law = Law { step, values: (0..=intervals).map(guess).collect() };
        for _ in 0..20_000 {
            // What smaller awards leave at this point of the grid, from the values so far.
            let left = |at: usize| {
                let from = |(q, s): &(f64, f64)| q * law.at(at as f64 * step / (1.0 - s));
                level.smaller.iter().map(from).sum::<f64>()
            };
            let mut next = Vec::with_capacity(intervals + 1);
            let (mut value, mut inflow) = (0.0, left(0));
            let mut moved = 0.0f64;
            next.push(value);
            for at in 0..intervals {
                let from_start = if at as f64 >= start_at { level.top } else { 0.0 };
                let upper = left(at + 1);
                let (here, there) = ((inflow + from_start) / rate, (upper + from_start) / rate);
                value = stay * value + there * (1.0 - stay) - (there - here) * bend;
                inflow = upper;
                moved = moved.max((law.values[at + 1] - value).abs());
                next.push(value);
            }
            law.values = next;
            if moved < 1e-9 || level.smaller.is_empty() {
                break;
            }
        }
        law
    }

    /// The probability of at most `x`.
    fn at(&self, x: f64) -> f64 {
        let position = (x / self.step).max(0.0);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "not below 0")]
        let at = position as usize;
        match self.values.get(at..=at + 1) {
            Some(ends) => ends[0] + (ends[1] - ends[0]) * position.fract(),
            None => 1.0,
        }
    }

    fn quantile(&self, probability: f64) -> f64 {
        let (mut low, mut high) = (0.0, self.end());
        for _ in 0..100 {
            let middle = f64::midpoint(low, high);
            if self.at(middle) < probability { low = middle } else { high = middle }
        }
        high
    }

    fn end(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "the grid is small")]
        let intervals = (self.values.len() - 1) as f64;
        intervals * self.step
    }

    /// The area above the distribution function.
    fn mean(&self) -> f64 {
        let inner: f64 = self.values.windows(2).map(|pair| 1.0 - f64::midpoint(pair[0], pair[1])).sum();
        inner * self.step
    }

    fn histogram(&self, first: f64, last: f64) -> Vec<Bin> {
        let width = round_up((last - first) / 14.0);
        let mut from = (first / width).floor() * width;
        let mut bins = Vec::new();
        while bins.len() + 1 < BINS && from < last {
            let to = from + width;
            let below = if bins.is_empty() { 0.0 } else { self.at(from) };
            bins.push(Bin { from, to: Some(to), probability: self.at(to) - below });
            from = to;
        }
        bins.push(Bin { from, to: None, probability: 1.0 - self.at(from) });
        bins
    }
}

/// The next of 1, 2, 2.5, 5, 10 … times a power of ten.
fn round_up(width: f64) -> f64 {
    let power = 10f64.powf(width.max(1e-9).log10().floor());
    let steps = [1.0, 2.0, 2.5, 5.0, 10.0].into_iter();
    steps.map(|step| step * power).find(|step| *step >= width * 0.999_999).unwrap_or(10.0 * power)
}
