//! Reads the text of a script.
//!
//! All faults are found at once, each with its line, its column and what would be right. No text makes it panic. A line that
//! cannot be parsed is a fault even if the next one expects a refusal: only the table refuses.

mod expectation;
mod fault;
mod order;
mod report;
mod ruling;
mod set_up;
mod step;
mod words;

pub use fault::{Fault, ParseError};

use self::words::{Misread, Words};
use crate::vocabulary;
use crate::{Script, ScriptLine, Statement};

/// A line of the text that is neither blank nor only a comment.
struct ReadLine<'t> {
    number: usize,
    text: &'t str,
    verb: &'t str,
    said: Result<Statement, Misread>,
}

impl Script {
    /// Reads a script.
    ///
    /// # Errors
    /// Every fault of the text, in the order of the lines.
    pub fn parse(text: &str) -> Result<Script, Vec<ParseError>> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut lines: Vec<ReadLine<'_>> =
            text.lines().enumerate().filter_map(|(at, text)| read_line(at + 1, text)).collect();
        order::check(&mut lines);
        let mut errors = Vec::new();
        let mut good = Vec::new();
        let none = lines.is_empty();
        for ReadLine { number, said, .. } in lines {
            match said {
                Ok(statement) => good.push(ScriptLine { number, statement }),
                Err(misread) => errors.push(error(number, &misread)),
            }
        }
        if none {
            let nothing = Misread { column: 1, fault: Fault::GameNotFirst };
            errors.push(error(1, &nothing));
        }
        if errors.is_empty() { Ok(Script { heading: heading(text), lines: good }) } else { Err(errors) }
    }
}

/// The comment lines at the top, without surrounding blank ones.
fn heading(text: &str) -> Vec<String> {
    let mut heading: Vec<String> = text
        .lines()
        .skip_while(|line| line.trim().is_empty())
        .map_while(|line| line.trim().strip_prefix('#'))
        .map(|comment| comment.trim().to_owned())
        .skip_while(String::is_empty)
        .collect();
    while heading.last().is_some_and(String::is_empty) {
        heading.pop();
    }
    heading
}

fn read_line(number: usize, text: &str) -> Option<ReadLine<'_>> {
    let mut words = Words::of(text);
    let verb = words.take()?;
    words.written(vocabulary::usage(verb.text));
    let said = if verb.text == "expect" {
        expectation::expectation(&mut words).map(Statement::Expect)
    } else {
        set_up::set_up(verb.text, &mut words)
            .or_else(|| step::step(verb.text, &mut words))
            .unwrap_or_else(|| Err(verb.at(Fault::UnknownVerb(verb.text.to_owned()))))
    };
    let said = said.and_then(|statement| words.end().map(|()| statement));
    Some(ReadLine { number, text, verb: verb.text, said })
}

fn error(line: usize, misread: &Misread) -> ParseError {
    ParseError { line, column: misread.column, hint: misread.fault.hint(), fault: misread.fault.clone() }
}
