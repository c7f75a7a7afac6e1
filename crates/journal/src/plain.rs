//! Decoded rows of a database, to read and change with SQL. For tests and drills; no program uses it.
//!
//! Rows are copied into an in-memory database with the schema from before compression, and written back by [`Plain::keep`]. The column
//! `previous` is only shown: the databases do not store it.

use std::ops::Deref;

use rusqlite::{Connection, Row, params};

use crate::boxed;
use crate::{DeckRow, Entry, Instant, Posting, RoundRow, SnapshotRow, StoreError, Stream};

const TABLES: &str = "
CREATE TABLE entries (number INTEGER PRIMARY KEY, stream TEXT, version INTEGER, at INTEGER, actor TEXT, command TEXT, kinds TEXT,
  significant TEXT, body TEXT, link TEXT, previous TEXT, hash TEXT, before INTEGER);
CREATE TABLE postings (number INTEGER, line INTEGER, account TEXT, cents INTEGER);
CREATE TABLE heads (stream TEXT, number INTEGER);
CREATE TABLE decks (tab TEXT, round INTEGER, salt TEXT, cards TEXT);
CREATE TABLE rounds (tab TEXT, round INTEGER, rulebook TEXT, opened INTEGER, ended INTEGER, outcome TEXT, players TEXT, staked INTEGER,
  won INTEGER, contributed INTEGER, awarded INTEGER, first INTEGER, last INTEGER);
CREATE TABLE snapshots (stream TEXT, version INTEGER, hash TEXT, at INTEGER, state TEXT);
CREATE TABLE balances (account TEXT, cents INTEGER);
CREATE TABLE secrets (hash TEXT, kind TEXT, actor TEXT, expires INTEGER, made TEXT);
";

/// The rows of a database.
pub struct Plain {
    connection: Connection,
    address: String,
}

impl Deref for Plain {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.connection
    }
}

/// All rows. Each entry comes with the number of the previous entry of its chain.
#[derive(Default)]
pub(crate) struct All {
    pub(crate) entries: Vec<(Entry, Option<i64>)>,
    pub(crate) heads: Vec<(String, i64)>,
    pub(crate) decks: Vec<DeckRow>,
    pub(crate) rounds: Vec<RoundRow>,
    pub(crate) snapshots: Vec<SnapshotRow>,
    pub(crate) balances: Vec<(String, i64)>,
    pub(crate) secrets: Vec<(String, String, String, i64, String)>,
}

fn wrong(error: rusqlite::Error) -> StoreError {
    StoreError::Away(error.to_string())
}

fn path(address: &str) -> Option<&str> {
    (!crate::store::on_server(address)).then(|| address.strip_prefix("sqlite:").unwrap_or(address))
}

impl Plain {
    /// The rows of the database at this address.
    ///
    /// # Errors
    /// It cannot be read.
    #[boxed]
    pub async fn of(address: &str) -> Result<Plain, StoreError> {
        let (address, _) = crate::key_place(address);
        let all = match path(&address) {
            Some(path) => crate::sqlite::all_rows(path)?,
            None => crate::postgres::all_rows(&address).await?,
        };
        let connection = Connection::open_in_memory().map_err(wrong)?;
        put(&connection, &all).map_err(wrong)?;
        Ok(Plain { connection, address })
    }

    /// Writes the rows back.
    ///
    /// # Errors
    /// They cannot be written.
    #[boxed]
    pub async fn keep(self) -> Result<(), StoreError> {
        let all = taken(&self.connection).map_err(wrong)?;
        match path(&self.address) {
            Some(path) => crate::sqlite::put_all_rows(path, &all),
            None => crate::postgres::put_all_rows(&self.address, &all).await,
        }
    }
}

fn put(to: &Connection, all: &All) -> Result<(), rusqlite::Error> {
    to.execute_batch(&format!("BEGIN;{TABLES}"))?;
    let mut entry =
        to.prepare("INSERT INTO entries VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, '', ?11, ?12)")?;
    let mut line = to.prepare("INSERT INTO postings VALUES (?1, ?2, ?3, ?4)")?;
    for (own, before) in &all.entries {
        let number = own.number.cast_signed();
        let (stream, version) = (own.stream.as_str(), own.version.cast_signed());
        entry.execute(params![
            number,
            stream,
            version,
            own.at.0,
            own.actor,
            own.command,
            own.kinds,
            own.significant,
            own.body,
            own.link,
            own.hash,
            before
        ])?;
        for (at, posting) in (0_i64..).zip(&own.postings) {
            line.execute(params![number, at, posting.account, posting.cents])?;
        }
    }
    for (stream, number) in &all.heads {
        to.execute("INSERT INTO heads VALUES (?1, ?2)", params![stream, number])?;
    }
    for row in &all.decks {
        to.execute(
            "INSERT INTO decks VALUES (?1, ?2, ?3, ?4)",
            params![row.table, row.round, row.salt, row.cards],
        )?;
    }
    for row in &all.rounds {
        let values = params![
            row.table,
            row.round,
            row.rulebook,
            row.opened.0,
            row.ended.0,
            row.outcome,
            row.players,
            row.staked,
            row.won,
            row.contributed,
            row.awarded,
            row.first.cast_signed(),
            row.last.cast_signed()
        ];
        to.execute(
            "INSERT INTO rounds VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
            values,
        )?;
    }
    for row in &all.snapshots {
        let values = params![row.stream.as_str(), row.version.cast_signed(), row.hash, row.at.0, row.state];
        to.execute("INSERT INTO snapshots VALUES (?1, ?2, ?3, ?4, ?5)", values)?;
    }
    for (account, cents) in &all.balances {
        to.execute("INSERT INTO balances VALUES (?1, ?2)", params![account, cents])?;
    }
    for (hash, kind, actor, expires, made) in &all.secrets {
        to.execute(
            "INSERT INTO secrets VALUES (?1, ?2, ?3, ?4, ?5)",
            params![hash, kind, actor, expires, made],
        )?;
    }
    to.execute_batch(
        "CREATE INDEX places ON entries (stream, version);
         UPDATE entries SET previous = coalesce((SELECT b.hash FROM entries b
           WHERE b.stream = entries.stream AND b.version = entries.version - 1), '');
         COMMIT;",
    )
}

fn taken(from: &Connection) -> Result<All, rusqlite::Error> {
    let mut all = All::default();
    let mut lines = from.prepare("SELECT account, cents FROM postings WHERE number = ?1 ORDER BY line")?;
    let entry = |row: &Row<'_>| {
        let number: i64 = row.get(0)?;
        let posting = |row: &Row<'_>| Ok(Posting { account: row.get(0)?, cents: row.get(1)? });
        let own = Entry {
            number: number.cast_unsigned(),
            stream: Stream::named(row.get::<_, String>(1)?),
            version: row.get::<_, i64>(2)?.cast_unsigned(),
            at: Instant(row.get(3)?),
            actor: row.get(4)?,
            command: row.get(5)?,
            kinds: row.get(6)?,
            significant: row.get(7)?,
            body: row.get(8)?,
            link: row.get(9)?,
            previous: String::new(),
            hash: row.get(11)?,
            postings: lines.query_map([number], posting)?.collect::<Result<_, _>>()?,
        };
        Ok((own, row.get(12)?))
    };
    all.entries = from
        .prepare("SELECT * FROM entries ORDER BY number")?
        .query_map([], entry)?
        .collect::<Result<_, _>>()?;
    let two = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
    all.heads = from.prepare("SELECT * FROM heads")?.query_map([], two)?.collect::<Result<_, _>>()?;
    all.balances = from.prepare("SELECT * FROM balances")?.query_map([], two)?.collect::<Result<_, _>>()?;
    let deck = |row: &Row<'_>| {
        let (table, round, salt, cards) = (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
        Ok(DeckRow { table, round, salt, cards, sealed: false })
    };
    all.decks = from.prepare("SELECT * FROM decks")?.query_map([], deck)?.collect::<Result<_, _>>()?;
    let round = |row: &Row<'_>| {
        Ok(RoundRow {
            table: row.get(0)?,
            round: row.get(1)?,
            rulebook: row.get(2)?,
            opened: Instant(row.get(3)?),
            ended: Instant(row.get(4)?),
            outcome: row.get(5)?,
            players: row.get(6)?,
            staked: row.get(7)?,
            won: row.get(8)?,
            contributed: row.get(9)?,
            awarded: row.get(10)?,
            first: row.get::<_, i64>(11)?.cast_unsigned(),
            last: row.get::<_, i64>(12)?.cast_unsigned(),
        })
    };
    all.rounds = from.prepare("SELECT * FROM rounds")?.query_map([], round)?.collect::<Result<_, _>>()?;
    let snapshot = |row: &Row<'_>| {
        let (stream, version) =
            (Stream::named(row.get::<_, String>(0)?), row.get::<_, i64>(1)?.cast_unsigned());
        Ok(SnapshotRow { stream, version, hash: row.get(2)?, at: Instant(row.get(3)?), state: row.get(4)? })
    };
    all.snapshots =
        from.prepare("SELECT * FROM snapshots")?.query_map([], snapshot)?.collect::<Result<_, _>>()?;
    let secret = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?));
    all.secrets = from.prepare("SELECT * FROM secrets")?.query_map([], secret)?.collect::<Result<_, _>>()?;
    Ok(all)
}
