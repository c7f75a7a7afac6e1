//! Time comes into the house here and nowhere else.

use std::fmt;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// A moment: thousandths of a second since 1970, UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Instant(pub i64);

impl Instant {
    /// So many seconds later.
    #[must_use]
    pub const fn plus_seconds(self, seconds: u32) -> Instant {
        Instant(self.0 + seconds as i64 * 1_000)
    }

    /// Thousandths of a second from `earlier` until this; nothing if it is not later.
    #[must_use]
    pub fn since(self, earlier: Instant) -> u64 {
        u64::try_from(self.0 - earlier.0).unwrap_or(0)
    }

    /// Year, month, day (UTC).
    #[must_use]
    pub const fn date(self) -> (i64, i64, i64) {
        // Civil date from days: the year begins in March, so that the leap day is its last.
        let days = self.0.div_euclid(86_400_000) + 719_468;
        let era = days.div_euclid(146_097);
        let of_era = days.rem_euclid(146_097);
        let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted = (5 * of_year + 2) / 153;
        let day = of_year - (153 * shifted + 2) / 5 + 1;
        let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
        (year_of_era + era * 400 + if month <= 2 { 1 } else { 0 }, month, day)
    }

    /// The day: `2026-05-01`.
    #[must_use]
    pub fn day(self) -> String {
        let (year, month, day) = self.date();
        format!("{year:04}-{month:02}-{day:02}")
    }
}

/// `2026-05-01 13:45:07.250Z`.
impl fmt::Display for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of_day = self.0.rem_euclid(86_400_000);
        let (hours, minutes) = (of_day / 3_600_000, of_day / 60_000 % 60);
        let (seconds, thousandths) = (of_day / 1_000 % 60, of_day % 1_000);
        write!(f, "{} {hours:02}:{minutes:02}:{seconds:02}.{thousandths:03}Z", self.day())
    }
}

/// Where the time comes from.
pub trait Clock: Send + Sync + 'static {
    /// The time now. Somebody may set it.
    fn now(&self) -> Instant;
    /// Thousandths of a second since some moment, by a clock that nobody can set.
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

/// A clock that stands still until somebody moves it: for tests.
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

    /// Moves it on.
    pub fn advance_seconds(&self, seconds: u32) {
        self.now.fetch_add(i64::from(seconds) * 1_000, Ordering::SeqCst);
        self.steady.fetch_add(i64::from(seconds) * 1_000, Ordering::SeqCst);
    }

    /// Sets it, as somebody may set the clock of a computer: no time has passed.
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

/// The clock of a house: that of the computer, as long as it goes forward. Where somebody sets it back, or another host is ahead, the
/// house's time goes on at half speed until the computer's has caught up: entries never go back in time, and clocks of tables run on.
pub(crate) struct HouseClock {
    clock: Arc<dyn Clock>,
    told: Mutex<Told>,
}

struct Told {
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
        let told = Told { at: wall, wall, steady, base: (wall, steady), jumps: Vec::new() };
        HouseClock { clock, told: Mutex::new(told) }
    }

    fn told(&self) -> MutexGuard<'_, Told> {
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
        if wall >= told.at {
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

    #[test]
    fn dates_are_those_of_the_calendar() {
        let shown = |ms| Instant(ms).to_string();
        assert_eq!(shown(0), "1970-01-01 00:00:00.000Z");
        assert_eq!(shown(951_782_399_999), "2000-02-28 23:59:59.999Z");
        assert_eq!(shown(951_782_400_000), "2000-02-29 00:00:00.000Z");
        assert_eq!(shown(1_709_251_200_000), "2024-03-01 00:00:00.000Z");
    }
}
