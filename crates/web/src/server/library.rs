//! The rulebooks that pages show: the program's own, and those that tables of the house are played under.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use baize_house::{House, HouseError, TableId};
use baize_rules::Rulebook;

use crate::pages::paint;

/// All of them. A rulebook never changes and a house has few: each that was shown once is kept as long as the program runs.
pub(crate) struct Library {
    house: House,
    kept: Mutex<BTreeMap<String, &'static Rulebook>>,
}

impl Library {
    pub(crate) fn of(house: &House) -> Library {
        Library { house: house.clone(), kept: Mutex::default() }
    }

    /// The rulebook that a table is played under.
    pub(crate) fn of_table(&self, table: &TableId) -> Result<&'static Rulebook, HouseError> {
        Ok(self.keep(&*self.house.rulebook(table)?))
    }

    /// The program's own, then those of the house.
    pub(crate) fn all(&self) -> Vec<&'static Rulebook> {
        let mut all: Vec<&'static Rulebook> = Rulebook::builtins().iter().collect();
        for book in self.house.rulebooks() {
            if !all.iter().any(|known| known.hash == book.hash) {
                all.push(self.keep(&book));
            }
        }
        all
    }

    /// The rulebook that has this name in addresses.
    pub(crate) fn named(&self, name: &str) -> Result<&'static Rulebook, HouseError> {
        let found = self.all().into_iter().find(|book| paint::rulebook(book) == name);
        found.ok_or_else(|| HouseError::UnknownRulebook(name.chars().take(64).collect()))
    }

    fn keep(&self, book: &Rulebook) -> &'static Rulebook {
        if let Some(own) = Rulebook::builtin(&book.id).filter(|own| own.hash == book.hash) {
            return own;
        }
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.entry(book.hash.clone()).or_insert_with(|| Box::leak(Box::new(book.clone())))
    }
}
