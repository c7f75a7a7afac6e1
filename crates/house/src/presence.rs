//! The table version that this host last showed to each player. Other hosts do not share it.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use crate::PlayerId;

/// For each player, the last version that they were shown or sent an order for.
#[derive(Debug, Default)]
pub(crate) struct Presence(Mutex<BTreeMap<PlayerId, u64>>);

impl Presence {
    pub(crate) fn note(&self, player: &PlayerId, version: u64) {
        let mut shown = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        shown.insert(player.clone(), version);
    }

    /// Whether the player was shown this version of the table or a later one.
    pub(crate) fn since(&self, player: &PlayerId, version: u64) -> bool {
        let shown = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        shown.get(player).is_some_and(|shown| *shown >= version)
    }
}
