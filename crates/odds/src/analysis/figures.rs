//! How figures are written as data: decimals and large counts as text, so that no reader rounds them.

use serde::Serializer;

use super::Happening;
use crate::Fraction;

/// Decimals that data carries.
pub const PLACES: u32 = 15;

/// A fraction as a decimal text.
pub(crate) fn decimal<S: Serializer>(value: &Fraction, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&value.decimal(PLACES))
}

/// A fraction as a decimal text, or nothing.
pub(super) fn decimal_or_null<S: Serializer>(
    value: &Option<Fraction>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => decimal(value, serializer),
        None => serializer.serialize_none(),
    }
}

/// An amount in dollars with two decimals, or nothing.
pub(super) fn dollars_or_null<S: Serializer>(
    value: &Option<Fraction>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => serializer.collect_str(&value.decimal(2)),
        None => serializer.serialize_none(),
    }
}

/// A count as text: JSON readers lose the last digits of numbers this long.
pub(super) fn count<S: Serializer>(value: &i64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// What happens how often, as a map of decimals.
pub(super) fn decimals<S: Serializer>(
    values: &[(Happening, Fraction)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(values.iter().map(|(what, value)| (what.code(), value.decimal(PLACES))))
}
