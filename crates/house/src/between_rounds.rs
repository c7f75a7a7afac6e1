//! A table between two rounds: what a snapshot keeps of it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use baize_rules::Rulebook;
use baize_table::Standing;
use serde::{Deserialize, Serialize};

use crate::live_table::{Guest, LiveTable, ToTell};
use crate::promised_deck::{Promise, RevealedDeck};
use crate::{Chips, Instant, PlayerId, StaffId, TableConfig};

/// What a table carries from one round to the next: everything that opening a round does not reset.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BetweenRounds {
    pub(crate) config: TableConfig,
    /// The hash of its rulebook.
    pub(crate) rulebook: String,
    pub(crate) standing: Standing,
    /// The number of the last round.
    pub(crate) round: u32,
    pub(crate) guests: BTreeMap<PlayerId, Guest>,
    pub(crate) notice: Option<String>,
    pub(crate) promise: Option<Promise>,
    pub(crate) told: Option<RevealedDeck>,
    pub(crate) last_wagers: BTreeMap<PlayerId, Vec<Chips>>,
    pub(crate) ended: Instant,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) dealers: BTreeSet<StaffId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) to_tell: Option<ToTell>,
}

impl BetweenRounds {
    /// The id of its rulebook.
    pub fn rulebook_id(&self) -> &str {
        &self.config.rulebook
    }

    /// The hash of its rulebook.
    pub fn rulebook_hash(&self) -> &str {
        &self.rulebook
    }
}

impl LiveTable {
    /// What it carries to the next round.
    pub fn between_rounds(&self) -> BetweenRounds {
        BetweenRounds {
            config: TableConfig::clone(&self.config),
            rulebook: self.book.hash.clone(),
            standing: self.table.standing.clone(),
            round: self.table.round.number,
            guests: self.guests.clone(),
            notice: self.notice.clone(),
            promise: self.promise.clone(),
            told: self.told.as_deref().cloned(),
            last_wagers: self.last_wagers.clone(),
            ended: self.ended,
            dealers: self.dealers.clone(),
            to_tell: self.to_tell.clone(),
        }
    }

    /// A table that carries this. The entry that comes next opens a round, and makes the rest.
    pub fn resumed(state: BetweenRounds, book: Arc<Rulebook>) -> LiveTable {
        let mut live = LiveTable::new(state.config, book);
        live.table.standing = state.standing;
        live.table.round.number = state.round;
        LiveTable {
            guests: state.guests,
            notice: state.notice,
            promise: state.promise,
            told: state.told.map(Arc::new),
            last_wagers: state.last_wagers,
            ended: state.ended,
            dealers: state.dealers,
            to_tell: state.to_tell,
            ..live
        }
    }
}
