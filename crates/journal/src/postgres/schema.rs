//! The schema and its upgrades. Forward only; hosts that start together wait for each other.

use std::collections::BTreeMap;

use super::pool::{Pool, meaning};
use super::{convert, rows};
use crate::{Difference, SCHEMA, StoreError};

/// The upgrade to each version.
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
    // Entries are stored nearly in order of time, so a BRIN index is enough to find a day.
    "
CREATE INDEX entries_time ON entries USING brin (at);
",
    // Sessions and links are bound to the house's key; existing ones end.
    "
DELETE FROM secrets;
ALTER TABLE secrets ADD COLUMN made text NOT NULL;
",
    // Sealed bodies of rounds in progress, found by this index when their round ends.
    "
CREATE INDEX entries_sealed ON entries (stream) WHERE left(body, 7) = 'sealed-';
",
    // Compression: names by number, hashes and ids as bytes, texts compressed, ledger lines with their entry. Sealed bodies are listed in a
    // table of their own: with an index on bodies, opening one would create a new version of the row in every index. `convert` moves the
    // rows and drops the old tables. Columns are ordered to avoid padding.
    "
DROP INDEX IF EXISTS entries_command, entries_significant, entries_time, entries_sealed, rounds_ended;
ALTER TABLE entries RENAME TO old_entries;
ALTER TABLE old_entries DROP CONSTRAINT IF EXISTS entries_stream, DROP CONSTRAINT IF EXISTS entries_number_key;
ALTER TABLE postings RENAME TO old_postings;
ALTER TABLE decks RENAME TO old_decks;
ALTER TABLE old_decks DROP CONSTRAINT IF EXISTS decks_pkey;
ALTER TABLE rounds RENAME TO old_rounds;
ALTER TABLE old_rounds DROP CONSTRAINT IF EXISTS rounds_pkey;
ALTER TABLE snapshots RENAME TO old_snapshots;
ALTER TABLE old_snapshots DROP CONSTRAINT IF EXISTS snapshots_pkey;
CREATE TABLE names (
  id integer GENERATED ALWAYS AS IDENTITY CONSTRAINT names_pkey PRIMARY KEY,
  name text NOT NULL CONSTRAINT names_name_key UNIQUE
);
CREATE TABLE entries (
  number bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT entries_number_key UNIQUE,
  at bigint NOT NULL,
  stream integer NOT NULL,
  version integer NOT NULL,
  actor integer NOT NULL,
  kinds integer NOT NULL,
  significant integer NOT NULL,
  command bytea,
  hash bytea NOT NULL,
  link bytea NOT NULL,
  ledger bytea NOT NULL,
  body bytea NOT NULL,
  CONSTRAINT entries_stream PRIMARY KEY (stream, version)
);
CREATE UNIQUE INDEX entries_command ON entries (command) WHERE command IS NOT NULL;
CREATE INDEX entries_significant ON entries (number) WHERE significant <> 0;
CREATE INDEX entries_time ON entries USING brin (at);
CREATE TABLE sealed (
  stream integer NOT NULL,
  version integer NOT NULL,
  CONSTRAINT sealed_pkey PRIMARY KEY (stream, version)
);
CREATE TABLE decks (
  tab integer NOT NULL,
  round integer NOT NULL,
  deck bytea NOT NULL,
  CONSTRAINT decks_pkey PRIMARY KEY (tab, round)
);
CREATE TABLE rounds (
  opened bigint NOT NULL,
  ended bigint NOT NULL,
  staked bigint NOT NULL,
  won bigint NOT NULL,
  contributed bigint NOT NULL,
  awarded bigint NOT NULL,
  tab integer NOT NULL,
  round integer NOT NULL,
  rulebook integer NOT NULL,
  outcome integer NOT NULL,
  first integer NOT NULL,
  last integer NOT NULL,
  players text NOT NULL,
  CONSTRAINT rounds_pkey PRIMARY KEY (tab, round)
);
CREATE INDEX rounds_ended ON rounds (ended);
CREATE TABLE snapshots (
  at bigint NOT NULL,
  stream integer NOT NULL,
  version integer NOT NULL,
  hash bytea NOT NULL,
  state bytea NOT NULL,
  CONSTRAINT snapshots_pkey PRIMARY KEY (stream, version)
);
",
];

/// The version whose upgrade moves all rows.
const PACKS: u32 = 7;

/// Advisory lock of schema upgrades.
const MIGRATION: i64 = 0x6261_697a_6501;

/// Checks the database and upgrades its schema. A database with a newer schema is not changed.
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
        return Err(StoreError::Older(found));
    }
    // Upgrading a large journal takes long.
    transaction.batch_execute("SET LOCAL statement_timeout = 0").await.map_err(wrong)?;
    for (to, step) in (1..).zip(STEPS).skip(found as usize) {
        transaction.batch_execute(step).await.map_err(wrong)?;
        if to == PACKS {
            convert::to_version_7(&transaction).await.map_err(wrong)?;
        }
    }
    let noted = format!(
        "CREATE TABLE IF NOT EXISTS baize_schema (version integer NOT NULL);
         DELETE FROM baize_schema; INSERT INTO baize_schema VALUES ({SCHEMA});"
    );
    transaction.batch_execute(&noted).await.map_err(wrong)?;
    transaction.commit().await.map_err(wrong)
}

/// Schema version; `None` for an empty database.
pub(super) async fn version(pool: &Pool) -> Result<Option<u32>, StoreError> {
    let known = pool.query("SELECT to_regclass('baize_schema') IS NOT NULL", &[]).await?;
    if !known.first().map_or(Ok(false), |row| rows::get(row, 0))? {
        return Ok(None);
    }
    let found = pool.query("SELECT version FROM baize_schema", &[]).await?;
    let version: Option<i32> = found.first().map(|row| rows::get(row, 0)).transpose()?;
    Ok(version.and_then(|version| u32::try_from(version).ok()))
}

/// The tables of this version and of all earlier ones.
const TABLES: &str =
    "entries, postings, balances, decks, rounds, secrets, snapshots, names, sealed, baize_schema";

/// Removes all tables of a casino, if there is one. Tables of these names that belong to another program stay.
pub(super) async fn remove(pool: &Pool) -> Result<(), StoreError> {
    if version(pool).await?.is_some() {
        pool.query(&format!("DROP TABLE IF EXISTS {TABLES}"), &[]).await?;
    }
    Ok(())
}

/// Constraints and indexes that the upgrades create, as the server describes them.
const OWN: [(&str, &str); 15] = [
    ("constraint balances_pkey", "balances PRIMARY KEY (account)"),
    (
        "constraint balances_short",
        "balances CHECK (((cents >= 0) OR (account = ANY (ARRAY['house'::text, 'cage'::text])) OR (account ~~ 'owed/%'::text)))",
    ),
    ("constraint decks_pkey", "decks PRIMARY KEY (tab, round)"),
    ("constraint entries_number_key", "entries UNIQUE (number)"),
    ("constraint entries_stream", "entries PRIMARY KEY (stream, version)"),
    ("constraint names_name_key", "names UNIQUE (name)"),
    ("constraint names_pkey", "names PRIMARY KEY (id)"),
    ("constraint rounds_pkey", "rounds PRIMARY KEY (tab, round)"),
    ("constraint sealed_pkey", "sealed PRIMARY KEY (stream, version)"),
    ("constraint secrets_pkey", "secrets PRIMARY KEY (hash)"),
    ("constraint snapshots_pkey", "snapshots PRIMARY KEY (stream, version)"),
    (
        "index entries_command",
        "CREATE UNIQUE INDEX entries_command ON entries USING btree (command) WHERE (command IS NOT NULL)",
    ),
    (
        "index entries_significant",
        "CREATE INDEX entries_significant ON entries USING btree (number) WHERE (significant <> 0)",
    ),
    ("index entries_time", "CREATE INDEX entries_time ON entries USING brin (at)"),
    ("index rounds_ended", "CREATE INDEX rounds_ended ON rounds USING btree (ended)"),
];

/// Query for those of the database, and its triggers and rules.
const FOUND: &str = "
SELECT 'constraint ' || k.conname, c.relname || ' ' || pg_get_constraintdef(k.oid)
  FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
  WHERE c.relnamespace = current_schema()::regnamespace AND k.contype IN ('c', 'f', 'p', 'u', 'x')
UNION ALL
SELECT 'index ' || x.relname,
       replace(pg_get_indexdef(i.indexrelid), ' ON ' || quote_ident(current_schema()) || '.', ' ON ')
  FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_class x ON x.oid = i.indexrelid
  WHERE c.relnamespace = current_schema()::regnamespace AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid)
UNION ALL
SELECT 'trigger ' || t.tgname, c.relname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
  WHERE c.relnamespace = current_schema()::regnamespace AND NOT t.tgisinternal
UNION ALL
SELECT 'rule ' || r.rulename, c.relname FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'";

/// Differences between the database's constraints, indexes, triggers and rules and those this program creates.
pub(super) async fn differences(pool: &Pool) -> Result<Vec<Difference>, StoreError> {
    let own: BTreeMap<String, String> =
        OWN.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    let found = pool.query(FOUND, &[]).await?;
    let found: BTreeMap<String, String> = found
        .iter()
        .map(|row| Ok((rows::get(row, 0)?, rows::get(row, 1)?)))
        .collect::<Result<_, StoreError>>()?;
    let acts = |name: &str| name.starts_with("trigger") || name.starts_with("rule");
    Ok(Difference::between(&own, &found, acts))
}
