//! Rate limits: a token bucket for each address or account. The defaults are far above what a person needs; a rate of 0 means no limit.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError, RwLock};
use std::time::Instant;

/// A rate limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    /// Requests per second in the long run; 0: no limit.
    pub per_second: u32,
    /// Requests that may come at once.
    pub burst: u32,
}

struct Bucket {
    tokens: f64,
    at: Instant,
}

/// A token bucket for each key.
pub(crate) struct RateLimiter {
    rate: RwLock<Rate>,
    buckets: Mutex<HashMap<String, Bucket>>,
}

/// Above this number of buckets, full ones are dropped.
const MAX_BUCKETS: usize = 20_000;

impl RateLimiter {
    pub(crate) fn new(rate: Rate) -> RateLimiter {
        RateLimiter { rate: RwLock::new(rate), buckets: Mutex::new(HashMap::new()) }
    }

    /// Changes the limit.
    pub(crate) fn set(&self, rate: Rate) {
        *self.rate.write().unwrap_or_else(PoisonError::into_inner) = rate;
    }

    /// Takes a token.
    ///
    /// # Errors
    /// None is left; returns how many seconds to wait.
    pub(crate) fn take(&self, key: &str) -> Result<(), u32> {
        self.take_at(key, Instant::now())
    }

    fn take_at(&self, key: &str, now: Instant) -> Result<(), u32> {
        let rate = *self.rate.read().unwrap_or_else(PoisonError::into_inner);
        if rate.per_second == 0 {
            return Ok(());
        }
        let (speed, burst) = (f64::from(rate.per_second), f64::from(rate.burst.max(1)));
        let filled = |bucket: &Bucket| {
            let passed = now.saturating_duration_since(bucket.at).as_secs_f64();
            (bucket.tokens + passed * speed).min(burst)
        };
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MAX_BUCKETS && !buckets.contains_key(key) {
            buckets.retain(|_, bucket| filled(bucket) < burst);
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
                buckets.insert(key.to_owned(), Bucket { tokens: burst - 1.0, at: now });
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
        let limiter = RateLimiter::new(Rate { per_second: 2, burst: 3 });
        let start = Instant::now();
        let take = |ms| limiter.take_at("ann", start + Duration::from_millis(ms)).is_ok();
        assert_eq!([take(0), take(0), take(0), take(0)], [true, true, true, false]);
        assert!(limiter.take_at("bob", start).is_ok());
        assert_eq!([take(600), take(600), take(1_200)], [true, false, true]);
    }

    #[test]
    fn zero_is_no_limit() {
        let limiter = RateLimiter::new(Rate { per_second: 0, burst: 0 });
        assert!((0..10_000).all(|_| limiter.take("ann").is_ok()));
    }
}
