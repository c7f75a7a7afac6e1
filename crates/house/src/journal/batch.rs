//! What one transaction writes.

use super::{Entry, Stream};
use crate::Instant;

/// One side of a ledger entry: an account gets cents, or gives them (negative).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Posting {
    /// `purse/ann`, `float/rh-1`, `play/rh-1`, `jackpot/RWS`, `house`, `cage`.
    pub(crate) account: String,
    pub(crate) cents: i64,
}

/// A shuffled deck, kept secret until its round is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DeckRow {
    pub(crate) table: String,
    pub(crate) round: u32,
    pub(crate) salt: String,
    /// The cards in the order of the deal, separated by spaces.
    pub(crate) cards: String,
    /// It is sealed, and the key is not here: salt and cards are not known.
    pub(crate) sealed: bool,
}

/// The line of a finished round: an index over the journal, replaced when the round is corrected or its award paid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RoundRow {
    pub(crate) table: String,
    pub(crate) round: u32,
    pub(crate) rulebook: String,
    pub(crate) opened: Instant,
    pub(crate) ended: Instant,
    pub(crate) outcome: String,
    /// Names, each between commas: `,ann,ben,`.
    pub(crate) players: String,
    pub(crate) staked: i64,
    pub(crate) won: i64,
    pub(crate) contributed: i64,
    pub(crate) awarded: i64,
    /// The table's entries of the round, first and last so far.
    pub(crate) first: u64,
    pub(crate) last: u64,
}

/// A session or a one-time link: only the hash of its secret is kept. Not part of the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SecretRow {
    pub(crate) hash: String,
    /// `session` or `link`.
    pub(crate) kind: String,
    /// Whom it lets in, as JSON.
    pub(crate) actor: String,
    pub(crate) expires: Instant,
}

/// A state that a chain had after one of its entries. A cache: the journal is the truth, and vouches for it by a digest in the entry that
/// was written with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SnapshotRow {
    pub(crate) stream: Stream,
    /// The entry after which the chain stood so, and its hash.
    pub(crate) version: u64,
    pub(crate) hash: String,
    /// When it was kept.
    pub(crate) at: Instant,
    /// The state, as JSON of a stored version.
    pub(crate) state: String,
}

impl SnapshotRow {
    /// What the chain vouches for.
    pub(crate) fn digest(&self) -> String {
        crate::secret::digest(self.state.as_bytes())
    }

    /// The version of the entry that it was written with: a table is kept before its next entry, the others after their own.
    pub(crate) fn vouched_by(&self) -> u64 {
        self.version + u64::from(self.stream.after("table/").is_some())
    }

    /// `the snapshot of table/rh-1 at entry 17`.
    pub(crate) fn place(&self) -> String {
        format!("the snapshot of {} at entry {}", self.stream, self.version)
    }
}

/// Everything that one command changes: all of it is written, or nothing.
#[derive(Debug, Clone, Default)]
pub(crate) struct Batch {
    pub(crate) entries: Vec<Entry>,
    pub(crate) decks: Vec<DeckRow>,
    pub(crate) rounds: Vec<RoundRow>,
    pub(crate) snapshots: Vec<SnapshotRow>,
}
