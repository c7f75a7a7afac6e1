//! Assumptions: the house's configuration and the amount of play.

use baize_rules::{Money, Percent, Rulebook};
use serde::Serialize;
use thiserror::Error;

use crate::Fraction;

/// Maximum amounts, larger than any real jackpot; they keep every exact sum within its range.
const LARGEST: Money = Money::from_cents(100_000_000_000);

/// The jackpot to analyse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Setup {
    /// The wager: the prescribed amount.
    pub wager: Money,
    /// The value that the meter starts again from.
    pub reset: Money,
    /// The share of each wager that goes to the meter.
    pub rate: Percent,
    /// The share of each wager that is set aside for the next reset.
    pub reserve: Percent,
    /// The current meter. `None`: it has just been won.
    pub meter: Option<Money>,
    /// Amount of play.
    pub traffic: Traffic,
}

/// Amount of play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Traffic {
    /// Linked tables.
    pub tables: u32,
    /// Rounds that each plays in an hour.
    pub rounds_per_hour: u32,
    /// Boxes in play at each.
    pub boxes: u8,
    /// The share of them with a jackpot wager.
    pub take_up: Percent,
}

impl Traffic {
    /// Jackpot wagers in an hour.
    #[must_use]
    pub fn wagers_per_hour(&self) -> Fraction {
        let rounds = i128::from(self.tables) * i128::from(self.rounds_per_hour) * i128::from(self.boxes);
        Fraction::new(rounds * i128::from(self.take_up.hundredths()), 10_000)
    }
}

/// Why a setup is not valid.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SetupFault {
    /// The wager is zero or too large.
    #[error("the wager is {0}; it must be more than 0.00 and at most {LARGEST}")]
    Wager(Money),
    /// A value that is negative or beyond any jackpot.
    #[error("the {which} is {amount}; it must be between 0.00 and {LARGEST}")]
    Amount {
        /// Which one.
        which: &'static str,
        /// What it is.
        amount: Money,
    },
    /// Rate and reserve together are over 100%.
    #[error("rate {rate} and reserve {reserve} together are over 100% of the wager")]
    Rates {
        /// The share for the meter.
        rate: Percent,
        /// The share for the reserve.
        reserve: Percent,
    },
    /// More wagers than boxes.
    #[error("a take-up of {0} is more than one jackpot wager a box; at most 100%")]
    TakeUp(Percent),
    /// Nobody plays.
    #[error("tables, rounds an hour, boxes and take-up must all be more than 0")]
    NobodyPlays,
    /// More boxes than the game's layouts have.
    #[error("{boxes} boxes a table; the game has at most {most}")]
    Boxes {
        /// The number requested.
        boxes: u8,
        /// How many there are.
        most: u8,
    },
}

impl Setup {
    /// Checks it against the game.
    ///
    /// # Errors
    /// The first fault found.
    pub fn check(&self, rulebook: &Rulebook) -> Result<(), SetupFault> {
        if self.wager.cents() <= 0 || self.wager > LARGEST {
            return Err(SetupFault::Wager(self.wager));
        }
        let amounts = [("reset value", Some(self.reset)), ("meter", self.meter)];
        for (which, amount) in amounts {
            if let Some(amount) = amount.filter(|amount| *amount < Money::ZERO || *amount > LARGEST) {
                return Err(SetupFault::Amount { which, amount });
            }
        }
        if u64::from(self.rate.hundredths()) + u64::from(self.reserve.hundredths()) > 10_000 {
            return Err(SetupFault::Rates { rate: self.rate, reserve: self.reserve });
        }
        let traffic = &self.traffic;
        if traffic.take_up > Percent::WHOLE {
            return Err(SetupFault::TakeUp(traffic.take_up));
        }
        if traffic.wagers_per_hour() <= Fraction::ZERO {
            return Err(SetupFault::NobodyPlays);
        }
        let most = rulebook.boxes.value.most;
        if traffic.boxes > most {
            return Err(SetupFault::Boxes { boxes: traffic.boxes, most });
        }
        Ok(())
    }

    /// What each wager adds to the meter, in dollars.
    #[must_use]
    pub fn added(&self) -> Fraction {
        dollars(self.wager) * share(self.rate)
    }

    /// The value that the meter stands at now, in dollars.
    #[must_use]
    pub fn start(&self) -> Fraction {
        dollars(self.meter.unwrap_or(self.reset))
    }
}

/// An amount in dollars.
pub(super) fn dollars(amount: Money) -> Fraction {
    Fraction::new(amount.cents(), 100)
}

/// A percentage as a part of one.
pub(super) fn share(percent: Percent) -> Fraction {
    Fraction::new(percent.hundredths(), 10_000)
}
