//! Rulebooks of tables: the program's own, and those of the house.

use std::sync::Arc;

use baize_rules::Rulebook;

use super::create::taken_is_fine;
use super::{Answer, House};
use crate::facts::HouseFact;
use crate::{Actor, HouseError, JackpotConfig, JackpotId, TableConfig, TableId};

impl House {
    /// Opens a table of a rulebook of the user's own, named after it (`xx-1`), unless a table is played under this very text. The table
    /// is linked to the jackpot of the rulebook's operator, which is opened where there is none.
    ///
    /// # Errors
    /// A text with faults; an operator whose name is no name for a jackpot.
    pub async fn set_up_own(&self, by: &Actor, text: &str) -> Answer<TableId> {
        let book = Rulebook::parse_own("rulebook", text).map_err(HouseError::Rulebook)?;
        let jackpot: JackpotId = book.operator.parse()?;
        if self.jackpot_slot(&jackpot).is_err() {
            taken_is_fine(self.create_jackpot(by, JackpotConfig::usual(jackpot.clone())).await)?;
        }
        let mut number = 1_u32;
        loop {
            if let Some(slot) =
                self.table_slots().iter().find(|slot| slot.shown.get().live.book.hash == book.hash)
            {
                return Ok(slot.id.clone());
            }
            let id: TableId = format!("{}-{number}", book.short.to_lowercase()).parse()?;
            let money = self.inner.shown.get().money_of_jackpot(&jackpot);
            let config =
                TableConfig { money, ..TableConfig::usual(id.clone(), &book, Some(jackpot.clone())) };
            match self.create_table_of(by, config, text).await {
                Ok(()) => return Ok(id),
                Err(HouseError::NameTaken(_)) => number += 1,
                Err(other) => return Err(other),
            }
        }
    }

    /// Tables from before rulebooks were recorded are played under the program's own. As long as that is the one that they were set up
    /// with, its text is recorded now, so that they keep it when the program changes.
    pub(crate) async fn record_rulebooks(&self) -> Answer<()> {
        let slots = self.table_slots();
        let books: Vec<Arc<Rulebook>> = slots
            .iter()
            .map(|slot| slot.shown.get())
            .filter(|shown| shown.halted.is_none())
            .map(|shown| Arc::clone(&shown.live.book))
            .collect();
        self.note(&Actor::House, |register| {
            let mut facts = Vec::new();
            for book in books.iter().filter(|book| !register.rulebooks.holds(&book.hash)) {
                let text = Rulebook::builtin_text(&book.id).unwrap_or_default().to_owned();
                let fact = HouseFact::RulebookRecorded { hash: book.hash.clone(), text };
                if !facts.contains(&fact) {
                    facts.push(fact);
                }
            }
            Ok(facts)
        })
        .await
    }

    /// The rulebook that a table is played under.
    pub fn rulebook(&self, table: &TableId) -> Answer<Arc<Rulebook>> {
        Ok(Arc::clone(&self.table_slot(table)?.shown.get().live.book))
    }

    /// The rulebooks that tables are played under, each once.
    #[must_use]
    pub fn rulebooks(&self) -> Vec<Arc<Rulebook>> {
        let mut books: Vec<Arc<Rulebook>> = Vec::new();
        for slot in self.table_slots() {
            let book = Arc::clone(&slot.shown.get().live.book);
            if !books.iter().any(|known| known.hash == book.hash) {
                books.push(book);
            }
        }
        books
    }

    /// Its text, as the journal holds it.
    ///
    /// # Errors
    /// No such table, or its text is not on record.
    pub fn rulebook_text(&self, table: &TableId) -> Answer<String> {
        let book = self.rulebook(table)?;
        let register = self.inner.shown.get();
        let text = register.rulebooks.text(&book.hash).or_else(|| Rulebook::builtin_text(&book.id));
        text.map(str::to_owned).ok_or_else(|| HouseError::UnknownRulebook(book.id.clone()))
    }
}
