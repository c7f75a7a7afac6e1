//! `baize coach`: drills on one's own mistakes and on close decisions, and the strategy card of a game.

use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};

use baize_odds::analysis::{GameAnalysis, Question, StrategyCost};
use baize_odds::coach::{CloseDrills, Drill, Lesson, Mistake, drills};
use baize_odds::rating::{Choices, Rater};
use baize_odds::strategy::Strategy;
use baize_odds::{Fraction, Solver};
use baize_rules::Rulebook;
use clap::Args;

use crate::rulebook::Game;
use crate::{Failure, page, scripts};

/// Drills on close decisions and on your own mistakes. A question answered wrongly comes back.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: Game,
    /// Round scripts whose mistakes come first.
    #[arg(long, value_name = "FILE")]
    from: Vec<PathBuf>,
    /// With --from: only this player's mistakes.
    #[arg(long, value_name = "PLAYER", requires = "from")]
    player: Option<String>,
    /// Keep the questions that will come back in this file, from one run to the next. It is created if missing.
    #[arg(long, value_name = "FILE")]
    keep: Option<PathBuf>,
    /// How many questions.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    questions: u32,
    /// The largest difference between two choices, in hundredths of an ante.
    #[arg(long, value_name = "N", default_value_t = 30)]
    apart: u32,
    /// The seed of the positions.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Print the strategy card as a page of HTML instead: one sheet of paper.
    #[arg(long)]
    card: bool,
}

/// Coaches, or prints the card.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let rulebook = &*arguments.game.read()?;
    if arguments.card {
        return page::print(&card(rulebook)?);
    }
    let mut rater = Rater::new();
    let kept = arguments.keep.as_deref().map(kept).transpose()?.unwrap_or_default();
    let lesson = kept.with(own_mistakes(&mut rater, rulebook, arguments)?);
    // Written before the first question, so that a file that cannot be written fails now.
    keep(arguments.keep.as_deref(), &lesson)?;
    ask(&mut rater, rulebook, arguments, lesson).map_err(Failure::Output)?
}

/// The lesson in a file; an empty one if there is no such file.
fn kept(file: &Path) -> Result<Lesson, Failure> {
    let wrong = Failure::of_file(file);
    match std::fs::read_to_string(file) {
        Ok(text) => text.parse().map_err(|error| wrong(io::Error::new(io::ErrorKind::InvalidData, error))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Lesson::default()),
        Err(error) => Err(wrong(error)),
    }
}

fn keep(file: Option<&Path>, lesson: &Lesson) -> Result<(), Failure> {
    file.map_or(Ok(()), |file| page::replace(file, &format!("{lesson}\n")))
}

/// The strategy card as a file.
fn card(rulebook: &Rulebook) -> Result<String, Failure> {
    let mut solver = Solver::new();
    let mut game = GameAnalysis::new(&mut solver, rulebook, Question::default())?;
    for named in Strategy::named(rulebook.family).iter().skip(1) {
        let strategy = Strategy::read(rulebook.family, named.rules)?;
        game.strategies.push(StrategyCost::of(&mut solver, rulebook, None, named.name, &strategy)?);
    }
    // `page::print` replaces typographic minus signs in pipes; an entity is left alone.
    Ok(baize_web::strategy_card(&game).replace('−', "&minus;"))
}

/// Drills from the mistakes in these scripts, the most costly kinds first.
fn own_mistakes(
    rater: &mut Rater,
    rulebook: &Rulebook,
    arguments: &Arguments,
) -> Result<Vec<Drill>, Failure> {
    let own: Vec<PathBuf> = arguments.game.rulebook.iter().cloned().collect();
    let library = scripts::Library::with(&own)?;
    let mut mistakes: Vec<Mistake> = Vec::new();
    for argument in &arguments.from {
        for file in scripts::files(argument)? {
            let transcript = scripts::run(&file.display().to_string(), &scripts::read(&file)?, &library)?;
            for record in &transcript.rounds {
                let Some(finished) = record.finished() else { continue };
                let Some(table) =
                    transcript.tables.get(record.table).filter(|table| table.book.id == rulebook.id)
                else {
                    continue;
                };
                let mut hands = rater.round(&table.book, finished)?;
                hands.retain(|hand| arguments.player.as_ref().is_none_or(|player| hand.player.0 == *player));
                mistakes.extend(Mistake::of_round(rulebook, finished, &hands));
            }
        }
    }
    Ok(drills(mistakes, usize::MAX))
}

fn ask(
    rater: &mut Rater,
    rulebook: &Rulebook,
    arguments: &Arguments,
    mut lesson: Lesson,
) -> io::Result<Result<(), Failure>> {
    let mut drills = CloseDrills::new(arguments.seed);
    let apart = Fraction::new(i64::from(arguments.apart), 100);
    let (mut out, input) = (io::stdout().lock(), io::stdin().lock());
    let mut lines = input.lines();
    let (mut asked, mut right, mut lost) = (0u32, 0u32, Fraction::ZERO);
    'questions: while asked < arguments.questions {
        let (drill, known, again) = match lesson.question() {
            Some(next) => next,
            None => match drills.draw(rater, rulebook, apart) {
                Ok((drill, _)) => (drill, 0, false),
                Err(error) => return Ok(Err(error.into())),
            },
        };
        let choices = match rater.choices(rulebook, &drill.sight()) {
            Ok(Some(choices)) => choices,
            Ok(None) => continue,
            Err(error) => return Ok(Err(error.into())),
        };
        let (raise, instead) = (choices.raise.code(), choices.instead.code());
        writeln!(out, "\n{}. {drill}", asked + 1)?;
        let raised = loop {
            write!(out, "   {instead} or {raise}? ")?;
            out.flush()?;
            let Some(line) = lines.next().transpose()? else { break 'questions };
            let word = line.trim().to_ascii_lowercase();
            if matches!(word.as_str(), "q" | "quit" | "exit") {
                break 'questions;
            }
            match [raise, instead].map(|code| !word.is_empty() && code.starts_with(&word)) {
                [true, false] => break true,
                [false, true] => break false,
                [..] => writeln!(out, "   Answer {instead} or {raise}; q ends.")?,
            }
        };
        asked += 1;
        let correct = raised == choices.raises();
        right += u32::from(correct);
        if !correct {
            lost = lost + choices.gap();
        }
        writeln!(out, "   {}", verdict(&choices, correct))?;
        lesson.answered(drill, known, again, correct);
        if let Err(failure) = keep(arguments.keep.as_deref(), &lesson) {
            return Ok(Err(failure));
        }
    }
    match asked - right {
        0 if asked == 0 => writeln!(out)?,
        0 => writeln!(out, "\nAll {asked} right.")?,
        _ => writeln!(out, "\n{right} of {asked} right; the mistakes cost {} antes.", lost.decimal(3))?,
    }
    Ok(Ok(()))
}

/// What the other choice costs and why.
fn verdict(choices: &Choices, correct: bool) -> String {
    if correct {
        format!("Right. {}", choices.why())
    } else {
        format!("No: {} is best. {}", choices.ordered().0.code(), choices.why())
    }
}
