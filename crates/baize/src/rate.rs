//! `baize rate`: every decision of finished rounds against best play, and what a player's own play is worth.

mod source;
mod text;

use std::path::PathBuf;

use baize_odds::rating::{RatedHand, Rater, RoundTime, Study, StudyPlan, Summary, hours};
use clap::Args;
use serde::Serialize;

use crate::page::{self, Page};
use crate::{Failure, progress, rulebook};

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
    /// With --database: the latest so many rounds.
    #[arg(long, value_name = "N", default_value_t = 1_000, requires = "database")]
    rounds: u32,
    /// List every mistake with its cost.
    #[arg(long)]
    decisions: bool,
    /// Simulate how well the test of departures finds a player who sees a card, in this game.
    #[arg(long, value_name = "ID", conflicts_with_all = ["files", "database"])]
    study: Option<String>,
    /// Honest players of the study.
    #[arg(long, value_name = "N", default_value_t = 10_000, requires = "study")]
    honest: u32,
    /// Players of the study who see a card.
    #[arg(long, value_name = "N", default_value_t = 200, requires = "study")]
    seeing: u32,
    /// In so many percent of their hands the players of the study who see a card do see one.
    #[arg(long, value_name = "P", default_value_t = 100, requires = "study", value_parser = clap::value_parser!(u32).range(1..=100))]
    percent: u32,
    /// A rulebook file of your own; may be given several times.
    #[arg(long, value_name = "FILE")]
    rulebook: Vec<PathBuf>,
    /// Print it as data.
    #[arg(long)]
    json: bool,
}

/// The figures of one player.
#[derive(Serialize)]
struct OfPlayer {
    player: String,
    #[serde(flatten)]
    summary: Summary,
}

/// What was found.
#[derive(Serialize)]
struct Answer {
    players: Vec<OfPlayer>,
    all: Summary,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    hands: Vec<RatedHand>,
}

/// Rates what the arguments name.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    if let Some(id) = &arguments.study {
        return study(arguments, id);
    }
    let mut rater = Rater::new();
    let mut hands: Vec<(RatedHand, RoundTime)> = Vec::new();
    let note = progress::note("rating");
    let mut rate = |round: &source::FinishedRound| -> Result<(), Failure> {
        let rated = rater.round(&round.book, &round.finished)?;
        hands.extend(rated.into_iter().map(|hand| (hand, round.time)));
        Ok(())
    };
    match &arguments.database {
        Some(database) => source::of_casino(database, arguments, &mut rate)?,
        None => source::of_scripts(&arguments.files, &arguments.rulebook)?.iter().try_for_each(&mut rate)?,
    }
    note.finish_and_clear();
    // In the order in which they were played: evidence grows from hand to hand.
    hands.sort_by_key(|(_, time)| *time);
    if let Some(player) = &arguments.player {
        hands.retain(|(hand, _)| hand.player.0 == *player);
    }
    let answer = answer(hands, arguments.decisions);
    page::print(&if arguments.json {
        serde_json::to_string_pretty(&answer).map(|text| text + "\n").unwrap_or_default()
    } else {
        text::of(&answer, Page::for_stdout())
    })
}

fn answer(hands: Vec<(RatedHand, RoundTime)>, decisions: bool) -> Answer {
    let mut names: Vec<&str> = hands.iter().map(|(hand, _)| hand.player.0.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let summary = |name: Option<&str>| {
        let theirs = hands.iter().filter(|(hand, _)| name.is_none_or(|name| hand.player.0 == name));
        let (hands, times): (Vec<RatedHand>, Vec<RoundTime>) = theirs.cloned().unzip();
        Summary::of(&hands, hours(&times))
    };
    let players = names
        .iter()
        .map(|name| OfPlayer { player: (*name).to_owned(), summary: summary(Some(name)) })
        .collect();
    let all = summary(None);
    let hands = if decisions { hands.into_iter().map(|(hand, _)| hand).collect() } else { Vec::new() };
    Answer { players, all, hands }
}

fn study(arguments: &Arguments, id: &str) -> Result<(), Failure> {
    let rulebook = rulebook::built_in(id)?;
    let plan = StudyPlan {
        honest: arguments.honest,
        honest_rounds: 2_000,
        mistakes_percent: 10,
        seeing: arguments.seeing,
        seeing_rounds: 10_000,
        seeing_percent: arguments.percent,
        seed: 1,
    };
    let note = progress::note("simulating players");
    let study = Study::of(&mut Rater::new(), rulebook, plan);
    note.finish_and_clear();
    let study = study?;
    page::print(&if arguments.json {
        serde_json::to_string_pretty(&study).map(|text| text + "\n").unwrap_or_default()
    } else {
        text::of_study(&study, &plan, Page::for_stdout())
    })
}
