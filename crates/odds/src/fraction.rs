//! Exact fractions, printed to as many decimals as wanted.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Mul, Neg, Sub};

use serde::Serialize;
use serde::ser::SerializeStruct;

/// A fraction in lowest terms with a positive denominator.
///
/// 128 bits hold every expectation of the five games and the square of its denominator; arithmetic beyond that panics in
/// debug builds like any integer arithmetic, so callers keep to counts of one cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fraction {
    numerator: i128,
    denominator: i128,
}

impl Fraction {
    /// Nothing.
    pub const ZERO: Fraction = Fraction { numerator: 0, denominator: 1 };

    /// This many over this many. A denominator of 0 counts as 1: the expectation over no cases is their sum, 0.
    #[must_use]
    pub fn new(numerator: impl Into<i128>, denominator: impl Into<i128>) -> Fraction {
        let (numerator, denominator) = (numerator.into(), denominator.into());
        if denominator == 0 {
            return Fraction { numerator, denominator: 1 };
        }
        let sign = denominator.signum();
        let divisor = gcd(numerator.unsigned_abs(), denominator.unsigned_abs());
        let divisor = i128::try_from(divisor).unwrap_or(1) * sign;
        Fraction { numerator: numerator / divisor, denominator: denominator / divisor }
    }

    /// The numerator.
    #[must_use]
    pub const fn numerator(self) -> i128 {
        self.numerator
    }

    /// The denominator, positive.
    #[must_use]
    pub const fn denominator(self) -> i128 {
        self.denominator
    }

    /// One over this. The reciprocal of nothing is taken as nothing.
    #[must_use]
    pub fn reciprocal(self) -> Fraction {
        if self.numerator == 0 { Fraction::ZERO } else { Fraction::new(self.denominator, self.numerator) }
    }

    /// In decimals, rounded half away from zero.
    #[must_use]
    pub fn decimal(self, places: u32) -> String {
        let (whole, digits) = self.digits(places);
        let sign =
            if self.numerator < 0 && (whole != 0 || digits.bytes().any(|b| b != b'0')) { "-" } else { "" };
        if places == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{digits}") }
    }

    /// In decimals as a percentage: 0.0204 is `2.04%`.
    #[must_use]
    pub fn percent(self, places: u32) -> String {
        format!("{}%", Fraction::new(self.numerator * 100, self.denominator).decimal(places))
    }

    /// Long division: the whole part and the decimals of the absolute value, rounded.
    fn digits(self, places: u32) -> (u128, String) {
        let (n, d) = (self.numerator.unsigned_abs(), self.denominator.unsigned_abs());
        let (mut whole, mut rest) = (n / d, n % d);
        let mut digits = Vec::new();
        for _ in 0..places {
            let (digit, left) = next_digit(rest, d);
            digits.push(digit);
            rest = left;
        }
        if rest >= d - rest {
            let mut carry = true;
            for digit in digits.iter_mut().rev() {
                if !carry {
                    break;
                }
                carry = *digit == 9;
                *digit = if carry { 0 } else { *digit + 1 };
            }
            whole += u128::from(carry);
        }
        (whole, digits.into_iter().map(|digit| char::from(b'0' + digit)).collect())
    }

    /// The square root in decimals, cut off (not rounded) after the last. Nothing below zero.
    #[must_use]
    pub fn sqrt_decimal(self, places: u32) -> String {
        if self.numerator <= 0 {
            return Fraction::ZERO.decimal(places);
        }
        let (n, d) = (self.numerator.unsigned_abs(), self.denominator.unsigned_abs());
        let (mut scaled, mut rest) = (n / d, n % d);
        for _ in 0..2 * places {
            let (digit, left) = next_digit(rest, d);
            scaled = scaled * 10 + u128::from(digit);
            rest = left;
        }
        let root = scaled.isqrt().to_string();
        let places = places as usize;
        let root = format!("{root:0>width$}", width = places + 1);
        let (whole, decimals) = root.split_at(root.len() - places);
        if places == 0 { whole.to_owned() } else { format!("{whole}.{decimals}") }
    }

    /// The nearest floating-point number, for pictures.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        self.decimal(17).parse().unwrap_or(0.0)
    }
}

/// One step of long division without leaving 128 bits: the next digit of `rest / divisor` and what is left.
fn next_digit(rest: u128, divisor: u128) -> (u8, u128) {
    let mut digit = 0;
    let mut left: u128 = 0;
    for _ in 0..10 {
        // left + rest may pass the divisor once at most, as both are below it.
        if left >= divisor - rest {
            left -= divisor - rest;
            digit += 1;
        } else {
            left += rest;
        }
    }
    (digit, left)
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

impl From<i64> for Fraction {
    fn from(whole: i64) -> Fraction {
        Fraction::new(whole, 1)
    }
}

impl Add for Fraction {
    type Output = Fraction;
    fn add(self, other: Fraction) -> Fraction {
        let shared = gcd(self.denominator.unsigned_abs(), other.denominator.unsigned_abs());
        let shared = i128::try_from(shared).unwrap_or(1);
        let (one, two) = (self.denominator / shared, other.denominator / shared);
        Fraction::new(self.numerator * two + other.numerator * one, self.denominator * two)
    }
}

impl Neg for Fraction {
    type Output = Fraction;
    fn neg(self) -> Fraction {
        Fraction { numerator: -self.numerator, denominator: self.denominator }
    }
}

impl Sub for Fraction {
    type Output = Fraction;
    fn sub(self, other: Fraction) -> Fraction {
        self + -other
    }
}

impl Mul for Fraction {
    type Output = Fraction;
    fn mul(self, other: Fraction) -> Fraction {
        // Cancelling crosswise first keeps the products small.
        let left = Fraction::new(self.numerator, other.denominator);
        let right = Fraction::new(other.numerator, self.denominator);
        Fraction::new(left.numerator * right.numerator, left.denominator * right.denominator)
    }
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Fraction) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Fraction) -> Ordering {
        (*self - *other).numerator.cmp(&0)
    }
}

/// `-13873/162435`.
impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.denominator == 1 {
            f.pad(&self.numerator.to_string())
        } else {
            f.pad(&format!("{}/{}", self.numerator, self.denominator))
        }
    }
}

/// `{"numerator":"-13873","denominator":"162435","decimal":"-0.085406…"}`.
impl Serialize for Fraction {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Fraction", 3)?;
        fields.serialize_field("numerator", &self.numerator.to_string())?;
        fields.serialize_field("denominator", &self.denominator.to_string())?;
        fields.serialize_field("decimal", &self.decimal(15))?;
        fields.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals() {
        let bonus = Fraction::new(-13873, 162_435);
        assert_eq!(bonus.to_string(), "-13873/162435");
        assert_eq!(bonus.decimal(6), "-0.085406");
        assert_eq!(bonus.percent(4), "-8.5406%");
        assert_eq!(Fraction::new(999, 1000).decimal(2), "1.00");
        assert_eq!(Fraction::new(-1, 1000).decimal(2), "0.00");
        assert_eq!(Fraction::new(1, 2).decimal(0), "1");
        assert_eq!(Fraction::new(6, -4).to_string(), "-3/2");
        assert_eq!(Fraction::new(i128::MAX, i128::MAX - 1).decimal(3), "1.000");
    }

    #[test]
    fn roots() {
        assert_eq!(Fraction::new(2, 1).sqrt_decimal(10), "1.4142135623");
        assert_eq!(Fraction::new(1, 400).sqrt_decimal(4), "0.0500");
        assert_eq!(Fraction::new(9, 1).sqrt_decimal(0), "3");
    }

    #[test]
    fn arithmetic() {
        let (third, sixth) = (Fraction::new(1, 3), Fraction::new(1, 6));
        assert_eq!(third + sixth, Fraction::new(1, 2));
        assert_eq!(third - sixth, sixth);
        assert_eq!(third * sixth, Fraction::new(1, 18));
        assert!(sixth < third);
        assert_eq!(third.reciprocal(), Fraction::from(3));
    }
}
