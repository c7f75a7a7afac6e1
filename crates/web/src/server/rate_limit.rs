//! Rate limits: a bucket of tokens for each address and each account. It refills steadily, and an empty bucket refuses.
//!
//! Generous by default: a person never meets them, a program that hammers does. A limit of zero switches it off.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError, RwLock};
use std::time::Instant;

/// How many requests a second may come, and how many at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    /// Requests a second, in the long run. Zero: no limit.
    pub a_second: u32,
    /// Requests at once.
    pub at_once: u32,
}

struct Bucket {
    tokens: f64,
    at: Instant,
}

/// One bucket for each key.
pub(crate) struct Buckets {
    rate: RwLock<Rate>,
    buckets: Mutex<HashMap<String, Bucket>>,
}

/// Buckets are kept for so many keys; full ones are forgotten when there are more.
const KEPT: usize = 20_000;

impl Buckets {
    pub(crate) fn new(rate: Rate) -> Buckets {
        Buckets { rate: RwLock::new(rate), buckets: Mutex::new(HashMap::new()) }
    }

    /// Another limit from now on.
    pub(crate) fn set(&self, rate: Rate) {
        *self.rate.write().unwrap_or_else(PoisonError::into_inner) = rate;
    }

    /// Takes a token.
    ///
    /// # Errors
    /// None is left: how many seconds to wait.
    pub(crate) fn take(&self, key: &str) -> Result<(), u32> {
        self.take_at(key, Instant::now())
    }

    fn take_at(&self, key: &str, now: Instant) -> Result<(), u32> {
        let rate = *self.rate.read().unwrap_or_else(PoisonError::into_inner);
        if rate.a_second == 0 {
            return Ok(());
        }
        let (speed, most) = (f64::from(rate.a_second), f64::from(rate.at_once.max(1)));
        let filled = |bucket: &Bucket| {
            let passed = now.saturating_duration_since(bucket.at).as_secs_f64();
            (bucket.tokens + passed * speed).min(most)
        };
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= KEPT && !buckets.contains_key(key) {
            buckets.retain(|_, bucket| filled(bucket) < most);
        }
        match buckets.get_mut(key) {
            Some(bucket) => {
                bucket.tokens = filled(bucket);
                bucket.at = now;
                if bucket.tokens < 1.0 {
                    return Err(1);
                }
                bucket.tokens -= 1.0;
            }
            None => {
                buckets.insert(key.to_owned(), Bucket { tokens: most - 1.0, at: now });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_bucket_empties_and_refills() {
        let buckets = Buckets::new(Rate { a_second: 2, at_once: 3 });
        let start = Instant::now();
        let take = |ms| buckets.take_at("ann", start + Duration::from_millis(ms)).is_ok();
        assert_eq!([take(0), take(0), take(0), take(0)], [true, true, true, false]);
        assert!(buckets.take_at("bob", start).is_ok());
        assert_eq!([take(600), take(600), take(1_200)], [true, false, true]);
    }

    #[test]
    fn zero_is_no_limit() {
        let buckets = Buckets::new(Rate { a_second: 0, at_once: 0 });
        assert!((0..10_000).all(|_| buckets.take("ann").is_ok()));
    }
}
