//! The exact cost of a simple strategy compared with best play.

use baize_rules::{Money, Rulebook};
use serde::Serialize;

use super::figures::decimal;
use super::{Expectation, MainAnalysis};
use crate::advice::Action;
use crate::holdem::HoldemGame;
use crate::strategy::Strategy;
use crate::stud::StudGame;
use crate::{Fraction, GameError, Solver};

/// A strategy compared with best play.
#[derive(Debug, Clone, Serialize)]
pub struct StrategyCost {
    /// Its name, or its rules.
    pub strategy: String,
    /// Its description, if it is a named strategy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words: Option<&'static str>,
    /// The expected net result of a round.
    pub ev: Expectation,
    /// The expected loss for an ante of 1.
    #[serde(serialize_with = "decimal")]
    pub house_edge: Fraction,
    /// Additional loss compared with best play, in antes per round.
    #[serde(serialize_with = "decimal")]
    pub cost: Fraction,
    /// The expected loss for each unit wagered.
    #[serde(serialize_with = "decimal")]
    pub element_of_risk: Fraction,
    /// The standard deviation of the net result in antes.
    pub std_dev: String,
    /// How often a hand is folded.
    #[serde(serialize_with = "decimal")]
    pub folds: Fraction,
}

impl StrategyCost {
    /// The cost of this strategy. `name`: its name in the result.
    ///
    /// # Errors
    /// An invalid rulebook, or a strategy of the other family.
    pub fn of(
        solver: &mut Solver,
        rulebook: &Rulebook,
        ante: Option<Money>,
        name: &str,
        strategy: &Strategy,
    ) -> Result<StrategyCost, GameError> {
        let (main, best) = match strategy {
            Strategy::Stud(strategy) => {
                let game = StudGame::from_rulebook(rulebook, ante)?;
                let main = MainAnalysis::stud(&solver.stud_strategy(&game, strategy));
                (main, solver.stud(&game).0.expectation())
            }
            Strategy::Holdem(strategy) => {
                let game = HoldemGame::from_rulebook(rulebook, ante)?;
                let main = MainAnalysis::holdem(&solver.holdem_strategy(&game, strategy));
                (main, solver.holdem(&game).expectation())
            }
        };
        let named = Strategy::named(rulebook.family).iter().find(|named| named.name == name);
        Ok(StrategyCost {
            strategy: name.to_owned(),
            words: named.map(|named| named.words),
            cost: best - main.ev.value,
            folds: main.decided(Action::Fold),
            ev: main.ev,
            house_edge: main.house_edge,
            element_of_risk: main.element_of_risk,
            std_dev: main.std_dev,
        })
    }
}
