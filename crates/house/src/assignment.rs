//! Who deals where. A dealer acts at the tables that the pit assigned them to and at no others; the pit acts at all.

use baize_rules::Role;
use baize_table::Viewer;

use crate::live::LiveTable;
use crate::{Actor, HouseError};

impl LiveTable {
    /// Whether somebody is a dealer of other tables only.
    fn elsewhere(&self, actor: &Actor) -> bool {
        match actor {
            Actor::Staff { id, .. } => actor.role() == Some(Role::Dealer) && !self.dealers.contains(id),
            Actor::Player { .. } | Actor::House | Actor::Public => false,
        }
    }

    /// A dealer is assigned here.
    pub(crate) fn dealt_by(&self, actor: &Actor) -> Result<(), HouseError> {
        if self.elsewhere(actor) { Err(HouseError::NotAssigned(self.id.clone())) } else { Ok(()) }
    }

    /// Whose eyes somebody has at this table: a dealer of another table sees what everybody sees.
    pub(crate) fn viewer(&self, actor: &Actor) -> Viewer {
        if self.elsewhere(actor) { Viewer::Public } else { actor.viewer() }
    }
}
