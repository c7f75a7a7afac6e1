//! Ante and raises under a strategy: cost, frequencies, and every outcome with its count.

use baize_cards::HandClass;
use serde::Serialize;

use super::figures::{count, decimal, decimals};
use crate::advice::Action;
use crate::holdem::HoldemSolution;
use crate::stud::{StudOutcome, StudSolution};
use crate::{Fraction, Variance};

/// An expectation over the whole cycle, not in lowest terms: antes lost or won, and rounds.
#[derive(Debug, Clone, Serialize)]
pub struct Expectation {
    /// What the player wins over the cycle, in the smallest unit of the pay table.
    pub numerator: String,
    /// The rounds of the cycle, times that unit's number in an ante.
    pub denominator: String,
    /// The expected net result of a round in antes.
    pub decimal: String,
    /// The same as a fraction in lowest terms.
    #[serde(skip)]
    pub value: Fraction,
}

impl Expectation {
    pub(crate) fn new(net: i128, rounds: i64, scale: i64) -> Expectation {
        let denominator = i128::from(rounds) * i128::from(scale);
        let value = Fraction::new(net, denominator);
        Expectation {
            numerator: net.to_string(),
            denominator: denominator.to_string(),
            decimal: value.decimal(super::PLACES),
            value,
        }
    }
}

/// What can happen in a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Happening {
    /// The player's decision.
    Decision(Action),
    /// How the hands compare, by its name in data.
    Outcome(&'static str),
}

impl Happening {
    /// The name in data.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Happening::Decision(action) => action.code(),
            Happening::Outcome(code) => code,
        }
    }
}

/// One way in which a round can end.
#[derive(Debug, Clone, Serialize)]
pub struct OutcomeRow {
    /// What the player did: `fold`, `bet`, `flop`, `flop, turn`…
    pub decisions: &'static str,
    /// How the hands compared; nothing after a fold.
    pub outcome: Option<&'static str>,
    /// The classes of the player's hand that this row counts, where they matter.
    pub hands: Option<String>,
    /// The net result in antes.
    #[serde(serialize_with = "decimal")]
    pub net: Fraction,
    /// The rounds of the cycle that end so.
    #[serde(serialize_with = "count")]
    pub rounds: i64,
    /// The share of rounds that end so.
    #[serde(serialize_with = "decimal")]
    pub probability: Fraction,
}

/// What ante and raises cost under one way to play.
#[derive(Debug, Clone, Serialize)]
pub struct MainAnalysis {
    /// The expected net result of a round.
    pub ev: Expectation,
    /// The expected loss for an ante of 1.
    #[serde(serialize_with = "decimal")]
    pub house_edge: Fraction,
    /// The expected loss for each unit wagered.
    #[serde(serialize_with = "decimal")]
    pub element_of_risk: Fraction,
    /// The standard deviation of the net result in antes.
    pub std_dev: String,
    /// The average of all wagers of a round together, in antes.
    #[serde(serialize_with = "decimal")]
    pub average_wager: Fraction,
    /// The rounds of a cycle.
    #[serde(serialize_with = "count")]
    pub cycle: i64,
    /// How often each decision is made and each outcome happens.
    #[serde(serialize_with = "decimals")]
    pub frequencies: Vec<(Happening, Fraction)>,
    /// Every way in which a round can end.
    pub outcomes: Vec<OutcomeRow>,
}

/// The totals of a solution.
struct Totals {
    net: i128,
    cycle: i64,
    scale: i64,
    average_wager: Fraction,
    element_of_risk: Fraction,
    variance: Variance,
}

impl MainAnalysis {
    fn new(totals: Totals, frequencies: Vec<(Happening, Fraction)>, outcomes: Vec<OutcomeRow>) -> Self {
        let ev = Expectation::new(totals.net, totals.cycle, totals.scale);
        MainAnalysis {
            house_edge: -ev.value,
            ev,
            element_of_risk: totals.element_of_risk,
            std_dev: totals.variance.standard_deviation(super::PLACES),
            average_wager: totals.average_wager,
            cycle: totals.cycle,
            frequencies,
            outcomes,
        }
    }

    /// The share of rounds in which this is decided.
    #[must_use]
    pub fn decided(&self, action: Action) -> Fraction {
        let found = self.frequencies.iter().find(|(what, _)| *what == Happening::Decision(action));
        found.map_or(Fraction::ZERO, |(_, share)| *share)
    }

    /// Of a stud game.
    #[must_use]
    pub fn stud(solution: &StudSolution) -> MainAnalysis {
        let cycle = solution.cycle();
        let of_cycle = |rounds: i64| Fraction::new(rounds, cycle);
        let decision = |action, rounds| (Happening::Decision(action), of_cycle(rounds));
        let net = |net: i64| Fraction::new(net, solution.game.scale);
        let mut outcomes = vec![OutcomeRow {
            decisions: "fold",
            outcome: None,
            hands: None,
            net: net(solution.game.fold),
            rounds: solution.folded(),
            probability: of_cycle(solution.folded()),
        }];
        let mut frequencies =
            vec![decision(Action::Fold, solution.folded()), decision(Action::Bet, cycle - solution.folded())];
        for outcome in StudOutcome::ALL {
            let rounds = |class: HandClass| solution.classes[class as usize].bet[outcome as usize];
            let pays = |class: HandClass| solution.game.net(outcome, class);
            let all = of_cycle(HandClass::ALL.into_iter().map(rounds).sum());
            frequencies.push((Happening::Outcome(outcome.code()), all));
            for (classes, paid) in grouped(pays) {
                let rounds: i64 = classes.iter().copied().map(rounds).sum();
                if rounds > 0 {
                    outcomes.push(OutcomeRow {
                        decisions: "bet",
                        outcome: Some(outcome.code()),
                        hands: names(&classes),
                        net: net(paid),
                        rounds,
                        probability: of_cycle(rounds),
                    });
                }
            }
        }
        let totals = Totals {
            net: solution.net(),
            cycle,
            scale: solution.game.scale,
            average_wager: solution.average_wager(),
            element_of_risk: solution.element_of_risk(),
            variance: solution.variance(),
        };
        MainAnalysis::new(totals, frequencies, outcomes)
    }

    /// Of a hold'em game.
    #[must_use]
    pub fn holdem(solution: &HoldemSolution) -> MainAnalysis {
        const PATHS: [[&str; 2]; 2] = [["flop", "flop, river"], ["flop, turn", "flop, turn, river"]];
        let (cycle, game) = (solution.cycle(), &solution.game);
        let of_cycle = |rounds: i64| Fraction::new(rounds, cycle);
        let mut outcomes = vec![OutcomeRow {
            decisions: "fold",
            outcome: None,
            hands: None,
            net: Fraction::new(game.fold, game.scale),
            rounds: solution.folded_rounds(),
            probability: of_cycle(solution.folded_rounds()),
        }];
        let mut compared = [0i64; 3];
        for (path, sums) in solution.played_paths().into_iter().flatten().enumerate() {
            let (turn, river) = (path / 2, path % 2);
            let net = |of: &dyn Fn(&crate::holdem::RaisePays) -> i64| {
                let turn = if turn == 1 { of(&game.turn) } else { 0 };
                of(&game.stay) + turn + if river == 1 { of(&game.river) } else { 0 }
            };
            let mut row = |outcome: &'static str, hands: Option<String>, net: i64, rounds: i64| {
                if rounds > 0 {
                    let net = Fraction::new(net, game.scale);
                    let decisions = PATHS[turn][river];
                    let probability = of_cycle(rounds);
                    let outcome = Some(outcome);
                    outcomes.push(OutcomeRow { decisions, outcome, hands, net, rounds, probability });
                }
            };
            for (classes, paid) in grouped(|class| net(&|stake| stake.higher[class as usize])) {
                let rounds = classes.iter().map(|class| sums.higher[*class as usize]).sum();
                compared[0] += rounds;
                row("higher", names(&classes), paid, rounds);
            }
            row("lower", None, net(&|stake| stake.lower), sums.lower);
            row("equal", None, net(&|stake| stake.equal), sums.equal());
            compared[1] += sums.lower;
            compared[2] += sums.equal();
        }
        let [[neither, river], [turn, both]] = solution.paths();
        let decision = |action, rounds| (Happening::Decision(action), of_cycle(rounds));
        let outcome = |code, rounds| (Happening::Outcome(code), of_cycle(rounds));
        let frequencies = vec![
            decision(Action::Fold, solution.folded_rounds()),
            decision(Action::Flop, neither + river + turn + both),
            decision(Action::Turn, turn + both),
            decision(Action::River, river + both),
            outcome("higher", compared[0]),
            outcome("lower", compared[1]),
            outcome("equal", compared[2]),
        ];
        let totals = Totals {
            net: solution.net(),
            cycle,
            scale: game.scale,
            average_wager: solution.average_wager(),
            element_of_risk: solution.element_of_risk(),
            variance: solution.variance(),
        };
        MainAnalysis::new(totals, frequencies, outcomes)
    }
}

/// The classes that are paid alike, with what they are paid, the lowest first.
fn grouped(pays: impl Fn(HandClass) -> i64) -> Vec<(Vec<HandClass>, i64)> {
    let mut groups: Vec<(Vec<HandClass>, i64)> = Vec::new();
    for class in HandClass::ALL {
        match groups.iter_mut().find(|(_, paid)| *paid == pays(class)) {
            Some((classes, _)) => classes.push(class),
            None => groups.push((vec![class], pays(class))),
        }
    }
    groups
}

/// "Straight or better", "below Straight"; nothing for all classes together.
fn names(classes: &[HandClass]) -> Option<String> {
    let (&first, &last) = (classes.first()?, classes.last()?);
    let in_a_row = last as usize - first as usize + 1 == classes.len();
    match (classes.len(), in_a_row, last) {
        (10, ..) => None,
        (1, ..) => Some(first.name().to_owned()),
        (_, true, HandClass::RoyalFlush) => Some(format!("{first} or better")),
        (_, true, _) if first == HandClass::FiveOddCards => {
            Some(format!("below {}", HandClass::ALL[last as usize + 1]))
        }
        (2, ..) => Some(format!("{first}, {last}")),
        (_, true, _) => Some(format!("{first} to {last}")),
        (_, false, _) => Some(classes.iter().map(|class| class.name()).collect::<Vec<_>>().join(", ")),
    }
}
