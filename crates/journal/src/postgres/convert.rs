//! Schema upgrade from version 6 to 7: compresses every row. One transaction, in chunks, so memory use does not depend on the journal's
//! length.

use std::collections::HashMap;

use tokio_postgres::types::ToSql;
use tokio_postgres::{Error, Row, Transaction};

use super::rows::short;
use crate::packed;
use crate::{Entry, Instant, Posting, Stream};

/// Rows in memory at a time.
const CHUNK: usize = 500;

/// Moves the version 6 tables, renamed to `old_…`, into those of version 7, and drops them.
pub(super) async fn to_version_7(transaction: &Transaction<'_>) -> Result<(), Error> {
    let mut names = Names::of(transaction).await?;
    entries(&mut names).await?;
    decks(&mut names).await?;
    snapshots(&mut names).await?;
    names.learn_all("SELECT tab FROM old_rounds UNION SELECT rulebook FROM old_rounds UNION SELECT outcome FROM old_rounds").await?;
    transaction
        .batch_execute(
            "INSERT INTO rounds (tab, round, rulebook, opened, ended, outcome, players, staked, won, contributed, awarded, first, last)
             SELECT t.id, r.round, b.id, r.opened, r.ended, o.id, r.players, r.staked, r.won, r.contributed, r.awarded, r.first, r.last
             FROM old_rounds r JOIN names t ON t.name = r.tab JOIN names b ON b.name = r.rulebook JOIN names o ON o.name = r.outcome
             ORDER BY r.ended",
        )
        .await?;
    // Assigned numbers stay assigned.
    let row = transaction.query_one("SELECT pg_get_serial_sequence('old_entries', 'number')", &[]).await?;
    let sequence: String = row.try_get(0)?;
    let given = format!(
        "SELECT setval(pg_get_serial_sequence('entries', 'number'), last_value, is_called) FROM {sequence}"
    );
    transaction.batch_execute(&given).await?;
    let loose = "SELECT count(*) FROM old_postings p
                 WHERE NOT EXISTS (SELECT FROM old_entries e WHERE e.stream = p.stream AND e.version = p.version)";
    let loose: i64 = transaction.query_one(loose, &[]).await?.try_get(0)?;
    if loose > 0 {
        tracing::warn!(target: "baize::journal", rows = loose, "dropped ledger rows without an entry");
    }
    transaction
        .batch_execute("DROP TABLE old_entries, old_postings, old_decks, old_rounds, old_snapshots")
        .await
}

/// Interned names; numbers are assigned on first use.
pub(super) struct Names<'a> {
    transaction: &'a Transaction<'a>,
    ids: HashMap<String, i32>,
}

impl<'a> Names<'a> {
    /// Loads the existing names.
    pub(super) async fn of(transaction: &'a Transaction<'a>) -> Result<Names<'a>, Error> {
        let mut ids = HashMap::new();
        for row in transaction.query("SELECT name, id FROM names", &[]).await? {
            ids.insert(row.try_get(0)?, row.try_get(1)?);
        }
        Ok(Names { transaction, ids })
    }

    pub(super) async fn number(&mut self, name: &str) -> Result<i32, Error> {
        if let Some(id) = self.ids.get(name) {
            return Ok(*id);
        }
        let sql = "INSERT INTO names (name) VALUES ($1) RETURNING id";
        let id = self.transaction.query_one(sql, &[&name]).await?.try_get(0)?;
        self.ids.insert(name.to_owned(), id);
        Ok(id)
    }

    /// Assigns numbers to all names that a query returns.
    async fn learn_all(&mut self, sql: &str) -> Result<(), Error> {
        for row in self.transaction.query(sql, &[]).await? {
            self.number(row.try_get(0)?).await?;
        }
        Ok(())
    }

    /// Opens a cursor, read by `fetch`.
    async fn ask(&self, sql: &str) -> Result<(), Error> {
        self.transaction.batch_execute(&format!("DECLARE old_rows NO SCROLL CURSOR FOR {sql}")).await
    }

    async fn fetch(&self) -> Result<Vec<Row>, Error> {
        let rows = self.transaction.query(&format!("FETCH {CHUNK} FROM old_rows"), &[]).await?;
        if rows.is_empty() {
            self.transaction.batch_execute("CLOSE old_rows").await?;
        }
        Ok(rows)
    }
}

async fn entries(names: &mut Names<'_>) -> Result<(), Error> {
    names
        .ask(
            "SELECT number, stream, version, at, actor, command, kinds, significant, body, link, hash,
               ARRAY(SELECT p.account FROM old_postings p WHERE p.stream = e.stream AND p.version = e.version ORDER BY p.line),
               ARRAY(SELECT p.cents FROM old_postings p WHERE p.stream = e.stream AND p.version = e.version ORDER BY p.line)
             FROM old_entries e ORDER BY number",
        )
        .await?;
    loop {
        let rows = names.fetch().await?;
        if rows.is_empty() {
            return Ok(());
        }
        let entries = rows.iter().map(entry).collect::<Result<Vec<_>, _>>()?;
        put_entries(names, &entries).await?;
    }
}

fn entry(row: &Row) -> Result<Entry, Error> {
    let (accounts, cents): (Vec<String>, Vec<i64>) = (row.try_get(11)?, row.try_get(12)?);
    Ok(Entry {
        number: row.try_get::<_, i64>(0)?.cast_unsigned(),
        stream: Stream::named(row.try_get::<_, String>(1)?),
        version: row.try_get::<_, i64>(2)?.cast_unsigned(),
        at: Instant(row.try_get(3)?),
        actor: row.try_get(4)?,
        command: row.try_get(5)?,
        kinds: row.try_get(6)?,
        significant: row.try_get(7)?,
        body: row.try_get(8)?,
        link: row.try_get(9)?,
        previous: String::new(),
        hash: row.try_get(10)?,
        postings: accounts
            .into_iter()
            .zip(cents)
            .map(|(account, cents)| Posting { account, cents })
            .collect(),
    })
}

/// Inserts entries with their existing numbers.
pub(super) async fn put_entries(names: &mut Names<'_>, entries: &[Entry]) -> Result<(), Error> {
    let (mut number, mut at, mut version) = (Vec::<i64>::new(), Vec::<i64>::new(), Vec::<i32>::new());
    let (mut stream, mut actor, mut kinds, mut significant) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let (mut hash, mut link, mut ledger, mut body) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut command = Vec::new();
    for entry in entries {
        number.push(entry.number.cast_signed());
        at.push(entry.at.0);
        version.push(short(entry.version));
        stream.push(names.number(entry.stream.as_str()).await?);
        actor.push(names.number(&entry.actor).await?);
        kinds.push(names.number(&entry.kinds).await?);
        significant.push(match &entry.significant {
            Some(name) => names.number(name).await?,
            None => 0,
        });
        command.push(entry.command.as_deref().map(packed::command_bytes));
        for posting in &entry.postings {
            names.number(&posting.account).await?;
        }
        let id = |account: &str| {
            Ok::<i64, std::convert::Infallible>(names.ids.get(account).copied().unwrap_or(0).into())
        };
        hash.push(packed::hash_bytes(&entry.hash));
        link.push(entry.link.as_deref().map(packed::hash_bytes).unwrap_or_default());
        ledger.push(packed::ledger(&entry.postings, id).unwrap_or_default());
        body.push(packed::pack(&entry.body));
    }
    let values: [&(dyn ToSql + Sync); 12] = [
        &number,
        &at,
        &stream,
        &version,
        &actor,
        &kinds,
        &significant,
        &command,
        &hash,
        &link,
        &ledger,
        &body,
    ];
    let sql = "INSERT INTO entries (number, at, stream, version, actor, kinds, significant, command, hash, link, ledger, body)
               OVERRIDING SYSTEM VALUE
               SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::integer[], $4::integer[], $5::integer[], $6::integer[],
                                    $7::integer[], $8::bytea[], $9::bytea[], $10::bytea[], $11::bytea[], $12::bytea[])";
    names.transaction.execute(sql, &values).await?;
    let sealed = "INSERT INTO sealed (stream, version)
                  SELECT stream, version FROM unnest($1::integer[], $2::integer[], $3::bytea[]) AS own (stream, version, body)
                  WHERE get_byte(body, 0) >= 128";
    names.transaction.execute(sealed, &[&stream, &version, &body]).await.map(drop)
}

async fn decks(names: &mut Names<'_>) -> Result<(), Error> {
    names.ask("SELECT tab, round, salt, cards FROM old_decks").await?;
    loop {
        let rows = names.fetch().await?;
        if rows.is_empty() {
            return Ok(());
        }
        let (mut tab, mut round, mut deck) = (Vec::new(), Vec::new(), Vec::new());
        for row in &rows {
            tab.push(names.number(row.try_get(0)?).await?);
            round.push(i32::try_from(row.try_get::<_, i64>(1)?).unwrap_or(i32::MAX));
            deck.push(packed::deck_bytes(row.try_get(2)?, row.try_get(3)?));
        }
        let sql = "INSERT INTO decks (tab, round, deck) SELECT * FROM unnest($1::integer[], $2::integer[], $3::bytea[])";
        names.transaction.execute(sql, &[&tab, &round, &deck]).await?;
    }
}

async fn snapshots(names: &mut Names<'_>) -> Result<(), Error> {
    names.ask("SELECT stream, version, hash, at, state FROM old_snapshots").await?;
    loop {
        let rows = names.fetch().await?;
        for row in &rows {
            let stream = names.number(row.try_get(0)?).await?;
            let version = i32::try_from(row.try_get::<_, i64>(1)?).unwrap_or(i32::MAX);
            let (hash, at): (Vec<u8>, i64) = (packed::hash_bytes(row.try_get(2)?), row.try_get(3)?);
            let state = packed::pack(row.try_get(4)?);
            let sql = "INSERT INTO snapshots (stream, version, hash, at, state) VALUES ($1, $2, $3, $4, $5)";
            names.transaction.execute(sql, &[&stream, &version, &hash, &at, &state]).await?;
        }
        if rows.is_empty() {
            return Ok(());
        }
    }
}
