//! What can be wrong with the text of a script, and what would be right.

use baize_cards::CardError;
use baize_rules::{MoneyError, ParagraphError};
use thiserror::Error;

use crate::vocabulary::{EXPECTATIONS, VERBS};

/// A fault of a script's text and its position.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {}", self.what())]
pub struct ParseError {
    /// The line; the first is 1.
    pub line: usize,
    /// The column of the fault in its line; the first is 1.
    pub column: usize,
    /// What is wrong.
    pub fault: Fault,
    /// What would be right, unless the fault already says so.
    pub hint: Option<String>,
}

impl ParseError {
    /// What is wrong and what would be right, without the position.
    #[must_use]
    pub fn what(&self) -> String {
        match &self.hint {
            Some(hint) => format!("{}; {hint}", self.fault),
            None => self.fault.to_string(),
        }
    }
}

/// What is wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Fault {
    /// The first word is unknown.
    #[error("`{0}` is not a word that a line begins with")]
    UnknownVerb(String),
    /// `expect` is followed by an unknown expectation.
    #[error("`{0}` is not something that can be expected")]
    UnknownExpectation(String),
    /// A word that should be one of a few.
    #[error("`{word}` is not {what}")]
    NotOneOf {
        /// What it should be.
        what: &'static str,
        /// The word.
        word: String,
        /// What it could be.
        known: Vec<&'static str>,
        /// The nearest of those.
        nearest: Option<&'static str>,
    },
    /// The line ends too early.
    #[error("{what} is missing")]
    Missing {
        /// What should follow.
        what: &'static str,
        /// How the line is written.
        usage: &'static str,
    },
    /// The line has too many words.
    #[error("`{word}` is one word too many")]
    Extra {
        /// The first word too many.
        word: String,
        /// How the line is written.
        usage: &'static str,
    },
    /// Not a card.
    #[error(transparent)]
    Card(#[from] CardError),
    /// Not an amount.
    #[error(transparent)]
    Money(#[from] MoneyError),
    /// Not a paragraph.
    #[error(transparent)]
    Paragraph(#[from] ParagraphError),
    /// Not a percentage.
    #[error("{0}")]
    Percent(String),
    /// Not the number of a box.
    #[error("`{0}` is not the number of a box: boxes are counted from 1, clockwise from the dealer's left")]
    Box(String),
    /// Not a number.
    #[error("`{0}` is not a number: write it in digits, such as 2")]
    Number(String),
    /// A fact with a wrong value.
    #[error("`{word}` does not say what it should: write {usage}")]
    Fact {
        /// The word.
        word: String,
        /// How the fact is written.
        usage: &'static str,
    },
    /// A fact that was stated before.
    #[error("`{0}` is said twice")]
    Twice(String),
    /// Not an open point or not one of its readings.
    #[error("{0}")]
    Reading(String),
    /// Only the ante and the bonus have limits.
    #[error("the {0} has no limits of its own: limits are displayed for the ante and the bonus")]
    NoLimits(&'static str),
    /// The script does not begin with its game.
    #[error("the script does not begin with its game: its first line is `game ID`")]
    GameNotFirst,
    /// The game is named again.
    #[error("the game was named before: another table can have another game with `table NAME GAME`")]
    GameTwice,
    /// Set-up after the first `open`.
    #[error("`{0}` sets the table up, but a round has been opened: set-up comes before the first `open`")]
    SetUpTooLate(&'static str),
}

impl Fault {
    /// What would be right, unless the fault itself says it.
    pub(super) fn hint(&self) -> Option<String> {
        match self {
            Fault::UnknownVerb(word) => {
                Some(match crate::vocabulary::nearest(word, VERBS.iter().map(|verb| verb.word)) {
                    Some(near) => did_you_mean(near),
                    None => {
                        let known: Vec<&str> = VERBS.iter().map(|verb| verb.word).collect();
                        format!("lines begin with {}", one_of(&known))
                    }
                })
            }
            Fault::UnknownExpectation(_) => Some(format!("write {EXPECTATIONS}")),
            Fault::NotOneOf { known, nearest, .. } => {
                Some(nearest.map_or_else(|| format!("write {}", one_of(known)), did_you_mean))
            }
            Fault::Missing { usage, .. } | Fault::Extra { usage, .. } => Some(format!("write {usage}")),
            Fault::Card(_)
            | Fault::Money(_)
            | Fault::Paragraph(_)
            | Fault::Percent(_)
            | Fault::Box(_)
            | Fault::Number(_)
            | Fault::Fact { .. }
            | Fault::Twice(_)
            | Fault::Reading(_)
            | Fault::NoLimits(_)
            | Fault::GameNotFirst
            | Fault::GameTwice
            | Fault::SetUpTooLate(_) => None,
        }
    }
}

fn did_you_mean(word: &str) -> String {
    format!("did you mean `{word}`?")
}

/// `a, b or c`.
fn one_of(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}
