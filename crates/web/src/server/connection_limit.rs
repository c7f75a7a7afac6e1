//! Limits open connections: in total, for each address, and with some reserved for staff.
//!
//! A connection does not say who is behind it before its first request. The reserved connections are for addresses where staff were logged in
//! recently, and for this machine: a flood of other connections does not keep the pit from working.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

use super::network::{Network, is_trusted};

/// Maximum numbers of open connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConnectionLimits {
    /// In total.
    pub total: usize,
    /// For each address; trusted proxies are exempt.
    pub per_address: usize,
    /// Of the total, reserved for addresses of staff.
    pub reserved_for_staff: usize,
}

impl Default for ConnectionLimits {
    fn default() -> ConnectionLimits {
        ConnectionLimits { total: 8_192, per_address: 512, reserved_for_staff: 64 }
    }
}

/// How long an address counts as one of staff after their last request.
const STAFF_ADDRESS_TTL: Duration = Duration::from_secs(12 * 60 * 60);
/// Maximum number of staff addresses remembered.
const MAX_STAFF_ADDRESSES: usize = 1_000;

#[derive(Default)]
struct Open {
    total: usize,
    by_address: HashMap<IpAddr, usize>,
    staff_seen: HashMap<IpAddr, Instant>,
}

struct Inner {
    limits: RwLock<ConnectionLimits>,
    proxies: Vec<Network>,
    open: Mutex<Open>,
}

/// Counts open connections and refuses those over the limits. Cheap to clone.
#[derive(Clone)]
pub(crate) struct ConnectionLimiter(Arc<Inner>);

/// An open connection; dropping it frees its place.
pub(crate) struct ConnectionPermit {
    limiter: ConnectionLimiter,
    address: IpAddr,
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        let mut open = self.limiter.open();
        open.total = open.total.saturating_sub(1);
        if let Some(count) = open.by_address.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                open.by_address.remove(&self.address);
            }
        }
    }
}

impl ConnectionLimiter {
    pub(crate) fn new(limits: ConnectionLimits, proxies: Vec<Network>) -> ConnectionLimiter {
        ConnectionLimiter(Arc::new(Inner { limits: RwLock::new(limits), proxies, open: Mutex::default() }))
    }

    /// Changes the limits. Open connections stay open.
    pub(crate) fn set(&self, limits: ConnectionLimits) {
        *self.0.limits.write().unwrap_or_else(PoisonError::into_inner) = limits;
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.0.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A permit for a connection from this address, or `None` if a limit is reached.
    pub(crate) fn acquire(&self, address: IpAddr) -> Option<ConnectionPermit> {
        let address = address.to_canonical();
        let limits = *self.0.limits.read().unwrap_or_else(PoisonError::into_inner);
        let proxy = is_trusted(&self.0.proxies, address);
        let mut open = self.open();
        let staff = address.is_loopback()
            || proxy
            || open.staff_seen.get(&address).is_some_and(|seen| seen.elapsed() < STAFF_ADDRESS_TTL);
        let reserved = if staff { 0 } else { limits.reserved_for_staff };
        let from_address = open.by_address.get(&address).copied().unwrap_or(0);
        let address_full = from_address >= limits.per_address && !proxy;
        if address_full || open.total + reserved >= limits.total {
            return None;
        }
        open.total += 1;
        *open.by_address.entry(address).or_default() += 1;
        Some(ConnectionPermit { limiter: self.clone(), address })
    }

    /// Notes a request by a member of staff from this address.
    pub(crate) fn staff_seen(&self, address: IpAddr) {
        let mut open = self.open();
        if open.staff_seen.len() >= MAX_STAFF_ADDRESSES {
            open.staff_seen.retain(|_, seen| seen.elapsed() < STAFF_ADDRESS_TTL);
        }
        if open.staff_seen.len() < MAX_STAFF_ADDRESSES {
            open.staff_seen.insert(address.to_canonical(), Instant::now());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_per_address_and_in_total_with_a_reserve_for_staff() {
        let limits = ConnectionLimits { total: 10, per_address: 4, reserved_for_staff: 2 };
        let limiter = ConnectionLimiter::new(limits, vec!["10.0.0.0/8".parse().unwrap()]);
        let ip = |text: &str| -> IpAddr { text.parse().unwrap() };
        let mut held: Vec<ConnectionPermit> =
            (0..4).map(|_| limiter.acquire(ip("192.0.2.1")).unwrap()).collect();
        assert!(limiter.acquire(ip("192.0.2.1")).is_none(), "the address is at its limit");
        held.extend((0..4).map(|_| limiter.acquire(ip("192.0.2.2")).unwrap()));
        limiter.staff_seen(ip("192.0.2.4"));
        assert!(limiter.acquire(ip("192.0.2.3")).is_none(), "the rest is reserved for staff");
        held.push(limiter.acquire(ip("192.0.2.4")).unwrap());
        held.push(limiter.acquire(ip("::ffff:127.0.0.1")).unwrap());
        assert!(limiter.acquire(ip("192.0.2.4")).is_none(), "the total is reached");
        held.clear();
        let from_proxy = || limiter.acquire(ip("10.1.1.1"));
        assert!((0..9).all(|_| from_proxy().map(|permit| held.push(permit)).is_some()), "a proxy is exempt");
    }
}
