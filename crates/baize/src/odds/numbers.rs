//! Figures as people read them: thousands separated, signs, percentages.

use baize_odds::Fraction;

/// `19,933,230,517,200`.
pub(crate) fn grouped(number: &str) -> String {
    baize_odds::grouped(number).replace('-', "−")
}

/// With its sign: `+0.25`, `−1.00`.
pub(crate) fn signed(value: Fraction, places: u32) -> String {
    let digits = grouped(&value.decimal(places));
    if value > Fraction::ZERO && !digits.starts_with('−') { format!("+{digits}") } else { digits }
}

/// `2.0369 %`.
pub(crate) fn percent(value: Fraction, places: u32) -> String {
    format!("{} %", grouped(&(value * Fraction::from(100)).decimal(places)))
}

/// With its sign: `+7.6141 %`.
pub(crate) fn signed_percent(value: Fraction, places: u32) -> String {
    format!("{} %", signed(value * Fraction::from(100), places))
}

/// "1 in 649,740"; nothing for what never happens.
pub(crate) fn one_in(probability: Fraction) -> String {
    if probability <= Fraction::ZERO {
        return "never".to_owned();
    }
    let every = probability.reciprocal();
    let places = if every < Fraction::from(100) { 2 } else { 0 };
    format!("1 in {}", grouped(&every.decimal(places)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures() {
        assert_eq!(grouped("-1041372912372"), "−1,041,372,912,372");
        assert_eq!(grouped("1234.5"), "1,234.5");
        assert_eq!(signed(Fraction::new(1, 4), 2), "+0.25");
        assert_eq!(signed(Fraction::from(-1), 2), "−1.00");
        assert_eq!(percent(Fraction::new(21, 221), 2), "9.50 %");
        assert_eq!(one_in(Fraction::new(1, 649_740)), "1 in 649,740");
        assert_eq!(one_in(Fraction::new(2, 5)), "1 in 2.50");
    }
}
