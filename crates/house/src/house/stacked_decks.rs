//! Known decks for tests, which compare casinos that differ in hidden cards only. Compiled with the feature `stacked`, which no program has.

use baize_cards::Card;

use super::{Answer, House};
use crate::shoe::Shuffled;
use crate::{Actor, TableId, secret};

impl House {
    /// Deals the next round of a table from this deck. It is promised and on record as any other.
    ///
    /// # Errors
    /// No such table; the database is away.
    pub async fn stack(&self, table: &TableId, deck: &[Card]) -> Answer<()> {
        let slot = self.table_slot(table)?;
        let plan = |turn: &mut crate::turn::Turn<'_>| {
            turn.exchange(Shuffled { salt: secret::token(32), deck: deck.to_vec() });
            Ok(())
        };
        self.turn(&slot, &Actor::House, None, plan).await.map(drop)
    }
}
