//! A table linked to a jackpot, with its rules.

use baize_rules::{AcrossTables, JackpotRules, Readings, Rulebook};
use serde::{Deserialize, Serialize};

/// A linked table with its rules: the jackpot's own record shows under which rules each award was paid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableLink {
    /// The table's name: unique in the house.
    pub name: String,
    /// The id of its rulebook.
    pub rulebook: String,
    /// The hash of that rulebook's text.
    pub hash: String,
    /// A jackpot wager is the prescribed amount times 1 up to this number.
    pub multiples: u32,
    /// The pay table and the order of payment.
    pub rules: JackpotRules,
    /// The readings in force.
    pub readings: Readings,
}

impl TableLink {
    /// A table with this rulebook and its default readings.
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
