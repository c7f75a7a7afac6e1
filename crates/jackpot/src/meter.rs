//! The meter and its pools: what wagers add, what awards draw, what a reset costs.
//!
//! The meter keeps fractions of a cent; it shows whole cents, rounded down (I-6). Nothing is lost: every contribution is
//! in the meter, in the overflow or in the reserve until an award draws it. The meter is never negative.

use baize_rules::{Money, Percent};
use serde::{Deserialize, Serialize};

use crate::Exact;

/// A jackpot's value with its reserve and overflow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meter {
    value: Exact,
    reserve: Exact,
    overflow: Exact,
    reset: Money,
    next_reset: Option<Money>,
    ceiling: Option<Money>,
}

/// An amount for each pool: what one wager added, or a transfer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Pools {
    /// The meter.
    pub meter: Exact,
    /// The overflow: what comes in while the meter is at its ceiling.
    pub overflow: Exact,
    /// The reserve for the next reset.
    pub reserve: Exact,
}

impl Pools {
    pub(crate) fn plus(self, other: Pools) -> Pools {
        Pools {
            meter: self.meter + other.meter,
            overflow: self.overflow + other.overflow,
            reserve: self.reserve + other.reserve,
        }
    }

    pub(crate) fn negative(self) -> Pools {
        Pools { meter: -self.meter, overflow: -self.overflow, reserve: -self.reserve }
    }

    /// The sum.
    #[must_use]
    pub fn total(&self) -> Exact {
        self.meter + self.overflow + self.reserve
    }
}

/// A reset of the meter, and who paid for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reset {
    /// The value at which the meter restarts.
    pub to: Money,
    /// What the reserve paid.
    pub from_reserve: Exact,
    /// What the house paid.
    pub from_house: Exact,
}

impl Meter {
    /// A meter with this `value` that returns to `reset` when it is won. No ceiling, empty reserve.
    #[must_use]
    pub fn new(value: Money, reset: Money) -> Meter {
        Meter {
            value: Exact::from(value).or_zero(),
            reserve: Exact::ZERO,
            overflow: Exact::ZERO,
            reset,
            next_reset: None,
            ceiling: None,
        }
    }

    /// The same meter with a ceiling: contributions above it go to the overflow.
    #[must_use]
    pub fn with_ceiling(mut self, ceiling: Option<Money>) -> Meter {
        self.ceiling = ceiling;
        self
    }

    /// An earlier meter, rebuilt from its parts.
    #[must_use]
    pub const fn restored(
        pools: Pools,
        reset: Money,
        next_reset: Option<Money>,
        ceiling: Option<Money>,
    ) -> Meter {
        let Pools { meter: value, overflow, reserve } = pools;
        Meter { value, reserve, overflow, reset, next_reset, ceiling }
    }

    /// What the sign shows: the value rounded down to the cent.
    #[must_use]
    pub fn displayed(&self) -> Money {
        self.value.floor()
    }

    /// The value with its fraction of a cent.
    #[must_use]
    pub const fn value(&self) -> Exact {
        self.value
    }

    /// What is set aside for the next reset.
    #[must_use]
    pub const fn reserve(&self) -> Exact {
        self.reserve
    }

    /// What came in while the meter was at its ceiling.
    #[must_use]
    pub const fn overflow(&self) -> Exact {
        self.overflow
    }

    /// The value to which it returns when it is won.
    #[must_use]
    pub const fn reset(&self) -> Money {
        self.reset
    }

    /// The value to which it returns next time, if a change of parameters is waiting.
    #[must_use]
    pub const fn next_reset(&self) -> Option<Money> {
        self.next_reset
    }

    /// The value above which contributions go to the overflow.
    #[must_use]
    pub const fn ceiling(&self) -> Option<Money> {
        self.ceiling
    }

    /// Adds a wager's share and its share for the reserve.
    // RH 1.20; RS 1.13: it grows with each accepted wager.
    pub fn contribute(&mut self, wager: Money, rate: Percent, reserve_rate: Percent) -> Pools {
        let parts = self.split(wager, rate, reserve_rate);
        self.add(&parts);
        parts
    }

    /// What a wager would add, and where.
    #[must_use]
    pub fn split(&self, wager: Money, rate: Percent, reserve_rate: Percent) -> Pools {
        let share = Exact::share(wager, rate);
        let room = self.ceiling.map_or(share, |ceiling| (Exact::from(ceiling) - self.value).or_zero());
        let meter = share.min(room);
        Pools { meter, overflow: share - meter, reserve: Exact::share(wager, reserve_rate) }
    }

    /// What all pools hold.
    #[must_use]
    pub const fn pools(&self) -> Pools {
        Pools { meter: self.value, overflow: self.overflow, reserve: self.reserve }
    }

    /// Adds to each pool; a negative amount lowers it.
    pub(crate) fn add(&mut self, parts: &Pools) {
        self.value += parts.meter;
        self.overflow += parts.overflow;
        self.reserve += parts.reserve;
    }

    /// Takes a contribution out again, if it is still there, and returns what was taken (I-11).
    pub fn take_out(&mut self, parts: &Pools) -> Pools {
        let taken = self.still_there(parts);
        self.remove(&taken);
        taken
    }

    /// How much of a contribution can still be taken out.
    #[must_use]
    pub fn still_there(&self, parts: &Pools) -> Pools {
        Pools {
            meter: parts.meter.min(self.value),
            overflow: parts.overflow.min(self.overflow),
            reserve: parts.reserve.min(self.reserve),
        }
    }

    pub(crate) fn remove(&mut self, parts: &Pools) {
        self.add(&parts.negative());
    }

    /// Adds to meter and reserve what came in while hits were pending; neither becomes negative.
    pub(crate) fn add_while_pending(&mut self, value: Exact, reserve: Exact) {
        self.value = (self.value + value).or_zero();
        self.reserve = (self.reserve + reserve).or_zero();
    }

    /// Lowers the meter by what is paid, down to zero at most, and returns by how much.
    pub(crate) fn lower(&mut self, paid: Money) -> Money {
        let drawn = paid.min(self.displayed());
        self.value -= Exact::from(drawn);
        drawn
    }

    /// The meter is won: `drawn` of it (and of the resets in between, for pooled winners) is paid, and it restarts at its reset
    /// value with `above` on top. A remaining fraction of a cent counts towards the reset, so it is not lost.
    pub(crate) fn won(&mut self, drawn: Money, above: Exact) -> Reset {
        let to = self.next_reset.take().unwrap_or(self.reset);
        self.reset = to;
        let left = self.value - Exact::from(drawn);
        let start = (Exact::from(to) + above).max(left);
        let needed = start - left;
        let from_reserve = needed.min(self.reserve);
        self.reserve -= from_reserve;
        self.value = start;
        Reset { to, from_reserve, from_house: needed - from_reserve }
    }

    /// Puts a new reset value and ceiling in force.
    pub(crate) fn set(&mut self, reset: Money, ceiling: Option<Money>) {
        self.reset = reset;
        self.ceiling = ceiling;
    }

    /// A change of the reset value waits until the meter is won next.
    pub(crate) fn wait_for(&mut self, next_reset: Option<Money>) {
        self.next_reset = next_reset;
    }

    /// How much of an addition exceeds the ceiling.
    pub(crate) fn over_ceiling(&self, addition: Exact) -> Exact {
        self.ceiling.map_or(Exact::ZERO, |ceiling| {
            (self.value + addition - Exact::from(ceiling)).or_zero().min(addition.or_zero())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dollars(amount: i32) -> Money {
        Money::from_dollars(amount)
    }

    #[test]
    fn a_wager_is_split_exactly_and_what_is_over_the_ceiling_overflows() {
        let mut meter = Meter::new(dollars(100), dollars(50)).with_ceiling(Some(Money::from_cents(10_050)));
        let first = meter.contribute(
            Money::from_cents(333),
            Percent::from_hundredths(1_001),
            Percent::from_hundredths(501),
        );
        assert_eq!(first.meter.to_string(), "0.333333");
        assert_eq!(first.reserve.to_string(), "0.166833");
        assert_eq!(meter.displayed(), Money::from_cents(10_033));
        let second = meter.contribute(dollars(5), Percent::from_hundredths(2_000), Percent::ZERO);
        assert_eq!(second.meter.to_string(), "0.166667");
        assert_eq!(second.overflow.to_string(), "0.833333");
        assert_eq!(meter.displayed(), Money::from_cents(10_050));
        assert_eq!(meter.take_out(&second), second);
        assert_eq!(meter.displayed(), Money::from_cents(10_033));
    }

    #[test]
    fn a_reset_is_paid_from_the_reserve_and_then_by_the_house() {
        let mut meter = Meter::new(dollars(1_000), dollars(100));
        meter.contribute(Money::from_cents(1), Percent::from_hundredths(5_000), Percent::WHOLE);
        let shown = meter.displayed();
        let reset = meter.won(shown, Exact::ZERO);
        assert_eq!(meter.displayed(), dollars(100));
        assert_eq!(reset.from_reserve.to_string(), "0.010000");
        assert_eq!(reset.from_house.to_string(), "99.985000", "half a cent was left over and counts");
        assert_eq!(meter.value(), Exact::from(dollars(100)));
    }
}
