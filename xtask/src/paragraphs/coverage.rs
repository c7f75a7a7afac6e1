//! One game's coverage: for each paragraph of its text the places where it is implemented and the scenarios that show
//! it, or the reason that there are none.

use std::collections::{BTreeMap, BTreeSet};

use super::citations::{self, Rulebook};
use super::marks::{Mark, Says};
use super::number::Number;
use super::register::{Paragraph, Register};
use super::scenario::Scenario;
use crate::problem::Problem;
use crate::workspace::File;

/// The entries of a rulebook that decide about money or a report: the answer names their paragraph.
const ANSWERS: [&str; 3] = ["irregularities.", "settlement.", "bonus"];

/// The ranking of hands decides who wins, but no answer names it.
const RANKING: &str = "settlement.ranking";

/// A game with its register and what was checked against it.
pub struct Game {
    /// The game's id.
    pub id: String,
    /// The paragraphs of its text.
    pub register: Register,
    /// Faults in the register, the rulebook and the scenarios.
    pub faults: Vec<Problem>,
    /// Its rulebook.
    pub rulebook: Rulebook,
    scenarios: Vec<Scenario>,
    places: BTreeMap<Number, BTreeSet<Place>>,
    tests: BTreeMap<Number, BTreeSet<Place>>,
}

/// A place in the project: an entry of a rulebook, an item of the code, a scenario, a test.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// `irregularities.absent`, `table::settle::judge`, `3.9.1-fold-loses-the-ante`.
    pub name: String,
    /// The file.
    pub path: String,
}

/// Where a paragraph is implemented.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lives {
    /// In these places.
    In(Vec<Place>),
    /// It has parts, and they are implemented somewhere.
    InItsParts,
    /// No entry of the rulebook cites it and no mark in the code names it.
    Nowhere,
}

/// How a paragraph is accounted for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// These scenarios and tests show it.
    Shown(Vec<Place>),
    /// It has parts, each is accounted for and at least one is shown.
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
    /// A game from its register.
    pub fn new(id: &str, register: Register) -> Self {
        let faults = register.faults.clone();
        Self {
            id: id.to_owned(),
            register,
            faults,
            rulebook: Rulebook::default(),
            scenarios: Vec::new(),
            places: BTreeMap::new(),
            tests: BTreeMap::new(),
        }
    }

    /// Checks the rulebook against the register.
    pub fn add_rulebook(&mut self, file: &File) {
        self.rulebook = Rulebook::read(file, &self.register, &mut self.faults);
        for (number, entry) in &self.rulebook.cited {
            let place = Place { name: entry.clone(), path: file.path.clone() };
            self.places.entry(number.clone()).or_default().insert(place);
        }
    }

    /// Checks a mark or a mention in the code against the register, if its names are those of this game.
    pub fn add_mark(&mut self, file: &File, mark: &Mark) {
        let Rulebook { short, operator, .. } = &self.rulebook;
        if !mark.names.iter().any(|name| name == short || name == operator) {
            return;
        }
        for number in &mark.numbers {
            if !self.register.has(number) {
                let message = citations::unknown("names", number, &self.register);
                self.faults.push(Problem::at(&file.path, mark.line, message));
                continue;
            }
            let (among, name) = match &mark.says {
                Says::LivesIn(item) => (&mut self.places, item),
                Says::ShownBy(test) => (&mut self.tests, test),
                Says::Mentioned => continue,
            };
            let place = Place { name: name.clone(), path: file.path.clone() };
            among.entry(number.clone()).or_default().insert(place);
        }
    }

    /// Checks a scenario against the register.
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

    /// Where the paragraph is implemented.
    pub fn lives(&self, paragraph: &Paragraph) -> Lives {
        if let Some(places) = self.places.get(&paragraph.number) {
            return Lives::In(places.iter().cloned().collect());
        }
        let parts: Vec<&Paragraph> = self.parts(&paragraph.number).collect();
        let homeless = |part: &&Paragraph| part.not_modelled.is_none() && self.lives(part) == Lives::Nowhere;
        let lives = parts.iter().any(|part| self.lives(part) != Lives::Nowhere);
        if lives && !parts.iter().any(homeless) { Lives::InItsParts } else { Lives::Nowhere }
    }

    /// What keeps the register from being complete: a paragraph that is implemented nowhere or shown by
    /// nothing, and not excused.
    pub fn gaps(&self) -> Vec<Problem> {
        self.register.paragraphs.iter().flat_map(|paragraph| self.gap(paragraph)).collect()
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

    fn gap(&self, paragraph: &Paragraph) -> Vec<Problem> {
        let number = &paragraph.number;
        let mut messages = Vec::new();
        match (self.status(paragraph), &paragraph.not_modelled) {
            (Status::Uncovered, _) => {
                messages.push(format!("{number} has neither a scenario nor a reason for having none"));
            }
            (Status::Shown(by), Some(_)) => {
                messages.push(format!("{number} is `not_modelled`, but {} shows it", names(&by)));
            }
            _ => {}
        }
        if let Some(message) = self.unasked(paragraph) {
            messages.push(message);
        }
        match (self.lives(paragraph), &paragraph.not_modelled) {
            (Lives::Nowhere, None) => messages.push(format!(
                "{number} is implemented nowhere: no rulebook entry cites it and no mark in the code names it"
            )),
            (Lives::In(places), Some(_)) => {
                messages
                    .push(format!("{number} is `not_modelled`, but it is implemented in {}", names(&places)));
            }
            _ => {}
        }
        let problem = |message| Problem::at(&self.register.path, paragraph.line, message);
        messages.into_iter().map(problem).collect()
    }

    /// A deciding paragraph is shown only if a scenario asks for it: a script that would not notice its absence shows
    /// nothing.
    fn unasked(&self, paragraph: &Paragraph) -> Option<String> {
        let number = &paragraph.number;
        let entry = self.answered_by(number)?;
        let asked = self.claiming(number).any(|scenario| scenario.asks_for(number));
        let excused = asked || self.tests.contains_key(number);
        match (&paragraph.unasked, excused) {
            (None, false) => Some(format!(
                "{number} is shown by {}, but no `expect` there cites it, though {entry} does",
                names(&self.shown_by(number))
            )),
            (Some(_), true) => Some(format!("{number} is `unasked`, but a scenario or a test asks for it")),
            (None, true) | (Some(_), false) => None,
        }
    }

    fn parts<'a>(&'a self, number: &'a Number) -> impl Iterator<Item = &'a Paragraph> {
        self.register.paragraphs.iter().filter(move |part| part.number.parent().as_ref() == Some(number))
    }

    fn shown_by(&self, number: &Number) -> Vec<Place> {
        let scenarios = self
            .claiming(number)
            .map(|scenario| Place { name: scenario.name().to_owned(), path: scenario.path.clone() });
        let tests = self.tests.get(number).into_iter().flatten().cloned();
        scenarios.chain(tests).collect()
    }

    /// The scenarios that claim to show this paragraph.
    fn claiming<'a>(&'a self, number: &'a Number) -> impl Iterator<Item = &'a Scenario> {
        let shows = move |scenario: &&Scenario| scenario.shows.iter().any(|(_, shown)| shown == number);
        self.scenarios.iter().filter(shows)
    }

    /// The rulebook entry that answers with this paragraph, so that an `expect` can ask for it.
    fn answered_by(&self, number: &Number) -> Option<&str> {
        let cited = self.rulebook.cited.iter().filter(|(cited, _)| cited == number);
        let answers = |entry: &str| ANSWERS.iter().any(|answer| entry.starts_with(answer));
        cited.map(|(_, entry)| entry.as_str()).find(|entry| answers(entry) && *entry != RANKING)
    }
}

fn names(places: &[Place]) -> String {
    places.iter().map(|place| place.name.as_str()).collect::<Vec<_>>().join(", ")
}
