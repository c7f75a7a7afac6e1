//! `baize odds`: the exact mathematics of every wager.

mod columns;
mod heat_map;
mod numbers;
mod side_wagers;
mod text;

use std::path::PathBuf;

use baize_odds::analysis::{Effect, GameAnalysis, Question, StrategyCost};
use baize_odds::strategy::Strategy;
use baize_odds::{Solver, picture};
use baize_rules::{Money, Rulebook};
use clap::Args;
use serde::Serialize;

pub(crate) use columns::Columns;
pub(crate) use numbers::{grouped, percent, signed_percent};

use crate::page::{self, Page};
use crate::{Failure, progress, rulebook};

/// The exact house edge, best play and spread of every wager.
///
/// Without an ID all games are analysed. Everything is counted, nothing is simulated.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The games; without one, all of them.
    #[arg(value_name = "ID", conflicts_with = "rulebook")]
    ids: Vec<String>,
    /// A rulebook file of your own.
    #[arg(long, value_name = "FILE")]
    rulebook: Option<PathBuf>,
    /// The ante; without it, maximum payouts are not applied.
    #[arg(long, value_name = "AMOUNT")]
    ante: Option<Money>,
    /// The jackpot wager [5 if not given].
    #[arg(long, value_name = "AMOUNT")]
    jackpot_wager: Option<Money>,
    /// What the jackpot meter shows; with ante and jackpot wager, the best play of all wagers together.
    #[arg(long, value_name = "AMOUNT")]
    meter: Option<Money>,
    /// A way to play to compare with best play: a name, or rules such as "raise: pair+ or A-K-J-8-3+" or
    /// "fold: 23o-27o; turn: own pair+; river: own pair+". May be given several times; without it, the named ones.
    #[arg(long, value_name = "STRATEGY")]
    strategy: Vec<String>,
    /// Show what single changes of the rules would do to the house edge.
    #[arg(long)]
    what_if: bool,
    /// Write a picture of one game to this file: starting hands, and the jackpot's return against the meter.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print it as JSON: one game as an object, several as {"games": […]}.
    #[arg(long)]
    json: bool,
}

/// Several games as JSON.
#[derive(Serialize)]
struct Games<'a> {
    games: &'a [GameAnalysis],
}

/// Analyses the games that the arguments name.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let own = arguments.rulebook.as_deref().map(rulebook::from_file).transpose()?;
    let rulebooks: Vec<&Rulebook> = match &own {
        Some(own) => vec![own],
        None if arguments.ids.is_empty() => Rulebook::builtins().iter().collect(),
        None => arguments.ids.iter().map(|id| rulebook::built_in(id)).collect::<Result<_, _>>()?,
    };
    let question =
        Question { ante: arguments.ante, jackpot_wager: arguments.jackpot_wager, meter: arguments.meter };
    if arguments.svg.is_some() && rulebooks.len() != 1 {
        return Err(Failure::Usage("--svg draws one game: name its ID".to_owned()));
    }
    // Report errors before anything is computed.
    let plans = strategies(&rulebooks, &arguments.strategy)?;
    let steps = plans.iter().map(|plan| plan.len() + 1 + usize::from(arguments.what_if)).sum::<usize>();
    let bar = progress::bar(u64::try_from(steps).unwrap_or(0), "counting");
    let mut solver = Solver::new();
    let mut games = Vec::new();
    for (rulebook, plan) in rulebooks.into_iter().zip(plans) {
        bar.set_message(rulebook.id.clone());
        let mut analysis = GameAnalysis::new(&mut solver, rulebook, question)?;
        bar.inc(1);
        for (name, strategy) in plan {
            let cost = StrategyCost::of(&mut solver, rulebook, question.ante, &name, &strategy)?;
            analysis.strategies.push(cost);
            bar.inc(1);
        }
        if arguments.what_if {
            analysis.what_if = Effect::all(&mut solver, rulebook, question, &analysis)?;
            bar.inc(1);
        }
        games.push(analysis);
    }
    bar.finish_and_clear();
    if let (Some(path), [game]) = (&arguments.svg, games.as_slice()) {
        page::replace(path, &picture::sheet(game))?;
    }
    page::print(&if arguments.json { json(&games)? } else { text::of(&games, Page::for_stdout()) })
}

/// A way to play, and what it is called.
type NamedStrategy = (String, Strategy);

/// The strategies to compare with best play, for each game. A requested strategy must be valid for at least one of the games; the other
/// family's games skip it.
fn strategies(rulebooks: &[&Rulebook], asked: &[String]) -> Result<Vec<Vec<NamedStrategy>>, Failure> {
    let mut plans = vec![Vec::new(); rulebooks.len()];
    if asked.is_empty() {
        for (plan, rulebook) in plans.iter_mut().zip(rulebooks) {
            // Best play itself comes first and needs no comparison.
            for named in Strategy::named(rulebook.family).iter().skip(1) {
                plan.push((named.name.to_owned(), Strategy::read(rulebook.family, named.rules)?));
            }
        }
    }
    for text in asked {
        let mut wrong = None;
        let mut known = false;
        for (plan, rulebook) in plans.iter_mut().zip(rulebooks) {
            match Strategy::read(rulebook.family, text) {
                Ok(strategy) => {
                    known = true;
                    plan.push((text.clone(), strategy));
                }
                Err(error) => wrong = wrong.or(Some(error)),
            }
        }
        if let Some(error) = wrong.filter(|_| !known) {
            return Err(error.into());
        }
    }
    Ok(plans)
}

fn json(games: &[GameAnalysis]) -> Result<String, Failure> {
    match games {
        [game] => page::json(game),
        games => page::json(&Games { games }),
    }
}
