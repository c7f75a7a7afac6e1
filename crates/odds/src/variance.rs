//! How far results scatter: an exact fraction of any size, and its square root in decimals.
//!
//! The square of a cycle times the square of an ante in cents can pass 128 bits, so this one figure is kept in numbers without a limit.

use num_bigint::{BigInt, BigUint, Sign};

/// The variance of a net result, in lowest terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variance {
    numerator: BigUint,
    denominator: BigUint,
}

impl Variance {
    /// The variance of net results given with their numbers of rounds, in the unit `scale`.
    #[must_use]
    pub fn of(outcomes: impl IntoIterator<Item = (i64, i64)>, scale: i64) -> Variance {
        let (mut rounds, mut sum, mut squares) = (BigInt::ZERO, BigInt::ZERO, BigInt::ZERO);
        for (net, times) in outcomes.into_iter().filter(|(_, times)| *times > 0) {
            let weighted = BigInt::from(i128::from(net) * i128::from(times));
            rounds += times;
            squares += &weighted * net;
            sum += weighted;
        }
        // E(x²) − E(x)² over the common denominator rounds² · scale².
        let above = &squares * &rounds - &sum * &sum;
        let below = &rounds * &rounds * scale * scale;
        let (_, numerator) = above.into_parts();
        let (sign, denominator) = below.into_parts();
        if sign == Sign::NoSign {
            return Variance { numerator: BigUint::ZERO, denominator: BigUint::from(1u8) };
        }
        let divisor = gcd(numerator.clone(), denominator.clone());
        Variance { numerator: numerator / &divisor, denominator: denominator / divisor }
    }

    /// The standard deviation in decimals, cut off (not rounded) after the last.
    #[must_use]
    pub fn standard_deviation(&self, places: u32) -> String {
        let scaled = &self.numerator * BigUint::from(100u8).pow(places) / &self.denominator;
        let places = places as usize;
        let root = format!("{:0>width$}", scaled.sqrt().to_string(), width = places + 1);
        let (whole, decimals) = root.split_at(root.len() - places);
        if places == 0 { whole.to_owned() } else { format!("{whole}.{decimals}") }
    }

    /// The nearest floating-point number, for pictures and confidence intervals.
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        self.standard_deviation(12).parse::<f64>().unwrap_or(0.0).powi(2)
    }
}

fn gcd(mut a: BigUint, mut b: BigUint) -> BigUint {
    while b != BigUint::ZERO {
        (a, b) = (b.clone(), a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_die_and_of_a_coin() {
        let die = Variance::of((1..=6).map(|pips| (pips, 1)), 1);
        assert_eq!((die.numerator, die.denominator), (BigUint::from(35u8), BigUint::from(12u8)));
        let coin = Variance::of([(-50, 7), (50, 7)], 100);
        assert_eq!(coin.standard_deviation(3), "0.500");
        assert_eq!(Variance::of([], 1).standard_deviation(0), "0");
        assert_eq!(Variance::of([(2, 1), (0, 1), (0, 0)], 1).standard_deviation(2), "1.00");
    }

    #[test]
    fn numbers_beyond_128_bits() {
        let most = 1_000_000_000_000;
        let cycle = 55_627_620_048_000 / 2;
        let wide = Variance::of([(-most, cycle), (most, cycle)], 999_999_937);
        // 10¹² / 999,999,937.
        assert_eq!(wide.standard_deviation(6), "1000.000063");
    }
}
