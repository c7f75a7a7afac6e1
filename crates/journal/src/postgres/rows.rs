//! Rows of the PostgreSQL tables as values, and the questions that are asked of them.

use tokio_postgres::Row;
use tokio_postgres::types::{FromSql, ToSql};

use super::pool::{Pool, meaning};
use crate::key::Vault;
use crate::{
    DeckRow, Entry, EntryFilter, KeptSecret, Posting, RoundRow, SecretRow, SnapshotFilter, SnapshotRow,
    StoreError, Stream,
};
use crate::{Instant, RoundFilter};

type Asked<T> = Result<T, StoreError>;

/// The postings come with their entries, as two arrays.
const COLUMNS: &str =
    "e.number, e.stream, e.version, e.at, e.actor, e.command, e.kinds, e.significant, e.body, e.link,
  e.previous, e.hash,
  ARRAY(SELECT p.account FROM postings p WHERE p.stream = e.stream AND p.version = e.version ORDER BY p.line),
  ARRAY(SELECT p.cents FROM postings p WHERE p.stream = e.stream AND p.version = e.version ORDER BY p.line)";
const ROUND_COLUMNS: &str =
    "tab, round, rulebook, opened, ended, outcome, players, staked, won, contributed, awarded, first, last";

pub(super) fn get<'a, T: FromSql<'a>>(row: &'a Row, at: usize) -> Asked<T> {
    row.try_get(at).map_err(|error| meaning(&error))
}

pub(super) fn count(row: &Row, at: usize) -> Asked<u64> {
    let found: i64 = get(row, at)?;
    u64::try_from(found).map_err(|_| StoreError::Corrupt(format!("a negative count: {found}")))
}

fn small(row: &Row, at: usize) -> Asked<u32> {
    let found: i64 = get(row, at)?;
    u32::try_from(found).map_err(|_| StoreError::Corrupt(format!("a round number out of range: {found}")))
}

pub(super) fn stream(row: &Row, at: usize) -> Asked<Stream> {
    Ok(Stream::named(get::<String>(row, at)?))
}

fn entry(row: &Row) -> Asked<Entry> {
    let accounts: Vec<String> = get(row, 12)?;
    let cents: Vec<i64> = get(row, 13)?;
    let postings =
        accounts.into_iter().zip(cents).map(|(account, cents)| Posting { account, cents }).collect();
    Ok(Entry {
        number: count(row, 0)?,
        stream: stream(row, 1)?,
        version: count(row, 2)?,
        at: Instant(get(row, 3)?),
        actor: get(row, 4)?,
        command: get(row, 5)?,
        kinds: get(row, 6)?,
        significant: get(row, 7)?,
        body: get(row, 8)?,
        link: get(row, 9)?,
        previous: get(row, 10)?,
        hash: get(row, 11)?,
        postings,
    })
}

fn signed(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

pub(super) async fn read(pool: &Pool, stream: &Stream, after: u64, limit: u32) -> Asked<Vec<Entry>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM entries e WHERE e.stream = $1 AND e.version > $2 ORDER BY e.version LIMIT $3"
    );
    let found = pool.query(&sql, &[&stream.as_str(), &signed(after), &i64::from(limit)]).await?;
    found.iter().map(entry).collect()
}

pub(super) async fn by_command(pool: &Pool, command: &str) -> Asked<Option<Entry>> {
    let sql = format!("SELECT {COLUMNS} FROM entries e WHERE e.command = $1");
    pool.query(&sql, &[&command]).await?.first().map(entry).transpose()
}

pub(super) async fn entries(pool: &Pool, filter: &EntryFilter) -> Asked<Vec<Entry>> {
    // One text for all questions: a filter that is not there lets everything through.
    let order = if filter.after.is_some() { "" } else { "DESC" };
    let significant = if filter.significant { "AND e.significant IS NOT NULL" } else { "" };
    let own = if filter.stream.is_some() { "AND e.stream = $1" } else { "AND $1::text IS NULL" };
    let text = match filter.text {
        Some(_) => {
            "AND (position($9 IN lower((e.stream || ' ' || e.kinds || ' ' || e.actor || ' ' ||
                CASE WHEN left(e.body, 7) = 'sealed-' THEN '' ELSE e.body END) COLLATE \"C\")) > 0
             OR EXISTS (SELECT 1 FROM postings p WHERE p.stream = e.stream AND p.version = e.version
                        AND position($9 IN lower(p.account COLLATE \"C\")) > 0))"
        }
        None => "AND $9::text IS NULL",
    };
    // A chain's newest entries are found by its own key.
    let sort = if filter.stream.is_some() && filter.after.is_none() { "e.version" } else { "e.number" };
    let sql = format!(
        "SELECT {COLUMNS} FROM entries e WHERE true {own} {significant}
         AND ($2::text IS NULL OR e.actor = $2)
         AND ($3::text[] IS NULL OR EXISTS (SELECT 1 FROM unnest($3::text[]) k WHERE position(k IN e.kinds) > 0))
         AND ($4::bigint IS NULL OR e.number > $4) AND ($5::bigint IS NULL OR e.number < $5)
         AND ($10::text IS NULL OR EXISTS (SELECT 1 FROM postings p
              WHERE p.stream = e.stream AND p.version = e.version AND p.account = $10))
         AND ($7::bigint IS NULL OR e.at >= $7) AND ($8::bigint IS NULL OR e.at < $8) {text}
         ORDER BY {sort} {order} LIMIT $6"
    );
    let stream = filter.stream.as_ref().map(|stream| stream.as_str().to_owned());
    let kinds: Vec<String> = filter.kinds.iter().map(|kind| format!(",{kind},")).collect();
    let kinds = Some(kinds).filter(|kinds| !kinds.is_empty());
    let (from, until) = (filter.from.map(|at| at.0), filter.until.map(|at| at.0));
    let words = filter.text.as_ref().map(|text| text.to_ascii_lowercase());
    let (after, before) = (filter.after.map(signed), filter.before.map(signed));
    let limit = i64::from(filter.limit);
    let values: [&(dyn ToSql + Sync); 10] =
        [&stream, &filter.actor, &kinds, &after, &before, &limit, &from, &until, &words, &filter.account];
    pool.query(&sql, &values).await?.iter().map(entry).collect()
}

pub(super) fn deck(row: &Row) -> Asked<DeckRow> {
    Ok(DeckRow {
        table: get(row, 0)?,
        round: small(row, 1)?,
        salt: get(row, 2)?,
        cards: get(row, 3)?,
        sealed: false,
    })
}

pub(super) fn secret(row: &Row, vault: &Vault) -> Asked<KeptSecret> {
    let kept = SecretRow {
        hash: get(row, 0)?,
        kind: get(row, 1)?,
        actor: get(row, 2)?,
        expires: Instant(get(row, 3)?),
    };
    let made = vault.key().is_some().then_some(vault.made(&kept, &get::<String>(row, 4)?));
    Ok(KeptSecret { row: kept, made })
}

fn round(row: &Row) -> Asked<RoundRow> {
    Ok(RoundRow {
        table: get(row, 0)?,
        round: small(row, 1)?,
        rulebook: get(row, 2)?,
        opened: Instant(get(row, 3)?),
        ended: Instant(get(row, 4)?),
        outcome: get(row, 5)?,
        players: get(row, 6)?,
        staked: get(row, 7)?,
        won: get(row, 8)?,
        contributed: get(row, 9)?,
        awarded: get(row, 10)?,
        first: count(row, 11)?,
        last: count(row, 12)?,
    })
}

pub(super) async fn rounds(pool: &Pool, filter: &RoundFilter) -> Asked<Vec<RoundRow>> {
    let sql = format!(
        "SELECT {ROUND_COLUMNS} FROM rounds WHERE ($1::text IS NULL OR tab = $1)
         AND ($2::text IS NULL OR position($2 IN players) > 0) AND ($3::bigint IS NULL OR ended < $3)
         ORDER BY ended DESC, round DESC, tab LIMIT $4"
    );
    let table = filter.table.as_ref().map(ToString::to_string);
    let player = filter.player.as_ref().map(|player| format!(",{player},"));
    let before = filter.before.map(|before| before.0);
    let limit = i64::from(filter.limit.unwrap_or(50));
    let values: [&(dyn ToSql + Sync); 4] = [&table, &player, &before, &limit];
    pool.query(&sql, &values).await?.iter().map(round).collect()
}

pub(super) async fn one_round(pool: &Pool, table: &str, number: u32) -> Asked<Option<RoundRow>> {
    let sql = format!("SELECT {ROUND_COLUMNS} FROM rounds WHERE tab = $1 AND round = $2");
    pool.query(&sql, &[&table, &i64::from(number)]).await?.first().map(round).transpose()
}

pub(super) async fn snapshots(pool: &Pool, filter: &SnapshotFilter) -> Asked<Vec<SnapshotRow>> {
    let sql = "SELECT stream, version, hash, at, state FROM snapshots
               WHERE stream = $1 AND version BETWEEN $2 AND $3 AND at < $4 ORDER BY version DESC LIMIT $5";
    let snapshot = |row: &Row| {
        Ok(SnapshotRow {
            stream: stream(row, 0)?,
            version: count(row, 1)?,
            hash: get(row, 2)?,
            at: Instant(get(row, 3)?),
            state: get(row, 4)?,
        })
    };
    let before = filter.before.map_or(i64::MAX, |before| before.0);
    let (from, to, limit) = (signed(filter.from), signed(filter.to), i64::from(filter.limit));
    let values: [&(dyn ToSql + Sync); 5] = [&filter.stream.as_str(), &from, &to, &before, &limit];
    pool.query(sql, &values).await?.iter().map(snapshot).collect()
}
