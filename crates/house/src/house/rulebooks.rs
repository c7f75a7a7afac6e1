//! The rulebooks of tables: built-in ones and your own.

use std::sync::Arc;

use baize_rules::Rulebook;

use super::create::ignore_taken;
use super::{Answer, House};
use crate::boxed;
use crate::facts::HouseFact;
use crate::{Actor, HouseError, JackpotConfig, JackpotId, TableConfig, TableId};

impl House {
    /// Sets up a table for your own rulebook, named after it (`xx-1`), unless a table is already played under exactly this text. It is
    /// linked to the jackpot of the rulebook's operator, which is created if needed.
    ///
    /// # Errors
    /// The text has faults; the operator's name is not a valid name for a jackpot.
    #[boxed]
    pub async fn set_up_own(&self, by: &Actor, text: &str) -> Answer<TableId> {
        let book = Rulebook::parse_own("rulebook", text).map_err(HouseError::Rulebook)?;
        let jackpot: JackpotId = book.operator.parse()?;
        if self.jackpot_slot(&jackpot).is_err() {
            ignore_taken(self.create_jackpot(by, JackpotConfig::usual(jackpot.clone())).await)?;
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

    /// Migration: records the rulebooks of tables from before texts were recorded, so that a later program does not change them.
    pub(crate) async fn record_rulebooks(&self) -> Answer<()> {
        let slots = self.table_slots();
        let books: Vec<Arc<Rulebook>> = slots
            .iter()
            .map(|slot| slot.shown.get())
            .filter(|shown| shown.halted.is_none())
            .map(|shown| Arc::clone(&shown.live.book))
            .collect();
        self.append_facts(&Actor::House, |register| {
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

    /// A table's rulebook.
    pub fn rulebook(&self, table: &TableId) -> Answer<Arc<Rulebook>> {
        Ok(Arc::clone(&self.table_slot(table)?.shown.get().live.book))
    }

    /// The rulebooks of all tables, without duplicates.
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

    /// The text of a table's rulebook, as recorded.
    ///
    /// # Errors
    /// No such table; its text is not recorded.
    pub fn rulebook_text(&self, table: &TableId) -> Answer<String> {
        let book = self.rulebook(table)?;
        let register = self.inner.shown.get();
        let text = register.rulebooks.text(&book.hash).or_else(|| Rulebook::builtin_text(&book.id));
        text.map(str::to_owned).ok_or_else(|| HouseError::UnknownRulebook(book.id.clone()))
    }
}
