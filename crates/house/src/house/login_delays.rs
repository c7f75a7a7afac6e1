//! Growing delays after failed log-ins.
//!
//! A delay stops new log-ins by password under one name or from one address, and nothing else: sessions, links and players
//! mid-hand are not affected. It expires, so nobody can be locked out for good by a person who does not know the password.

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
/// An address is forgiven when nothing failed from it for this long.
const FORGIVEN_AFTER: i64 = 60 * 60 * 1_000;
/// Names or addresses that are remembered.
const KEPT: usize = 10_000;

/// `first` seconds after `free` failures, doubled by each further one up to `max`.
fn grown(failures: u32, free: u32, first: u32, max: u32) -> Option<u32> {
    let beyond = failures.checked_sub(free + 1)?;
    Some(first.saturating_mul(1 << beyond.min(20)).min(max))
}

/// Seconds that password log-ins are delayed after this many failures in a row under one name.
pub(crate) fn of_name(failures: u32) -> Option<u32> {
    grown(failures, NAME_FREE, NAME_FIRST, NAME_MAX)
}

fn of_address(failures: u32) -> Option<u32> {
    grown(failures, ADDRESS_FREE, ADDRESS_FIRST, ADDRESS_MAX)
}

/// The seconds until a time, if it is to come.
pub(crate) fn left(until: Option<Instant>, now: Instant) -> Option<u32> {
    let milliseconds = until?.0 - now.0;
    (milliseconds > 0).then(|| u32::try_from((milliseconds + 999) / 1_000).unwrap_or(u32::MAX))
}

#[derive(Default)]
struct Failed {
    failures: u32,
    last: Option<Instant>,
    until: Option<Instant>,
}

/// Failures of this host that the journal does not count: under names that nobody has, from addresses, of one's own password.
#[derive(Default)]
pub(crate) struct Delays {
    names: Mutex<HashMap<String, Failed>>,
    addresses: Mutex<HashMap<String, Failed>>,
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notes a failure, and makes room: those that wait for nothing any more are forgotten first.
fn note(kept: &mut HashMap<String, Failed>, key: &str, now: Instant, delay: fn(u32) -> Option<u32>) {
    if kept.len() >= KEPT && !kept.contains_key(key) {
        kept.retain(|_, failed| left(failed.until, now).is_some());
        if kept.len() >= KEPT {
            kept.clear();
        }
    }
    let failed = kept.entry(key.to_owned()).or_default();
    failed.failures += 1;
    failed.last = Some(now);
    failed.until = delay(failed.failures).map(|seconds| now.plus_seconds(seconds));
}

impl Delays {
    /// How long this name waits.
    pub(crate) fn name_waits(&self, name: &str, now: Instant) -> Option<u32> {
        held(&self.names).get(name).and_then(|failed| left(failed.until, now))
    }

    /// A failure under a name.
    pub(crate) fn name_failed(&self, name: &str, now: Instant) {
        note(&mut held(&self.names), name, now, of_name);
    }

    /// The name has done it right.
    pub(crate) fn forgive_name(&self, name: &str) {
        held(&self.names).remove(name);
    }

    /// How long this address is delayed. After an hour without failures the count restarts.
    pub(crate) fn address_waits(&self, address: &str, now: Instant) -> Option<u32> {
        let mut addresses = held(&self.addresses);
        let failed = addresses.get(address)?;
        if failed.last.is_some_and(|last| now.0 - last.0 > FORGIVEN_AFTER) {
            addresses.remove(address);
            return None;
        }
        left(failed.until, now)
    }

    /// A failure from an address. A success does not reset it: a person with an account of their own could guess for ever.
    pub(crate) fn address_failed(&self, address: &str, now: Instant) {
        note(&mut held(&self.addresses), address, now, of_address);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_grow_and_end() {
        let of: Vec<Option<u32>> = (0..=9).map(of_name).collect();
        let wanted =
            [None, None, None, Some(30), Some(60), Some(120), Some(240), Some(480), Some(900), Some(900)];
        assert_eq!(of, wanted);
        assert_eq!(of_name(u32::MAX), Some(900));
        assert_eq!((of_address(20), of_address(21), of_address(1_000)), (None, Some(2), Some(300)));
        assert_eq!(left(Some(Instant(1_001)), Instant(0)), Some(2));
        assert_eq!((left(Some(Instant(5)), Instant(5)), left(None, Instant(5))), (None, None));
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
        delays.forgive_name("nobody");
        assert_eq!(delays.name_waits("nobody", at(10)), None);
    }
}
