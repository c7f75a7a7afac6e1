//! Effects of single rule changes on the house edge.
//!
//! Counts are computed once and priced again for each change. Best play adapts: decisions that may change are made again from the same
//! counts.

use baize_cards::HandClass;
use baize_rules::{Family, Rulebook, StartingHand};
use serde::Serialize;

use super::changes::{self, Changed};
use super::figures::decimal;
use super::{BonusAnalysis, GameAnalysis, JackpotAnalysis, JackpotTerms, Question};
use crate::advice::Action;
use crate::holdem::{HoldemGame, HoldemSolution, HoldemTables, RaisePays};
use crate::stud::{StudGame, optimal_nets};
use crate::{DeckSpec, Fraction, GameError, Solver};

/// What one change does.
#[derive(Debug, Clone, Serialize)]
pub struct Effect {
    /// The wager: `main`, `bonus` or `jackpot`.
    pub wager: &'static str,
    /// The change.
    pub change: String,
    /// The house edge with it: for an ante, or for one unit of the wager.
    #[serde(serialize_with = "decimal")]
    pub house_edge: Fraction,
    /// The house edge with it less that without: negative is better for the player.
    #[serde(serialize_with = "decimal")]
    pub difference: Fraction,
}

impl Effect {
    /// The effects of single changes to an analysed game. The jackpot's edge is taken at the meter of the question, or else at the
    /// break-even meter.
    ///
    /// # Errors
    /// Amounts that cannot be analysed.
    pub fn all(
        solver: &mut Solver,
        rulebook: &Rulebook,
        question: Question,
        base: &GameAnalysis,
    ) -> Result<Vec<Effect>, GameError> {
        let mut effects = main(rulebook, question, base)?;
        effects.extend(bonus(rulebook, base)?);
        effects.extend(jackpot(solver, rulebook, base));
        Ok(effects)
    }
}

fn effect(wager: &'static str, change: String, house_edge: Fraction, before: Fraction) -> Effect {
    Effect { wager, change, house_edge, difference: house_edge - before }
}

/// Ante and raises. A change that leaves nothing to decide is left out.
fn main(rulebook: &Rulebook, question: Question, base: &GameAnalysis) -> Result<Vec<Effect>, GameError> {
    let changes = changes::of_main(rulebook);
    let edges = match rulebook.family {
        Family::Stud => stud_edges(&changes, question),
        Family::Holdem => holdem_edges(rulebook, &changes, question)?,
    };
    let before = base.main.house_edge;
    let known = changes.into_iter().zip(edges).filter_map(|(change, edge)| Some((change.words, edge?)));
    Ok(known.map(|(words, edge)| effect("main", words, edge, before)).collect())
}

fn stud_edges(changes: &[Changed], question: Question) -> Vec<Option<Fraction>> {
    let games: Vec<Option<StudGame>> =
        changes.iter().map(|change| StudGame::from_rulebook(&change.rulebook, question.ante).ok()).collect();
    let known: Vec<&StudGame> = games.iter().flatten().collect();
    let mut nets = optimal_nets(DeckSpec::FULL, &known).into_iter();
    games.iter().map(|game| game.as_ref().and_then(|_| nets.next()).map(|net| -net)).collect()
}

fn holdem_edges(
    rulebook: &Rulebook,
    changes: &[Changed],
    question: Question,
) -> Result<Vec<Option<Fraction>>, GameError> {
    let base = HoldemGame::from_rulebook(rulebook, question.ante)?;
    let games: Vec<Option<HoldemGame>> = changes
        .iter()
        .map(|change| HoldemGame::from_rulebook(&change.rulebook, question.ante).ok())
        .collect();
    // One set of tables for all: classes are separated if one of the games pays them differently.
    let apart = HandClass::ALL.map(|class| {
        let alike = |other: &HandClass| {
            games
                .iter()
                .flatten()
                .chain([&base])
                .all(|game| game.alike()[*other as usize] == game.alike()[class as usize])
        };
        HandClass::ALL.into_iter().find(alike).unwrap_or(class)
    });
    let tables = HoldemTables::telling_apart(DeckSpec::FULL, &apart);
    let solved = HoldemSolution::optimal(&tables, &base);
    let edge = |game: &HoldemGame| {
        // If turn and river are decided as before, the counts of staying can be reused; only the prices differ.
        let mut changed = if proportional(&game.turn, &base.turn) && proportional(&game.river, &base.river) {
            HoldemSolution { game: game.clone(), ..solved.clone() }
        } else {
            HoldemSolution::optimal(&tables, game)
        };
        changed.fold_what_loses_more();
        -changed.expectation()
    };
    Ok(games.iter().map(|game| game.as_ref().map(edge)).collect())
}

/// Whether one stake always pays the same multiple of the other: then both gain at the same positions.
fn proportional(one: &RaisePays, other: &RaisePays) -> bool {
    let all = |stake: &RaisePays| -> Vec<i128> {
        stake.higher.iter().chain([&stake.equal, &stake.lower]).map(|net| i128::from(*net)).collect()
    };
    let (lost, other_lost) = (i128::from(one.lower), i128::from(other.lower));
    lost < 0
        && other_lost < 0
        && all(one).iter().zip(all(other)).all(|(net, other)| net * other_lost == other * lost)
}

fn bonus(rulebook: &Rulebook, base: &GameAnalysis) -> Result<Vec<Effect>, GameError> {
    let Some(before) = &base.bonus else { return Ok(Vec::new()) };
    let folded = |hand: StartingHand| {
        base.starting_hands.get(hand.index()).is_some_and(|row| row.best == Action::Fold)
    };
    let mut effects = Vec::new();
    for change in changes::of_bonus(rulebook) {
        let totals = |hand: StartingHand| base.showdowns.get(hand.index()).copied().unwrap_or_default();
        if let Some(after) = BonusAnalysis::new(&change.rulebook, None, folded, totals)? {
            effects.push(effect("bonus", change.words, after.house_edge, before.house_edge));
        }
    }
    Ok(effects)
}

fn jackpot(solver: &mut Solver, rulebook: &Rulebook, base: &GameAnalysis) -> Vec<Effect> {
    let before = &base.jackpot.single;
    let counts = solver.awards(rulebook);
    let even = before.break_even_meter.map(|even| even * Fraction::from(100));
    let meter = base.jackpot.meter.map_or(even, |meter| Some(Fraction::from(meter.cents())));
    let meter = meter.unwrap_or(Fraction::ZERO);
    let terms = JackpotTerms { wager: before.wager, meter: base.jackpot.meter };
    let edge = |found: &super::JackpotReturn| {
        let share = found.meter_coefficient * meter * Fraction::new(1, found.wager.cents());
        Fraction::from(1) - found.fixed_return - share
    };
    let changes = changes::of_jackpot(rulebook).into_iter();
    changes
        .map(|change| {
            let after = JackpotAnalysis::new(&change.rulebook, &counts, terms, &base.folded);
            effect("jackpot", change.words, edge(&after.single), edge(before))
        })
        .collect()
}
