//! The whole analysis of one game.

use baize_rules::{Family, Money, Rulebook, StartingHand};
use serde::Serialize;

use super::figures::decimal;
use super::{
    BonusAnalysis, Effect, JackpotAnalysis, JackpotTerms, JointAnalysis, JointTerms, MainAnalysis,
    StrategyCost, USUAL_JACKPOT_WAGER,
};
use crate::advice::Action;
use crate::holdem::{HandTotals, HoldemGame, HoldemSolution};
use crate::stud::{RaisingRule, StudGame};
use crate::{Fraction, GameError, Solver};

/// Parameters of an analysis.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Question {
    /// An ante in money: then maximum payouts and the rounding of the settlement count. Without it amounts are in antes.
    pub ante: Option<Money>,
    /// The jackpot wager.
    pub jackpot_wager: Option<Money>,
    /// The meter.
    pub meter: Option<Money>,
}

/// The value of a starting hand.
#[derive(Debug, Clone, Serialize)]
pub struct StartingHandRow {
    /// The hand.
    pub hand: StartingHand,
    /// The expected net result of the round with the better decision, in antes.
    #[serde(serialize_with = "decimal")]
    pub ev: Fraction,
    /// The better decision: `flop` or `fold`.
    pub best: Action,
    /// The expected net result of placing the flop wager.
    #[serde(serialize_with = "decimal")]
    pub flop: Fraction,
    /// The net result of a fold.
    #[serde(serialize_with = "decimal")]
    pub fold: Fraction,
    /// How many of the 1,326 pairs of cards it is.
    pub combinations: u32,
}

/// All exact figures of a game.
#[derive(Debug, Clone, Serialize)]
pub struct GameAnalysis {
    /// The rulebook's id.
    pub id: String,
    /// The game's name.
    pub name: String,
    /// Hold'em or stud.
    pub family: Family,
    /// The hash of the rulebook's text.
    pub rulebook: String,
    /// The ante, if one was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ante: Option<Money>,
    /// Ante and raises with best play.
    pub main: MainAnalysis,
    /// The bonus. `None` where the game has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bonus: Option<BonusAnalysis>,
    /// The jackpot wager.
    pub jackpot: JackpotAnalysis,
    /// Hold'em: the 169 starting hands.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub starting_hands: Vec<StartingHandRow>,
    /// Stud: the rule by which best play bets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raising_rule: Option<RaisingRule>,
    /// Main wagers and jackpot together, if ante, wager and meter were given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joint: Option<JointAnalysis>,
    /// Simple strategies compared with best play, if requested.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub strategies: Vec<StrategyCost>,
    /// Effects of single rule changes, if requested.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub what_if: Vec<Effect>,
    /// The share of each kind of hand that is folded.
    #[serde(skip)]
    pub(super) folded: Vec<Fraction>,
    /// Hold'em: of each starting hand the rounds, and those in which it ranks lower than the dealer's.
    #[serde(skip)]
    pub(super) showdowns: Vec<(i64, i64)>,
}

impl GameAnalysis {
    /// Analyses the game of this rulebook.
    ///
    /// # Errors
    /// A rulebook that is not a valid game of its family, or amounts that cannot be analysed.
    pub fn new(
        solver: &mut Solver,
        rulebook: &Rulebook,
        question: Question,
    ) -> Result<GameAnalysis, GameError> {
        let wager = question.jackpot_wager.unwrap_or(USUAL_JACKPOT_WAGER);
        let jackpot = JackpotTerms::checked(wager, question.meter)?;
        let joint = match (question.ante, question.jackpot_wager, question.meter) {
            (Some(ante), Some(_), Some(meter)) => Some(JointTerms { ante, jackpot, meter }),
            _ => None,
        };
        let parts = match rulebook.family {
            Family::Holdem => holdem(solver, rulebook, question, jackpot, joint)?,
            Family::Stud => stud(solver, rulebook, question, jackpot, joint)?,
        };
        Ok(GameAnalysis {
            id: rulebook.id.clone(),
            name: rulebook.name.clone(),
            family: rulebook.family,
            rulebook: rulebook.hash.clone(),
            ante: question.ante,
            main: parts.main,
            bonus: parts.bonus,
            jackpot: parts.jackpot,
            starting_hands: parts.starting_hands,
            raising_rule: parts.raising_rule,
            joint: parts.joint,
            strategies: Vec::new(),
            what_if: Vec::new(),
            folded: parts.folded,
            showdowns: parts.showdowns,
        })
    }
}

/// What differs between the families.
struct Parts {
    main: MainAnalysis,
    bonus: Option<BonusAnalysis>,
    jackpot: JackpotAnalysis,
    starting_hands: Vec<StartingHandRow>,
    raising_rule: Option<RaisingRule>,
    joint: Option<JointAnalysis>,
    folded: Vec<Fraction>,
    showdowns: Vec<(i64, i64)>,
}

fn holdem(
    solver: &mut Solver,
    rulebook: &Rulebook,
    question: Question,
    jackpot: JackpotTerms,
    joint: Option<JointTerms>,
) -> Result<Parts, GameError> {
    let game = HoldemGame::from_rulebook(rulebook, question.ante)?;
    let solution = solver.holdem(&game);
    let counts = solver.awards(rulebook);
    let folded = solution.folded.map(|folded| Fraction::from(i64::from(folded)));
    Ok(Parts {
        main: MainAnalysis::holdem(&solution),
        bonus: BonusAnalysis::new(
            rulebook,
            None,
            |hand| solution.folded[hand.index()],
            |hand| solution.hands[hand.index()].rounds_and_lower(),
        )?,
        jackpot: JackpotAnalysis::new(rulebook, &counts, jackpot, &folded),
        starting_hands: starting_hands(&solution),
        raising_rule: None,
        joint: joint.map(|terms| JointAnalysis::holdem(rulebook, &solution, &counts, terms)),
        folded: folded.to_vec(),
        showdowns: solution.hands.iter().map(HandTotals::rounds_and_lower).collect(),
    })
}

fn stud(
    solver: &mut Solver,
    rulebook: &Rulebook,
    question: Question,
    jackpot: JackpotTerms,
    joint: Option<JointTerms>,
) -> Result<Parts, GameError> {
    let game = StudGame::from_rulebook(rulebook, question.ante)?;
    let solved = solver.stud(&game);
    let (solution, rule) = &*solved;
    let counts = solver.awards(rulebook);
    Ok(Parts {
        main: MainAnalysis::stud(solution),
        bonus: BonusAnalysis::new(rulebook, None, |_| false, |_| (0, 0))?,
        jackpot: JackpotAnalysis::new(rulebook, &counts, jackpot, &solution.folded_shares()),
        starting_hands: Vec::new(),
        raising_rule: Some(rule.clone()),
        joint: joint.map(|terms| JointAnalysis::stud(rulebook, solution, &game, &counts, terms)),
        folded: solution.folded_shares().to_vec(),
        showdowns: Vec::new(),
    })
}

/// The 169 starting hands, by index.
fn starting_hands(solution: &HoldemSolution) -> Vec<StartingHandRow> {
    let fold = solution.fold_value();
    StartingHand::all()
        .map(|hand| {
            let (flop, folded) = (solution.flop_value(hand), solution.folded[hand.index()]);
            StartingHandRow {
                hand,
                ev: if folded { fold } else { flop },
                best: if folded { Action::Fold } else { Action::Flop },
                flop,
                fold,
                combinations: hand.combinations(),
            }
        })
        .collect()
}
