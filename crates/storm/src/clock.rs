//! The clock of a simulated host. Virtual time runs beneath all of them; somebody may set each, and one may stand still.

use std::sync::Mutex;
use std::sync::PoisonError;

use baize_house::{Clock, Instant};

/// When the simulation begins.
const BEGIN: i64 = 1_800_000_000_000;

/// Thousandths of a second of virtual time since the simulation began.
#[must_use]
pub(crate) fn virtual_ms(began: tokio::time::Instant) -> i64 {
    i64::try_from(began.elapsed().as_millis()).unwrap_or(i64::MAX)
}

#[derive(Debug, Clone, Copy)]
struct Shown {
    /// What it is ahead of virtual time.
    ahead: i64,
    /// What it shows while it stands.
    stands_at: Option<i64>,
}

/// The clock of one host.
#[derive(Debug)]
pub(crate) struct HostClock {
    began: tokio::time::Instant,
    shown: Mutex<Shown>,
}

impl HostClock {
    /// A clock that goes right.
    #[must_use]
    pub(crate) const fn new(began: tokio::time::Instant) -> HostClock {
        HostClock { began, shown: Mutex::new(Shown { ahead: 0, stands_at: None }) }
    }

    fn set(&self, change: impl FnOnce(&mut Shown, i64)) {
        let now = BEGIN + virtual_ms(self.began);
        change(&mut self.shown.lock().unwrap_or_else(PoisonError::into_inner), now);
    }

    /// It jumps by so many thousandths of a second.
    pub(crate) fn jump(&self, by: i64) {
        self.set(|shown, _| shown.ahead += by);
    }

    /// It stands still.
    pub(crate) fn stand(&self) {
        self.set(|shown, now| shown.stands_at = Some(now + shown.ahead));
    }

    /// It goes again, from where it stands.
    pub(crate) fn go(&self) {
        self.set(|shown, now| {
            if let Some(at) = shown.stands_at.take() {
                shown.ahead = at - now;
            }
        });
    }
}

impl Clock for HostClock {
    fn now(&self) -> Instant {
        let shown = *self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        Instant(shown.stands_at.unwrap_or_else(|| BEGIN + virtual_ms(self.began) + shown.ahead))
    }

    fn steady(&self) -> i64 {
        virtual_ms(self.began)
    }
}
