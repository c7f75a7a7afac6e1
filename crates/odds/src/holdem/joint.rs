//! Best play of the main wagers and the jackpot together.
//!
//! After the flop wager, no decision changes the player's jackpot, so the turn and the river are played as without one. Only fold or flop
//! depends on it: a hand that loses a little more by staying may be worth playing for the jackpot that a fold would forfeit.

use baize_rules::{Money, StartingHand};

use super::HoldemSolution;
use crate::Fraction;
use crate::jackpot::{AwardValue, JackpotWorth};

/// The meter above which a starting hand should place the flop wager.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlopFrom {
    /// Whatever the meter.
    Always,
    /// Once the meter is higher than this, in cents.
    Meter(Fraction),
    /// Never: the meter makes no difference to it.
    Never,
}

impl HoldemSolution {
    /// Expected net result in antes of placing the flop wager with this hand, without the jackpot.
    #[must_use]
    pub fn flop_value(&self, hand: StartingHand) -> Fraction {
        let totals = &self.hands[hand.index()];
        Fraction::new(totals.net(&self.game), i128::from(totals.rounds()) * i128::from(self.game.scale))
    }

    /// Net result of a fold in antes, without the jackpot.
    #[must_use]
    pub fn fold_value(&self) -> Fraction {
        Fraction::new(self.game.fold, self.game.scale)
    }

    /// Gain of the flop wager over a fold, in cents, for this ante, jackpot included, as a function of the meter.
    #[must_use]
    pub fn flop_gain(&self, hand: StartingHand, ante: Money, worth: &JackpotWorth) -> AwardValue {
        let main = (self.flop_value(hand) - self.fold_value()) * Fraction::from(ante.cents());
        let jackpot = worth.stay.minus(worth.fold);
        AwardValue { fixed: main + jackpot.fixed, share: jackpot.share }
    }

    /// Folds the hands that are better folded at this meter. `worth` is by the index of the starting hand.
    pub fn fold_with_jackpot(&mut self, ante: Money, worth: &[JackpotWorth], meter: Money) {
        for (hand, worth) in StartingHand::all().zip(worth) {
            let gain = self.flop_gain(hand, ante, worth).at(meter);
            self.folded[hand.index()] = gain < Fraction::ZERO;
        }
    }

    /// The meter above which this hand should place the flop wager.
    #[must_use]
    pub fn flop_from(&self, hand: StartingHand, ante: Money, worth: &JackpotWorth) -> FlopFrom {
        let gain = self.flop_gain(hand, ante, worth);
        if gain.fixed >= Fraction::ZERO {
            FlopFrom::Always
        } else if gain.share > Fraction::ZERO {
            FlopFrom::Meter(-gain.fixed * gain.share.reciprocal())
        } else {
            FlopFrom::Never
        }
    }
}
