//! Money: an integer number of cents that cannot overflow silently.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

/// An amount in cents. It may be negative, as a net result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Money(i64);

/// The largest amount that is parsed or computed: SGD 1,000,000,000,000. Far above any table, far below
/// overflow.
const LARGEST_CENTS: i64 = 100_000_000_000_000;

impl Money {
    /// Zero.
    pub const ZERO: Money = Money(0);

    /// This many cents.
    #[must_use]
    pub const fn from_cents(cents: i64) -> Money {
        Money(cents)
    }

    /// This many dollars.
    #[must_use]
    pub const fn from_dollars(dollars: i32) -> Money {
        Money(dollars as i64 * 100)
    }

    /// The number of cents.
    #[must_use]
    pub const fn cents(self) -> i64 {
        self.0
    }

    /// Whether it is zero.
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// The sum, unless it exceeds the largest amount.
    ///
    /// # Errors
    /// A sum over the largest amount.
    pub fn checked_add(self, other: Money) -> Result<Money, MoneyError> {
        Money::within(self.0.checked_add(other.0))
    }

    /// The difference, unless it exceeds the largest amount.
    ///
    /// # Errors
    /// A difference over the largest amount.
    pub fn checked_sub(self, other: Money) -> Result<Money, MoneyError> {
        Money::within(self.0.checked_sub(other.0))
    }

    /// The amount times this factor.
    ///
    /// # Errors
    /// A product over the largest amount.
    #[inline]
    pub fn times(self, factor: u32) -> Result<Money, MoneyError> {
        Money::within(self.0.checked_mul(i64::from(factor)))
    }

    #[inline]
    fn within(cents: Option<i64>) -> Result<Money, MoneyError> {
        match cents {
            Some(cents) if cents.abs() <= LARGEST_CENTS => Ok(Money(cents)),
            _ => Err(MoneyError::TooLarge),
        }
    }

    /// The amount with its sign, as a net result is written: `+145.00`.
    #[must_use]
    pub fn signed(self) -> String {
        if self.0 > 0 { format!("+{self}") } else { self.to_string() }
    }

    /// The amount with thousands separated, for people: `100,000.00`.
    #[must_use]
    pub fn grouped(self) -> String {
        let digits = (self.0.unsigned_abs() / 100).to_string();
        let mut text = String::new();
        if self.0 < 0 {
            text.push('-');
        }
        for (n, digit) in digits.chars().enumerate() {
            if n > 0 && (digits.len() - n).is_multiple_of(3) {
                text.push(',');
            }
            text.push(digit);
        }
        format!("{text}.{:02}", self.0.unsigned_abs() % 100)
    }
}

/// Every amount that is parsed or computed is at most [`LARGEST_CENTS`], so a sum would need 92,000 of the largest to
/// overflow; if that ever happened, it would stop the program rather than become a wrong amount.
impl std::ops::Add for Money {
    type Output = Money;
    fn add(self, other: Money) -> Money {
        Money(self.0.checked_add(other.0).expect("sums of bounded amounts do not overflow"))
    }
}

impl std::ops::Sub for Money {
    type Output = Money;
    fn sub(self, other: Money) -> Money {
        Money(self.0.checked_sub(other.0).expect("differences of bounded amounts do not overflow"))
    }
}

impl std::ops::Neg for Money {
    type Output = Money;
    fn neg(self) -> Money {
        Money(-self.0)
    }
}

impl std::ops::AddAssign for Money {
    fn add_assign(&mut self, other: Money) {
        *self = *self + other;
    }
}

impl std::ops::SubAssign for Money {
    fn sub_assign(&mut self, other: Money) {
        *self = *self - other;
    }
}

impl std::iter::Sum for Money {
    fn sum<I: Iterator<Item = Money>>(amounts: I) -> Money {
        amounts.fold(Money::ZERO, std::ops::Add::add)
    }
}

/// `1500.25`: always two decimals, no separators, for data.
impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        f.pad(&format!("{sign}{}.{:02}", self.0.unsigned_abs() / 100, self.0.unsigned_abs() % 100))
    }
}

/// Why a text is not an amount, or a sum is too large.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MoneyError {
    /// Not digits with at most one point and commas between thousands.
    #[error("`{0}` is not an amount: write it like 50, 1500.25 or 1,500.25")]
    NotAnAmount(String),
    /// More than two decimals.
    #[error("`{0}` has more than two decimals: the smallest coin is one cent")]
    FractionOfACent(String),
    /// Over the largest amount.
    #[error("the amount is larger than 1,000,000,000,000.00, the most that is handled")]
    TooLarge,
}

/// Parses `50`, `1500.25`, `1,500.25`, `1500.5`. No sign: an amount of chips is never negative.
impl FromStr for Money {
    type Err = MoneyError;

    fn from_str(text: &str) -> Result<Money, MoneyError> {
        let wrong = || MoneyError::NotAnAmount(text.to_owned());
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        if text.ends_with('.') || !fraction.bytes().all(|b| b.is_ascii_digit()) {
            return Err(wrong());
        }
        if fraction.len() > 2 {
            return Err(MoneyError::FractionOfACent(text.to_owned()));
        }
        let groups: Vec<&str> = whole.split(',').collect();
        let digits_only = groups.iter().all(|g| !g.is_empty() && g.bytes().all(|b| b.is_ascii_digit()));
        let thousands =
            groups.len() == 1 || (groups[0].len() <= 3 && groups[1..].iter().all(|g| g.len() == 3));
        if !digits_only || !thousands {
            return Err(wrong());
        }
        let digits = format!("{}{fraction:0<2}", groups.concat());
        Money::within(digits.parse::<i64>().ok())
    }
}

impl Serialize for Money {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Money {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Money, D::Error> {
        let text = String::deserialize(deserializer)?;
        let (negative, digits) = text.strip_prefix('-').map_or((false, text.as_str()), |rest| (true, rest));
        let amount: Money = digits.parse().map_err(serde::de::Error::custom)?;
        Ok(if negative { -amount } else { amount })
    }
}
