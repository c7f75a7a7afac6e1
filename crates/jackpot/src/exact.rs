//! Amounts with fractions of a cent, kept exactly.
//!
//! Rates are in hundredths of a per cent and wagers in cents, so any share of a wager is a whole number of ten-thousandths
//! of a cent: nothing is rounded on its way into the meter (I-6). The displayed value is rounded down.

use std::borrow::Cow;
use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};
use std::str::FromStr;

use baize_rules::{Money, Percent};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Ten-thousandths of a cent in a cent.
const UNITS: i128 = 10_000;

/// An amount in ten-thousandths of a cent. It may be negative, for changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Exact(i128);

impl Exact {
    /// Zero.
    pub const ZERO: Exact = Exact(0);

    /// The number of ten-thousandths of a cent.
    #[must_use]
    pub const fn units(self) -> i128 {
        self.0
    }

    /// This share of an amount, exactly.
    #[must_use]
    pub fn share(of: Money, percent: Percent) -> Exact {
        Exact(i128::from(of.cents()) * i128::from(percent.hundredths()))
    }

    /// The amount rounded down to the cent.
    #[must_use]
    pub fn floor(self) -> Money {
        cents(self.0.div_euclid(UNITS))
    }

    /// The amount rounded up to the cent.
    #[must_use]
    pub fn ceil(self) -> Money {
        cents(-(-self.0).div_euclid(UNITS))
    }

    /// The amount, or zero if it is negative.
    #[must_use]
    pub fn or_zero(self) -> Exact {
        self.max(Exact::ZERO)
    }

    /// Whether it is zero.
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }
}

/// No real meter leaves the range of `Money`; if one did, it would saturate rather than become a wrong amount.
fn cents(number: i128) -> Money {
    let end = if number < 0 { i64::MIN } else { i64::MAX };
    Money::from_cents(i64::try_from(number).unwrap_or(end))
}

impl From<Money> for Exact {
    fn from(money: Money) -> Exact {
        Exact(i128::from(money.cents()) * UNITS)
    }
}

impl Add for Exact {
    type Output = Exact;
    fn add(self, other: Exact) -> Exact {
        Exact(self.0 + other.0)
    }
}

impl Sub for Exact {
    type Output = Exact;
    fn sub(self, other: Exact) -> Exact {
        Exact(self.0 - other.0)
    }
}

impl Neg for Exact {
    type Output = Exact;
    fn neg(self) -> Exact {
        Exact(-self.0)
    }
}

impl AddAssign for Exact {
    fn add_assign(&mut self, other: Exact) {
        *self = *self + other;
    }
}

impl SubAssign for Exact {
    fn sub_assign(&mut self, other: Exact) {
        *self = *self - other;
    }
}

impl Sum for Exact {
    fn sum<I: Iterator<Item = Exact>>(amounts: I) -> Exact {
        amounts.fold(Exact::ZERO, Add::add)
    }
}

/// Dollars with six decimals: `250000.123400`.
impl fmt::Display for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let units = self.0.unsigned_abs();
        f.pad(&format!("{sign}{}.{:06}", units / 1_000_000, units % 1_000_000))
    }
}

/// Parses this form: dollars, a point and six decimals.
impl FromStr for Exact {
    type Err = String;

    fn from_str(text: &str) -> Result<Exact, String> {
        let wrong = || format!("`{text}` is not an amount with six decimals, like 250000.123400");
        let (negative, digits) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (whole, fraction) = digits.split_once('.').ok_or_else(wrong)?;
        let plain = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        if !plain(whole) || !plain(fraction) || fraction.len() != 6 || whole.len() > 24 {
            return Err(wrong());
        }
        let units: i128 = format!("{whole}{fraction}").parse().map_err(|_| wrong())?;
        Ok(Exact(if negative { -units } else { units }))
    }
}

impl Serialize for Exact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl JsonSchema for Exact {
    fn schema_name() -> Cow<'static, str> {
        "Exact".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "Dollars with six decimals.",
            "type": "string",
            "pattern": "^-?[0-9]{1,24}\\.[0-9]{6}$",
            "examples": ["250000.123400"],
        })
    }
}

impl<'de> Deserialize<'de> for Exact {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Exact, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_a_wager_is_exact_and_shown_rounded_down() {
        let share = Exact::share(Money::from_cents(501), Percent::from_hundredths(1_999));
        assert_eq!(share.to_string(), "1.001499");
        assert_eq!(share.units(), 1_001_499);
        assert_eq!(share.floor(), Money::from_cents(100));
        assert_eq!(share.ceil(), Money::from_cents(101));
        assert_eq!((-share).floor(), Money::from_cents(-101));
        assert_eq!((-share).ceil(), Money::from_cents(-100));
    }

    #[test]
    fn an_amount_beyond_the_range_of_money_saturates() {
        assert_eq!(Exact(i128::MAX).floor(), Money::from_cents(i64::MAX));
        assert_eq!(Exact(-i128::MAX).floor(), Money::from_cents(i64::MIN));
    }

    #[test]
    fn what_is_written_is_read_back() {
        for units in [0, 1, -1, 10_000, 123_456_789_012_345, -1_000_000] {
            let amount = Exact(units);
            assert_eq!(amount.to_string().parse(), Ok(amount));
        }
        assert_eq!(Exact::ZERO.to_string(), "0.000000");
        let digits = |number: usize| format!("{}.000000", "9".repeat(number));
        assert!(digits(24).parse::<Exact>().is_ok() && digits(25).parse::<Exact>().is_err());
        for wrong in ["", "1", "1.5", "1.0000000", "x.000000", "--1.000000"] {
            assert!(wrong.parse::<Exact>().is_err(), "{wrong}");
        }
    }
}
