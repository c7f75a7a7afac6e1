//! The order of lines: the game first and once, set-up before the first round.

use baize_table::Command;

use super::ReadLine;
use super::fault::Fault;
use super::words::{Misread, Words};
use crate::{SetUp, Statement};

/// Marks the lines that are in the wrong place.
pub(super) fn check(lines: &mut [ReadLine<'_>]) {
    let mut tables: Vec<(Option<String>, bool)> = vec![(None, false)];
    let mut current = 0;
    let mut opened = false;
    for (at, line) in lines.iter_mut().enumerate() {
        let fault = match &line.said {
            Ok(Statement::SetUp(SetUp::Game(_))) if at > 0 => Some(Fault::GameTwice),
            // The jackpot is shared: its set-up comes before the first round of any table.
            Ok(Statement::SetUp(what)) if tables[current].1 || (what.verb() == "jackpot" && opened) => {
                Some(Fault::SetUpTooLate(what.verb()))
            }
            Ok(Statement::Table { name, .. }) => {
                let known = tables.iter().position(|(known, _)| known.as_ref() == Some(name));
                current = known.unwrap_or(tables.len());
                if known.is_none() {
                    tables.push((Some(name.clone()), false));
                }
                None
            }
            Ok(Statement::Step(Command::Open)) => {
                tables[current].1 = true;
                opened = true;
                None
            }
            _ => None,
        };
        let fault = if at == 0 && line.verb != "game" { Some(Fault::GameNotFirst) } else { fault };
        // A line that already has a fault keeps it: one fault per line is enough.
        if let Some(fault) = fault
            && line.said.is_ok()
        {
            let column = Words::of(line.text).peek().map_or(1, |word| word.column);
            line.said = Err(Misread { column, fault });
        }
    }
}
