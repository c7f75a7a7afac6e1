//! The rulebooks shown on pages: the built-in ones, and those that tables of the house use.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use baize_house::{House, HouseError, TableId};
use baize_rules::Rulebook;

use crate::pages::paint;

/// All rulebooks. A rulebook never changes and a house has few, so each one that was shown stays in memory for good.
pub(crate) struct Library {
    house: House,
    kept: Mutex<BTreeMap<String, &'static Rulebook>>,
}

impl Library {
    pub(crate) fn of(house: &House) -> Library {
        Library { house: house.clone(), kept: Mutex::default() }
    }

    /// The rulebook of a table.
    pub(crate) fn of_table(&self, table: &TableId) -> Result<&'static Rulebook, HouseError> {
        Ok(self.keep(&*self.house.rulebook(table)?))
    }

    /// The built-in rulebooks, then those of the house.
    pub(crate) fn all(&self) -> Vec<&'static Rulebook> {
        let mut all: Vec<&'static Rulebook> = Rulebook::builtins().iter().collect();
        for book in self.house.rulebooks() {
            if !all.iter().any(|known| known.hash == book.hash) {
                all.push(self.keep(&book));
            }
        }
        all
    }

    /// The rulebook with this slug ([`paint::slug`]).
    pub(crate) fn named(&self, name: &str) -> Result<&'static Rulebook, HouseError> {
        let found = self.all().into_iter().find(|book| paint::slug(book) == name);
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
