//! Clocks of simulated hosts. All follow the same virtual time; each can jump or stand still.

use std::sync::Mutex;
use std::sync::PoisonError;

use baize_house::{Clock, Instant};

/// Start of the simulation.
const BEGIN: i64 = 1_800_000_000_000;

/// Milliseconds of virtual time since the start.
#[must_use]
pub(crate) fn virtual_ms(began: tokio::time::Instant) -> i64 {
    i64::try_from(began.elapsed().as_millis()).unwrap_or(i64::MAX)
}

#[derive(Debug, Clone, Copy)]
struct ClockState {
    /// Milliseconds ahead of virtual time.
    ahead: i64,
    /// The time shown while it stands still.
    stands_at: Option<i64>,
}

/// The clock of one host.
#[derive(Debug)]
pub(crate) struct HostClock {
    began: tokio::time::Instant,
    shown: Mutex<ClockState>,
}

impl HostClock {
    /// A correct clock.
    #[must_use]
    pub(crate) const fn new(began: tokio::time::Instant) -> HostClock {
        HostClock { began, shown: Mutex::new(ClockState { ahead: 0, stands_at: None }) }
    }

    fn set(&self, change: impl FnOnce(&mut ClockState, i64)) {
        let now = BEGIN + virtual_ms(self.began);
        change(&mut self.shown.lock().unwrap_or_else(PoisonError::into_inner), now);
    }

    /// Jumps by this many milliseconds.
    pub(crate) fn jump(&self, by: i64) {
        self.set(|shown, _| shown.ahead += by);
    }

    /// Stops the clock.
    pub(crate) fn stand(&self) {
        self.set(|shown, now| shown.stands_at = Some(now + shown.ahead));
    }

    /// Restarts the clock from where it stopped.
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
