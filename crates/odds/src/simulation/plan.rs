//! What to simulate: game, boxes, wagers, strategy, seed.

use baize_jackpot::PayFault;
use baize_rules::{Area, Money, MoneyError, Percent, Rulebook};
use baize_table::{Limits, Settings, Terms};
use thiserror::Error;

use super::chunk::BOXES_MAX;
use crate::GameError;
use crate::strategy::Strategy;

/// A jackpot wager on every box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JackpotPlan {
    /// The wager.
    pub wager: Money,
    /// What the meter shows before the first round.
    pub meter: Money,
    /// The value that it goes back to.
    pub reset: Money,
    /// The share of each wager that goes to the meter.
    pub rate: Percent,
}

/// What to simulate.
#[derive(Debug, Clone)]
pub struct Plan<'a> {
    /// The game.
    pub rulebook: &'a Rulebook,
    /// How many rounds.
    pub rounds: u64,
    /// The seed: the same seed gives the same result.
    pub seed: u64,
    /// Boxes in play.
    pub boxes: u8,
    /// How every box is played.
    pub strategy: &'a Strategy,
    /// The ante on every box.
    pub ante: Money,
    /// The bonus on every box, if any.
    pub bonus: Option<Money>,
    /// The jackpot wager on every box, if any.
    pub jackpot: Option<JackpotPlan>,
    /// Limits of the ante, if not the usual ones: an ante outside is settled as the rules say.
    pub ante_limits: Option<Limits>,
    /// Limits of the bonus.
    pub bonus_limits: Option<Limits>,
}

/// Why a plan cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SimulationError {
    /// No rounds.
    #[error("give at least one round")]
    NoRounds,
    /// More boxes than a layout has, or none.
    #[error("{found} boxes: this game is played with 1 to {most}")]
    Boxes {
        /// What was asked for.
        found: u8,
        /// The most that layouts have.
        most: u8,
    },
    /// A bonus in a game without one.
    #[error("{0} has no bonus")]
    NoBonus(String),
    /// A wager that is zero or too large.
    #[error("{} of {amount} cannot be played: give a positive amount up to SGD 10,000,000", area.code())]
    Wager {
        /// The area.
        area: Area,
        /// The amount.
        amount: Money,
    },
    /// Invalid limits.
    #[error("limits of {} to {}: the minimum must be positive and not above the maximum", .0.least, .0.most)]
    Limits(Limits),
    /// Over 100% of a wager would go to the meter.
    #[error("a rate of {0}: at most 100% of a wager can go to the meter")]
    Rate(Percent),
    /// Invalid rulebook or amount.
    #[error(transparent)]
    Game(#[from] GameError),
    /// An amount is too large.
    #[error(transparent)]
    Money(#[from] MoneyError),
    /// A box could not be settled.
    #[error(transparent)]
    Settlement(#[from] baize_table::SettlementFault),
    /// The jackpot could not be paid.
    #[error(transparent)]
    Pay(#[from] PayFault),
}

/// Maximum wager on an area; sums over a chunk then stay far within 64 bits.
const WAGER_MAX: Money = Money::from_dollars(10_000_000);

impl Plan<'_> {
    pub(super) fn check(&self) -> Result<(), SimulationError> {
        let most = self.boxes_most();
        if self.rounds == 0 {
            return Err(SimulationError::NoRounds);
        }
        if !(1..=most).contains(&self.boxes) {
            return Err(SimulationError::Boxes { found: self.boxes, most });
        }
        if self.bonus.is_some() && self.rulebook.bonus.is_none() {
            return Err(SimulationError::NoBonus(self.rulebook.id.clone()));
        }
        let jackpot = self.jackpot.map(|jackpot| jackpot.wager);
        let wagers = [(Area::Ante, Some(self.ante)), (Area::Bonus, self.bonus), (Area::Jackpot, jackpot)];
        for (area, amount) in wagers {
            if let Some(amount) = amount.filter(|amount| *amount <= Money::ZERO || *amount > WAGER_MAX) {
                return Err(SimulationError::Wager { area, amount });
            }
        }
        for limits in self.ante_limits.iter().chain(&self.bonus_limits) {
            if limits.least <= Money::ZERO || limits.least > limits.most {
                return Err(SimulationError::Limits(*limits));
            }
        }
        match self.jackpot {
            Some(jackpot) if jackpot.rate > Percent::WHOLE => Err(SimulationError::Rate(jackpot.rate)),
            _ => Ok(()),
        }
    }

    /// The maximum number of boxes: as the layout has and a deck can serve.
    fn boxes_most(&self) -> u8 {
        let served = (52 - self.rulebook.board_size()) / self.rulebook.hand_size() - 1;
        self.rulebook.boxes.value.most.min(u8::try_from(served.min(BOXES_MAX)).unwrap_or(1))
    }

    /// The table's terms.
    pub(super) fn terms(&self) -> Terms {
        let usual = Settings::usual(self.rulebook);
        // The usual limits are wide, but a very high ante may still pass them: then they are not what is asked about.
        let wide = Limits { least: Money::from_cents(1), most: WAGER_MAX };
        Terms {
            ante: self.ante_limits.unwrap_or(wide),
            bonus: self.bonus_limits.unwrap_or(wide),
            jackpot_wager: self.jackpot.map_or(usual.jackpot_wager, |jackpot| jackpot.wager),
            readings: self.rulebook.readings,
        }
    }

    /// The part of the ante that plays: what is over the maximum goes back.
    #[must_use]
    pub fn playing_ante(&self) -> Money {
        self.ante_limits.map_or(self.ante, |limits| self.ante.min(limits.most))
    }

    /// The part of the bonus that plays.
    #[must_use]
    pub fn playing_bonus(&self) -> Option<Money> {
        self.bonus.map(|bonus| self.bonus_limits.map_or(bonus, |limits| bonus.min(limits.most)))
    }
}
