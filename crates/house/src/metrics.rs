//! Metrics of the house: orders by outcome, their duration, pending writes.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Upper bounds of the buckets, in milliseconds.
const BOUNDS_MS: [u64; 10] = [1, 2, 5, 10, 25, 50, 100, 250, 1_000, 5_000];

/// A histogram of durations.
#[derive(Debug, Default)]
pub struct Histogram {
    counts: [AtomicU64; BOUNDS_MS.len() + 1],
    micros: AtomicU64,
}

impl Histogram {
    /// Counts one duration.
    pub fn note(&self, took: Duration) {
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        let place = BOUNDS_MS.iter().position(|bound| micros <= bound * 1_000).unwrap_or(BOUNDS_MS.len());
        self.counts[place].fetch_add(1, Relaxed);
        self.micros.fetch_add(micros, Relaxed);
    }

    /// The cumulative count for each bound in milliseconds, `None` being all; and the sum of all durations in microseconds.
    #[must_use]
    pub fn read(&self) -> (Vec<(Option<u64>, u64)>, u64) {
        let mut sum = 0;
        let bounds = BOUNDS_MS.iter().copied().map(Some).chain([None]);
        let buckets = bounds.zip(&self.counts).map(|(bound, count)| {
            sum += count.load(Relaxed);
            (bound, sum)
        });
        (buckets.collect(), self.micros.load(Relaxed))
    }
}

/// The metrics of a house.
#[derive(Debug, Default)]
pub struct HouseMetrics {
    orders: Mutex<BTreeMap<&'static str, u64>>,
    /// Time from an order to its answer.
    pub order_seconds: Histogram,
    /// Time from handing a write to the database until it is durable.
    pub write_seconds: Histogram,
    /// Writes that are not durable yet.
    pub writes_waiting: AtomicI64,
    /// Version conflicts: orders that were retried because another writer was first.
    pub conflicts: AtomicU64,
}

impl HouseMetrics {
    pub(crate) fn order(&self, outcome: &'static str, took: Duration) {
        *self.orders.lock().unwrap_or_else(PoisonError::into_inner).entry(outcome).or_default() += 1;
        self.order_seconds.note(took);
    }

    /// Orders by outcome: `done`, or the error code.
    #[must_use]
    pub fn orders(&self) -> BTreeMap<&'static str, u64> {
        self.orders.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn histogram_counts_are_cumulative() {
        let histogram = Histogram::default();
        for ms in [1, 3, 5_001] {
            histogram.note(Duration::from_millis(ms));
        }
        let (buckets, micros) = histogram.read();
        let of = |bound| buckets.iter().find(|(found, _)| *found == bound).map(|(_, count)| *count);
        assert_eq!(
            [of(Some(1)), of(Some(2)), of(Some(5)), of(Some(5_000)), of(None)].map(Option::unwrap),
            [1, 1, 2, 2, 3]
        );
        assert_eq!(micros, 5_005_000);
    }
}
