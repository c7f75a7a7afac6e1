//! The gaming day: 24 hours from 06:00 in Singapore, unless configured otherwise.
//!
//! Times are stored in UTC. Only this file maps a time to its gaming day, so reports, the cage and the pit board agree. There is no
//! daylight saving: a day always has 24 hours.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::Instant;

const MINUTE: i64 = 60_000;
const DAY: i64 = 86_400_000;

/// Why a text is not a date, an offset or a time of day.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DayFault {
    /// Not a calendar date.
    #[error("`{0}` is not a date: write year, month and day, like 2026-05-01")]
    Date(String),
    /// Not an offset from UTC.
    #[error("`{0}` is not an offset from UTC: write hours and minutes, from -12:00 to +14:00, like +08:00")]
    Offset(String),
    /// Not a time of day.
    #[error("`{0}` is not a time of day: write hours and minutes, from 00:00 to 23:59, like 06:00")]
    Begins(String),
}

/// A calendar date.
// Days since 1970-01-01.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(into = "String", try_from = "String")]
#[schemars(example = "2026-05-01")]
pub struct Date(i64);

impl Date {
    /// The next day.
    #[must_use]
    pub const fn next(self) -> Date {
        Date(self.0 + 1)
    }

    /// The previous day.
    #[must_use]
    pub const fn previous(self) -> Date {
        Date(self.0 - 1)
    }

    /// Days since 1970-01-01; 0 for earlier dates.
    #[must_use]
    pub fn number(self) -> u64 {
        u64::try_from(self.0).unwrap_or(0)
    }

    /// The date with this [`Date::number`].
    #[must_use]
    pub fn numbered(number: u64) -> Date {
        Date(i64::try_from(number).unwrap_or(i64::MAX))
    }

    /// The date this many days later.
    #[must_use]
    pub fn plus_days(self, days: u32) -> Date {
        Date(self.0 + i64::from(days))
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&Instant(self.0 * DAY).day())
    }
}

impl FromStr for Date {
    type Err = DayFault;

    fn from_str(text: &str) -> Result<Date, DayFault> {
        let fault = || DayFault::Date(short(text));
        let shaped = text.len() == 10 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
        let parts: Vec<i64> = text.split('-').filter_map(|part| part.parse().ok()).collect();
        let [year, month, day] = parts[..] else { return Err(fault()) };
        if !shaped || !(1..=12).contains(&month) {
            return Err(fault());
        }
        // Days from a civil date: counting years from March makes the leap day the last one.
        let of_march = if month <= 2 { year - 1 } else { year };
        let (era, of_era) = (of_march.div_euclid(400), of_march.rem_euclid(400));
        let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
        let number = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
        let date = Date(number);
        // A day that does not exist in its month is printed as another date.
        if date.to_string() == text { Ok(date) } else { Err(fault()) }
    }
}

/// A difference from UTC.
// In minutes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(into = "String")]
#[schemars(example = "+08:00")]
pub struct UtcOffset(i64);

impl UtcOffset {
    /// UTC itself.
    pub const UTC: UtcOffset = UtcOffset(0);
}

/// When a gaming day begins.
// In minutes after local midnight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(into = "String")]
#[schemars(example = "06:00")]
pub struct DayBegins(i64);

impl TryFrom<String> for Date {
    type Error = DayFault;

    fn try_from(text: String) -> Result<Date, DayFault> {
        text.parse()
    }
}

impl From<Date> for String {
    fn from(date: Date) -> String {
        date.to_string()
    }
}

impl From<UtcOffset> for String {
    fn from(offset: UtcOffset) -> String {
        offset.to_string()
    }
}

impl From<DayBegins> for String {
    fn from(begins: DayBegins) -> String {
        begins.to_string()
    }
}

fn short(text: &str) -> String {
    text.chars().take(40).collect()
}

/// `08:00` in minutes.
fn clock(text: &str) -> Option<i64> {
    let (hours, minutes) = text.split_once(':')?;
    let number = |part: &str| {
        (part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit())).then(|| part.parse().ok())?
    };
    let (hours, minutes): (i64, i64) = (number(hours)?, number(minutes)?);
    (hours <= 23 && minutes <= 59).then_some(hours * 60 + minutes)
}

impl FromStr for UtcOffset {
    type Err = DayFault;

    fn from_str(text: &str) -> Result<UtcOffset, DayFault> {
        // In a URL's query a plus sign means a space.
        let rest = text.trim_start();
        let (sign, rest) = match rest.strip_prefix('-') {
            Some(rest) => (-1, rest),
            None => (1, rest.strip_prefix('+').unwrap_or(rest)),
        };
        let minutes = clock(rest).map(|minutes| sign * minutes);
        let minutes = minutes.filter(|minutes| (-12 * 60..=14 * 60).contains(minutes));
        minutes.map(UtcOffset).ok_or_else(|| DayFault::Offset(short(text)))
    }
}

impl FromStr for DayBegins {
    type Err = DayFault;

    fn from_str(text: &str) -> Result<DayBegins, DayFault> {
        clock(text).map(DayBegins).ok_or_else(|| DayFault::Begins(short(text)))
    }
}

/// `+08:00`
impl fmt::Display for UtcOffset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { '-' } else { '+' };
        f.pad(&format!("{sign}{:02}:{:02}", self.0.abs() / 60, self.0.abs() % 60))
    }
}

/// `06:00`
impl fmt::Display for DayBegins {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{:02}:{:02}", self.0 / 60, self.0 % 60))
    }
}

/// Singapore time.
impl Default for UtcOffset {
    fn default() -> UtcOffset {
        UtcOffset(8 * 60)
    }
}

/// 06:00, when casino floors are quiet.
impl Default for DayBegins {
    fn default() -> DayBegins {
        DayBegins(6 * 60)
    }
}

/// Which 24 hours make up a gaming day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, JsonSchema)]
pub struct GamingDay {
    /// How far local time is ahead of UTC.
    pub utc_offset: UtcOffset,
    /// When the day begins, local time.
    pub begins: DayBegins,
}

impl GamingDay {
    fn shift(self) -> i64 {
        (self.utc_offset.0 - self.begins.0) * MINUTE
    }

    /// The gaming day of a time.
    #[must_use]
    pub fn of(self, at: Instant) -> Date {
        Date((at.0 + self.shift()).div_euclid(DAY))
    }

    /// The start of a gaming day.
    #[must_use]
    pub fn start(self, date: Date) -> Instant {
        Instant(date.0 * DAY - self.shift())
    }

    /// A time in the house's time zone: `2026-05-01 13:45:07`.
    #[must_use]
    pub fn local(self, at: Instant) -> String {
        let local = Instant(at.0 + self.utc_offset.0 * MINUTE).to_string();
        local.split('.').next().unwrap_or_default().to_owned()
    }

    /// The start of the hour of a time, in the house's time zone.
    #[must_use]
    pub fn hour(self, at: Instant) -> Instant {
        let ahead = self.utc_offset.0 * MINUTE;
        Instant((at.0 + ahead).div_euclid(60 * MINUTE) * 60 * MINUTE - ahead)
    }

    /// Parses a date and time in the house's time zone: `2026-05-01T13:45`, with or without seconds.
    #[must_use]
    pub fn moment(self, text: &str) -> Option<Instant> {
        let (date, time) = text.split_once(['T', ' '])?;
        let date: Date = date.parse().ok()?;
        let (time, seconds) = match time.split_at_checked(5)? {
            (time, "") => (time, 0),
            (time, rest) => (time, rest.strip_prefix(':')?.parse::<u8>().ok().filter(|s| *s < 60)?),
        };
        let of_day = clock(time)? * MINUTE + i64::from(seconds) * 1_000;
        Some(Instant(date.0 * DAY + of_day - self.utc_offset.0 * MINUTE))
    }
}

/// `from 06:00, UTC+08:00`
impl fmt::Display for GamingDay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("from {}, UTC{}", self.begins, self.utc_offset))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(offset: &str, begins: &str) -> GamingDay {
        GamingDay { utc_offset: offset.parse().unwrap(), begins: begins.parse().unwrap() }
    }

    #[test]
    fn the_default_day_begins_at_06_00_singapore_time() {
        let singapore = GamingDay::default();
        assert_eq!(singapore.to_string(), "from 06:00, UTC+08:00");
        let date: Date = "2026-05-02".parse().unwrap();
        let start = singapore.start(date);
        assert_eq!(start.to_string(), "2026-05-01 22:00:00.000Z");
        assert_eq!(singapore.of(start), date);
        assert_eq!(singapore.of(Instant(start.0 - 1)).to_string(), "2026-05-01");
        assert_eq!(singapore.of(Instant(start.0 + DAY - 1)), date);
        assert_eq!(singapore.local(start), "2026-05-02 06:00:00");
        assert_eq!(singapore.moment("2026-05-02T06:00"), Some(start));
        assert_eq!(singapore.moment("2026-05-02T06:00:01"), Some(start.plus_seconds(1)));
        for text in ["2026-05-02", "2026-05-02T6:00", "2026-05-02T25:00", "T", "2026-05-02T06:00:x"] {
            assert_eq!(singapore.moment(text), None, "{text}");
        }
        let london = day("-00:30", "00:00");
        assert_eq!(london.of(Instant(0)).to_string(), "1969-12-31");
        assert_eq!(day("08:00", "06:00"), singapore, "without a sign, as in a URL");
    }

    #[test]
    fn invalid_dates_offsets_and_times_name_the_format() {
        for text in ["2024-02-29", "2000-02-29", "1970-01-01", "2026-12-31", "1969-12-31"] {
            assert_eq!(text.parse::<Date>().unwrap().to_string(), text);
        }
        for text in [
            "",
            "yesterday",
            "2026-13-01",
            "2025-02-29",
            "2026-04-31",
            "2026-5-1",
            "01-05-2026",
            "2026-05-00",
        ] {
            let fault = text.parse::<Date>().unwrap_err().to_string();
            assert!(fault.contains("2026-05-01"), "{text}: {fault}");
        }
        for text in ["", "8", "+8:00", "+15:00", "-13:00", "+08:60", "SGT"] {
            let fault = text.parse::<UtcOffset>().unwrap_err().to_string();
            assert!(fault.contains("+08:00"), "{text}: {fault}");
        }
        for text in ["", "6", "24:00", "06:0", "-1:00", "06:000"] {
            let fault = text.parse::<DayBegins>().unwrap_err().to_string();
            assert!(fault.contains("06:00"), "{text}: {fault}");
        }
    }
}
