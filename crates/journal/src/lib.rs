//! The journal: append-only entries in chains, with the ledger and everything else that one command changes, in one transaction.
//!
//! Each table, each jackpot, each player and the house itself has a chain of its own, so that writers at different tables do not wait
//! for each other. Every entry covers the one before it in its chain by a hash; an entry of a jackpot names the table's entry that it
//! belongs to; and the house's chain seals the heads of all others from time to time, so that a chain cannot lose its end unnoticed.
//!
//! From the deal to the end of a round the bodies of its table's entries are kept sealed with the house's key: a reader of the database
//! learns no card of a round under way. The transaction that ends the round opens them. Hashes are over what bodies say, sealed or not.

pub mod accounts;
pub mod archive;
mod batch;
mod entry;
mod instant;
mod key;
mod packed;
#[doc(hidden)]
pub mod plain;
mod postgres;
pub mod sabotage;
pub mod secret;
mod sqlite;
mod store;

pub use instant::Instant;
pub use key::{Key, KeyPlace, Unsealing, Vault, key_place, new_key_file};
pub use postgres::{Throwaway, for_libpq};
pub use sqlite::{WITHOUT_LOG, copy as copy_file};

pub use batch::{Batch, DeckRow, Posting, RoundRow, SecretRow, SnapshotRow};
pub use entry::{Entry, Head, Stream, vouched, vouching};
pub use store::{
    Difference, Doing, EntryFilter, KeptSecret, LastFailure, LooseRow, Mode, RoundFilter, RowsOfRounds,
    SnapshotFilter, Standbys, Store, StoreError, check_address, open, remove_restored, version,
    without_password,
};

/// The version of the tables in the database. A database of a later one is not touched.
pub const SCHEMA: u32 = 7;

/// What the step to each version does, for the person who decides about an upgrade.
pub const STEPS_IN_WORDS: [&str; SCHEMA as usize] = [
    "makes the tables of the journal, the ledger, decks, rounds and sessions",
    "adds snapshots, so that a start does not replay the journal from its first entry",
    "lets players owe: their accounts may go below nothing",
    "finds entries by their time, and writes less for each order",
    "binds sessions and links to the key of the house: everybody logs in again",
    "seals what is written of a round under way with the key of the house",
    "packs all rows to a quarter of their size; takes a while in a large casino",
];
