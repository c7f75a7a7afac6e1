//! Odds. Decimals and fractions are text from the exact solvers; pages compute none.

use baize_rules::{Money, Rulebook};

use crate::pages::shell::Shell;
use crate::pages::table_actions::Advice;

/// An exact number: a fraction and its decimal.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Exact {
    /// The numerator.
    pub(crate) numerator: String,
    /// The denominator.
    pub(crate) denominator: String,
    /// The decimal, at least ten places: `-0.0203649781`.
    pub(crate) decimal: String,
    /// As a percentage: `2.0365 %`.
    pub(crate) percent: String,
}

/// The figures of one wager.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WagerOdds {
    /// "Main game", "Bonus".
    pub(crate) name: String,
    /// The expected net result for a unit of ante (or of the wager itself).
    pub(crate) expectation: Exact,
    /// The house edge.
    pub(crate) house_edge: Exact,
    /// The loss relative to everything staked.
    pub(crate) element_of_risk: Option<Exact>,
    /// The standard deviation of a round, as a decimal.
    pub(crate) deviation: String,
    /// What it assumes: "best play".
    pub(crate) note: String,
}

/// The frequency of an outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OutcomeLine {
    /// The outcome.
    pub(crate) name: String,
    /// In how many deals.
    pub(crate) count: String,
    /// As a percentage.
    pub(crate) percent: String,
    /// What it pays, if it pays.
    pub(crate) pays: String,
    /// Per mille of the whole, 0 to 1000, for the bar.
    pub(crate) bar: u16,
}

/// One of the 169 starting hands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HeatCell {
    /// `AKs`.
    pub(crate) hand: String,
    /// The value in units of the ante.
    pub(crate) value: String,
    /// 0 (worst) to 20 (best): the shade; 10 is even.
    pub(crate) shade: u8,
    /// The best decision: `flop`, `fold`.
    pub(crate) best: String,
}

/// A simple strategy and its cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StrategyLine {
    /// In words.
    pub(crate) name: String,
    /// The house edge.
    pub(crate) house_edge: String,
    /// Its cost compared with best play, a percentage of the ante.
    pub(crate) cost: String,
}

/// The jackpot wager's return against the meter: `fixed + coefficient × meter`, for each unit of the wager.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct JackpotReturn {
    /// The wager.
    pub(crate) wager: Money,
    /// What fixed awards return of each unit staked.
    pub(crate) fixed: Exact,
    /// What each dollar of the meter adds, for each unit staked.
    pub(crate) coefficient: Exact,
    /// The meter at which the wager returns all that is staked, if there is one.
    pub(crate) break_even: Option<Money>,
    /// The meter now.
    pub(crate) meter: Money,
    /// The reset value.
    pub(crate) reset: Money,
    /// The awards: name, pays, probability "1 in …".
    pub(crate) awards: Vec<(String, String, String)>,
}

/// The progress of the solver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SolveProgress {
    /// What is being computed now.
    pub(crate) words: String,
    /// Parts done.
    pub(crate) done: usize,
    /// Parts in total.
    pub(crate) of: usize,
}

/// The odds of one game.
#[derive(Debug, Clone)]
pub(crate) struct OddsPage<'a> {
    /// What every page shares.
    pub(crate) shell: Shell,
    /// The game.
    pub(crate) book: &'a Rulebook,
    /// Each wager.
    pub(crate) wagers: Vec<WagerOdds>,
    /// Outcomes of the main game.
    pub(crate) outcomes: Vec<OutcomeLine>,
    /// The 169 starting hands, row by row from the aces, suited above the diagonal; empty in stud.
    pub(crate) heat: Vec<HeatCell>,
    /// The best play in words, one rule a line.
    pub(crate) best_play: Vec<String>,
    /// Simple strategies and their cost.
    pub(crate) strategies: Vec<StrategyLine>,
    /// The jackpot.
    pub(crate) jackpot: Option<JackpotReturn>,
    /// The decision calculator.
    pub(crate) calculator: Calculator,
    /// The progress, while figures are being computed.
    pub(crate) progress: Option<SolveProgress>,
}

/// The decision calculator, as typed, with its answer.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Calculator {
    /// The player's cards, as typed: `As Kd`.
    pub(crate) hand: String,
    /// The community cards, as typed.
    pub(crate) board: String,
    /// The dealer's face-up card, as typed.
    pub(crate) up: String,
    /// The ante.
    pub(crate) ante: String,
    /// The jackpot wager; empty: none.
    pub(crate) jackpot: String,
    /// The meter; empty: none.
    pub(crate) meter: String,
    /// The answer.
    pub(crate) answer: Option<Advice>,
}

/// The overview of all games.
#[derive(Debug, Clone)]
pub(crate) struct OddsIndex<'a> {
    /// What every page shares.
    pub(crate) shell: Shell,
    /// Each game with its wagers, main game first; empty before it is solved.
    pub(crate) games: Vec<(&'a Rulebook, Vec<WagerOdds>, Option<JackpotReturn>)>,
    /// The progress, while figures are being computed.
    pub(crate) progress: Option<SolveProgress>,
}
