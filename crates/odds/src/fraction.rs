//! Exact fractions, printed to as many decimals as wanted.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Mul, Neg, Sub};

use num_bigint::{BigInt, BigUint};
use serde::Serialize;
use serde::ser::SerializeStruct;

/// A fraction in lowest terms with a positive denominator.
///
/// 128 bits hold every expectation of the five games for the amounts analysed. Intermediate results may be larger and then use big
/// integers. If a final result does not fit, the program stops rather than return a wrong value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fraction {
    numerator: i128,
    denominator: i128,
}

impl Fraction {
    /// Zero.
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
        format!("{}%", (self * Fraction::from(100)).decimal(places))
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

    /// This fraction in units of 1/`parts`, rounded to the nearest.
    #[must_use]
    pub fn in_parts(self, parts: i128) -> i128 {
        let scaled = BigInt::from(self.numerator) * parts * 2;
        let doubled = i128::try_from(scaled / self.denominator).expect(FITS);
        (doubled + doubled.signum()) / 2
    }

    /// A simulated figure, to twelve decimals.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "simulated figures are far below 2^80")]
    pub fn from_f64(value: f64) -> Fraction {
        Fraction::new((value * 1e12).round() as i128, 1_000_000_000_000_i64)
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
        let quick = || {
            let sum = self.numerator.checked_mul(two)?.checked_add(other.numerator.checked_mul(one)?)?;
            Some(Fraction::new(sum, self.denominator.checked_mul(two)?))
        };
        quick().unwrap_or_else(|| {
            let sum = BigInt::from(self.numerator) * two + BigInt::from(other.numerator) * one;
            fitted(&sum, &(BigInt::from(self.denominator) * two))
        })
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
        // Cancelling crosswise first keeps the products small, and leaves nothing to cancel afterwards.
        let left = Fraction::new(self.numerator, other.denominator);
        let right = Fraction::new(other.numerator, self.denominator);
        let multiplied = |one: i128, other: i128| one.checked_mul(other).expect(FITS);
        Fraction {
            numerator: multiplied(left.numerator, right.numerator),
            denominator: multiplied(left.denominator, right.denominator),
        }
    }
}

/// What holds for every result of this crate.
const FITS: &str = "a figure of bounded amounts and counts of one cycle fits 128 bits";

/// A fraction of numbers of any size, in lowest terms.
fn fitted(numerator: &BigInt, denominator: &BigInt) -> Fraction {
    let (mut a, mut b) = (numerator.magnitude().clone(), denominator.magnitude().clone());
    while b != BigUint::ZERO {
        (a, b) = (b.clone(), a % b);
    }
    let divisor = BigInt::from(a);
    let narrow = |value: &BigInt| i128::try_from(value / &divisor).expect(FITS);
    Fraction { numerator: narrow(numerator), denominator: narrow(denominator) }
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Fraction) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Fraction) -> Ordering {
        let products =
            (self.numerator.checked_mul(other.denominator), other.numerator.checked_mul(self.denominator));
        match products {
            (Some(one), Some(two)) => one.cmp(&two),
            _ => {
                let product = |one: i128, other: i128| BigInt::from(one) * other;
                product(self.numerator, other.denominator).cmp(&product(other.numerator, self.denominator))
            }
        }
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

/// A number with its thousands apart: `-1,234,567.25`.
#[must_use]
pub fn grouped(number: &str) -> String {
    let (sign, digits) = number.strip_prefix('-').map_or(("", number), |digits| ("-", digits));
    let whole = digits.find('.').unwrap_or(digits.len());
    let mut text = sign.to_owned();
    for (n, digit) in digits.chars().enumerate() {
        if n > 0 && n < whole && (whole - n).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
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
    fn arithmetic() {
        let (third, sixth) = (Fraction::new(1, 3), Fraction::new(1, 6));
        assert_eq!(third + sixth, Fraction::new(1, 2));
        assert_eq!(third - sixth, sixth);
        assert_eq!(third * sixth, Fraction::new(1, 18));
        assert!(sixth < third);
        assert_eq!(third.reciprocal(), Fraction::from(3));
    }

    #[test]
    fn steps_beyond_128_bits_are_exact() {
        let large = 1_i128 << 90;
        let (one, two) = (Fraction::new(large + 1, large), Fraction::new(large + 3, large + 2));
        assert!(two < one);
        // Two fractions whose sum is small although the way there is not.
        let (a, b) = (Fraction::new(1, (1_i128 << 80) - 1), Fraction::new(1, (1_i128 << 40) + 1));
        assert_eq!(a + b - a, b);
    }
}
