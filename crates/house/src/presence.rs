//! Who has been shown a table, and how far it had come then: known to the host that showed it, and to no other.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use crate::PlayerId;

/// The last version of a table that each player was shown, or sent an order for.
#[derive(Debug, Default)]
pub(crate) struct Presence(Mutex<BTreeMap<PlayerId, u64>>);

impl Presence {
    pub(crate) fn note(&self, player: &PlayerId, version: u64) {
        let mut shown = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        shown.insert(player.clone(), version);
    }

    /// Whether the player was there at this entry of the table or later.
    pub(crate) fn since(&self, player: &PlayerId, version: u64) -> bool {
        let shown = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        shown.get(player).is_some_and(|shown| *shown >= version)
    }
}
