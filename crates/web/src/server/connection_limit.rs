//! How many connections are open: at most so many in all and from one address, with some kept for staff.
//!
//! A connection does not say who is behind it before its first request. The last places are kept for addresses that staff were served at
//! while they were logged in, and for this machine itself: a flood of other connections does not keep the pit from working.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

use super::network::{Network, trusted};

/// How many connections may be open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Connections {
    /// In all.
    pub all: usize,
    /// From one address that is no trusted proxy.
    pub by_address: usize,
    /// Of all, those that only addresses of staff get.
    pub for_staff: usize,
}

impl Default for Connections {
    fn default() -> Connections {
        Connections { all: 8_192, by_address: 512, for_staff: 64 }
    }
}

/// How long an address counts as one of staff after staff were served there.
const REMEMBERED: Duration = Duration::from_secs(12 * 60 * 60);
/// Addresses of staff that are remembered.
const KEPT: usize = 1_000;

#[derive(Default)]
struct Open {
    all: usize,
    by: HashMap<IpAddr, usize>,
    staff: HashMap<IpAddr, Instant>,
}

struct Inner {
    most: RwLock<Connections>,
    proxies: Vec<Network>,
    open: Mutex<Open>,
}

/// Counts connections. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Gate(Arc<Inner>);

/// A place that is given back when it is dropped.
pub(crate) struct Pass {
    gate: Gate,
    address: IpAddr,
}

impl Drop for Pass {
    fn drop(&mut self) {
        let mut open = self.gate.open();
        open.all = open.all.saturating_sub(1);
        if let Some(count) = open.by.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                open.by.remove(&self.address);
            }
        }
    }
}

impl Gate {
    pub(crate) fn new(most: Connections, proxies: Vec<Network>) -> Gate {
        Gate(Arc::new(Inner { most: RwLock::new(most), proxies, open: Mutex::default() }))
    }

    /// Other limits from now on.
    pub(crate) fn set(&self, most: Connections) {
        *self.0.most.write().unwrap_or_else(PoisonError::into_inner) = most;
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.0.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for a connection from this address, if there is one.
    pub(crate) fn enter(&self, address: IpAddr) -> Option<Pass> {
        let address = address.to_canonical();
        let most = *self.0.most.read().unwrap_or_else(PoisonError::into_inner);
        let mut open = self.open();
        let staff = address.is_loopback()
            || trusted(&self.0.proxies, address)
            || open.staff.get(&address).is_some_and(|seen| seen.elapsed() < REMEMBERED);
        let kept = if staff { 0 } else { most.for_staff };
        let of_address = open.by.get(&address).copied().unwrap_or(0);
        let crowded = of_address >= most.by_address && !trusted(&self.0.proxies, address);
        if crowded || open.all + kept >= most.all {
            return None;
        }
        open.all += 1;
        *open.by.entry(address).or_default() += 1;
        Some(Pass { gate: self.clone(), address })
    }

    /// A member of staff was served at this address.
    pub(crate) fn staff_at(&self, address: IpAddr) {
        let mut open = self.open();
        if open.staff.len() >= KEPT {
            open.staff.retain(|_, seen| seen.elapsed() < REMEMBERED);
        }
        if open.staff.len() < KEPT {
            open.staff.insert(address.to_canonical(), Instant::now());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_run_out_by_address_and_in_all_and_some_are_left_for_staff() {
        let most = Connections { all: 10, by_address: 4, for_staff: 2 };
        let gate = Gate::new(most, vec!["10.0.0.0/8".parse().unwrap()]);
        let ip = |text: &str| -> IpAddr { text.parse().unwrap() };
        let mut held: Vec<Pass> = (0..4).map(|_| gate.enter(ip("192.0.2.1")).unwrap()).collect();
        assert!(gate.enter(ip("192.0.2.1")).is_none(), "its own places are taken");
        held.extend((0..4).map(|_| gate.enter(ip("192.0.2.2")).unwrap()));
        gate.staff_at(ip("192.0.2.4"));
        assert!(gate.enter(ip("192.0.2.3")).is_none(), "what is left is kept for staff");
        held.push(gate.enter(ip("192.0.2.4")).unwrap());
        held.push(gate.enter(ip("::ffff:127.0.0.1")).unwrap());
        assert!(gate.enter(ip("192.0.2.4")).is_none(), "all are taken");
        held.clear();
        assert!((0..9).all(|_| gate.enter(ip("10.1.1.1")).map(|pass| held.push(pass)).is_some()), "a proxy");
    }
}
