//! Reads a report of an irregularity.

use baize_rules::{BoxNumber, FaultScope, IrregularityKind, Whose};
use baize_table::{Facts, Player, Report};

use super::fault::Fault;
use super::words::{Misread, Word, Words};
use crate::vocabulary::FACTS;

/// `KIND [BOX] [name=value…] [by ROLE [NAME]]`.
pub(super) fn report(words: &mut Words<'_>) -> Result<Report, Misread> {
    let kind = words.need("the kind of irregularity")?;
    let kind = kind.one_of("an irregularity", &IrregularityKind::ALL, IrregularityKind::code)?;
    let mut seat = None;
    let mut facts = Facts::default();
    let mut stated = Vec::new();
    while let Some(word) = words.peek().filter(|word| word.text != "by") {
        words.take();
        match word.text.split_once('=') {
            Some((name, value)) => {
                if stated.contains(&name) {
                    return Err(word.at(Fault::Twice(name.to_owned())));
                }
                stated.push(name);
                // A betting device belongs to its box.
                if name == "device" && seat.is_some() {
                    return Err(word.at(Fault::Twice("the box".to_owned())));
                } else if name == "device" {
                    seat = Some(Word { text: value, column: word.column + name.chars().count() + 1 }.seat()?);
                    facts.scope.get_or_insert(FaultScope::Box);
                } else {
                    fact(&mut facts, word, name, value)?;
                }
            }
            None if seat.is_some() => return Err(word.at(Fault::Twice("the box".to_owned()))),
            None => seat = Some(word.seat()?),
        }
    }
    Ok(Report { kind, seat, facts, by: words.staff()? })
}

fn fact(facts: &mut Facts, word: Word<'_>, name: &str, value: &str) -> Result<(), Misread> {
    let names: Vec<&'static str> = FACTS.iter().map(|(name, _)| *name).collect();
    let name = Word { text: name, ..word }.one_of("a fact of a report", &names, |name| name)?;
    let usage = FACTS.iter().find(|(known, _)| *known == name).map_or("", |(_, usage)| usage);
    let value = Word { text: value, column: word.column + name.chars().count() + 1 };
    let wrong = || value.at(Fault::Fact { word: word.text.to_owned(), usage });
    let yes_or_no = || match value.text {
        "yes" => Ok(Some(true)),
        "no" => Ok(Some(false)),
        _ => Err(wrong()),
    };
    match name {
        "count" => facts.count = Some(value.digits().ok_or_else(wrong)?),
        "seen" => facts.seen = yes_or_no()?,
        "reconstructable" => facts.reconstructable = yes_or_no()?,
        "intentional" => facts.intentional = yes_or_no()?,
        "whose" => {
            facts.whose = Some(match value.text {
                "dealer" => Whose::Dealer,
                "other" => Whose::Other,
                _ => return Err(wrong()),
            });
        }
        "card" => facts.card = Some(value.read()?),
        "player" if !value.text.is_empty() => facts.player = Some(Player::from(value.text)),
        "boxes" => facts.boxes = value.text.split(',').map(seat).collect::<Option<_>>().ok_or_else(wrong)?,
        "moves" => {
            facts.moves = value.text.split(',').map(a_move).collect::<Option<_>>().ok_or_else(wrong)?
        }
        "dealing" => facts.dealing = yes_or_no()?,
        "scope" => {
            let scope = FaultScope::ALL.into_iter().find(|scope| scope.code() == value.text);
            facts.scope = Some(scope.ok_or_else(wrong)?);
        }
        "shift" => facts.shift = yes_or_no()? == Some(true),
        "card-by-card" => facts.card_by_card = yes_or_no()? == Some(true),
        "round" if value.text == "previous" => facts.previous_round = true,
        _ => return Err(wrong()),
    }
    Ok(())
}

fn seat(text: &str) -> Option<BoxNumber> {
    Word { text, column: 0 }.seat().ok()
}

fn a_move(text: &str) -> Option<(BoxNumber, BoxNumber)> {
    let (from, to) = text.split_once('>')?;
    Some((seat(from)?, seat(to)?))
}
