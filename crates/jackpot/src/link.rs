//! A table that is linked to a jackpot, with the rules that it plays by.

use baize_rules::{AcrossTables, JackpotRules, Readings, Rulebook};
use serde::{Deserialize, Serialize};

/// A linked table. It carries its rules, so that the jackpot's own record says by what each award was paid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableLink {
    /// The table's name: unique in the house.
    pub name: String,
    /// The id of the rulebook that it plays by.
    pub rulebook: String,
    /// The hash of that rulebook's text.
    pub hash: String,
    /// A jackpot wager is the prescribed amount times one of 1 to this.
    pub multiples: u32,
    /// The pay table and the order of payment.
    pub rules: JackpotRules,
    /// The readings in force.
    pub readings: Readings,
}

impl TableLink {
    /// A table that plays by this rulebook with its usual readings.
    #[must_use]
    pub fn new(name: impl Into<String>, rulebook: &Rulebook) -> TableLink {
        TableLink {
            name: name.into(),
            rulebook: rulebook.id.clone(),
            hash: rulebook.hash.clone(),
            multiples: rulebook.betting.jackpot_multiples.value,
            rules: rulebook.jackpot.clone(),
            readings: rulebook.readings,
        }
    }

    /// The same table with other readings.
    #[must_use]
    pub fn with_readings(mut self, readings: Readings) -> TableLink {
        self.readings = readings;
        self
    }

    /// Whether winners across tables are paid in the order of the deal.
    #[must_use]
    pub fn dealt_first(&self) -> bool {
        self.rules.across_tables.value == AcrossTables::DealtFirst
    }
}
