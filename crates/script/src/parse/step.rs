//! Reads the lines that say what happens.

use baize_cards::Card;
use baize_rules::{Area, Reveal};
use baize_table::{Choice, Command, Place, Player};

use super::words::{Misread, Words};
use super::{report, ruling};
use crate::Statement;

/// The line after its verb, if the verb is a step.
pub(super) fn step(verb: &str, words: &mut Words<'_>) -> Option<Result<Statement, Misread>> {
    let said = match verb {
        "table" => return Some(table(words)),
        "open" => Ok(Command::Open),
        "bet" => bet(words),
        "withdraw" => withdraw(words),
        "close" => Ok(Command::Close),
        "burn" => words.need("the card").and_then(|word| Ok(Command::Burn { card: word.read()? })),
        "deal" => deal(words),
        "look" => words.seat().map(|seat| Command::Look { seat }),
        "fold" => words.seat().map(|seat| Command::Fold { seat }),
        "check" => words.seat().map(|seat| Command::Check { seat }),
        "reveal" => reveal(words),
        "show" => words.seat().map(|seat| Command::Show { seat }),
        "decline" => words.seat().map(|seat| Command::Decline { seat }),
        "absent" => words.seat().map(|seat| Command::Absent { seat }),
        "report" => report::report(words).map(Command::Report),
        "option" => option(words),
        "decide" => ruling::ruling(words).map(Command::Rule),
        "settle" => Ok(Command::Settle),
        _ => return None,
    };
    Some(said.map(Statement::Step))
}

fn table(words: &mut Words<'_>) -> Result<Statement, Misread> {
    let name = words.need("the table's name")?.text.to_owned();
    Ok(Statement::Table { name, game: words.take().map(|word| word.text.to_owned()) })
}

fn area(words: &mut Words<'_>) -> Result<Area, Misread> {
    words.need("the area")?.one_of("an area", &Area::ALL, Area::code)
}

fn bet(words: &mut Words<'_>) -> Result<Command, Misread> {
    let seat = words.seat()?;
    let player = words.player()?;
    let area = area(words)?;
    let amount = words.money("the amount")?;
    let mut unnoticed = words.skip("unnoticed");
    let placed_by = words.role()?;
    unnoticed |= words.skip("unnoticed");
    Ok(Command::PlaceWager { seat, player, area, amount, unnoticed, placed_by })
}

fn withdraw(words: &mut Words<'_>) -> Result<Command, Misread> {
    Ok(Command::Withdraw { seat: words.seat()?, player: words.player()?, area: area(words)? })
}

fn deal(words: &mut Words<'_>) -> Result<Command, Misread> {
    let place = words.need("a box, board or dealer")?;
    let to = match place.text {
        "board" => Place::Board,
        "dealer" => Place::Dealer,
        text if text.starts_with(|c: char| c.is_ascii_digit()) => Place::Box(place.seat()?),
        _ => {
            place.one_of("a place for cards", &["BOX", "board", "dealer"], |word| word)?;
            return Err(place.at(super::Fault::Box(place.text.to_owned())));
        }
    };
    let mut cards: Vec<Card> = vec![words.need("a card")?.read()?];
    while let Some(word) = words.take() {
        cards.push(word.read()?);
    }
    Ok(Command::Deal { to, cards })
}

fn reveal(words: &mut Words<'_>) -> Result<Command, Misread> {
    let what = words.need("flop, turn, river or dealer")?;
    let what = what.one_of("something that the dealer turns", &Reveal::ALL, Reveal::code)?;
    Ok(Command::Reveal { what })
}

fn option(words: &mut Words<'_>) -> Result<Command, Misread> {
    let seat = words.seat()?;
    let first = words.need("the choice")?;
    // With a name before the choice, that player chooses for their own chips on the box.
    let (player, choice) = match words.take() {
        None => (None, first),
        Some(choice) => (Some(Player::from(first.text)), choice),
    };
    let choice = choice.one_of("a choice", &Choice::ALL, Choice::code)?;
    Ok(Command::Choose { seat, player, choice })
}
