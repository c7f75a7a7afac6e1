//! A rulebook in our own words: an introduction for a new dealer.
//!
//! Everything is generated from the data, so a changed rulebook explains itself. A guide has no layout: the
//! terminal and the pages each lay it out in their own way.

mod pay;
mod play;
mod trouble;

use serde::Serialize;

use crate::{Cites, Rulebook};

/// A game explained.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Guide {
    /// The name of the game.
    pub title: String,
    /// Operator, version and effective date.
    pub subtitle: String,
    /// The sections, in reading order.
    pub sections: Vec<Section>,
}

/// A section of a guide.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Section {
    /// What it is about.
    pub title: String,
    /// What it says.
    pub blocks: Vec<Block>,
}

/// A part of a section.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Block {
    /// Running text.
    Text(Said),
    /// Points in no particular order.
    Points(Vec<Said>),
    /// Numbered steps under a title.
    Steps {
        /// What is done.
        title: Said,
        /// How, in order.
        steps: Vec<Said>,
    },
    /// A pay table under a title.
    Table {
        /// What it pays.
        title: Said,
        /// The lines, the highest first.
        rows: Vec<Row>,
    },
    /// A term and its explanation.
    Entry {
        /// The short name, as scripts and data write it.
        code: String,
        /// The term in plain words.
        title: Said,
        /// The explanation.
        points: Vec<Said>,
    },
}

/// A line of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Row {
    /// The item.
    pub left: String,
    /// Any further condition.
    pub note: Option<String>,
    /// How much.
    pub right: String,
    /// The paragraphs, if they are not those of the whole table.
    pub cites: Cites,
}

/// Words and the paragraphs behind them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Said {
    /// The words.
    pub words: String,
    /// The paragraphs.
    pub cites: Cites,
}

impl Said {
    fn new(words: impl Into<String>, cites: Cites) -> Said {
        Said { words: words.into(), cites }
    }

    fn plain(words: impl Into<String>) -> Said {
        Said::new(words, Cites::NONE)
    }
}

impl Rulebook {
    /// The version and the effective date, if the text states them: "version 6, from 28 June 2020".
    #[must_use]
    pub fn edition(&self) -> String {
        if !self.is_approved() {
            return "not an approved version".to_owned();
        }
        match (&self.version, &self.effective) {
            (Some(version), Some(effective)) => format!("version {version}, from {effective}"),
            (Some(version), None) => format!("version {version}"),
            (None, Some(effective)) => format!("from {effective}"),
            (None, None) => "version not stated".to_owned(),
        }
    }

    /// The game in our own words.
    #[must_use]
    pub fn guide(&self) -> Guide {
        let section = |title: &str, blocks| Section { title: title.to_owned(), blocks };
        Guide {
            title: self.name.clone(),
            subtitle: format!("{}, {}. Id: {}", self.operator, self.edition(), self.id),
            sections: vec![
                section("The game in short", play::in_short(self)),
                section("Wagers", play::wagers(self)),
                section("A round, step by step", play::procedures(self)),
                section("Settlement", pay::settlement(self)),
                section("Progressive jackpot", pay::jackpot(self)),
                section("When a wager is wrong or a player has walked away", trouble::wagers(self)),
                section("When something goes wrong at the table", trouble::reports(self)),
                section("What the text leaves open", trouble::open_points(self)),
            ],
        }
    }
}

/// The number in words up to ten.
fn number(n: usize) -> String {
    let words = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    words.get(n).map_or_else(|| n.to_string(), ToString::to_string)
}

/// "two cards", "one card".
fn cards(n: usize) -> String {
    format!("{} card{}", number(n), if n == 1 { "" } else { "s" })
}

/// "ante, flop and turn".
fn list<S: AsRef<str>>(names: &[S]) -> String {
    match names {
        [] => String::new(),
        [one] => one.as_ref().to_owned(),
        [first @ .., last] => {
            let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", first.join(", "), last.as_ref())
        }
    }
}

/// The words with an initial capital.
fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
