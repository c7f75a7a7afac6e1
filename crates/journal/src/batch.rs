//! What one transaction writes.

use serde::{Deserialize, Serialize};

use super::{Entry, Stream};
use crate::Instant;
use crate::key::Unsealing;

/// One side of a ledger entry: an account gets cents, or gives them (negative).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Posting {
    /// `purse/ann`, `float/rh-1`, `play/rh-1`, `jackpot/RWS`, `house`, `cage`.
    pub account: String,
    /// Cents that it gets; negative: that it gives.
    pub cents: i64,
}

/// A shuffled deck, kept secret until its round is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeckRow {
    /// The table.
    pub table: String,
    /// The number of the round.
    pub round: u32,
    /// What was mixed into the promise.
    pub salt: String,
    /// The cards in the order of the deal, separated by spaces.
    pub cards: String,
    /// It is sealed, and the key is not here: salt and cards are not known.
    pub sealed: bool,
}

/// The line of a finished round: an index over the journal, replaced when the round is corrected or its award paid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundRow {
    /// The table.
    pub table: String,
    /// The number of the round.
    pub round: u32,
    /// The rulebook's id.
    pub rulebook: String,
    /// When the round was opened.
    pub opened: Instant,
    /// When it ended.
    pub ended: Instant,
    /// How it ended: `settled`, `voided`…
    pub outcome: String,
    /// Names, each between commas: `,ann,ben,`.
    pub players: String,
    /// All wagers, in cents.
    pub staked: i64,
    /// What players won on top, in cents.
    pub won: i64,
    /// What went to the jackpot, in cents.
    pub contributed: i64,
    /// What the jackpot paid, in cents.
    pub awarded: i64,
    /// The table's entries of the round, first and last so far.
    pub first: u64,
    /// The last one.
    pub last: u64,
}

/// A session or a one-time link: only the hash of its secret is kept. Not part of the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecretRow {
    /// The hash of that entry or secret.
    pub hash: String,
    /// `session` or `link`.
    pub kind: String,
    /// Whom it lets in, as JSON.
    pub actor: String,
    /// Until when it holds.
    pub expires: Instant,
}

/// A state that a chain had after one of its entries. A cache: the journal is the truth, and vouches for it by a digest in the entry that
/// was written with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SnapshotRow {
    /// The chain.
    pub stream: Stream,
    /// The entry after which the chain stood so, and its hash.
    pub version: u64,
    /// The hash of that entry or secret.
    pub hash: String,
    /// When it was kept.
    pub at: Instant,
    /// The state, as JSON of a stored version.
    pub state: String,
}

impl SnapshotRow {
    /// What the chain vouches for.
    pub fn digest(&self) -> String {
        crate::secret::digest(self.state.as_bytes())
    }

    /// The version of the entry that it was written with: a table is kept before its next entry, the others after their own.
    pub fn vouched_by(&self) -> u64 {
        self.version + u64::from(self.stream.after("table/").is_some())
    }

    /// `the snapshot of table/rh-1 at entry 17`.
    pub fn place(&self) -> String {
        format!("the snapshot of {} at entry {}", self.stream, self.version)
    }
}

/// Everything that one command changes: all of it is written, or nothing.
#[derive(Debug, Clone, Default)]
pub struct Batch {
    /// Entries of the journal.
    pub entries: Vec<Entry>,
    /// Decks.
    pub decks: Vec<DeckRow>,
    /// Decks that its entries tell, by table and round: they are in the journal now, and kept there alone.
    pub told: Vec<(String, u32)>,
    /// Lines of rounds.
    pub rounds: Vec<RoundRow>,
    /// Snapshots.
    pub snapshots: Vec<SnapshotRow>,
    /// The bodies of these chains' entries are kept sealed: cards are out that nobody may see.
    pub hides: Vec<Stream>,
    /// What becomes of bodies that were kept sealed.
    pub unseals: Vec<Unsealing>,
}

impl Batch {
    /// Whether it writes to one chain only.
    pub(crate) fn has_one_chain(&self) -> bool {
        let mut chains = self.entries.iter().map(|entry| &entry.stream);
        let reseals = self.unseals.iter().any(|how| how.stream().is_none());
        !reseals && chains.next().is_some_and(|first| chains.all(|other| other == first))
    }

    /// All that these batches write.
    pub(crate) fn together(batches: &[Batch]) -> Batch {
        let mut all = Batch::default();
        for batch in batches {
            let Batch { entries, decks, told, rounds, snapshots, hides, unseals } = batch.clone();
            all.entries.extend(entries);
            all.decks.extend(decks);
            all.told.extend(told);
            all.rounds.extend(rounds);
            all.snapshots.extend(snapshots);
            all.hides.extend(hides);
            all.unseals.extend(unseals);
        }
        all
    }
}
