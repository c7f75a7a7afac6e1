//! The journal: append-only entries in hash chains, written together with the ledger in one transaction per command.
//!
//! Each table, jackpot and player has its own chain, as has the house, so writers at different tables do not wait for each other. Each
//! entry contains the hash of the entry before it in its chain; an entry of a jackpot also names the table's entry that it belongs to. The
//! house's chain periodically records the heads of all other chains, so truncating a chain is detected.
//!
//! From the deal to the end of a round, the bodies of its table's entries are sealed with the house's key, so reading the database reveals
//! no card of a round in progress. The transaction that ends the round opens them. Hashes cover the plain bodies.

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

// The futures of public functions are boxed: an `async fn` is compiled again in each crate that awaits it, with all that it awaits.
use async_recursion::async_recursion as boxed;
pub use instant::Instant;
pub use key::{Key, KeyPlace, NextKey, Unsealing, Vault, key_place, new_key_file};
pub use postgres::{Throwaway, for_libpq};
pub use sqlite::{WITHOUT_LOG, copy as copy_file};

pub use batch::{Batch, DeckRow, Posting, RoundRow, SecretRow, SnapshotRow};
pub use entry::{Entry, Head, Stream, vouched, vouching};
pub use store::{
    Difference, EntryFilter, KeptSecret, LastFailure, LooseRow, Mode, RoundFilter, RowsOfRounds,
    SnapshotFilter, Standbys, Store, StoreError, StoreFuture, check_address, open, remove_restored, version,
    without_password,
};

/// The version of the database schema. A database with a later one is refused and left unchanged.
pub const SCHEMA: u32 = 7;

/// What each schema upgrade does, in words for the operator.
pub const STEPS_IN_WORDS: [&str; SCHEMA as usize] = [
    "creates the tables of the journal, the ledger, decks, rounds and sessions",
    "adds snapshots, so that opening does not replay the journal from its first entry",
    "allows debts: players' debt accounts may be negative",
    "indexes entries by time, and writes less for each order",
    "binds sessions and links to the house's key: everyone has to log in again",
    "seals the entries of rounds in progress with the house's key",
    "compresses all rows to a quarter of their size; takes a while in a large casino",
];
