//! Growing delays after failed log-ins.
//!
//! A delay applies to new password log-ins under one name or from one address, and to nothing else: sessions, links and players mid-hand
//! are not affected. It expires, so nobody can lock another person out permanently.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::Instant;

/// Failures under one name before the first delay.
const NAME_FREE: u32 = 2;
/// The first delay of a name, in seconds. Each further failure doubles it.
const NAME_FIRST: u32 = 30;
/// The longest delay of a name.
const NAME_MAX: u32 = 15 * 60;
/// Failures from one address, under whatever names, before the first delay: many people may share an address.
const ADDRESS_FREE: u32 = 20;
/// The first delay of an address.
const ADDRESS_FIRST: u32 = 2;
/// The longest delay of an address.
const ADDRESS_MAX: u32 = 5 * 60;
/// An address's failures are forgotten after this time without another one, in milliseconds.
const FORGET_AFTER: i64 = 60 * 60 * 1_000;
/// Maximum number of names, and of addresses, remembered.
const MAX_REMEMBERED: usize = 10_000;

/// `first` seconds after `free` failures, doubled by each further one up to `max`.
fn grown(failures: u32, free: u32, first: u32, max: u32) -> Option<u32> {
    let beyond = failures.checked_sub(free + 1)?;
    Some(first.saturating_mul(1 << beyond.min(20)).min(max))
}

/// Seconds that password log-ins are delayed after this many failures in a row under one name.
pub(crate) fn name_delay(failures: u32) -> Option<u32> {
    grown(failures, NAME_FREE, NAME_FIRST, NAME_MAX)
}

fn address_delay(failures: u32) -> Option<u32> {
    grown(failures, ADDRESS_FREE, ADDRESS_FIRST, ADDRESS_MAX)
}

/// The seconds until a time, rounded up, if it is in the future.
pub(crate) fn seconds_left(until: Option<Instant>, now: Instant) -> Option<u32> {
    let milliseconds = until?.0 - now.0;
    (milliseconds > 0).then(|| u32::try_from((milliseconds + 999) / 1_000).unwrap_or(u32::MAX))
}

#[derive(Default)]
struct Failed {
    failures: u32,
    last: Option<Instant>,
    until: Option<Instant>,
}

/// Failures that the journal does not count, on this host: under unknown names, from addresses, of one's own password.
#[derive(Default)]
pub(crate) struct Delays {
    names: Mutex<HashMap<String, Failed>>,
    addresses: Mutex<HashMap<String, Failed>>,
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Counts a failure. If the map is full, entries without a current delay are dropped first.
fn note(kept: &mut HashMap<String, Failed>, key: &str, now: Instant, delay: fn(u32) -> Option<u32>) {
    if kept.len() >= MAX_REMEMBERED && !kept.contains_key(key) {
        kept.retain(|_, failed| seconds_left(failed.until, now).is_some());
        if kept.len() >= MAX_REMEMBERED {
            kept.clear();
        }
    }
    let failed = kept.entry(key.to_owned()).or_default();
    failed.failures += 1;
    failed.last = Some(now);
    failed.until = delay(failed.failures).map(|seconds| now.plus_seconds(seconds));
}

impl Delays {
    /// The remaining delay of a name, in seconds.
    pub(crate) fn name_waits(&self, name: &str, now: Instant) -> Option<u32> {
        lock(&self.names).get(name).and_then(|failed| seconds_left(failed.until, now))
    }

    /// A failure under a name.
    pub(crate) fn name_failed(&self, name: &str, now: Instant) {
        note(&mut lock(&self.names), name, now, name_delay);
    }

    /// Resets a name after a success.
    pub(crate) fn reset_name(&self, name: &str) {
        lock(&self.names).remove(name);
    }

    /// The remaining delay of an address, in seconds. After an hour without failures its count restarts.
    pub(crate) fn address_waits(&self, address: &str, now: Instant) -> Option<u32> {
        let mut addresses = lock(&self.addresses);
        let failed = addresses.get(address)?;
        if failed.last.is_some_and(|last| now.0 - last.0 > FORGET_AFTER) {
            addresses.remove(address);
            return None;
        }
        seconds_left(failed.until, now)
    }

    /// A failure from an address. A success does not reset it: an attacker with an account of their own could otherwise guess for ever.
    pub(crate) fn address_failed(&self, address: &str, now: Instant) {
        note(&mut lock(&self.addresses), address, now, address_delay);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_grow_and_end() {
        let of: Vec<Option<u32>> = (0..=9).map(name_delay).collect();
        let wanted =
            [None, None, None, Some(30), Some(60), Some(120), Some(240), Some(480), Some(900), Some(900)];
        assert_eq!(of, wanted);
        assert_eq!(name_delay(u32::MAX), Some(900));
        assert_eq!((address_delay(20), address_delay(21), address_delay(1_000)), (None, Some(2), Some(300)));
        assert_eq!(seconds_left(Some(Instant(1_001)), Instant(0)), Some(2));
        assert_eq!(
            (seconds_left(Some(Instant(5)), Instant(5)), seconds_left(None, Instant(5))),
            (None, None)
        );
    }

    #[test]
    fn an_address_is_forgiven_after_an_hour_and_a_name_by_success() {
        let delays = Delays::default();
        let at = |seconds: u32| Instant(0).plus_seconds(seconds);
        for _ in 0..=ADDRESS_FREE {
            delays.address_failed("192.0.2.1", at(0));
        }
        assert_eq!(delays.address_waits("192.0.2.1", at(1)), Some(1));
        assert_eq!(delays.address_waits("192.0.2.2", at(1)), None);
        assert_eq!(delays.address_waits("192.0.2.1", at(3_601)), None);
        for _ in 0..3 {
            delays.name_failed("nobody", at(0));
        }
        assert_eq!(delays.name_waits("nobody", at(10)), Some(20));
        delays.reset_name("nobody");
        assert_eq!(delays.name_waits("nobody", at(10)), None);
    }
}
