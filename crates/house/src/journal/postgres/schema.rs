//! The tables, and how older ones become newer ones. Forward only; hosts that start together wait for each other.

use super::pool::{Pool, meaning};
use crate::journal::{SCHEMA, StoreError};

/// What each version adds to the one before.
const STEPS: [&str; SCHEMA as usize] = [
    "
CREATE TABLE entries (
  number bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  stream text NOT NULL,
  version bigint NOT NULL,
  at bigint NOT NULL,
  actor text NOT NULL,
  command text,
  kinds text NOT NULL,
  significant text,
  body text NOT NULL,
  link text,
  previous text NOT NULL,
  hash text NOT NULL,
  CONSTRAINT entries_stream PRIMARY KEY (stream, version)
);
CREATE UNIQUE INDEX entries_command ON entries (command) WHERE command IS NOT NULL;
CREATE INDEX entries_significant ON entries (number) WHERE significant IS NOT NULL;
CREATE TABLE postings (
  stream text NOT NULL,
  version bigint NOT NULL,
  line integer NOT NULL,
  account text NOT NULL,
  cents bigint NOT NULL,
  PRIMARY KEY (stream, version, line)
);
CREATE TABLE balances (
  account text PRIMARY KEY,
  cents bigint NOT NULL,
  CONSTRAINT balances_short CHECK (cents >= 0 OR account IN ('house', 'cage'))
) WITH (fillfactor = 50);
CREATE TABLE decks (
  tab text NOT NULL,
  round bigint NOT NULL,
  salt text NOT NULL,
  cards text NOT NULL,
  PRIMARY KEY (tab, round)
);
CREATE TABLE rounds (
  tab text NOT NULL,
  round bigint NOT NULL,
  rulebook text NOT NULL,
  opened bigint NOT NULL,
  ended bigint NOT NULL,
  outcome text NOT NULL,
  players text NOT NULL,
  staked bigint NOT NULL,
  won bigint NOT NULL,
  contributed bigint NOT NULL,
  awarded bigint NOT NULL,
  first bigint NOT NULL,
  last bigint NOT NULL,
  PRIMARY KEY (tab, round)
);
CREATE INDEX rounds_ended ON rounds (ended);
CREATE TABLE secrets (
  hash text PRIMARY KEY,
  kind text NOT NULL,
  actor text NOT NULL,
  expires bigint NOT NULL
);
",
    "
CREATE TABLE snapshots (
  stream text NOT NULL,
  version bigint NOT NULL,
  hash text NOT NULL,
  at bigint NOT NULL,
  state text NOT NULL,
  PRIMARY KEY (stream, version)
);
",
    "
ALTER TABLE balances DROP CONSTRAINT balances_short;
ALTER TABLE balances ADD CONSTRAINT balances_short
  CHECK (cents >= 0 OR account IN ('house', 'cage') OR account LIKE 'owed/%');
",
];

/// A lock that only migrations take.
const MIGRATION: i64 = 0x6261_697a_6501;

/// Checks the database and brings it up to date. A database of a newer program is not touched.
pub(super) async fn prepare(pool: &Pool, serve: bool) -> Result<(), StoreError> {
    let mut lent = pool.lend().await?;
    let client = &mut lent.get().client;
    let wrong = |error: tokio_postgres::Error| meaning(&error);
    let transaction = client.transaction().await.map_err(wrong)?;
    transaction.execute("SELECT pg_advisory_xact_lock($1)", &[&MIGRATION]).await.map_err(wrong)?;
    let known =
        transaction.query_one("SELECT to_regclass('baize_schema') IS NOT NULL", &[]).await.map_err(wrong)?;
    let found = if known.get::<_, bool>(0) {
        let row = transaction.query_one("SELECT version FROM baize_schema", &[]).await.map_err(wrong)?;
        u32::try_from(row.get::<_, i32>(0)).unwrap_or(0)
    } else {
        0
    };
    if found > SCHEMA {
        return Err(StoreError::Newer(found));
    }
    if found == SCHEMA {
        return Ok(());
    }
    if !serve {
        return Err(StoreError::Away(format!(
            "the database has version {found}: start the casino once to bring it to {SCHEMA}"
        )));
    }
    for step in STEPS.iter().skip(found as usize) {
        transaction.batch_execute(step).await.map_err(wrong)?;
    }
    let noted = format!(
        "CREATE TABLE IF NOT EXISTS baize_schema (version integer NOT NULL);
         DELETE FROM baize_schema; INSERT INTO baize_schema VALUES ({SCHEMA});"
    );
    transaction.batch_execute(&noted).await.map_err(wrong)?;
    transaction.commit().await.map_err(wrong)
}
