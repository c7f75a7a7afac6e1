//! Exact figures to compare a simulation with.

use serde::Serialize;

use super::{Plan, SimulationError};
use crate::advice::Action;
use crate::analysis::{
    BonusAnalysis, Happening, JackpotAnalysis, JackpotReturn, JackpotTerms, MainAnalysis, PLACES,
};
use crate::holdem::HoldemGame;
use crate::strategy::Strategy;
use crate::stud::StudGame;
use crate::{Fraction, Solver};

/// The exact figures of the plan.
#[derive(Debug, Clone)]
pub struct ExactFigures {
    /// The expected net result of ante and raises, in antes.
    pub main: Fraction,
    /// How often each decision is made: fold and the raises.
    pub decisions: Vec<(Action, Fraction)>,
    /// The expected net result of a bonus of 1.
    pub bonus: Option<Fraction>,
    /// What a jackpot wager returns at any meter, and the probability of each award.
    pub jackpot: Option<(JackpotReturn, Vec<Fraction>)>,
    /// The starting hands that are folded.
    pub(super) folded_hands: [bool; 169],
}

impl ExactFigures {
    pub(super) fn of(solver: &mut Solver, plan: &Plan<'_>) -> Result<ExactFigures, SimulationError> {
        let rulebook = plan.rulebook;
        let ante = Some(plan.playing_ante());
        let mut folded_hands = [false; 169];
        let mut showdowns = [(0, 0); 169];
        let (main, shares) = match plan.strategy {
            Strategy::Stud(strategy) => {
                let played = solver.stud_strategy(&StudGame::from_rulebook(rulebook, ante)?, strategy);
                (MainAnalysis::stud(&played), played.folded_shares().to_vec())
            }
            Strategy::Holdem(strategy) => {
                let played = solver.holdem_strategy(&HoldemGame::from_rulebook(rulebook, ante)?, strategy);
                folded_hands = played.folded;
                for (showdown, hand) in showdowns.iter_mut().zip(&played.hands) {
                    *showdown = hand.rounds_and_lower();
                }
                let shares = played.folded.map(|folded| Fraction::from(i64::from(folded)));
                (MainAnalysis::holdem(&played), shares.to_vec())
            }
        };
        let bonus = match plan.playing_bonus() {
            Some(bonus) => BonusAnalysis::new(
                rulebook,
                Some(bonus),
                |hand| folded_hands[hand.index()],
                |hand| showdowns[hand.index()],
            )?,
            None => None,
        };
        let jackpot = match plan.jackpot {
            Some(terms) => {
                let counts = solver.awards(rulebook);
                let terms = JackpotTerms::checked(terms.wager, Some(terms.meter))?;
                let analysis = JackpotAnalysis::new(rulebook, &counts, terms, &shares);
                let awards = analysis.awards.iter().map(|award| award.probability).collect();
                Some((analysis.single, awards))
            }
            None => None,
        };
        let decided = |(what, share)| match what {
            Happening::Decision(action) => Some((action, share)),
            Happening::Outcome(_) => None,
        };
        Ok(ExactFigures {
            main: main.ev.value,
            decisions: main.frequencies.into_iter().filter_map(decided).collect(),
            bonus: bonus.map(|bonus| bonus.ev),
            jackpot,
            folded_hands,
        })
    }
}

/// A decimal beside an estimate.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Decimal(String);

impl From<Fraction> for Decimal {
    fn from(value: Fraction) -> Decimal {
        Decimal(value.decimal(PLACES))
    }
}
