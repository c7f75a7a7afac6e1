//! One game's coverage: for each paragraph of its text the scenarios that show it, or the reason that none does.

use super::citations;
use super::number::Number;
use super::register::{Paragraph, Register};
use super::scenario::Scenario;
use crate::problem::Problem;

/// A game with its register and what has been held against it.
pub struct Game {
    /// The game's id.
    pub id: String,
    /// The paragraphs of its text.
    pub register: Register,
    /// Faults in the register, the rulebook and the scenarios.
    pub faults: Vec<Problem>,
    scenarios: Vec<Scenario>,
}

/// How a paragraph is accounted for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// These scenarios show it.
    Shown(Vec<String>),
    /// It has parts, each of them is accounted for and at least one of them is shown.
    ShownByParts,
    /// It is not modelled, for this reason.
    NotModelled(String),
    /// Nothing shows it and nothing excuses it.
    Uncovered,
}

/// How many paragraphs of a section are accounted for, and how.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// All of them.
    pub paragraphs: usize,
    /// Shown by a scenario of their own or through their parts.
    pub shown: usize,
    /// Not modelled, with a reason.
    pub not_modelled: usize,
    /// Neither.
    pub uncovered: usize,
}

impl Count {
    fn add(&mut self, status: &Status) {
        self.paragraphs += 1;
        match status {
            Status::Shown(_) | Status::ShownByParts => self.shown += 1,
            Status::NotModelled(_) => self.not_modelled += 1,
            Status::Uncovered => self.uncovered += 1,
        }
    }
}

impl Game {
    /// A game as its register describes it.
    pub fn new(id: &str, register: Register) -> Self {
        let faults = register.faults.clone();
        Self { id: id.to_owned(), register, faults, scenarios: Vec::new() }
    }

    /// Holds a scenario against the register.
    pub fn add_scenario(&mut self, scenario: Scenario) {
        self.faults.extend(scenario.faults.iter().cloned());
        let shows = scenario.shows.iter().map(|(line, number)| ("shows", *line, number));
        let cites = scenario.cites.iter().map(|(line, number)| ("cites", Some(*line), number));
        for (verb, line, number) in shows.chain(cites) {
            if !self.register.has(number) {
                let message = citations::unknown(verb, number, &self.register);
                self.faults.push(Problem { path: scenario.path.clone(), line, message });
            }
        }
        self.scenarios.push(scenario);
    }

    /// How the paragraph is accounted for.
    pub fn status(&self, paragraph: &Paragraph) -> Status {
        let scenarios = self.shown_by(&paragraph.number);
        if !scenarios.is_empty() {
            return Status::Shown(scenarios);
        }
        if let Some(reason) = &paragraph.not_modelled {
            return Status::NotModelled(reason.clone());
        }
        let parts: Vec<Status> = self.parts(&paragraph.number).map(|part| self.status(part)).collect();
        if parts.is_empty() || parts.contains(&Status::Uncovered) {
            Status::Uncovered
        } else if parts.iter().all(|part| matches!(part, Status::NotModelled(_))) {
            Status::NotModelled("None of its parts is modelled.".to_owned())
        } else {
            Status::ShownByParts
        }
    }

    /// What keeps the register from being complete: each paragraph is shown or excused, not neither, not both.
    pub fn gaps(&self) -> Vec<Problem> {
        self.register.paragraphs.iter().filter_map(|paragraph| self.gap(paragraph)).collect()
    }

    /// The counts for each section, in the order of the text.
    pub fn sections(&self) -> Vec<(String, Count)> {
        let mut sections: Vec<(String, Count)> = Vec::new();
        for paragraph in &self.register.paragraphs {
            let section = paragraph.number.section();
            if sections.last().is_none_or(|(last, _)| *last != section) {
                sections.push((section, Count::default()));
            }
            if let Some((_, count)) = sections.last_mut() {
                count.add(&self.status(paragraph));
            }
        }
        sections
    }

    /// The counts for the whole text.
    pub fn total(&self) -> Count {
        let mut total = Count::default();
        self.register.paragraphs.iter().for_each(|paragraph| total.add(&self.status(paragraph)));
        total
    }

    fn gap(&self, paragraph: &Paragraph) -> Option<Problem> {
        let number = &paragraph.number;
        let message = match (self.status(paragraph), &paragraph.not_modelled) {
            (Status::Uncovered, _) => format!("{number} has neither a scenario nor a reason for having none"),
            (Status::Shown(by), Some(_)) => {
                format!("{number} is `not_modelled`, and yet {} shows it", by.join(", "))
            }
            _ => return None,
        };
        Some(Problem::at(&self.register.path, paragraph.line, message))
    }

    fn parts<'a>(&'a self, number: &'a Number) -> impl Iterator<Item = &'a Paragraph> {
        self.register.paragraphs.iter().filter(move |part| part.number.parent().as_ref() == Some(number))
    }

    fn shown_by(&self, number: &Number) -> Vec<String> {
        let shows = |scenario: &&Scenario| scenario.shows.iter().any(|(_, shown)| shown == number);
        self.scenarios.iter().filter(shows).map(|scenario| scenario.path.clone()).collect()
    }
}
