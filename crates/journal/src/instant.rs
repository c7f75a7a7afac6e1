//! Timestamps of the journal.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Milliseconds since 1970-01-01 UTC.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct Instant(pub i64);

impl Instant {
    /// This time plus `seconds`.
    #[must_use]
    pub const fn plus_seconds(self, seconds: u32) -> Instant {
        Instant(self.0 + seconds as i64 * 1_000)
    }

    /// Milliseconds since `earlier`; 0 if `earlier` is later.
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

    /// The date: `2026-05-01`.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_match_the_calendar() {
        let shown = |ms| Instant(ms).to_string();
        assert_eq!(shown(0), "1970-01-01 00:00:00.000Z");
        assert_eq!(shown(951_782_399_999), "2000-02-28 23:59:59.999Z");
        assert_eq!(shown(951_782_400_000), "2000-02-29 00:00:00.000Z");
        assert_eq!(shown(1_709_251_200_000), "2024-03-01 00:00:00.000Z");
    }
}
