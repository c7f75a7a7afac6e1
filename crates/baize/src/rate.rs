//! `baize rate`: every decision of finished rounds against best play, and what a player's own play is worth.

mod ledger;
mod source;
mod text;

use std::path::PathBuf;
use std::sync::atomic::Ordering;

use baize_odds::rating::{Rater, Study, StudyPlan};
use clap::Args;

use self::ledger::{By, Ledger};
use crate::odds::grouped;
use crate::page::{self, Page};
use crate::report::Days;
use crate::{Failure, interrupt, progress, rulebook, scripts};

/// Rate the decisions of finished rounds against best play.
///
/// Takes round scripts, or with --database the record of a casino. A decision is judged by what the player could see; its cost is exact.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Round scripts, or folders of them.
    #[arg(value_name = "FILE", required_unless_present_any = ["database", "study"])]
    files: Vec<PathBuf>,
    /// The casino whose record is rated: a file, sqlite:FILE or postgres://…
    #[arg(long, value_name = "DATABASE", conflicts_with = "files")]
    database: Option<String>,
    /// With --database: only this table.
    #[arg(long, value_name = "TABLE", requires = "database")]
    table: Option<String>,
    /// Only this player.
    #[arg(long, value_name = "PLAYER")]
    player: Option<String>,
    /// With --database: this many of the latest rounds [default: 1000].
    #[arg(long, value_name = "N", requires = "database", value_parser = clap::value_parser!(u32).range(1..))]
    rounds: Option<u32>,
    /// What each line is about.
    #[arg(long, value_enum, default_value = "player", conflicts_with = "study")]
    by: By,
    #[command(flatten)]
    days: Days,
    /// List every mistake with its cost.
    #[arg(long)]
    decisions: bool,
    /// Simulate how well the test of departures finds a player who sees a card, in this game.
    #[arg(long, value_name = "ID", conflicts_with_all = ["files", "database"])]
    study: Option<String>,
    /// Honest players of the study.
    #[arg(long, value_name = "N", default_value_t = 10_000, requires = "study", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    honest: u32,
    /// Players of the study who see a card.
    #[arg(long, value_name = "N", default_value_t = 200, requires = "study", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    seeing: u32,
    /// How often the players of the study who see a card do see one, in percent of their hands.
    #[arg(long, value_name = "P", default_value_t = 100, requires = "study", value_parser = clap::value_parser!(u32).range(1..=100))]
    percent: u32,
    /// How often the honest players of the study do the opposite of best play, in percent of their decisions.
    #[arg(long, value_name = "P", default_value_t = 10, requires = "study", value_parser = clap::value_parser!(u32).range(1..=100))]
    mistakes: u32,
    /// A rulebook file of your own; may be given several times.
    #[arg(long, value_name = "FILE")]
    rulebook: Vec<PathBuf>,
    /// Print it as JSON.
    #[arg(long)]
    json: bool,
}

/// Rates what the arguments name.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    if let Some(id) = &arguments.study {
        return study(arguments, id);
    }
    // clap's `requires` does not cover the case with files.
    if !arguments.files.is_empty() && (arguments.table.is_some() || arguments.rounds.is_some()) {
        return Err(Failure::Usage(
            "--table and --rounds need --database; scripts are rated as a whole".to_owned(),
        ));
    }
    let mut rater = Rater::new();
    let mut ledger = Ledger::new(arguments.by, arguments.days.gaming_day(), arguments.decisions);
    let pressed = interrupt::watch(|| {});
    let note = progress::note("rating");
    let mut rounds = 0u64;
    // Returns whether to continue.
    let mut rate = |round: &source::FinishedRound| -> Result<bool, Failure> {
        for hand in rater.round(&round.book, &round.finished)? {
            if arguments.player.as_ref().is_none_or(|player| hand.player.0 == *player) {
                ledger.add(hand, round.table.as_deref(), round.time)?;
            }
        }
        rounds += 1;
        if rounds.is_multiple_of(1_000) {
            note.set_message(format!("rating: {} rounds", grouped(&rounds.to_string())));
        }
        Ok(!pressed.load(Ordering::Relaxed))
    };
    match &arguments.database {
        Some(database) => source::of_casino(database, arguments, &mut rate)?,
        None => {
            for round in source::of_scripts(&arguments.files, &arguments.rulebook)? {
                if !rate(&round)? {
                    break;
                }
            }
        }
    }
    note.finish_and_clear();
    let answer = ledger.answer(pressed.load(Ordering::Relaxed));
    page::print(&if arguments.json {
        page::json(&answer)?
    } else {
        text::of(&answer, arguments.player.as_deref(), Page::for_stdout())
    })
}

fn study(arguments: &Arguments, id: &str) -> Result<(), Failure> {
    let own = scripts::Library::with(&arguments.rulebook)?.find(id);
    let rulebook = match &own {
        Some(own) => own,
        None => rulebook::built_in(id)?,
    };
    let plan = StudyPlan {
        honest: arguments.honest,
        honest_rounds: 2_000,
        mistakes_percent: arguments.mistakes,
        seeing: arguments.seeing,
        seeing_rounds: 10_000,
        seeing_percent: arguments.percent,
        seed: 1,
    };
    let pressed = interrupt::watch(|| {});
    let bar = progress::bar(1, "simulating players");
    let study = Study::of(&mut Rater::new(), rulebook, plan, &|done, of| {
        bar.set_length(of);
        bar.set_position(done);
        !pressed.load(Ordering::Relaxed)
    });
    bar.finish_and_clear();
    let study = study?;
    page::print(&if arguments.json {
        page::json(&study)?
    } else {
        text::of_study(&study, &plan, Page::for_stdout())
    })
}
