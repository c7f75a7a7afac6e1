//! Reads the lines that set a table up.

use baize_rules::{Area, OpenPoint, ProcedureName};

use super::fault::Fault;
use super::words::{Misread, Words};
use crate::vocabulary::nearest;
use crate::{SetUp, Stands, Statement};

/// The line after its verb, if the verb sets up the table.
pub(super) fn set_up(verb: &str, words: &mut Words<'_>) -> Option<Result<Statement, Misread>> {
    let said = match verb {
        "game" => game(words),
        "dealing" => dealing(words),
        "boxes" => boxes(words),
        "limit" => limit(words),
        "jackpot" => jackpot(words),
        "interpret" => interpret(words),
        "standing" => standing(words),
        _ => return None,
    };
    Some(said.map(Statement::SetUp))
}

fn game(words: &mut Words<'_>) -> Result<SetUp, Misread> {
    Ok(SetUp::Game(words.need("the rulebook's id")?.text.to_owned()))
}

fn dealing(words: &mut Words<'_>) -> Result<SetUp, Misread> {
    let name = words.need("the dealing procedure")?;
    name.one_of("a dealing procedure", &ProcedureName::ALL, ProcedureName::code).map(SetUp::Dealing)
}

fn boxes(words: &mut Words<'_>) -> Result<SetUp, Misread> {
    words.need("the number of boxes")?.number().map(SetUp::Boxes)
}

fn limit(words: &mut Words<'_>) -> Result<SetUp, Misread> {
    let word = words.need("the area")?;
    let area = word.one_of("an area", &Area::ALL, Area::code)?;
    if !matches!(area, Area::Ante | Area::Bonus) {
        return Err(word.at(Fault::NoLimits(area.code())));
    }
    Ok(SetUp::Limit { area, least: words.money("the minimum")?, most: words.money("the maximum")? })
}

fn jackpot(words: &mut Words<'_>) -> Result<SetUp, Misread> {
    let what = words.need("wager, meter, reset or rate")?;
    match what.one_of("a value of the jackpot", &["wager", "meter", "reset", "rate"], |word| word)? {
        "wager" => words.money("the jackpot wager").map(SetUp::JackpotWager),
        "meter" => words.money("the meter").map(SetUp::JackpotMeter),
        "reset" => words.money("the reset value").map(SetUp::JackpotReset),
        _ => {
            let rate = words.need("the rate")?;
            rate.text.parse().map(SetUp::JackpotRate).map_err(|text| rate.at(Fault::Percent(text)))
        }
    }
}

fn interpret(words: &mut Words<'_>) -> Result<SetUp, Misread> {
    let point = words.need("the open point")?;
    let reading = words.need("the reading")?;
    let open: OpenPoint = point.text.parse().map_err(|wrong| point.at(Fault::Reading(wrong)))?;
    let names: Vec<&'static str> = open.readings().iter().map(|(name, _)| *name).collect();
    match names.iter().find(|name| **name == reading.text) {
        Some(name) => Ok(SetUp::Interpret { point: open, reading: name }),
        None => Err(reading.at(Fault::NotOneOf {
            what: "a reading of this open point",
            word: reading.text.to_owned(),
            nearest: nearest(reading.text, names.iter().copied()),
            known: names,
        })),
    }
}

fn standing(words: &mut Words<'_>) -> Result<SetUp, Misread> {
    let what = words.need("what stands from earlier rounds")?;
    let stands =
        match what.one_of("something that stands from earlier rounds", &Stands::WORDS, |word| word)? {
            "no-jackpot" => Stands::NoJackpot,
            "jackpot-fault" => Stands::JackpotFault,
            "barred-box" => Stands::BarredBox(words.seat()?),
            "restricted" => Stands::Restricted(words.player()?),
            "barred" => Stands::Barred(words.player()?),
            "stopped" => Stands::Stopped(words.player()?),
            "under-minimum" => Stands::UnderMinimum(words.player()?),
            _ => {
                let played = words.need("how many rounds were played")?;
                // A table that plays day and night for thousands of years has fewer rounds.
                let known = played.digits().filter(|played| *played <= 1_000_000_000);
                Stands::Rounds(known.ok_or_else(|| played.at(Fault::Number(played.text.to_owned())))?)
            }
        };
    Ok(SetUp::Standing(stands))
}
