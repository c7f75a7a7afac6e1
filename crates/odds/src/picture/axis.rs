//! Round numbers along an axis.

/// A scale from nothing to a little more than the largest value, with round steps.
pub(super) struct Axis {
    /// The end of the scale.
    pub most: f64,
    /// From one mark to the next.
    pub step: f64,
}

impl Axis {
    /// A scale up to this value with approximately this many steps.
    pub(super) fn up_to(value: f64, steps: f64) -> Axis {
        let rough = (value / steps).max(f64::MIN_POSITIVE);
        let power = 10f64.powf(rough.log10().floor());
        let step =
            [1.0, 2.0, 2.5, 5.0, 10.0].into_iter().map(|n| n * power).find(|step| *step >= rough * 0.999);
        let step = step.unwrap_or(10.0 * power);
        Axis { most: (value / step).ceil() * step, step }
    }

    /// The marks.
    pub(super) fn marks(&self) -> impl Iterator<Item = f64> + '_ {
        (0..200).map(|n| f64::from(n) * self.step).take_while(|mark| *mark <= self.most * 1.0001)
    }
}

/// An amount in few characters: `1.5m`, `250k`, `900`.
pub(crate) fn short(amount: f64) -> String {
    let trimmed = |value: f64, unit: &str| {
        let digits = format!("{value:.2}");
        format!("{}{unit}", digits.trim_end_matches('0').trim_end_matches('.'))
    };
    if amount >= 1e6 {
        trimmed(amount / 1e6, "m")
    } else if amount >= 1e3 {
        trimmed(amount / 1e3, "k")
    } else {
        trimmed(amount, "")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        let axis = Axis::up_to(3_006_105.0, 6.0);
        assert_eq!((axis.step, axis.most), (1_000_000.0, 4_000_000.0));
        assert_eq!(Axis::up_to(200.0, 5.0).marks().count(), 5);
        assert_eq!([0.0, 900.0, 250_000.0, 1_500_000.0].map(short), ["0", "900", "250k", "1.5m"]);
    }
}
