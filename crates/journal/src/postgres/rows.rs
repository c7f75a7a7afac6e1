//! Queries, and conversion between PostgreSQL rows and values.

use std::collections::BTreeSet;

use tokio_postgres::Row;
use tokio_postgres::types::{FromSql, ToSql};

use super::names::Named;
use super::pool::{Pool, meaning};
use crate::key::Vault;
use crate::packed;
use crate::{
    DeckRow, Entry, EntryFilter, KeptSecret, Posting, RoundRow, SecretRow, SnapshotFilter, SnapshotRow,
    StoreError, Stream,
};
use crate::{Instant, RoundFilter};

pub(super) type StoreResult<T> = Result<T, StoreError>;

/// Columns of `entries`, aliased `e`.
pub(super) const COLUMNS: &str = "e.number, e.stream, e.version, e.at, e.actor, e.command, e.kinds, e.significant, e.body, e.link, e.ledger, e.hash";
/// Hash of the previous entry of the chain.
const PREVIOUS: &str =
    "(SELECT b.hash FROM entries b WHERE b.stream = e.stream AND b.version = e.version - 1)";
const ROUND_COLUMNS: &str =
    "tab, round, rulebook, opened, ended, outcome, players, staked, won, contributed, awarded, first, last";

/// Entries decoded per query when filtering by text or account.
const SCAN_PAGE: i64 = 1_000;

pub(super) fn get<'a, T: FromSql<'a>>(row: &'a Row, at: usize) -> StoreResult<T> {
    row.try_get(at).map_err(|error| meaning(&error))
}

pub(super) fn count(row: &Row, at: usize) -> StoreResult<u64> {
    let found: i64 = get(row, at)?;
    u64::try_from(found).map_err(|_| StoreError::Corrupt(format!("a negative count: {found}")))
}

/// Reads a count from an integer column.
pub(super) fn short_count(row: &Row, at: usize) -> StoreResult<u64> {
    let found: i32 = get(row, at)?;
    u64::try_from(found).map_err(|_| StoreError::Corrupt(format!("a negative count: {found}")))
}

fn round_number(row: &Row, at: usize) -> StoreResult<u32> {
    let found: i32 = get(row, at)?;
    u32::try_from(found).map_err(|_| StoreError::Corrupt(format!("a round number out of range: {found}")))
}

pub(super) fn signed(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// A count for an integer column.
pub(super) fn short(count: u64) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}

/// The numbers of all names in these entries.
pub(super) fn ids(rows: &[Row]) -> StoreResult<BTreeSet<i32>> {
    let mut ids = BTreeSet::new();
    for row in rows {
        for at in [1, 4, 6, 7] {
            ids.insert(get(row, at)?);
        }
        let accounts = packed::postings(get(row, 10)?, short_id).unwrap_or_default();
        ids.extend(accounts.into_iter().map(|(id, _)| id));
    }
    Ok(ids)
}

/// The number of a name; 0, which no name has, if it is out of range.
pub(super) fn short_id(id: i64) -> i32 {
    i32::try_from(id).unwrap_or(0)
}

/// An entry without the hash of the previous one.
pub(super) fn entry(row: &Row, names: &Named) -> StoreResult<Entry> {
    let (body, ledger, link): (&[u8], &[u8], &[u8]) = (get(row, 8)?, get(row, 10)?, get(row, 9)?);
    let postings = packed::postings(ledger, |id| names.of(short_id(id)));
    let postings = postings.unwrap_or_else(|| vec![(packed::damaged(ledger), 0)]);
    let significant: i32 = get(row, 7)?;
    Ok(Entry {
        number: count(row, 0)?,
        stream: Stream::named(names.of(get(row, 1)?)),
        version: short_count(row, 2)?,
        at: Instant(get(row, 3)?),
        actor: names.of(get(row, 4)?),
        command: get::<Option<&[u8]>>(row, 5)?.map(packed::command_text),
        kinds: names.of(get(row, 6)?),
        significant: (significant != 0).then(|| names.of(significant)),
        body: packed::unpack(body).unwrap_or_else(|| packed::damaged(body)),
        link: (!link.is_empty()).then(|| packed::hash_text(link)),
        previous: String::new(),
        hash: packed::hash_text(get(row, 11)?),
        postings: postings.into_iter().map(|(account, cents)| Posting { account, cents }).collect(),
    })
}

/// Entries from rows that also contain the previous entry's hash.
async fn linked(pool: &Pool, rows: &[Row]) -> StoreResult<Vec<Entry>> {
    let names = pool.names_of(ids(rows)?).await?;
    let linked = |row: &Row| {
        let previous = get::<Option<&[u8]>>(row, 12)?.map(packed::hash_text).unwrap_or_default();
        Ok(Entry { previous, ..entry(row, &names)? })
    };
    rows.iter().map(linked).collect()
}

pub(super) async fn read(pool: &Pool, stream: &Stream, after: u64, limit: u32) -> StoreResult<Vec<Entry>> {
    let Some(stream) = pool.find(stream.as_str()).await? else { return Ok(Vec::new()) };
    // Includes the entry before the first, for its hash.
    let sql = format!(
        "SELECT {COLUMNS} FROM entries e WHERE e.stream = $1 AND e.version >= $2 ORDER BY e.version LIMIT $3"
    );
    let rows = pool.query(&sql, &[&stream, &short(after), &(i64::from(limit) + 1)]).await?;
    let names = pool.names_of(ids(&rows)?).await?;
    let mut before: Option<(u64, String)> = None;
    let mut found = Vec::with_capacity(rows.len());
    for row in &rows {
        let mut entry = entry(row, &names)?;
        let own = (entry.version, entry.hash.clone());
        if entry.version > after && found.len() < limit as usize {
            let before = before.take().filter(|(version, _)| version + 1 == entry.version);
            entry.previous = before.map(|(_, hash)| hash).unwrap_or_default();
            found.push(entry);
        }
        before = Some(own);
    }
    Ok(found)
}

pub(super) async fn by_command(pool: &Pool, command: &str) -> StoreResult<Option<Entry>> {
    let sql = format!("SELECT {COLUMNS}, {PREVIOUS} FROM entries e WHERE e.command = $1");
    let rows = pool.query(&sql, &[&packed::command_bytes(command)]).await?;
    Ok(linked(pool, &rows).await?.pop())
}

pub(super) async fn entries(pool: &Pool, filter: &EntryFilter) -> StoreResult<Vec<Entry>> {
    // One statement for all filters: a null parameter matches everything.
    let order = if filter.after.is_some() { "" } else { "DESC" };
    let significant = if filter.significant { "AND e.significant <> 0" } else { "" };
    let own = if filter.stream.is_some() { "AND e.stream = $1" } else { "AND $1::integer IS NULL" };
    // A chain's newest entries are found by the primary key, significant events by their index.
    let by_chain = filter.stream.is_some() && filter.after.is_none() && !filter.significant;
    let sort = if by_chain { "e.version" } else { "e.number" };
    let sql = format!(
        "SELECT {COLUMNS}, {PREVIOUS} FROM entries e WHERE true {own} {significant}
         AND ($2::integer IS NULL OR e.actor = $2)
         AND ($3::text[] IS NULL OR e.kinds = ANY (ARRAY(SELECT n.id FROM names n
              WHERE left(n.name, 1) = ',' AND EXISTS (SELECT 1 FROM unnest($3::text[]) k WHERE position(k IN n.name) > 0))))
         AND ($4::bigint IS NULL OR e.number > $4) AND ($5::bigint IS NULL OR e.number < $5)
         AND ($7::bigint IS NULL OR e.at >= $7) AND ($8::bigint IS NULL OR e.at < $8)
         ORDER BY {sort} {order} LIMIT $6"
    );
    let mut ids = [None, None];
    for (id, name) in
        ids.iter_mut().zip([filter.stream.as_ref().map(Stream::as_str), filter.actor.as_deref()])
    {
        if let Some(name) = name {
            let Some(found) = pool.find(name).await? else { return Ok(Vec::new()) };
            *id = Some(found);
        }
    }
    let [stream, actor] = ids;
    let kinds: Vec<String> = filter.kinds.iter().map(|kind| format!(",{kind},")).collect();
    let kinds = Some(kinds).filter(|kinds| !kinds.is_empty());
    let (from, until) = (filter.from.map(|at| at.0), filter.until.map(|at| at.0));
    let (mut after, mut before) = (filter.after.map(signed), filter.before.map(signed));
    // Text and accounts are compressed in the rows, so these filters apply after decoding, in pages.
    let scans = filter.text.is_some() || filter.account.is_some();
    let limit = if scans { SCAN_PAGE } else { i64::from(filter.limit) };
    let has = |entry: &Entry| {
        let own = |account: &String| entry.postings.iter().any(|posting| posting.account == *account);
        filter.account.as_ref().is_none_or(own) && filter.says(entry)
    };
    let mut found = Vec::new();
    loop {
        let values: [&(dyn ToSql + Sync); 8] =
            [&stream, &actor, &kinds, &after, &before, &limit, &from, &until];
        let rows = pool.query(&sql, &values).await?;
        let last: Option<i64> = rows.last().map(|row| get(row, 0)).transpose()?;
        let whole = i64::try_from(rows.len()).is_ok_and(|rows| rows == limit);
        found.extend(linked(pool, &rows).await?.into_iter().filter(has));
        if !scans || !whole || found.len() >= filter.limit as usize {
            found.truncate(filter.limit as usize);
            return Ok(found);
        }
        if filter.after.is_some() {
            after = last;
        } else {
            before = last;
        }
    }
}

pub(super) async fn decks(pool: &Pool, table: &str, round: Option<u32>) -> StoreResult<Vec<DeckRow>> {
    let Some(tab) = pool.find(table).await? else { return Ok(Vec::new()) };
    let sql =
        "SELECT round, deck FROM decks WHERE tab = $1 AND ($2::integer IS NULL OR round = $2) ORDER BY round";
    let found = pool.query(sql, &[&tab, &round.map(|round| short(round.into()))]).await?;
    found.iter().map(|row| Ok(packed::deck_row(table, round_number(row, 0)?, get(row, 1)?))).collect()
}

pub(super) fn secret(row: &Row, vault: &Vault) -> StoreResult<KeptSecret> {
    let kept = SecretRow {
        hash: get(row, 0)?,
        kind: get(row, 1)?,
        actor: get(row, 2)?,
        expires: Instant(get(row, 3)?),
    };
    let made = vault.key().is_some().then_some(vault.made(&kept, &get::<String>(row, 4)?));
    Ok(KeptSecret { row: kept, made })
}

async fn named_rounds(pool: &Pool, rows: &[Row]) -> StoreResult<Vec<RoundRow>> {
    let mut ids = BTreeSet::new();
    for row in rows {
        for at in [0, 2, 5] {
            ids.insert(get(row, at)?);
        }
    }
    let names = pool.names_of(ids).await?;
    let round = |row: &Row| {
        Ok(RoundRow {
            table: names.of(get(row, 0)?),
            round: round_number(row, 1)?,
            rulebook: names.of(get(row, 2)?),
            opened: Instant(get(row, 3)?),
            ended: Instant(get(row, 4)?),
            outcome: names.of(get(row, 5)?),
            players: get(row, 6)?,
            staked: get(row, 7)?,
            won: get(row, 8)?,
            contributed: get(row, 9)?,
            awarded: get(row, 10)?,
            first: short_count(row, 11)?,
            last: short_count(row, 12)?,
        })
    };
    rows.iter().map(round).collect()
}

pub(super) async fn rounds(pool: &Pool, filter: &RoundFilter) -> StoreResult<Vec<RoundRow>> {
    let sql = format!(
        "SELECT {ROUND_COLUMNS} FROM rounds WHERE ($1::integer IS NULL OR tab = $1)
         AND ($2::text IS NULL OR position($2 IN players) > 0) AND ($3::bigint IS NULL OR ended < $3)
         ORDER BY ended DESC, round DESC, (SELECT name FROM names WHERE id = tab) LIMIT $4"
    );
    let table = match &filter.table {
        None => None,
        Some(table) => match pool.find(table).await? {
            None => return Ok(Vec::new()),
            found => found,
        },
    };
    let player = filter.player.as_ref().map(|player| format!(",{player},"));
    let before = filter.before.map(|before| before.0);
    let limit = i64::from(filter.limit.unwrap_or(50));
    let values: [&(dyn ToSql + Sync); 4] = [&table, &player, &before, &limit];
    named_rounds(pool, &pool.query(&sql, &values).await?).await
}

pub(super) async fn one_round(pool: &Pool, table: &str, number: u32) -> StoreResult<Option<RoundRow>> {
    let Some(tab) = pool.find(table).await? else { return Ok(None) };
    let sql = format!("SELECT {ROUND_COLUMNS} FROM rounds WHERE tab = $1 AND round = $2");
    let found = pool.query(&sql, &[&tab, &short(number.into())]).await?;
    Ok(named_rounds(pool, &found).await?.pop())
}

pub(super) async fn snapshots(pool: &Pool, filter: &SnapshotFilter) -> StoreResult<Vec<SnapshotRow>> {
    let Some(stream) = pool.find(filter.stream.as_str()).await? else { return Ok(Vec::new()) };
    let sql = "SELECT version, hash, at, state FROM snapshots
               WHERE stream = $1 AND version BETWEEN $2 AND $3 AND at < $4 ORDER BY version DESC LIMIT $5";
    let snapshot = |row: &Row| {
        let state: &[u8] = get(row, 3)?;
        Ok(SnapshotRow {
            stream: filter.stream.clone(),
            version: short_count(row, 0)?,
            hash: packed::hash_text(get(row, 1)?),
            at: Instant(get(row, 2)?),
            state: packed::unpack(state).unwrap_or_else(|| packed::damaged(state)),
        })
    };
    let before = filter.before.map_or(i64::MAX, |before| before.0);
    let (from, to, limit) = (short(filter.from), short(filter.to), i64::from(filter.limit));
    let values: [&(dyn ToSql + Sync); 5] = [&stream, &from, &to, &before, &limit];
    pool.query(sql, &values).await?.iter().map(snapshot).collect()
}
