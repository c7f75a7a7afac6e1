//! Rows of the SQLite tables as values, and the questions that are asked of them.

use std::collections::{BTreeMap, HashMap};

use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, Row, params, params_from_iter};

use super::chains;
use crate::key::{Unsealing, Vault};
use crate::{
    DeckRow, Entry, EntryFilter, Head, KeptSecret, Posting, RoundRow, SecretRow, SnapshotFilter, SnapshotRow,
    Stream,
};
use crate::{Instant, RoundFilter};

pub(super) type Asked<T> = Result<T, rusqlite::Error>;

pub(super) const COLUMNS: &str =
    "number, stream, version, at, actor, command, kinds, significant, body, link, previous, hash";
const ROUND_COLUMNS: &str =
    "tab, round, rulebook, opened, ended, outcome, players, staked, won, contributed, awarded, first, last";

/// SQLite's integers are signed; ours are counts that never come near the sign.
pub(super) fn stored(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn count(row: &Row<'_>, at: usize) -> Asked<u64> {
    let found: i64 = row.get(at)?;
    u64::try_from(found).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(at, found))
}

pub(super) fn entry(row: &Row<'_>) -> Asked<Entry> {
    Ok(Entry {
        number: count(row, 0)?,
        stream: Stream::named(row.get::<_, String>(1)?),
        version: count(row, 2)?,
        at: Instant(row.get(3)?),
        actor: row.get(4)?,
        command: row.get(5)?,
        kinds: row.get(6)?,
        significant: row.get(7)?,
        body: row.get(8)?,
        link: row.get(9)?,
        previous: row.get(10)?,
        hash: row.get(11)?,
        postings: Vec::new(),
    })
}

pub(super) fn with_postings(connection: &Connection, mut entries: Vec<Entry>) -> Asked<Vec<Entry>> {
    let mut asked =
        connection.prepare_cached("SELECT account, cents FROM postings WHERE number = ?1 ORDER BY line")?;
    for entry in &mut entries {
        let posting = |row: &Row<'_>| Ok(Posting { account: row.get(0)?, cents: row.get(1)? });
        entry.postings = asked.query_map([stored(entry.number)], posting)?.collect::<Asked<_>>()?;
    }
    Ok(entries)
}

pub(super) fn by_command(connection: &Connection, command: &str) -> Asked<Option<Entry>> {
    let sql = format!("SELECT {COLUMNS} FROM entries WHERE command = ?1");
    let found = connection.prepare_cached(&sql)?.query_row([command], entry).optional()?;
    Ok(with_postings(connection, found.into_iter().collect())?.pop())
}

pub(super) fn entries(connection: &Connection, filter: &EntryFilter) -> Asked<Vec<Entry>> {
    let mut values: Vec<Value> = Vec::new();
    let mut sql = match &filter.stream {
        None => format!("SELECT {COLUMNS} FROM entries WHERE 1"),
        Some(stream) => {
            let before = filter.before.map_or(Value::Null, |before| Value::Integer(stored(before)));
            let after = Value::Integer(stored(filter.after.unwrap_or(0)));
            values.extend([Value::Text(stream.as_str().to_owned()), before, after]);
            let chain = chains::back();
            format!(
                "{chain} SELECT {COLUMNS} FROM chain CROSS JOIN entries ON number = place WHERE stream = ?1"
            )
        }
    };
    let mut add = |condition: &str, value: Value| {
        sql.push_str(condition);
        values.push(value);
    };
    if let Some(actor) = &filter.actor {
        add(" AND actor = ?", Value::Text(actor.clone()));
    }
    if let Some(after) = filter.after {
        add(" AND number > ?", Value::Integer(stored(after)));
    }
    if let Some(before) = filter.before {
        add(" AND number < ?", Value::Integer(stored(before)));
    }
    if let Some(from) = filter.from {
        add(" AND at >= ?", Value::Integer(from.0));
    }
    if let Some(until) = filter.until {
        add(" AND at < ?", Value::Integer(until.0));
    }
    if let Some(account) = &filter.account {
        let own = "SELECT 1 FROM postings p WHERE p.number = entries.number AND p.account = ?";
        add(&format!(" AND EXISTS ({own})"), Value::Text(account.clone()));
    }
    if let Some(text) = &filter.text {
        let words = Value::Text(text.to_ascii_lowercase());
        add(
            " AND (instr(lower(stream || ' ' || kinds || ' ' || actor || ' ' || iif(substr(body, 1, 7) = 'sealed-', '', body)), ?) > 0",
            words.clone(),
        );
        add(
            " OR EXISTS (SELECT 1 FROM postings p WHERE p.number = entries.number AND instr(lower(p.account), ?) > 0))",
            words,
        );
    }
    if !filter.kinds.is_empty() {
        let any = vec!["instr(kinds, ?) > 0"; filter.kinds.len()].join(" OR ");
        sql.push_str(&format!(" AND ({any})"));
        values.extend(filter.kinds.iter().map(|kind| Value::Text(format!(",{kind},"))));
    }
    if filter.significant {
        sql.push_str(" AND significant IS NOT NULL");
    }
    sql.push_str(match (filter.after, &filter.stream) {
        (Some(_), _) => " ORDER BY number",
        (None, None) => " ORDER BY number DESC",
        // It is read from its end as it is: no more of it than is asked for.
        (None, Some(_)) => "",
    });
    sql.push_str(&format!(" LIMIT {}", filter.limit));
    let mut asked = connection.prepare_cached(&sql)?;
    let found = asked.query_map(params_from_iter(values), entry)?.collect::<Asked<_>>()?;
    with_postings(connection, found)
}

pub(super) fn numbers(
    connection: &Connection,
    from: Option<Instant>,
    until: Option<Instant>,
) -> Asked<Option<(u64, u64)>> {
    // Both ends at once: for one alone SQLite would look through the entries in their order.
    let sql =
        "SELECT min(number), max(number) FROM entries INDEXED BY entries_by_time WHERE at >= ?1 AND at < ?2";
    let (from, until) = (from.map_or(i64::MIN, |from| from.0), until.map_or(i64::MAX, |until| until.0));
    connection.prepare_cached(sql)?.query_row([from, until], |row| {
        let nothing = row.get::<_, Option<i64>>(0)?.is_none();
        if nothing { Ok(None) } else { Ok(Some((count(row, 0)?, count(row, 1)?))) }
    })
}

pub(super) fn heads(connection: &Connection) -> Asked<BTreeMap<Stream, Head>> {
    let sql = "SELECT h.stream, e.version, e.hash FROM heads h JOIN entries e ON e.number = h.number";
    let mut asked = connection.prepare_cached(sql)?;
    let head = |row: &Row<'_>| {
        Ok((Stream::named(row.get::<_, String>(0)?), Head { version: count(row, 1)?, hash: row.get(2)? }))
    };
    asked.query_map([], head)?.collect()
}

/// Works out again where chains end, if what is written down does not fit the entries.
pub(super) fn mend_ends(connection: &Connection) -> Asked<()> {
    let sql = "SELECT (SELECT max(number) FROM entries) IS (SELECT max(number) FROM heads)
               AND NOT EXISTS (SELECT 1 FROM heads h LEFT JOIN entries e ON e.number = h.number AND e.stream = h.stream
                               WHERE e.number IS NULL)";
    if connection.query_row(sql, [], |row| row.get(0))? {
        return Ok(());
    }
    connection.execute_batch(
        "BEGIN IMMEDIATE;
         DELETE FROM heads;
         INSERT INTO heads SELECT stream, number FROM (SELECT stream, number, max(version) FROM entries GROUP BY stream);
         COMMIT;",
    )
}

/// The numbers of the last entries of all chains.
pub(super) fn ends(connection: &Connection) -> Asked<HashMap<String, i64>> {
    let mut asked = connection.prepare_cached("SELECT stream, number FROM heads")?;
    asked.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}

pub(super) fn balances(connection: &Connection) -> Asked<HashMap<String, i64>> {
    let mut asked = connection.prepare_cached("SELECT account, cents FROM balances")?;
    asked.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}

pub(super) fn balance(connection: &Connection, account: &str) -> Asked<i64> {
    let mut asked = connection.prepare_cached("SELECT cents FROM balances WHERE account = ?1")?;
    Ok(asked.query_row([account], |row| row.get(0)).optional()?.unwrap_or(0))
}

pub(super) fn deck(row: &Row<'_>) -> Asked<DeckRow> {
    Ok(DeckRow {
        table: row.get(0)?,
        round: row.get(1)?,
        salt: row.get(2)?,
        cards: row.get(3)?,
        sealed: false,
    })
}

pub(super) fn secret(row: &Row<'_>, vault: &Vault) -> Asked<KeptSecret> {
    let kept =
        SecretRow { hash: row.get(0)?, kind: row.get(1)?, actor: row.get(2)?, expires: Instant(row.get(3)?) };
    let made = vault.key().is_some().then_some(vault.made(&kept, &row.get::<_, String>(4)?));
    Ok(KeptSecret { row: kept, made })
}

fn round(row: &Row<'_>) -> Asked<RoundRow> {
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
        first: count(row, 11)?,
        last: count(row, 12)?,
    })
}

pub(super) fn rounds(connection: &Connection, filter: &RoundFilter) -> Asked<Vec<RoundRow>> {
    let mut sql = format!("SELECT {ROUND_COLUMNS} FROM rounds WHERE 1");
    let mut values: Vec<Value> = Vec::new();
    if let Some(table) = &filter.table {
        sql.push_str(" AND tab = ?");
        values.push(Value::Text(table.to_string()));
    }
    if let Some(player) = &filter.player {
        sql.push_str(" AND instr(players, ?) > 0");
        values.push(Value::Text(format!(",{player},")));
    }
    if let Some(before) = filter.before {
        sql.push_str(" AND ended < ?");
        values.push(Value::Integer(before.0));
    }
    sql.push_str(&format!(" ORDER BY ended DESC, round DESC, tab LIMIT {}", filter.limit.unwrap_or(50)));
    let mut asked = connection.prepare_cached(&sql)?;
    asked.query_map(params_from_iter(values), round)?.collect()
}

pub(super) fn one_round(connection: &Connection, table: &str, number: u32) -> Asked<Option<RoundRow>> {
    let sql = format!("SELECT {ROUND_COLUMNS} FROM rounds WHERE tab = ?1 AND round = ?2");
    connection.prepare_cached(&sql)?.query_row(params![table, number], round).optional()
}

pub(super) fn snapshots(connection: &Connection, filter: &SnapshotFilter) -> Asked<Vec<SnapshotRow>> {
    let sql = "SELECT stream, version, hash, at, state FROM snapshots
               WHERE stream = ?1 AND version BETWEEN ?2 AND ?3 AND at < ?4 ORDER BY version DESC LIMIT ?5";
    let snapshot = |row: &Row<'_>| {
        Ok(SnapshotRow {
            stream: Stream::named(row.get::<_, String>(0)?),
            version: count(row, 1)?,
            hash: row.get(2)?,
            at: Instant(row.get(3)?),
            state: row.get(4)?,
        })
    };
    let before = filter.before.map_or(i64::MAX, |before| before.0);
    let values =
        params![filter.stream.as_str(), stored(filter.from), stored(filter.to), before, filter.limit];
    connection.prepare_cached(sql)?.query_map(values, snapshot)?.collect()
}

/// Opens sealed bodies, or seals them anew. One whose key is not here stays as it is.
pub(super) fn unseal(connection: &Connection, vault: &Vault, how: &Unsealing) -> Asked<()> {
    let sql = "SELECT number, stream, version, body FROM entries INDEXED BY entries_sealed
               WHERE substr(body, 1, 7) = 'sealed-' AND (?1 IS NULL OR stream = ?1)";
    let mut asked = connection.prepare_cached(sql)?;
    let row = |row: &Row<'_>| {
        let (stream, body): (String, String) = (row.get(1)?, row.get(3)?);
        Ok((row.get::<_, i64>(0)?, vault.unsealed(how, &stream, count(row, 2)?, &body)))
    };
    let found: Vec<(i64, Option<String>)> = asked.query_map([how.stream()], row)?.collect::<Asked<_>>()?;
    let mut put = connection.prepare_cached("UPDATE entries SET body = ?2 WHERE number = ?1")?;
    for (number, body) in found {
        if let Some(body) = body {
            put.execute(params![number, body])?;
        }
    }
    Ok(())
}

pub(super) fn put_end(connection: &Connection, stream: &str, number: i64) -> Asked<()> {
    let sql = "INSERT INTO heads (stream, number) VALUES (?1, ?2) ON CONFLICT (stream) DO UPDATE SET number = excluded.number";
    connection.prepare_cached(sql)?.execute(params![stream, number]).map(drop)
}

pub(super) fn put_balance(connection: &Connection, account: &str, cents: i64) -> Asked<()> {
    let sql = "INSERT INTO balances (account, cents) VALUES (?1, ?2)
               ON CONFLICT (account) DO UPDATE SET cents = excluded.cents";
    connection.prepare_cached(sql)?.execute(params![account, cents]).map(drop)
}

pub(super) fn put_deck(connection: &Connection, row: &DeckRow, (salt, cards): &(&str, String)) -> Asked<()> {
    let sql = "INSERT OR REPLACE INTO decks (tab, round, salt, cards) VALUES (?1, ?2, ?3, ?4)";
    connection.prepare_cached(sql)?.execute(params![row.table, row.round, salt, cards]).map(drop)
}

pub(super) fn put_snapshot(connection: &Connection, row: &SnapshotRow) -> Asked<()> {
    let sql =
        "INSERT OR REPLACE INTO snapshots (stream, version, hash, at, state) VALUES (?1, ?2, ?3, ?4, ?5)";
    let values = params![row.stream.as_str(), stored(row.version), row.hash, row.at.0, row.state];
    connection.prepare_cached(sql)?.execute(values).map(drop)
}

pub(super) fn put_round(connection: &Connection, row: &RoundRow) -> Asked<()> {
    let sql = format!(
        "INSERT OR REPLACE INTO rounds ({ROUND_COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)"
    );
    connection.prepare_cached(&sql)?.execute(params![
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
        stored(row.first),
        stored(row.last)
    ])?;
    Ok(())
}
