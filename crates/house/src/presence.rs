//! Which players this host has shown a table to, and at which version. Other hosts do not know it.

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
