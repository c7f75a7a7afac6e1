//! The state of a table between two rounds, as snapshots store it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use baize_rules::Rulebook;
use baize_table::Standing;
use serde::{Deserialize, Serialize};

use crate::live_table::{Guest, LiveTable, PendingRulings};
use crate::promised_deck::{Promise, RevealedDeck};
use crate::{Chips, Instant, PlayerId, StaffId, TableConfig};

/// The state that a table carries from one round to the next: everything that opening a round does not reset.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BetweenRounds {
    pub(crate) config: TableConfig,
    /// The hash of the rulebook's text.
    pub(crate) rulebook: String,
    pub(crate) standing: Standing,
    /// The number of the last round.
    pub(crate) round: u32,
    pub(crate) guests: BTreeMap<PlayerId, Guest>,
    pub(crate) notice: Option<String>,
    pub(crate) promise: Option<Promise>,
    #[serde(rename = "told")]
    pub(crate) revealed: Option<RevealedDeck>,
    pub(crate) last_wagers: BTreeMap<PlayerId, Vec<Chips>>,
    pub(crate) ended: Instant,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) dealers: BTreeSet<StaffId>,
    #[serde(default, rename = "to_tell", skip_serializing_if = "Option::is_none")]
    pub(crate) pending: Option<PendingRulings>,
}

impl BetweenRounds {
    /// The id of the table's rulebook.
    pub fn rulebook_id(&self) -> &str {
        &self.config.rulebook
    }

    /// The hash of the rulebook's text.
    pub fn rulebook_hash(&self) -> &str {
        &self.rulebook
    }
}

impl LiveTable {
    /// The state that the table carries to the next round.
    pub fn between_rounds(&self) -> BetweenRounds {
        BetweenRounds {
            config: TableConfig::clone(&self.config),
            rulebook: self.book.hash.clone(),
            standing: self.table.standing.clone(),
            round: self.table.round.number,
            guests: self.guests.clone(),
            notice: self.notice.clone(),
            promise: self.promise.clone(),
            revealed: self.revealed.as_deref().cloned(),
            last_wagers: self.last_wagers.clone(),
            ended: self.ended,
            dealers: self.dealers.clone(),
            pending: self.pending.clone(),
        }
    }

    /// Restores a table. Everything else is set by the next entry, which opens a round.
    pub fn resumed(state: BetweenRounds, book: Arc<Rulebook>) -> LiveTable {
        let mut live = LiveTable::new(state.config, book);
        live.table.standing = state.standing;
        live.table.round.number = state.round;
        LiveTable {
            guests: state.guests,
            notice: state.notice,
            promise: state.promise,
            revealed: state.revealed.map(Arc::new),
            last_wagers: state.last_wagers,
            ended: state.ended,
            dealers: state.dealers,
            pending: state.pending,
            ..live
        }
    }
}
