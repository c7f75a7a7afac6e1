//! Which dealers are assigned to a table. A dealer acts only at assigned tables; the pit acts at all tables.

use std::collections::BTreeSet;

use baize_rules::{Money, Role};
use baize_table::Viewer;

use crate::facts::TableFact;
use crate::house::Answer;
use crate::journal::Stream;
use crate::live_table::LiveTable;
use crate::{Actor, House, HouseError, PlayerId, StaffId, TableId};

/// Journal entries per read.
const PAGE: u32 = 500;

impl LiveTable {
    /// Whether the actor is a dealer who is not assigned to this table.
    fn assigned_elsewhere(&self, actor: &Actor) -> bool {
        match actor {
            Actor::Staff { id, .. } => actor.role() == Some(Role::Dealer) && !self.dealers.contains(id),
            Actor::Player { .. } | Actor::House | Actor::Public => false,
        }
    }

    /// Refuses dealers who are not assigned to this table; accepts everyone else.
    ///
    /// # Errors
    /// [`HouseError::NotAssigned`].
    pub fn dealt_by(&self, actor: &Actor) -> Result<(), HouseError> {
        if self.assigned_elsewhere(actor) { Err(HouseError::NotAssigned(self.id.clone())) } else { Ok(()) }
    }

    /// Whether this player has a box at the table.
    #[must_use]
    pub fn seats(&self, player: &PlayerId) -> bool {
        self.guests.contains_key(player)
    }

    /// The total that staff placed for this player in this round.
    #[must_use]
    pub fn placed_by_staff(&self, player: &PlayerId) -> Money {
        self.placed_for.get(player).copied().unwrap_or_default()
    }

    /// The viewer that determines which cards the actor sees at this table. A dealer of other tables sees what the public sees.
    pub(crate) fn viewer(&self, actor: &Actor) -> Viewer {
        if self.assigned_elsewhere(actor) { Viewer::Public } else { actor.viewer() }
    }
}

impl House {
    /// Migration: databases of older programs have no assignments. At the first start, recognised by the house having no key yet, dealers
    /// are assigned on record to the tables where the journal shows that they have worked.
    pub(crate) async fn migrate_assignments(&self) -> Answer<()> {
        let register = self.inner.shown.get();
        if register.key.is_some() {
            return Ok(());
        }
        let deals = |id: &StaffId| {
            register.staff.get(id).is_some_and(|(duties, account)| {
                let actor = Actor::staff(id.clone(), duties.iter().copied());
                actor.role() == Some(Role::Dealer) && !account.suspended
            })
        };
        for slot in self.table_slots() {
            let mut dealers = self.staff_at(&slot.id).await?;
            dealers.retain(deals);
            let plan = |turn: &mut crate::turn::Turn<'_>| {
                for dealer in
                    dealers.iter().filter(|id| !turn.live.dealers.contains(*id)).cloned().collect::<Vec<_>>()
                {
                    turn.step(&Actor::House, TableFact::DealerAssigned { dealer });
                }
                Ok(())
            };
            match self.turn(&slot, &Actor::House, None, plan).await {
                // A damaged table stays halted.
                Ok(_) | Err(HouseError::Corrupt(_)) => {}
                Err(other) => return Err(other),
            }
        }
        Ok(())
    }

    /// Everyone on the staff who has ever acted at a table.
    async fn staff_at(&self, table: &TableId) -> Answer<BTreeSet<StaffId>> {
        let (stream, mut after, mut found) = (Stream::table(table), 0, BTreeSet::new());
        loop {
            let entries = self.inner.store.read(&stream, after, PAGE).await?;
            let Some(last) = entries.last() else { return Ok(found) };
            after = last.version;
            found.extend(entries.iter().filter_map(|entry| entry.actor.strip_prefix("staff:")?.parse().ok()));
        }
    }
}
