//! The schema and its upgrades. Forward only.

use std::collections::BTreeMap;

use rusqlite::Connection;

use super::names::Rows;
use super::{convert, meaning};
use crate::{Difference, SCHEMA, StoreError};

/// The upgrade to each version.
const STEPS: [&str; SCHEMA as usize] = [
    "
CREATE TABLE entries (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  stream TEXT NOT NULL,
  version INTEGER NOT NULL,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  command TEXT,
  kinds TEXT NOT NULL,
  significant TEXT,
  body TEXT NOT NULL,
  link TEXT,
  previous TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX entries_by_stream ON entries (stream, version);
CREATE UNIQUE INDEX entries_by_command ON entries (command) WHERE command IS NOT NULL;
CREATE INDEX entries_significant ON entries (number) WHERE significant IS NOT NULL;
CREATE TABLE postings (
  number INTEGER NOT NULL,
  line INTEGER NOT NULL,
  account TEXT NOT NULL,
  cents INTEGER NOT NULL,
  PRIMARY KEY (number, line)
) STRICT, WITHOUT ROWID;
CREATE TABLE balances (
  account TEXT PRIMARY KEY,
  cents INTEGER NOT NULL CHECK (cents >= 0 OR account IN ('house', 'cage'))
) STRICT, WITHOUT ROWID;
CREATE TABLE decks (
  tab TEXT NOT NULL,
  round INTEGER NOT NULL,
  salt TEXT NOT NULL,
  cards TEXT NOT NULL,
  PRIMARY KEY (tab, round)
) STRICT, WITHOUT ROWID;
CREATE TABLE rounds (
  tab TEXT NOT NULL,
  round INTEGER NOT NULL,
  rulebook TEXT NOT NULL,
  opened INTEGER NOT NULL,
  ended INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  players TEXT NOT NULL,
  staked INTEGER NOT NULL,
  won INTEGER NOT NULL,
  contributed INTEGER NOT NULL,
  awarded INTEGER NOT NULL,
  first INTEGER NOT NULL,
  last INTEGER NOT NULL,
  PRIMARY KEY (tab, round)
) STRICT;
CREATE INDEX rounds_by_end ON rounds (ended);
CREATE TABLE secrets (
  hash TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  actor TEXT NOT NULL,
  expires INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
",
    "
CREATE TABLE snapshots (
  stream TEXT NOT NULL,
  version INTEGER NOT NULL,
  hash TEXT NOT NULL,
  at INTEGER NOT NULL,
  state TEXT NOT NULL,
  PRIMARY KEY (stream, version)
) STRICT;
",
    // Debts are negative balances. SQLite cannot change a check, so the accounts move to a new table.
    "
CREATE TABLE accounts (
  account TEXT PRIMARY KEY,
  cents INTEGER NOT NULL CHECK (cents >= 0 OR account IN ('house', 'cage') OR account LIKE 'owed/%')
) STRICT, WITHOUT ROWID;
INSERT INTO accounts SELECT account, cents FROM balances;
DROP TABLE balances;
ALTER TABLE accounts RENAME TO balances;
",
    // A full index over chains and versions cost a page write per order and chain: half of all writes. Instead an entry stores the previous
    // entry's number, and `heads` where each chain ends. Older entries all stay in the index.
    "
CREATE TABLE heads (
  stream TEXT PRIMARY KEY,
  number INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO heads SELECT stream, number FROM (SELECT stream, number, max(version) FROM entries GROUP BY stream);
ALTER TABLE entries ADD COLUMN before INTEGER;
DROP INDEX entries_by_stream;
CREATE UNIQUE INDEX entries_marked ON entries (stream, version) WHERE before IS NULL OR version % 64 = 1;
CREATE INDEX entries_by_time ON entries (at);
",
    // Sessions and links are bound to the house's key; existing ones end.
    "
DROP TABLE secrets;
CREATE TABLE secrets (
  hash TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  actor TEXT NOT NULL,
  expires INTEGER NOT NULL,
  made TEXT NOT NULL
) STRICT, WITHOUT ROWID;
",
    // Sealed bodies of rounds in progress, found by this index when their round ends.
    "
CREATE INDEX entries_sealed ON entries (stream) WHERE substr(body, 1, 7) = 'sealed-';
",
    // Compression: names by number, hashes and ids as bytes, texts compressed, ledger lines with their entry. `convert` moves the rows;
    // `PACKED` completes the step.
    "
DROP INDEX IF EXISTS entries_by_command;
DROP INDEX IF EXISTS entries_significant;
DROP INDEX IF EXISTS entries_marked;
DROP INDEX IF EXISTS entries_by_time;
DROP INDEX IF EXISTS entries_sealed;
DROP INDEX IF EXISTS rounds_by_end;
ALTER TABLE entries RENAME TO old_entries;
ALTER TABLE postings RENAME TO old_postings;
ALTER TABLE heads RENAME TO old_heads;
ALTER TABLE decks RENAME TO old_decks;
ALTER TABLE rounds RENAME TO old_rounds;
ALTER TABLE snapshots RENAME TO old_snapshots;
CREATE TABLE names (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;
CREATE INDEX names_of_kinds ON names (name) WHERE substr(name, 1, 1) = ',';
CREATE TABLE entries (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  stream INTEGER NOT NULL,
  version INTEGER NOT NULL,
  at INTEGER NOT NULL,
  actor INTEGER NOT NULL,
  command BLOB,
  kinds INTEGER NOT NULL,
  significant INTEGER NOT NULL,
  body BLOB NOT NULL,
  link BLOB NOT NULL,
  ledger BLOB NOT NULL,
  hash BLOB NOT NULL,
  before INTEGER
) STRICT;
CREATE TABLE heads (
  stream INTEGER PRIMARY KEY,
  number INTEGER NOT NULL
) STRICT;
CREATE TABLE decks (
  tab INTEGER NOT NULL,
  round INTEGER NOT NULL,
  deck BLOB NOT NULL,
  PRIMARY KEY (tab, round)
) STRICT;
CREATE TABLE rounds (
  tab INTEGER NOT NULL,
  round INTEGER NOT NULL,
  rulebook INTEGER NOT NULL,
  opened INTEGER NOT NULL,
  ended INTEGER NOT NULL,
  outcome INTEGER NOT NULL,
  players TEXT NOT NULL,
  staked INTEGER NOT NULL,
  won INTEGER NOT NULL,
  contributed INTEGER NOT NULL,
  awarded INTEGER NOT NULL,
  first INTEGER NOT NULL,
  last INTEGER NOT NULL,
  PRIMARY KEY (tab, round)
) STRICT;
CREATE TABLE snapshots (
  stream INTEGER NOT NULL,
  version INTEGER NOT NULL,
  hash BLOB NOT NULL,
  at INTEGER NOT NULL,
  state BLOB NOT NULL,
  PRIMARY KEY (stream, version)
) STRICT;
",
];

/// Completes the upgrade to version 7 after the rows are moved.
const PACKED: &str = "
DROP TABLE old_entries;
DROP TABLE old_postings;
DROP TABLE old_heads;
DROP TABLE old_decks;
DROP TABLE old_rounds;
DROP TABLE old_snapshots;
CREATE UNIQUE INDEX entries_by_command ON entries (command) WHERE command IS NOT NULL;
CREATE INDEX entries_significant ON entries (number) WHERE significant <> 0;
CREATE UNIQUE INDEX entries_marked ON entries (stream, version) WHERE before IS NULL OR version % 64 = 1;
CREATE INDEX entries_by_time ON entries (at);
CREATE INDEX entries_sealed ON entries (stream) WHERE substr(body, 1, 1) >= X'80';
CREATE INDEX rounds_by_end ON rounds (ended);
";

/// The version whose upgrade moves all rows.
const PACKS: u32 = 7;

/// Page size of a new file. Nearly all writes append to the journal, and large pages need fewer calls.
const PAGE: u32 = 8_192;

/// Schema version; `None` for an empty file. Fails for another program's file.
pub(super) fn version(connection: &Connection) -> Result<Option<u32>, StoreError> {
    let wrong = |error: rusqlite::Error| meaning(&error);
    let found: u32 = connection.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(wrong)?;
    match found {
        0 if has_tables(connection).map_err(wrong)? => {
            Err(StoreError::NotOurs("the file holds another program's tables".to_owned()))
        }
        0 => Ok(None),
        found => Ok(Some(found)),
    }
}

/// Checks the file and upgrades its schema. A file with a newer schema is not changed.
pub(super) fn prepare(connection: &Rows, serve: bool) -> Result<(), StoreError> {
    let wrong = |error: rusqlite::Error| meaning(&error);
    let found: u32 = connection.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(wrong)?;
    if found > SCHEMA {
        return Err(StoreError::Newer(found));
    }
    if found == 0 && has_tables(connection).map_err(wrong)? {
        return Err(StoreError::NotOurs("the file holds another program's tables".to_owned()));
    }
    if serve {
        // Takes effect for new files only.
        connection.pragma_update(None, "page_size", PAGE).map_err(wrong)?;
        connection.pragma_update(None, "journal_mode", "WAL").map_err(wrong)?;
        connection.pragma_update(None, "synchronous", "FULL").map_err(wrong)?;
        // 16 MB: holds the pages at the ends of hundreds of tables' chains. With SQLite's default of 2 MB they are reread constantly; a
        // much larger cache slows each commit down.
        connection.pragma_update(None, "cache_size", -16_000).map_err(wrong)?;
    } else if found < SCHEMA {
        return Err(StoreError::Older(found));
    }
    for version in found..SCHEMA {
        let stepped = step(connection, version + 1);
        if stepped.is_err() && !connection.is_autocommit() {
            connection.execute_batch("ROLLBACK").map_err(wrong)?;
        }
        stepped.map_err(wrong)?;
    }
    // Compression leaves free space. Returning it to the disk is optional.
    if (1..PACKS).contains(&found)
        && let Err(error) = connection.execute_batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE);")
    {
        tracing::warn!(target: "baize::journal", %error, "could not return unused space to the disk");
    }
    Ok(())
}

/// Upgrades by one version.
fn step(connection: &Rows, to: u32) -> Result<(), rusqlite::Error> {
    let step = STEPS.get(to as usize - 1).copied().unwrap_or_default();
    connection.execute_batch(&format!("BEGIN IMMEDIATE;{step}"))?;
    if to == PACKS {
        convert::to_version_7(connection)?;
        connection.execute_batch(PACKED)?;
    }
    connection.execute_batch(&format!("PRAGMA user_version = {to};COMMIT;"))
}

fn has_tables(connection: &Connection) -> Result<bool, rusqlite::Error> {
    connection.query_row("SELECT count(*) > 0 FROM sqlite_schema", [], |row| row.get(0))
}

/// Differences between the schema of a file and the one this program creates.
pub(super) fn differences(connection: &Connection) -> Result<Vec<Difference>, rusqlite::Error> {
    let own = Connection::open_in_memory()?;
    for step in STEPS.into_iter().chain([PACKED]) {
        own.execute_batch(step)?;
    }
    Ok(Difference::between(&objects(&own)?, &objects(connection)?, |name| name.starts_with("trigger")))
}

/// All schema objects with their SQL, except SQLite's own.
fn objects(connection: &Connection) -> Result<BTreeMap<String, String>, rusqlite::Error> {
    let sql = "SELECT type || ' `' || name || '`', sql FROM sqlite_schema
               WHERE sql IS NOT NULL AND name <> 'sqlite_sequence' AND NOT (type = 'table' AND name LIKE 'sqlite\\_stat%' ESCAPE '\\')";
    connection.prepare(sql)?.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}
