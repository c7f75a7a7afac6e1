//! Who deals where. A dealer acts at the tables that the pit assigned them to and at no others; the pit acts at all.

use std::collections::BTreeSet;

use baize_rules::{Money, Role};
use baize_table::Viewer;

use crate::facts::TableFact;
use crate::house::Answer;
use crate::journal::Stream;
use crate::live_table::LiveTable;
use crate::{Actor, House, HouseError, PlayerId, StaffId, TableId};

/// Entries that are read at once.
const PAGE: u32 = 500;

impl LiveTable {
    /// Whether the actor is a dealer, and only of other tables.
    fn elsewhere(&self, actor: &Actor) -> bool {
        match actor {
            Actor::Staff { id, .. } => actor.role() == Some(Role::Dealer) && !self.dealers.contains(id),
            Actor::Player { .. } | Actor::House | Actor::Public => false,
        }
    }

    /// A dealer is assigned here.
    ///
    /// # Errors
    /// They are a dealer of other tables only.
    pub fn dealt_by(&self, actor: &Actor) -> Result<(), HouseError> {
        if self.elsewhere(actor) { Err(HouseError::NotAssigned(self.id.clone())) } else { Ok(()) }
    }

    /// Whether this player sits here.
    #[must_use]
    pub fn seats(&self, player: &PlayerId) -> bool {
        self.guests.contains_key(player)
    }

    /// What staff placed for this player in this round.
    #[must_use]
    pub fn placed_by_staff(&self, player: &PlayerId) -> Money {
        self.placed_for.get(player).copied().unwrap_or_default()
    }

    /// The viewer that an actor is at this table: a dealer of another table sees what the public sees.
    pub(crate) fn viewer(&self, actor: &Actor) -> Viewer {
        if self.elsewhere(actor) { Viewer::Public } else { actor.viewer() }
    }
}

impl House {
    /// Older programs knew no assignments. On the first opening by this one, which is before the house has a key, dealers are assigned to the
    /// tables where the journal shows them at work, on record; the pit assigns them to others.
    pub(crate) async fn assign_as_before(&self) -> Answer<()> {
        let register = self.inner.shown.get();
        if register.key.is_some() {
            return Ok(());
        }
        let deals = |id: &StaffId| {
            let (duties, account) = register.staff.get(id)?;
            let actor = Actor::staff(id.clone(), duties.iter().copied());
            (actor.role() == Some(Role::Dealer) && !account.suspended).then_some(())
        };
        for slot in self.table_slots() {
            let mut dealers = self.staff_at(&slot.id).await?;
            dealers.retain(|id| deals(id).is_some());
            let plan = |turn: &mut crate::turn::Turn<'_>| {
                for dealer in
                    dealers.iter().filter(|id| !turn.live.dealers.contains(*id)).cloned().collect::<Vec<_>>()
                {
                    turn.step(&Actor::House, TableFact::DealerAssigned { dealer });
                }
                Ok(())
            };
            match self.turn(&slot, &Actor::House, None, plan).await {
                // A damaged table stays halted; the others are opened.
                Ok(_) | Err(HouseError::Corrupt(_)) => {}
                Err(other) => return Err(other),
            }
        }
        Ok(())
    }

    /// The members of staff who ever acted at a table.
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
