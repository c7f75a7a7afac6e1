//! Deals drawn at random, each valued exactly, on all cores, until enough are drawn or the caller stops.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::simulation::Shuffler;

/// Called with the number of finished and of all steps; returns whether to continue.
pub type Watch<'a> = &'a (dyn Fn(u64, u64) -> bool + Sync);

/// What one deal adds.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sample {
    /// What best play with the knowledge gains over best play without, in antes: the expectation after the deal.
    pub gain: f64,
    /// The expectation of the square of the net result.
    pub square: f64,
    /// How often each decision is made with the knowledge, and without: fold, turn, river, or fold.
    pub with: [f64; 3],
    pub without: [f64; 3],
}

/// The sums of many.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Samples {
    pub deals: u64,
    sum: Sample,
    gain_squares: f64,
}

impl Samples {
    fn add(&mut self, sample: &Sample) {
        self.join(&Samples { deals: 1, sum: *sample, gain_squares: sample.gain * sample.gain });
    }

    fn join(&mut self, other: &Samples) {
        self.deals += other.deals;
        self.gain_squares += other.gain_squares;
        self.sum.gain += other.sum.gain;
        self.sum.square += other.sum.square;
        for n in 0..3 {
            self.sum.with[n] += other.sum.with[n];
            self.sum.without[n] += other.sum.without[n];
        }
    }

    /// The average over the deals.
    pub(super) fn average(&self) -> Sample {
        let n = self.count();
        Sample {
            gain: self.sum.gain / n,
            square: self.sum.square / n,
            with: self.sum.with.map(|sum| sum / n),
            without: self.sum.without.map(|sum| sum / n),
        }
    }

    /// The standard error of the gain: √(s²/n) with s² = (Σx² − (Σx)²/n)/(n − 1).
    pub(super) fn standard_error(&self) -> f64 {
        let n = self.count();
        let spread = self.gain_squares - self.sum.gain * self.sum.gain / n;
        (spread.max(0.0) / (n - 1.0).max(1.0) / n).sqrt()
    }

    fn count(&self) -> f64 {
        // No simulation comes near 2^53 deals.
        (self.deals.max(1)) as f64
    }
}

/// Draws `deals` deals in chunks of a fixed size, each with a generator of its own.
pub(super) fn sample(
    deals: u64,
    chunk: u64,
    seed: u64,
    watch: Watch<'_>,
    value: impl Fn(&mut Shuffler) -> Sample + Sync,
) -> Samples {
    let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
    let stop = AtomicBool::new(!watch(0, deals));
    let parts: Mutex<Vec<(u64, Samples)>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..crate::parallel::threads() {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number * chunk >= deals {
                        break;
                    }
                    let mut shuffler = Shuffler::new(seed, number);
                    let mut samples = Samples::default();
                    for _ in 0..chunk.min(deals - number * chunk) {
                        samples.add(&value(&mut shuffler));
                    }
                    let finished = done.fetch_add(samples.deals, Ordering::Relaxed) + samples.deals;
                    parts.lock().unwrap_or_else(PoisonError::into_inner).push((number, samples));
                    if !watch(finished, deals) {
                        stop.store(true, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    // In the order of the chunks, so that sums of decimals do not depend on the threads.
    let mut parts = parts.into_inner().unwrap_or_else(PoisonError::into_inner);
    parts.sort_unstable_by_key(|(number, _)| *number);
    let mut all = Samples::default();
    parts.iter().for_each(|(_, samples)| all.join(samples));
    all
}
