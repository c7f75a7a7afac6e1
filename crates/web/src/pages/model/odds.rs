//! Odds. Decimals and fractions are text from the exact solvers; pages compute none.

use baize_rules::{Money, Rulebook};

use super::{Advice, Shell};

/// An exact number: a fraction and its decimal.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Exact {
    /// The numerator.
    pub numerator: String,
    /// The denominator.
    pub denominator: String,
    /// The decimal, at least ten places: `-0.0203649781`.
    pub decimal: String,
    /// As a percentage: `2.0365 %`.
    pub percent: String,
}

/// The figures of one wager.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WagerOdds {
    /// "Main game", "Bonus".
    pub name: String,
    /// The expected net result for a unit of ante (or of the wager itself).
    pub expectation: Exact,
    /// The house edge.
    pub house_edge: Exact,
    /// The loss relative to everything staked.
    pub element_of_risk: Option<Exact>,
    /// The standard deviation of a round, as a decimal.
    pub deviation: String,
    /// What it assumes: "best play".
    pub note: String,
}

/// The frequency of an outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutcomeLine {
    /// The outcome.
    pub name: String,
    /// In how many deals.
    pub count: String,
    /// As a percentage.
    pub percent: String,
    /// What it pays, if it pays.
    pub pays: String,
    /// Per mille of the whole, 0 to 1000, for the bar.
    pub bar: u16,
}

/// One of the 169 starting hands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeatCell {
    /// `AKs`.
    pub hand: String,
    /// The value in units of the ante.
    pub value: String,
    /// 0 (worst) to 20 (best): the shade; 10 is even.
    pub shade: u8,
    /// The best decision: `flop`, `fold`.
    pub best: String,
}

/// A simple strategy and its cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StrategyLine {
    /// In words.
    pub name: String,
    /// The house edge.
    pub house_edge: String,
    /// Its cost compared with best play, a percentage of the ante.
    pub cost: String,
}

/// The jackpot wager's return against the meter: `fixed + coefficient × meter`, for each unit of the wager.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JackpotReturn {
    /// The wager.
    pub wager: Money,
    /// What fixed awards return of each unit staked.
    pub fixed: Exact,
    /// What each dollar of the meter adds, for each unit staked.
    pub coefficient: Exact,
    /// The meter at which the wager returns all that is staked, if there is one.
    pub break_even: Option<Money>,
    /// The meter now.
    pub meter: Money,
    /// The reset value.
    pub reset: Money,
    /// The awards: name, pays, probability "1 in …".
    pub awards: Vec<(String, String, String)>,
}

/// The progress of the solver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SolveProgress {
    /// What is being computed now.
    pub words: String,
    /// Parts done.
    pub done: usize,
    /// Parts in total.
    pub of: usize,
}

/// The odds of one game.
#[derive(Debug, Clone)]
pub struct OddsPage<'a> {
    /// What every page shares.
    pub shell: Shell,
    /// The game.
    pub book: &'a Rulebook,
    /// Each wager.
    pub wagers: Vec<WagerOdds>,
    /// Outcomes of the main game.
    pub outcomes: Vec<OutcomeLine>,
    /// The 169 starting hands, row by row from the aces, suited above the diagonal; empty in stud.
    pub heat: Vec<HeatCell>,
    /// The best play in words, one rule a line.
    pub best_play: Vec<String>,
    /// Simple strategies and their cost.
    pub strategies: Vec<StrategyLine>,
    /// The jackpot.
    pub jackpot: Option<JackpotReturn>,
    /// The decision calculator.
    pub calculator: Calculator,
    /// The progress, while figures are being computed.
    pub progress: Option<SolveProgress>,
}

/// The decision calculator, as typed, with its answer.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Calculator {
    /// The player's cards, as typed: `As Kd`.
    pub hand: String,
    /// The community cards, as typed.
    pub board: String,
    /// The dealer's face-up card, as typed.
    pub up: String,
    /// The ante.
    pub ante: String,
    /// The jackpot wager; empty: none.
    pub jackpot: String,
    /// The meter; empty: none.
    pub meter: String,
    /// The answer.
    pub answer: Option<Advice>,
}

/// The overview of all games.
#[derive(Debug, Clone)]
pub struct OddsIndex<'a> {
    /// What every page shares.
    pub shell: Shell,
    /// Each game with its wagers, main game first; empty before it is solved.
    pub games: Vec<(&'a Rulebook, Vec<WagerOdds>, Option<JackpotReturn>)>,
    /// The progress, while figures are being computed.
    pub progress: Option<SolveProgress>,
}
