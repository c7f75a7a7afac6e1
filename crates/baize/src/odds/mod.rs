//! `baize odds`: the exact mathematics of every wager.

mod columns;
mod heat_map;
mod numbers;
mod side_wagers;
mod text;

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use baize_odds::analysis::{Effect, GameAnalysis, Question, StrategyCost};
use baize_odds::strategy::Strategy;
use baize_odds::{Solver, picture};
use baize_rules::{Money, Rulebook};
use clap::Args;
use indicatif::ProgressBar;
use serde::Serialize;

pub(crate) use columns::Columns;
pub(crate) use numbers::{grouped, percent, signed_percent};

use crate::page::{self, Page};
use crate::{Failure, interrupt, progress, rulebook};

/// The exact house edge, best play and spread of every wager.
///
/// Without an ID all games are analysed. Everything is counted, nothing is simulated. Ctrl-C stops and prints what is known by then.
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

/// Several games as JSON, or those that were counted before Ctrl-C.
#[derive(Serialize)]
struct Games<'a> {
    games: &'a [GameAnalysis],
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    interrupted: bool,
}

/// Analyses the games that the arguments name.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let rulebooks: Vec<Cow<'static, Rulebook>> = match &arguments.rulebook {
        Some(file) => vec![Cow::Owned(rulebook::from_file(file)?)],
        None if arguments.ids.is_empty() => Rulebook::builtins().iter().map(Cow::Borrowed).collect(),
        None => {
            let named = arguments.ids.iter().map(|id| rulebook::built_in(id).map(Cow::Borrowed));
            named.collect::<Result<_, _>>()?
        }
    };
    if arguments.svg.is_some() && rulebooks.len() != 1 {
        return Err(Failure::Usage("--svg draws one game: name its ID".to_owned()));
    }
    // Report errors before anything is computed.
    let plans = strategies(&rulebooks, &arguments.strategy)?;
    let steps = plans.iter().map(|plan| plan.len() + 1 + usize::from(arguments.what_if)).sum::<usize>();
    let bar = progress::bar(u64::try_from(steps).unwrap_or(0), "counting");
    let pressed = interrupt::watch(|| {});
    let (telling, told) = mpsc::channel();
    let work = Work {
        games: rulebooks.into_iter().zip(plans).collect(),
        question: Question {
            ante: arguments.ante,
            jackpot_wager: arguments.jackpot_wager,
            meter: arguments.meter,
        },
        what_if: arguments.what_if,
        bar: bar.clone(),
    };
    // On a thread of its own, which is left behind when Ctrl-C is pressed: a step takes seconds.
    let counting = std::thread::spawn(move || work.count(&telling));
    let mut games = Vec::new();
    let interrupted = !gather(&told, &pressed, &mut games);
    bar.finish_and_clear();
    if !interrupted {
        counting.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
    } else if games.is_empty() {
        return Err(Failure::Usage("interrupted before anything was counted".to_owned()));
    } else {
        eprintln!("interrupted: what follows is not all that was asked for");
    }
    if let (Some(path), [game], false) = (&arguments.svg, games.as_slice(), interrupted) {
        page::replace(path, &picture::sheet(game))?;
    }
    page::print(&if arguments.json {
        json(&games, interrupted)?
    } else {
        text::of(&games, Page::for_stdout())
    })
}

/// A game as far as it is known, and its place among those that were asked for.
type Known = (usize, GameAnalysis);

/// What is counted.
struct Work {
    games: Vec<(Cow<'static, Rulebook>, Vec<NamedStrategy>)>,
    question: Question,
    what_if: bool,
    bar: ProgressBar,
}

impl Work {
    /// Counts game by game, and tells after each step what is known. Ends early when nobody listens any more.
    fn count(self, telling: &mpsc::Sender<Known>) -> Result<(), Failure> {
        let Work { games, question, what_if, bar } = self;
        let solver = &mut Solver::new();
        for (at, (rulebook, plan)) in games.into_iter().enumerate() {
            let rulebook = &*rulebook;
            let told = |analysis: &GameAnalysis| {
                bar.inc(1);
                telling.send((at, analysis.clone())).is_ok()
            };
            bar.set_message(rulebook.id.clone());
            let mut analysis = GameAnalysis::new(solver, rulebook, question)?;
            let mut heard = told(&analysis);
            for (name, strategy) in plan {
                let cost = StrategyCost::of(solver, rulebook, question.ante, &name, &strategy)?;
                analysis.strategies.push(cost);
                heard = told(&analysis);
            }
            if what_if {
                analysis.what_if = Effect::all(solver, rulebook, question, &analysis)?;
                heard = told(&analysis);
            }
            if !heard {
                break;
            }
        }
        Ok(())
    }
}

/// Gathers what is told until all of it is known, or until Ctrl-C. Gives whether it is all.
fn gather(told: &mpsc::Receiver<Known>, pressed: &AtomicBool, games: &mut Vec<GameAnalysis>) -> bool {
    let mut put = |(at, game): Known| {
        games.truncate(at);
        games.push(game);
    };
    loop {
        match told.recv_timeout(Duration::from_millis(50)) {
            Ok(known) => put(known),
            Err(RecvTimeoutError::Disconnected) => return true,
            Err(RecvTimeoutError::Timeout) if pressed.load(Ordering::Relaxed) => return false,
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// A way to play, and what it is called.
type NamedStrategy = (String, Strategy);

/// The strategies to compare with best play, for each game. A requested strategy must be valid for at least one of the games; the other
/// family's games skip it.
fn strategies(rulebooks: &[Cow<'_, Rulebook>], asked: &[String]) -> Result<Vec<Vec<NamedStrategy>>, Failure> {
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

fn json(games: &[GameAnalysis], interrupted: bool) -> Result<String, Failure> {
    match games {
        [game] if !interrupted => page::json(game),
        games => page::json(&Games { games, interrupted }),
    }
}
