//! Queries, and conversion between SQLite rows and values.

use std::collections::{BTreeMap, HashMap};

use rusqlite::types::Value;
use rusqlite::{OptionalExtension, Row, params, params_from_iter};

use super::chains;
use super::names::Rows;
use crate::archive::PackedBody;
use crate::key::{Unsealing, Vault};
use crate::packed;
use crate::{
    DeckRow, Entry, EntryFilter, Head, KeptSecret, Posting, RoundRow, SecretRow, SnapshotFilter, SnapshotRow,
    Stream,
};
use crate::{Instant, RoundFilter};

pub(super) type SqlResult<T> = Result<T, rusqlite::Error>;

/// Columns of `entries`, aliased `e`.
pub(super) const COLUMNS: &str = "e.number, e.stream, e.version, e.at, e.actor, e.command, e.kinds, e.significant, e.body, e.link, e.ledger, e.hash";
const ROUND_COLUMNS: &str =
    "tab, round, rulebook, opened, ended, outcome, players, staked, won, contributed, awarded, first, last";

/// SQLite's integers are signed. Counts never come near the limit.
pub(super) fn stored(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

pub(super) fn count(row: &Row<'_>, at: usize) -> SqlResult<u64> {
    let found: i64 = row.get(at)?;
    u64::try_from(found).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(at, found))
}

fn stream(rows: &Rows, row: &Row<'_>, at: usize) -> SqlResult<Stream> {
    Ok(Stream::named(&*rows.name(row.get(at)?)?))
}

fn text(rows: &Rows, row: &Row<'_>, at: usize) -> SqlResult<String> {
    Ok(rows.name(row.get(at)?)?.as_ref().to_owned())
}

/// An entry without the hash of the previous one.
pub(super) fn entry(rows: &Rows, row: &Row<'_>) -> SqlResult<Entry> {
    let (significant, body, ledger) = (row.get(7)?, row.get_ref(8)?.as_blob()?, row.get_ref(10)?.as_blob()?);
    let command = row.get_ref(5)?.as_blob_or_null()?.map(packed::command_text);
    let link = row.get_ref(9)?.as_blob()?;
    Ok(Entry {
        number: count(row, 0)?,
        stream: stream(rows, row, 1)?,
        version: count(row, 2)?,
        at: Instant(row.get(3)?),
        actor: text(rows, row, 4)?,
        command,
        kinds: text(rows, row, 6)?,
        significant: if significant == 0 { None } else { Some(rows.name(significant)?.as_ref().to_owned()) },
        body: packed::unpack(body).unwrap_or_else(|| packed::damaged(body)),
        link: (!link.is_empty()).then(|| packed::hash_text(link)),
        previous: String::new(),
        hash: packed::hash_text(row.get_ref(11)?.as_blob()?),
        postings: postings(rows, ledger)?,
    })
}

fn postings(rows: &Rows, ledger: &[u8]) -> SqlResult<Vec<Posting>> {
    let Some(found) = packed::postings(ledger, |id| rows.name(id)) else {
        return Ok(vec![Posting { account: packed::damaged(ledger), cents: 0 }]);
    };
    let posting = |(account, cents): (SqlResult<std::sync::Arc<str>>, i64)| {
        Ok(Posting { account: account?.as_ref().to_owned(), cents })
    };
    found.into_iter().map(posting).collect()
}

/// The hash of an entry, if it has this chain and version.
pub(super) fn hash_at(rows: &Rows, number: i64, stream: i64, version: i64) -> SqlResult<Option<String>> {
    let sql = "SELECT hash FROM entries WHERE number = ?1 AND stream = ?2 AND version = ?3";
    let mut asked = rows.prepare_cached(sql)?;
    let hash = |row: &Row<'_>| Ok(packed::hash_text(row.get_ref(0)?.as_blob()?));
    asked.query_row([number, stream, version], hash).optional()
}

/// Adds the hash of the previous entry to each entry.
fn with_previous(rows: &Rows, mut entries: Vec<Entry>) -> SqlResult<Vec<Entry>> {
    let sql = format!("SELECT e.stream, {} FROM entries e WHERE e.number = ?1", chains::BEFORE);
    let mut asked = rows.prepare_cached(&sql)?;
    // Usually the previous entry is in the same page.
    let mut passed: HashMap<Stream, (u64, String)> = HashMap::new();
    for entry in &mut entries {
        let own = (entry.version, entry.hash.clone());
        let before = match passed.get_mut(&entry.stream) {
            Some(last) => Some(std::mem::replace(last, own)),
            None => passed.insert(entry.stream.clone(), own),
        };
        if entry.version <= 1 {
            continue;
        }
        if let Some((_, hash)) = before.filter(|(version, _)| version + 1 == entry.version) {
            entry.previous = hash;
            continue;
        }
        let (stream, before): (i64, Option<i64>) =
            asked.query_row([stored(entry.number)], |row| Ok((row.get(0)?, row.get(1)?)))?;
        if let Some(before) = before {
            entry.previous = hash_at(rows, before, stream, stored(entry.version) - 1)?.unwrap_or_default();
        }
    }
    Ok(entries)
}

pub(super) fn by_command(rows: &Rows, command: &str) -> SqlResult<Option<Entry>> {
    let sql = format!("SELECT {COLUMNS} FROM entries e WHERE e.command = ?1");
    let mut asked = rows.prepare_cached(&sql)?;
    let found = asked.query_row([packed::command_bytes(command)], |row| entry(rows, row)).optional()?;
    Ok(with_previous(rows, found.into_iter().collect())?.pop())
}

pub(super) fn entries(rows: &Rows, filter: &EntryFilter) -> SqlResult<Vec<Entry>> {
    let mut values: Vec<Value> = Vec::new();
    // Significant events are few and have their own index, so the chain need not be walked.
    let chain = filter.stream.as_ref().filter(|_| !filter.significant);
    let mut sql = match chain {
        None if filter.significant => {
            format!("SELECT {COLUMNS} FROM entries e INDEXED BY entries_significant WHERE e.significant <> 0")
        }
        None => format!("SELECT {COLUMNS} FROM entries e WHERE 1"),
        Some(stream) => {
            let Some(id) = rows.find(stream.as_str())? else { return Ok(Vec::new()) };
            let before = filter.before.map_or(Value::Null, |before| Value::Integer(stored(before)));
            let after = Value::Integer(stored(filter.after.unwrap_or(0)));
            values.extend([Value::Integer(id), before, after]);
            let chain = chains::back();
            format!(
                "{chain} SELECT {COLUMNS} FROM chain CROSS JOIN entries e ON e.number = place WHERE e.stream = ?1"
            )
        }
    };
    let mut add = |condition: &str, value: Value| {
        sql.push_str(condition);
        values.push(value);
    };
    if let Some(stream) = filter.stream.as_ref().filter(|_| filter.significant) {
        let Some(id) = rows.find(stream.as_str())? else { return Ok(Vec::new()) };
        add(" AND e.stream = ?", Value::Integer(id));
    }
    if let Some(actor) = &filter.actor {
        let Some(id) = rows.find(actor)? else { return Ok(Vec::new()) };
        add(" AND e.actor = ?", Value::Integer(id));
    }
    if let Some(after) = filter.after {
        add(" AND e.number > ?", Value::Integer(stored(after)));
    }
    if let Some(before) = filter.before {
        add(" AND e.number < ?", Value::Integer(stored(before)));
    }
    if let Some(from) = filter.from {
        add(" AND e.at >= ?", Value::Integer(from.0));
    }
    if let Some(until) = filter.until {
        add(" AND e.at < ?", Value::Integer(until.0));
    }
    if !filter.kinds.is_empty() {
        let any = vec!["instr(name, ?) > 0"; filter.kinds.len()].join(" OR ");
        sql.push_str(&format!(
            " AND e.kinds IN (SELECT id FROM names WHERE substr(name, 1, 1) = ',' AND ({any}))"
        ));
        values.extend(filter.kinds.iter().map(|kind| Value::Text(format!(",{kind},"))));
    }
    sql.push_str(match (filter.after, chain) {
        (Some(_), _) => " ORDER BY e.number",
        (None, None) => " ORDER BY e.number DESC",
        // A chain is read from its end, in order.
        (None, Some(_)) => "",
    });
    // Text and accounts are compressed in the rows, so these filters apply after decoding.
    let account = match &filter.account {
        None => None,
        Some(account) => match rows.find(account)? {
            None => return Ok(Vec::new()),
            found => found,
        },
    };
    if filter.text.is_none() && account.is_none() {
        sql.push_str(&format!(" LIMIT {}", filter.limit));
    }
    let mut asked = rows.prepare_cached(&sql)?;
    let mut asked = asked.query(params_from_iter(values))?;
    let mut found = Vec::new();
    while found.len() < filter.limit as usize
        && let Some(row) = asked.next()?
    {
        if let Some(account) = account {
            let ids = packed::postings(row.get_ref(10)?.as_blob()?, |id| id).unwrap_or_default();
            if !ids.iter().any(|(id, _)| *id == account) {
                continue;
            }
        }
        let entry = entry(rows, row)?;
        if filter.says(&entry) {
            found.push(entry);
        }
    }
    with_previous(rows, found)
}

pub(super) fn numbers(
    rows: &Rows,
    from: Option<Instant>,
    until: Option<Instant>,
) -> SqlResult<Option<(u64, u64)>> {
    // Both ends in one query: for one alone SQLite would scan the entries in order of number.
    let sql =
        "SELECT min(number), max(number) FROM entries INDEXED BY entries_by_time WHERE at >= ?1 AND at < ?2";
    let (from, until) = (from.map_or(i64::MIN, |from| from.0), until.map_or(i64::MAX, |until| until.0));
    rows.prepare_cached(sql)?.query_row([from, until], |row| {
        let nothing = row.get::<_, Option<i64>>(0)?.is_none();
        if nothing { Ok(None) } else { Ok(Some((count(row, 0)?, count(row, 1)?))) }
    })
}

pub(super) fn heads(rows: &Rows) -> SqlResult<BTreeMap<Stream, Head>> {
    let sql = "SELECT h.stream, e.version, e.hash FROM heads h JOIN entries e ON e.number = h.number";
    let mut asked = rows.prepare_cached(sql)?;
    let head = |row: &Row<'_>| {
        let hash = packed::hash_text(row.get_ref(2)?.as_blob()?);
        Ok((stream(rows, row, 0)?, Head { version: count(row, 1)?, hash }))
    };
    asked.query_map([], head)?.collect()
}

/// Rebuilds `heads` if it contradicts the entries.
pub(super) fn mend_ends(rows: &Rows) -> SqlResult<()> {
    let sql = "SELECT (SELECT max(number) FROM entries) IS (SELECT max(number) FROM heads)
               AND NOT EXISTS (SELECT 1 FROM heads h LEFT JOIN entries e ON e.number = h.number AND e.stream = h.stream
                               WHERE e.number IS NULL)";
    if rows.query_row(sql, [], |row| row.get(0))? {
        return Ok(());
    }
    rows.execute_batch(
        "BEGIN IMMEDIATE;
         DELETE FROM heads;
         INSERT INTO heads SELECT stream, number FROM (SELECT stream, number, max(version) FROM entries GROUP BY stream);
         COMMIT;",
    )
}

/// Number of the last entry, by chain.
pub(super) fn ends(rows: &Rows) -> SqlResult<HashMap<String, i64>> {
    let mut asked = rows.prepare_cached("SELECT stream, number FROM heads")?;
    asked.query_map([], |row| Ok((text(rows, row, 0)?, row.get(1)?)))?.collect()
}

pub(super) fn balances(rows: &Rows) -> SqlResult<HashMap<String, i64>> {
    let mut asked = rows.prepare_cached("SELECT account, cents FROM balances")?;
    asked.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}

pub(super) fn balance(rows: &Rows, account: &str) -> SqlResult<i64> {
    let mut asked = rows.prepare_cached("SELECT cents FROM balances WHERE account = ?1")?;
    Ok(asked.query_row([account], |row| row.get(0)).optional()?.unwrap_or(0))
}

pub(super) fn decks(rows: &Rows, table: &str, round: Option<u32>) -> SqlResult<Vec<DeckRow>> {
    let Some(tab) = rows.find(table)? else { return Ok(Vec::new()) };
    let sql = "SELECT round, deck FROM decks WHERE tab = ?1 AND round >= ?2 AND round <= ?3 ORDER BY round";
    let (from, to) = round.map_or((0, i64::MAX), |round| (round.into(), round.into()));
    let deck = |row: &Row<'_>| Ok(packed::deck_row(table, row.get(0)?, row.get_ref(1)?.as_blob()?));
    rows.prepare_cached(sql)?.query_map([tab, from, to], deck)?.collect()
}

pub(super) fn secret(row: &Row<'_>, vault: &Vault) -> SqlResult<KeptSecret> {
    let kept =
        SecretRow { hash: row.get(0)?, kind: row.get(1)?, actor: row.get(2)?, expires: Instant(row.get(3)?) };
    let made = vault.key().is_some().then_some(vault.made(&kept, &row.get::<_, String>(4)?));
    Ok(KeptSecret { row: kept, made })
}

fn round(rows: &Rows, row: &Row<'_>) -> SqlResult<RoundRow> {
    Ok(RoundRow {
        table: text(rows, row, 0)?,
        round: row.get(1)?,
        rulebook: text(rows, row, 2)?,
        opened: Instant(row.get(3)?),
        ended: Instant(row.get(4)?),
        outcome: text(rows, row, 5)?,
        players: row.get(6)?,
        staked: row.get(7)?,
        won: row.get(8)?,
        contributed: row.get(9)?,
        awarded: row.get(10)?,
        first: count(row, 11)?,
        last: count(row, 12)?,
    })
}

pub(super) fn rounds(rows: &Rows, filter: &RoundFilter) -> SqlResult<Vec<RoundRow>> {
    let mut sql = format!("SELECT {ROUND_COLUMNS} FROM rounds WHERE 1");
    let mut values: Vec<Value> = Vec::new();
    if let Some(table) = &filter.table {
        let Some(id) = rows.find(table)? else { return Ok(Vec::new()) };
        sql.push_str(" AND tab = ?");
        values.push(Value::Integer(id));
    }
    if let Some(player) = &filter.player {
        sql.push_str(" AND instr(players, ?) > 0");
        values.push(Value::Text(format!(",{player},")));
    }
    if let Some(before) = filter.before {
        sql.push_str(" AND ended < ?");
        values.push(Value::Integer(before.0));
    }
    sql.push_str(&format!(
        " ORDER BY ended DESC, round DESC, (SELECT name FROM names WHERE id = tab) LIMIT {}",
        filter.limit.unwrap_or(50)
    ));
    let mut asked = rows.prepare_cached(&sql)?;
    asked.query_map(params_from_iter(values), |row| round(rows, row))?.collect()
}

pub(super) fn one_round(rows: &Rows, table: &str, number: u32) -> SqlResult<Option<RoundRow>> {
    let sql = format!("SELECT {ROUND_COLUMNS} FROM rounds WHERE tab = ?1 AND round = ?2");
    let Some(tab) = rows.find(table)? else { return Ok(None) };
    rows.prepare_cached(&sql)?.query_row(params![tab, number], |row| round(rows, row)).optional()
}

/// Number of round summaries and decks, by table.
pub(super) fn rounds_kept(rows: &Rows) -> SqlResult<BTreeMap<String, (u64, u64)>> {
    let sql = "SELECT tab, sum(lines), sum(decks) FROM (
                 SELECT tab, count(*) AS lines, 0 AS decks FROM rounds GROUP BY tab
                 UNION ALL SELECT tab, 0, count(*) FROM decks GROUP BY tab) GROUP BY tab";
    let mut asked = rows.prepare(sql)?;
    asked.query_map([], |row| Ok((text(rows, row, 0)?, (count(row, 1)?, count(row, 2)?))))?.collect()
}

pub(super) fn snapshots(rows: &Rows, filter: &SnapshotFilter) -> SqlResult<Vec<SnapshotRow>> {
    let sql = "SELECT stream, version, hash, at, state FROM snapshots
               WHERE stream = ?1 AND version BETWEEN ?2 AND ?3 AND at < ?4 ORDER BY version DESC LIMIT ?5";
    let Some(id) = rows.find(filter.stream.as_str())? else { return Ok(Vec::new()) };
    let snapshot = |row: &Row<'_>| {
        let state = row.get_ref(4)?.as_blob()?;
        Ok(SnapshotRow {
            stream: stream(rows, row, 0)?,
            version: count(row, 1)?,
            hash: packed::hash_text(row.get_ref(2)?.as_blob()?),
            at: Instant(row.get(3)?),
            state: packed::unpack(state).unwrap_or_else(|| packed::damaged(state)),
        })
    };
    let before = filter.before.map_or(i64::MAX, |before| before.0);
    let values = params![id, stored(filter.from), stored(filter.to), before, filter.limit];
    rows.prepare_cached(sql)?.query_map(values, snapshot)?.collect()
}

pub(super) fn names_from(rows: &Rows, prefix: &str) -> SqlResult<Vec<String>> {
    let sql = "SELECT name FROM names WHERE substr(name, 1, length(?1)) = ?1 ORDER BY id";
    rows.prepare_cached(sql)?.query_map([prefix], |row| row.get(0))?.collect()
}

/// Opens sealed bodies, or seals them with another key. Those whose key is missing stay.
pub(super) fn unseal(rows: &Rows, vault: &Vault, how: &Unsealing) -> SqlResult<()> {
    let id = match how.stream() {
        None => None,
        Some(stream) => match rows.find(stream)? {
            None => return Ok(()),
            found => found,
        },
    };
    let all = "SELECT number, stream, version, body FROM entries INDEXED BY entries_sealed WHERE substr(body, 1, 1) >= X'80'";
    let row = |row: &Row<'_>| {
        let (stream, body) = (stream(rows, row, 1)?, row.get_ref(3)?.as_blob()?);
        Ok((row.get::<_, i64>(0)?, vault.unsealed_body(how, stream.as_str(), count(row, 2)?, body)))
    };
    let found: Vec<(i64, Option<Vec<u8>>)> = match id {
        // One chain is found by the index, without a look at the others.
        Some(id) => {
            let sql = format!("{all} AND stream = ?1");
            rows.prepare_cached(&sql)?.query_map([id], row)?.collect::<SqlResult<_>>()?
        }
        None => rows.prepare_cached(all)?.query_map([], row)?.collect::<SqlResult<_>>()?,
    };
    let mut put = rows.prepare_cached("UPDATE entries SET body = ?2 WHERE number = ?1")?;
    for (number, body) in found {
        if let Some(body) = body {
            put.execute(params![number, body])?;
        }
    }
    Ok(())
}

/// Inserts an entry with its stored body. `before` is the number of the previous entry of its chain. Returns its number: `number`, or the
/// next.
pub(super) fn put_entry(
    rows: &Rows,
    number: Option<i64>,
    entry: &Entry,
    body: &[u8],
    before: Option<i64>,
) -> SqlResult<i64> {
    let sql = "INSERT INTO entries (number, stream, version, at, actor, command, kinds, significant, body, link, ledger, hash, before)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)";
    let significant = entry.significant.as_deref().map_or(Ok(0), |name| rows.number(name))?;
    rows.prepare_cached(sql)?.execute(params![
        number,
        rows.number(entry.stream.as_str())?,
        stored(entry.version),
        entry.at.0,
        rows.number(&entry.actor)?,
        entry.command.as_deref().map(packed::command_bytes),
        rows.number(&entry.kinds)?,
        significant,
        body,
        entry.link.as_deref().map(packed::hash_bytes).unwrap_or_default(),
        packed::ledger(&entry.postings, |account| rows.number(account))?,
        packed::hash_bytes(&entry.hash),
        before
    ])?;
    Ok(rows.last_insert_rowid())
}

/// Last version of each table's chain that may be archived.
pub(super) fn archivable(rows: &Rows, before: Instant) -> SqlResult<BTreeMap<Stream, u64>> {
    let sql = "SELECT s.id, min(max(r.last), k.version - 1) FROM rounds r
               JOIN names t ON t.id = r.tab JOIN names s ON s.name = 'table/' || t.name
               JOIN (SELECT stream, max(version) AS version FROM snapshots GROUP BY stream) k ON k.stream = s.id
               WHERE r.ended < ?1 GROUP BY s.id";
    let mut asked = rows.prepare_cached(sql)?;
    asked.query_map([before.0], |row| Ok((stream(rows, row, 0)?, count(row, 1)?)))?.collect()
}

/// Bodies as stored.
pub(super) fn bodies(rows: &Rows, after: u64, last: u64, limit: u32) -> SqlResult<Vec<PackedBody>> {
    let sql = "SELECT number, stream, version, body FROM entries WHERE number > ?1 AND number <= ?2 ORDER BY number LIMIT ?3";
    let body = |row: &Row<'_>| {
        let (number, version) = (count(row, 0)?, count(row, 2)?);
        Ok(PackedBody { number, stream: stream(rows, row, 1)?, version, body: row.get(3)? })
    };
    rows.prepare_cached(sql)?.query_map(params![stored(after), stored(last), limit], body)?.collect()
}

pub(super) fn put_body(rows: &Rows, number: u64, body: &[u8]) -> SqlResult<()> {
    let mut asked = rows.prepare_cached("UPDATE entries SET body = ?2 WHERE number = ?1")?;
    asked.execute(params![stored(number), body]).map(drop)
}

pub(super) fn put_end(rows: &Rows, stream: &str, number: i64) -> SqlResult<()> {
    let sql = "INSERT INTO heads (stream, number) VALUES (?1, ?2) ON CONFLICT (stream) DO UPDATE SET number = excluded.number";
    rows.prepare_cached(sql)?.execute([rows.number(stream)?, number]).map(drop)
}

pub(super) fn put_balance(rows: &Rows, account: &str, cents: i64) -> SqlResult<()> {
    let sql = "INSERT INTO balances (account, cents) VALUES (?1, ?2)
               ON CONFLICT (account) DO UPDATE SET cents = excluded.cents";
    rows.prepare_cached(sql)?.execute(params![account, cents]).map(drop)
}

pub(super) fn put_deck(rows: &Rows, row: &DeckRow, (salt, cards): (&str, &str)) -> SqlResult<()> {
    let sql = "INSERT OR REPLACE INTO decks (tab, round, deck) VALUES (?1, ?2, ?3)";
    let values = params![rows.number(&row.table)?, row.round, packed::deck_bytes(salt, cards)];
    rows.prepare_cached(sql)?.execute(values).map(drop)
}

pub(super) fn drop_deck(rows: &Rows, table: &str, round: u32) -> SqlResult<()> {
    let Some(tab) = rows.find(table)? else { return Ok(()) };
    let mut asked = rows.prepare_cached("DELETE FROM decks WHERE tab = ?1 AND round = ?2")?;
    asked.execute([tab, round.into()]).map(drop)
}

pub(super) fn put_snapshot(rows: &Rows, row: &SnapshotRow) -> SqlResult<()> {
    let sql =
        "INSERT OR REPLACE INTO snapshots (stream, version, hash, at, state) VALUES (?1, ?2, ?3, ?4, ?5)";
    let (stream, hash) = (rows.number(row.stream.as_str())?, packed::hash_bytes(&row.hash));
    let values = params![stream, stored(row.version), hash, row.at.0, packed::pack(&row.state)];
    rows.prepare_cached(sql)?.execute(values).map(drop)
}

pub(super) fn put_round(rows: &Rows, row: &RoundRow) -> SqlResult<()> {
    let sql = format!(
        "INSERT OR REPLACE INTO rounds ({ROUND_COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)"
    );
    rows.prepare_cached(&sql)?.execute(params![
        rows.number(&row.table)?,
        row.round,
        rows.number(&row.rulebook)?,
        row.opened.0,
        row.ended.0,
        rows.number(&row.outcome)?,
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
