//! Fixed decks for tests that compare casinos. Only compiled with the feature `stacked`, which no program enables.

use baize_cards::Card;

use super::{Answer, House};
use crate::boxed;
use crate::shoe::Shuffled;
use crate::{Actor, TableId, secret};

impl House {
    /// Replaces the deck of a table's next round. It is promised and recorded like any other.
    ///
    /// # Errors
    /// No such table; the database is not available.
    #[boxed]
    pub async fn stack(&self, table: &TableId, deck: &[Card]) -> Answer<()> {
        let slot = self.table_slot(table)?;
        let plan = |turn: &mut crate::turn::Turn<'_>| {
            turn.replace_deck(Shuffled { salt: secret::token(32), deck: deck.to_vec() });
            Ok(())
        };
        self.turn(&slot, &Actor::House, None, plan).await.map(drop)
    }
}
