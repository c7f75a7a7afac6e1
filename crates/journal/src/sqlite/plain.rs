//! Reads and replaces all rows of a file. For tests and drills.

use rusqlite::{Connection, Row, params};

use super::meaning;
use super::names::Rows;
use super::rows::{self, COLUMNS, SqlResult};
use crate::packed;
use crate::plain::All;
use crate::{RoundFilter, SnapshotRow, StoreError, Stream};

/// All rows of a file.
pub(crate) fn all_rows(path: &str) -> Result<All, StoreError> {
    let read = || -> SqlResult<All> {
        let rows = Rows::new(Connection::open(path)?);
        let mut all = All::default();
        let sql = format!("SELECT {COLUMNS}, e.before FROM entries e ORDER BY e.number");
        let entry = |row: &Row<'_>| Ok((rows::entry(&rows, row)?, row.get(12)?));
        all.entries = rows.prepare(&sql)?.query_map([], entry)?.collect::<SqlResult<_>>()?;
        all.heads = rows::ends(&rows)?.into_iter().collect();
        let mut tables = rows.prepare("SELECT DISTINCT tab FROM decks")?;
        for tab in tables.query_map([], |row| row.get(0))?.collect::<SqlResult<Vec<i64>>>()? {
            all.decks.extend(rows::decks(&rows, &rows.name(tab)?, None)?);
        }
        all.rounds = rows::rounds(&rows, &RoundFilter { limit: Some(u32::MAX), ..RoundFilter::default() })?;
        all.rounds.reverse();
        let mut states = rows.prepare("SELECT stream, version, hash, at, state FROM snapshots")?;
        let state = |row: &Row<'_>| {
            let state = row.get_ref(4)?.as_blob()?;
            Ok(SnapshotRow {
                stream: Stream::named(&*rows.name(row.get(0)?)?),
                version: rows::count(row, 1)?,
                hash: packed::hash_text(row.get_ref(2)?.as_blob()?),
                at: crate::Instant(row.get(3)?),
                state: packed::unpack(state).unwrap_or_else(|| packed::damaged(state)),
            })
        };
        all.snapshots = states.query_map([], state)?.collect::<SqlResult<_>>()?;
        all.balances = rows::balances(&rows)?.into_iter().collect();
        let mut secrets = rows.prepare("SELECT hash, kind, actor, expires, made FROM secrets")?;
        let secret = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?));
        all.secrets = secrets.query_map([], secret)?.collect::<SqlResult<_>>()?;
        Ok(all)
    };
    read().map_err(|error| meaning(&error))
}

/// Replaces all rows of a file.
pub(crate) fn put_all_rows(path: &str, all: &All) -> Result<(), StoreError> {
    let write = || -> SqlResult<()> {
        let rows = Rows::new(Connection::open(path)?);
        rows.busy_timeout(std::time::Duration::from_secs(10))?;
        rows.execute_batch(
            "BEGIN IMMEDIATE; DELETE FROM entries; DELETE FROM heads; DELETE FROM decks; DELETE FROM rounds;
             DELETE FROM snapshots; DELETE FROM balances; DELETE FROM secrets;",
        )?;
        for (entry, before) in &all.entries {
            let body = packed::pack(&entry.body);
            rows::put_entry(&rows, Some(entry.number.cast_signed()), entry, &body, *before)?;
        }
        for (stream, number) in &all.heads {
            rows::put_end(&rows, stream, *number)?;
        }
        for deck in &all.decks {
            rows::put_deck(&rows, deck, (&deck.salt, &deck.cards))?;
        }
        for row in &all.rounds {
            rows::put_round(&rows, row)?;
        }
        for row in &all.snapshots {
            rows::put_snapshot(&rows, row)?;
        }
        for (account, cents) in &all.balances {
            rows::put_balance(&rows, account, *cents)?;
        }
        for (hash, kind, actor, expires, made) in &all.secrets {
            rows.execute(
                "INSERT INTO secrets VALUES (?1, ?2, ?3, ?4, ?5)",
                params![hash, kind, actor, expires, made],
            )?;
        }
        rows.execute_batch("COMMIT")
    };
    write().map_err(|error| meaning(&error))
}
