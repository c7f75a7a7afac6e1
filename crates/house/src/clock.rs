//! The clocks. Nothing else in the house reads the time.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::Instant;

/// Where the time comes from.
pub trait Clock: Send + Sync + 'static {
    /// The time now, by a clock that can be set.
    fn now(&self) -> Instant;
    /// Milliseconds by a clock that cannot be set.
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

/// A clock that stands still until it is moved: for tests.
#[derive(Debug, Default)]
pub struct SetClock {
    now: AtomicI64,
    steady: AtomicI64,
}

impl SetClock {
    /// A clock that shows this.
    #[must_use]
    pub const fn at(now: Instant) -> SetClock {
        SetClock { now: AtomicI64::new(now.0), steady: AtomicI64::new(0) }
    }

    /// Moves it on: for tests.
    pub fn advance_seconds(&self, seconds: u32) {
        self.now.fetch_add(i64::from(seconds) * 1_000, Ordering::SeqCst);
        self.steady.fetch_add(i64::from(seconds) * 1_000, Ordering::SeqCst);
    }

    /// Sets it, as the clock of a computer can be set: no time has passed.
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

/// A clock that differs by more than this from what it should show has jumped, in thousandths of a second.
const JUMP: i64 = 1_000;

/// The clock of a house: that of the computer, as long as it goes forward. If that is set back, or another host is ahead, the
/// house's time goes on at half speed until the computer's has caught up: entries never go back in time, and clocks of tables run on.
pub(crate) struct HouseClock {
    clock: Arc<dyn Clock>,
    told: Mutex<ClockState>,
}

struct ClockState {
    /// The latest time that was told or seen.
    at: i64,
    /// The computer's clock and the steady one when they were last looked at.
    wall: i64,
    steady: i64,
    /// When the computer's clock was last not behind: the time and the steady clock then.
    base: (i64, i64),
    /// Jumps that nobody has noted yet: what the clock should have shown and what it showed.
    jumps: Vec<(Instant, Instant)>,
}

impl HouseClock {
    pub(crate) fn new(clock: Arc<dyn Clock>) -> HouseClock {
        let (wall, steady) = (clock.now().0, clock.steady());
        let told = ClockState { at: wall, wall, steady, base: (wall, steady), jumps: Vec::new() };
        HouseClock { clock, told: Mutex::new(told) }
    }

    fn told(&self) -> MutexGuard<'_, ClockState> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The time now: never before one that was told or seen.
    pub(crate) fn now(&self) -> Instant {
        let mut told = self.told();
        let (wall, steady) = (self.clock.now().0, self.clock.steady());
        let expected = told.wall + (steady - told.steady);
        if (wall - expected).abs() > JUMP {
            told.jumps.push((Instant(expected), Instant(wall)));
        }
        (told.wall, told.steady) = (wall, steady);
        if wall >= told.at || crate::journal::sabotage::is("a clock that goes back is believed") {
            (told.at, told.base) = (wall, (wall, steady));
        } else {
            let (at, since) = told.base;
            told.at = told.at.max(at + (steady - since) / 2);
        }
        Instant(told.at)
    }

    /// An entry has this time: what comes after it has no earlier one.
    pub(crate) fn saw(&self, at: Instant) {
        let mut told = self.told();
        if at.0 > told.at {
            (told.at, told.base) = (at.0, (at.0, told.steady));
        }
    }

    /// The last entry from before this process has this time. A clock that is before it has gone back since.
    pub(crate) fn resume(&self, last: Instant) {
        let mut told = self.told();
        if last.0 - told.wall > JUMP {
            let found = Instant(told.wall);
            told.jumps.push((last, found));
        }
        drop(told);
        self.saw(last);
    }

    /// Jumps that were not asked for yet: what the clock should have shown and what it showed.
    pub(crate) fn jumps(&self) -> Vec<(Instant, Instant)> {
        std::mem::take(&mut self.told().jumps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_a_house_never_goes_back_and_jumps_are_told() {
        let set = Arc::new(SetClock::at(Instant(1_000_000)));
        let clock = HouseClock::new(Arc::clone(&set) as Arc<dyn Clock>);
        assert_eq!(clock.now(), Instant(1_000_000));
        set.set(Instant(400_000));
        assert_eq!(clock.now(), Instant(1_000_000));
        assert_eq!(clock.jumps(), [(Instant(1_000_000), Instant(400_000))]);
        set.advance_seconds(60);
        assert_eq!(clock.now(), Instant(1_030_000), "half as fast until the computer has caught up");
        set.set(Instant(1_050_000));
        assert_eq!(clock.now(), Instant(1_050_000));
        assert_eq!(clock.jumps().len(), 1);
        clock.saw(Instant(1_050_500));
        assert_eq!(clock.now(), Instant(1_050_500), "another host is a little ahead");
        assert_eq!(clock.jumps(), []);
        clock.resume(Instant(1_090_000));
        assert_eq!(clock.jumps(), [(Instant(1_090_000), Instant(1_050_000))]);
    }
}
