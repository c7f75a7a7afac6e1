//! Contents of one transaction.

use serde::{Deserialize, Serialize};

use super::{Entry, Stream};
use crate::Instant;
use crate::key::Unsealing;

/// One line of a ledger entry: the change of one account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Posting {
    /// `purse/ann`, `float/rh-1`, `play/rh-1`, `jackpot/RWS`, `house`, `cage`.
    pub account: String,
    /// Change in cents; negative when the account pays.
    pub cents: i64,
}

/// A shuffled deck, secret until its round is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeckRow {
    /// The table.
    pub table: String,
    /// The number of the round.
    pub round: u32,
    /// Salt of the published commitment.
    pub salt: String,
    /// Cards in dealing order, separated by spaces.
    pub cards: String,
    /// Still sealed because the key is missing: salt and cards are unknown.
    pub sealed: bool,
}

/// Summary row of a finished round: an index over the journal, replaced when the round is corrected or its award is paid.
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
    /// When the round ended.
    pub ended: Instant,
    /// The outcome: `settled`, `voided`…
    pub outcome: String,
    /// Players' names, each between commas: `,ann,ben,`.
    pub players: String,
    /// Total wagered, in cents.
    pub staked: i64,
    /// Paid to players on top of their stakes, in cents.
    pub won: i64,
    /// Contributions to the jackpot, in cents.
    pub contributed: i64,
    /// Jackpot awards, in cents.
    pub awarded: i64,
    /// Version of the round's first entry in the table's chain.
    pub first: u64,
    /// Version of its last entry so far.
    pub last: u64,
}

/// A session or a one-time link. Only the hash of its secret is stored. Not part of the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecretRow {
    /// The hash of that entry or secret.
    pub hash: String,
    /// `session` or `link`.
    pub kind: String,
    /// Who it authenticates, as JSON.
    pub actor: String,
    /// Expiry.
    pub expires: Instant,
}

/// The state of a chain after one of its entries. A cache: the journal is authoritative and holds the state's digest in the entry that was
/// written with the snapshot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SnapshotRow {
    /// The chain.
    pub stream: Stream,
    /// Version of the entry after which the chain had this state.
    pub version: u64,
    /// The hash of that entry or secret.
    pub hash: String,
    /// When it was stored.
    pub at: Instant,
    /// The state, as JSON of a stored version.
    pub state: String,
}

impl SnapshotRow {
    /// Digest of the state, as recorded in the chain.
    pub fn digest(&self) -> String {
        crate::secret::digest(self.state.as_bytes())
    }

    /// Version of the entry that records the digest: for a table the one after the snapshot, for other chains the snapshot's own.
    pub fn vouched_by(&self) -> u64 {
        self.version + u64::from(self.stream.after("table/").is_some())
    }

    /// `the snapshot of table/rh-1 at entry 17`.
    pub fn place(&self) -> String {
        format!("the snapshot of {} at entry {}", self.stream, self.version)
    }
}

/// Everything that one command changes, written in one transaction.
#[derive(Debug, Clone, Default)]
pub struct Batch {
    /// Journal entries.
    pub entries: Vec<Entry>,
    /// Decks.
    pub decks: Vec<DeckRow>,
    /// Decks to delete, by table and round: the entries of this batch contain their cards.
    pub told: Vec<(String, u32)>,
    /// Round summaries.
    pub rounds: Vec<RoundRow>,
    /// Snapshots.
    pub snapshots: Vec<SnapshotRow>,
    /// Chains whose bodies are stored sealed because cards are out.
    pub hides: Vec<Stream>,
    /// How to replace bodies that are stored sealed.
    pub unseals: Vec<Unsealing>,
}

impl Batch {
    /// Whether the batch writes to a single chain. A jackpot's chain is shared by tables of several hosts.
    pub(crate) fn has_one_chain(&self) -> bool {
        let mut chains = self.entries.iter().map(|entry| &entry.stream);
        chains.next().is_some_and(|first| chains.all(|other| other == first))
    }

    /// Whether the batch replaces bodies of all chains.
    pub(crate) fn reseals(&self) -> bool {
        self.unseals.iter().any(|how| how.stream().is_none())
    }

    /// These batches as one.
    pub(crate) fn together(batches: &[&Batch]) -> Batch {
        let mut all = Batch::default();
        for batch in batches {
            let Batch { entries, decks, told, rounds, snapshots, hides, unseals } = Batch::clone(batch);
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
