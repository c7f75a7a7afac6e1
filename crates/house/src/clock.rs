//! Clocks. All times in the journal come from here.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::Instant;

/// A source of time.
pub trait Clock: Send + Sync + 'static {
    /// The wall-clock time, which can be set.
    fn now(&self) -> Instant;
    /// Milliseconds of a monotonic clock.
    fn steady(&self) -> i64;
}

/// The computer's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct WallClock;

impl Clock for WallClock {
    fn now(&self) -> Instant {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Instant(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }

    fn steady(&self) -> i64 {
        static START: OnceLock<std::time::Instant> = OnceLock::new();
        let since = START.get_or_init(std::time::Instant::now).elapsed();
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    }
}

/// A manual clock for tests: it stands still until moved.
#[derive(Debug, Default)]
pub struct SetClock {
    now: AtomicI64,
    steady: AtomicI64,
}

impl SetClock {
    /// A clock that shows this time.
    #[must_use]
    pub const fn at(now: Instant) -> SetClock {
        SetClock { now: AtomicI64::new(now.0), steady: AtomicI64::new(0) }
    }

    /// Advances both clocks: for tests.
    pub fn advance_seconds(&self, seconds: u32) {
        self.now.fetch_add(i64::from(seconds) * 1_000, Ordering::SeqCst);
        self.steady.fetch_add(i64::from(seconds) * 1_000, Ordering::SeqCst);
    }

    /// Sets the wall clock only, as if someone had changed the computer's clock.
    pub fn set(&self, now: Instant) {
        self.now.store(now.0, Ordering::SeqCst);
    }
}

impl Clock for SetClock {
    fn now(&self) -> Instant {
        Instant(self.now.load(Ordering::SeqCst))
    }

    fn steady(&self) -> i64 {
        self.steady.load(Ordering::SeqCst)
    }
}

/// A wall clock that deviates from the monotonic clock by more than this has jumped, in milliseconds.
const JUMP_MS: i64 = 1_000;

/// The clock of a house: the computer's clock, except that it never goes back. If the computer's clock is set back, or another host is
/// ahead, the house's time runs at half speed until the computer's clock has caught up. Clocks of tables keep running.
pub(crate) struct HouseClock {
    clock: Arc<dyn Clock>,
    state: Mutex<ClockState>,
}

struct ClockState {
    /// The latest time that was returned or seen in the journal.
    at: i64,
    /// Both clocks at the last reading.
    wall: i64,
    steady: i64,
    /// The house's time and the monotonic clock when the computer's clock was last not behind.
    base: (i64, i64),
    /// Jumps that are not on record yet: the expected time and the actual one.
    jumps: Vec<(Instant, Instant)>,
}

impl HouseClock {
    pub(crate) fn new(clock: Arc<dyn Clock>) -> HouseClock {
        let (wall, steady) = (clock.now().0, clock.steady());
        let state = ClockState { at: wall, wall, steady, base: (wall, steady), jumps: Vec::new() };
        HouseClock { clock, state: Mutex::new(state) }
    }

    fn state(&self) -> MutexGuard<'_, ClockState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The current time: never before one that was returned or seen.
    pub(crate) fn now(&self) -> Instant {
        let mut state = self.state();
        let (wall, steady) = (self.clock.now().0, self.clock.steady());
        let expected = state.wall + (steady - state.steady);
        if (wall - expected).abs() > JUMP_MS {
            state.jumps.push((Instant(expected), Instant(wall)));
        }
        (state.wall, state.steady) = (wall, steady);
        if wall >= state.at || crate::journal::sabotage::is("a clock that goes back is believed") {
            (state.at, state.base) = (wall, (wall, steady));
        } else {
            let (at, since) = state.base;
            state.at = state.at.max(at + (steady - since) / 2);
        }
        Instant(state.at)
    }

    /// Takes the time of an entry into account: later times are not before it.
    pub(crate) fn observe(&self, at: Instant) {
        let mut state = self.state();
        if at.0 > state.at {
            (state.at, state.base) = (at.0, (at.0, state.steady));
        }
    }

    /// Takes the time of the last entry before this process started. If the clock is behind it, that is recorded as a jump.
    pub(crate) fn resume(&self, last: Instant) {
        let mut state = self.state();
        if last.0 - state.wall > JUMP_MS {
            let found = Instant(state.wall);
            state.jumps.push((last, found));
        }
        drop(state);
        self.observe(last);
    }

    /// Takes the jumps since the last call: the expected time and the actual one.
    pub(crate) fn take_jumps(&self) -> Vec<(Instant, Instant)> {
        std::mem::take(&mut self.state().jumps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn house_time_never_goes_back_and_jumps_are_reported() {
        let set = Arc::new(SetClock::at(Instant(1_000_000)));
        let clock = HouseClock::new(Arc::clone(&set) as Arc<dyn Clock>);
        assert_eq!(clock.now(), Instant(1_000_000));
        set.set(Instant(400_000));
        assert_eq!(clock.now(), Instant(1_000_000));
        assert_eq!(clock.take_jumps(), [(Instant(1_000_000), Instant(400_000))]);
        set.advance_seconds(60);
        assert_eq!(clock.now(), Instant(1_030_000), "half as fast until the computer has caught up");
        set.set(Instant(1_050_000));
        assert_eq!(clock.now(), Instant(1_050_000));
        assert_eq!(clock.take_jumps().len(), 1);
        clock.observe(Instant(1_050_500));
        assert_eq!(clock.now(), Instant(1_050_500), "another host is a little ahead");
        assert_eq!(clock.take_jumps(), []);
        clock.resume(Instant(1_090_000));
        assert_eq!(clock.take_jumps(), [(Instant(1_090_000), Instant(1_050_000))]);
    }
}
