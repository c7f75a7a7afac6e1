//! Results of a run.

use std::collections::BTreeMap;

/// What was covered.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Covered {
    /// Casinos.
    pub casinos: u64,
    /// Rounds that ended.
    pub rounds: u64,
    /// Rounds by outcome.
    pub ended: BTreeMap<String, u64>,
    /// Requests.
    pub orders: u64,
    /// Requests by answer.
    pub answers: BTreeMap<&'static str, u64>,
    /// Journal entries.
    pub entries: u64,
    /// Faults that took effect.
    pub faults: BTreeMap<&'static str, u64>,
}

impl Covered {
    /// Adds another run.
    pub fn add(&mut self, other: &Covered) {
        self.casinos += other.casinos;
        self.rounds += other.rounds;
        self.orders += other.orders;
        self.entries += other.entries;
        for (how, count) in &other.ended {
            *self.ended.entry(how.clone()).or_default() += count;
        }
        for (how, count) in &other.answers {
            *self.answers.entry(how).or_default() += count;
        }
        for (fault, count) in &other.faults {
            *self.faults.entry(fault).or_default() += count;
        }
    }
}

/// A failure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The step at which it was found.
    pub step: usize,
    /// What is wrong.
    pub what: Vec<String>,
    /// The last entries of the journal.
    pub journal: Vec<String>,
    /// The last round of every table, by its name, as a script.
    pub rounds: Vec<(String, String)>,
}

impl Failure {
    /// Kind of the failure: the first words of its first message, without those that contain digits.
    #[must_use]
    pub fn kind(&self) -> String {
        let first = self.what.first().map_or("", String::as_str);
        let words = first.split_whitespace().filter(|word| !word.chars().any(|c| c.is_ascii_digit()));
        words.take(8).collect::<Vec<_>>().join(" ")
    }
}

/// Result of a plan.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The failure, if any.
    pub failure: Option<Failure>,
    /// What was covered.
    pub covered: Covered,
    /// Hash of everything written and answered.
    pub trace: String,
}

impl Outcome {
    /// A run that failed before it covered anything.
    #[must_use]
    pub fn failed(what: Vec<String>) -> Outcome {
        let failure = Failure { step: 0, what, journal: Vec::new(), rounds: Vec::new() };
        Outcome { failure: Some(failure), covered: Covered::default(), trace: String::new() }
    }
}
