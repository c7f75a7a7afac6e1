//! `baize coach`: drills on one's own mistakes and on close decisions, and the strategy card of a game.

mod card;

use std::io::{self, BufRead, Write};
use std::path::PathBuf;

use baize_cards::Card;
use baize_odds::Fraction;
use baize_odds::advice::Action;
use baize_odds::coach::{CloseDrills, Drill, Lesson};
use baize_odds::rating::{Choices, Rater};
use baize_rules::Rulebook;
use clap::Args;

use crate::{Failure, page, rulebook, scripts};

/// Drills on close decisions and on your own mistakes; what was wrong comes back.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The game.
    #[arg(value_name = "ID", required_unless_present = "rulebook")]
    id: Option<String>,
    /// Round scripts whose mistakes come first.
    #[arg(long, value_name = "FILE")]
    from: Vec<PathBuf>,
    /// With --from: only this player's mistakes.
    #[arg(long, value_name = "PLAYER", requires = "from")]
    player: Option<String>,
    /// How many questions.
    #[arg(long, value_name = "N", default_value_t = 20)]
    questions: u32,
    /// Choices lie at most so far apart, in hundredths of an ante.
    #[arg(long, value_name = "N", default_value_t = 30)]
    apart: u32,
    /// The seed of the positions.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Print the strategy card as a page of HTML instead: one sheet of paper.
    #[arg(long)]
    card: bool,
    /// A rulebook file of your own, in place of ID.
    #[arg(long, value_name = "FILE")]
    rulebook: Option<PathBuf>,
}

/// Coaches, or prints the card.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let own = arguments.rulebook.as_deref().map(rulebook::from_file).transpose()?;
    let rulebook = match (&own, &arguments.id) {
        (Some(own), _) => own,
        (None, id) => rulebook::built_in(id.as_deref().unwrap_or_default())?,
    };
    if arguments.card {
        return page::print(&card::html(rulebook)?);
    }
    let mut rater = Rater::new();
    let mistakes = own_mistakes(&mut rater, rulebook, arguments)?;
    ask(&mut rater, rulebook, arguments, Lesson::new(mistakes)).map_err(Failure::Output)?
}

/// The positions of mistakes in these scripts, dearest first.
fn own_mistakes(
    rater: &mut Rater,
    rulebook: &Rulebook,
    arguments: &Arguments,
) -> Result<Vec<Drill>, Failure> {
    let own: Vec<PathBuf> = arguments.rulebook.iter().cloned().collect();
    let library = scripts::Library::with(&own)?;
    let mut mistakes: Vec<(Fraction, Drill)> = Vec::new();
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
                for hand in rater.round(&table.book, finished)? {
                    if arguments.player.as_ref().is_some_and(|player| hand.player.0 != *player) {
                        continue;
                    }
                    let Some(dealt) = finished.play.hands.get(&hand.seat) else { continue };
                    for (stage, decision) in hand.decisions.iter().enumerate().filter(|(_, d)| d.is_mistake())
                    {
                        let board = if stage == 0 { 0 } else { stage + 2 };
                        let board = finished.play.board.get(..board).unwrap_or_default().to_vec();
                        let drill =
                            Drill { hand: dealt.cards.clone(), up: finished.play.face_up(rulebook), board };
                        mistakes.push((decision.cost, drill));
                    }
                }
            }
        }
    }
    mistakes.sort_by_key(|mistake| std::cmp::Reverse(mistake.0));
    Ok(mistakes.into_iter().map(|(_, drill)| drill).collect())
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
    let mut seen: Vec<Drill> = Vec::new();
    while asked < arguments.questions {
        let (drill, known) = match lesson.question() {
            Some(next) => next,
            None => match drills.draw(rater, rulebook, apart) {
                Ok((drill, _)) => (drill, 0),
                Err(error) => return Ok(Err(error.into())),
            },
        };
        let choices = match rater.choices(rulebook, &drill.sight()) {
            Ok(Some(choices)) => choices,
            Ok(None) => continue,
            Err(error) => return Ok(Err(error.into())),
        };
        asked += 1;
        write!(
            out,
            "\n{asked}. {}\n   {} or {}? ",
            position(&drill),
            choices.instead.code(),
            choices.raise.code()
        )?;
        out.flush()?;
        let Some(line) = lines.next().transpose()? else { break };
        let word = line.trim().to_ascii_lowercase();
        if matches!(word.as_str(), "q" | "quit" | "exit") {
            asked -= 1;
            break;
        }
        let raised = [choices.raise, choices.instead]
            .map(|action| !word.is_empty() && action.code().starts_with(&word));
        let [raised, instead] = raised;
        if raised == instead {
            writeln!(out, "   Answer {} or {}; q ends.", choices.instead.code(), choices.raise.code())?;
            asked -= 1;
            lesson.answered(drill, known, false, true);
            continue;
        }
        let correct = raised == choices.raises();
        right += u32::from(correct);
        if !correct {
            lost = lost + choices.gap();
        }
        writeln!(out, "   {}", verdict(&choices, correct))?;
        let before = seen.contains(&drill);
        seen.push(drill.clone());
        lesson.answered(drill, known, correct, before);
    }
    writeln!(out, "\n{right} of {asked} right; the others cost {} antes.", lost.decimal(3))?;
    Ok(Ok(()))
}

fn position(drill: &Drill) -> String {
    let list = |cards: &[Card]| cards.iter().map(Card::to_string).collect::<Vec<_>>().join(" ");
    let mut words = list(&drill.hand);
    if let Some(up) = drill.up {
        words.push_str(&format!(" against {up}"));
    }
    if !drill.board.is_empty() {
        words.push_str(&format!(" on {}", list(&drill.board)));
    }
    words
}

/// What the other choice costs and why.
fn verdict(choices: &Choices, correct: bool) -> String {
    let percent = |share: Fraction| share.percent(0).replace('%', " %");
    let (best, other) =
        if choices.raises() { (choices.raise, choices.instead) } else { (choices.instead, choices.raise) };
    let why = match choices.instead {
        Action::Fold => format!("you lose {} of the time", percent(choices.wrong)),
        Action::Bet | Action::Flop | Action::Check | Action::Turn | Action::River => {
            format!("you win {} of the time and lose {}", percent(choices.right), percent(choices.wrong))
        }
    };
    let gap = choices.gap().decimal(3);
    if correct {
        format!("Right: {} costs {gap} antes ({why}).", other.code())
    } else {
        format!("No: {} is best, {} costs {gap} antes ({why}).", best.code(), other.code())
    }
}
