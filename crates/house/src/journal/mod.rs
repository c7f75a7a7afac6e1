//! The journal: append-only entries in chains, with the ledger and everything else that one command changes, in one transaction.
//!
//! Each table, each jackpot, each player and the house itself has a chain of its own, so that writers at different tables do not wait
//! for each other. Every entry covers the one before it in its chain by a hash; an entry of a jackpot names the table's entry that it
//! belongs to; and the house's chain seals the heads of all others from time to time, so that a chain cannot lose its end unnoticed.

mod batch;
mod entry;
pub(crate) mod postgres;
pub(crate) mod sqlite;
pub(crate) mod store;
pub(crate) mod stored;

pub(crate) use postgres::decoded;

pub(crate) use batch::{Batch, DeckRow, Posting, RoundRow, SecretRow, SnapshotRow};
pub(crate) use entry::{Entry, Head, Stream};
pub(crate) use store::{
    Difference, EntryFilter, KeptSecret, LastFailure, LooseRow, SnapshotFilter, Store, StoreError, open,
};

/// The version of the tables in the database. A database of a later one is not touched.
pub(crate) const SCHEMA: u32 = 5;
