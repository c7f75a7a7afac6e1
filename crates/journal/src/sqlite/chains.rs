//! Reading the entries of one chain.
//!
//! Each entry stores the number of the previous one in its chain, every 64th entry of a chain is indexed, and the table `heads` records
//! where each chain ends. A chain is therefore read backwards from an indexed entry or its end. If the walk finds a gap, the file is
//! damaged, and all entries are scanned instead.

use rusqlite::OptionalExtension;

use super::names::Rows;
use super::rows::{self, COLUMNS, SqlResult};
use crate::{Entry, Stream};

/// The number of the entry before `e` in its chain. Entries written before schema version 4 do not store it; all of those are indexed.
pub(super) const BEFORE: &str = "coalesce(e.before, (
  SELECT p.number FROM entries p INDEXED BY entries_marked
  WHERE p.stream = e.stream AND p.version = e.version - 1 AND (p.before IS NULL OR p.version % 64 = 1)))";

/// Number of the last entry of chain `?1`, or null.
const END: &str = "(SELECT number FROM heads WHERE stream = ?1)";

/// A recursive table `chain` of the entry numbers (`place`) of chain `?1` down to those above `?3`, to be joined with `entries`; newest
/// first. It starts at number `?2` if that is an entry of the chain (the next page of a listing), otherwise at the end. `UNION` drops
/// duplicates, so a damaged file cannot cause an endless loop.
pub(super) fn back() -> String {
    format!(
        "WITH RECURSIVE chain (place) AS (
           SELECT coalesce((SELECT number FROM entries WHERE number = ?2 AND stream = ?1), {END})
           UNION SELECT {BEFORE} FROM chain JOIN entries e ON e.number = chain.place WHERE e.number > ?3)"
    )
}

/// Entries of a chain after a version, in order.
pub(super) fn read(rows: &Rows, stream: &Stream, after: u64, limit: u32) -> SqlResult<Vec<Entry>> {
    let Some(stream) = rows.find(stream.as_str())? else { return Ok(Vec::new()) };
    match follow(rows, stream, after, limit)? {
        Some(found) => Ok(found),
        None => look_through(rows, stream, after, limit),
    }
}

/// Reads backwards from the first indexed entry that is late enough, or from the end. `None` if the chain has a gap.
fn follow(rows: &Rows, stream: i64, after: u64, limit: u32) -> SqlResult<Option<Vec<Entry>>> {
    let (from, to) =
        (rows::stored(after).saturating_add(1), rows::stored(after).saturating_add(i64::from(limit)));
    let sql = format!(
        "SELECT coalesce((SELECT number FROM entries INDEXED BY entries_marked
                          WHERE stream = ?1 AND version >= ?2 AND (before IS NULL OR version % 64 = 1) ORDER BY version LIMIT 1),
                         {END})"
    );
    let start = rows.prepare_cached(&sql)?.query_row([stream, to], |row| row.get(0))?;
    let Some(mut place): Option<i64> = start else { return Ok(Some(Vec::new())) };
    let step = format!("SELECT e.version, {BEFORE} FROM entries e WHERE e.number = ?1 AND e.stream = ?2");
    let mut step = rows.prepare_cached(&step)?;
    let mut entry = rows.prepare_cached(&format!("SELECT {COLUMNS} FROM entries e WHERE e.number = ?1"))?;
    let mut found: Vec<Entry> = Vec::new();
    let mut expected = None;
    loop {
        let there = step.query_row([place, stream], |row| Ok((row.get(0)?, row.get(1)?)));
        let Some((version, before)): Option<(i64, Option<i64>)> = there.optional()? else { return Ok(None) };
        if expected.is_some_and(|expected| expected != version) {
            return Ok(None);
        }
        if (from..=to).contains(&version) {
            let own = entry.query_row([place], |row| rows::entry(rows, row))?;
            if let Some(next) = found.last_mut() {
                next.previous.clone_from(&own.hash);
            }
            found.push(own);
        }
        if version <= from {
            if let Some(first) = found.last_mut().filter(|first| first.version > 1) {
                let before =
                    before.map(|before| rows::hash_at(rows, before, stream, version - 1)).transpose()?;
                let Some(hash) = before.flatten() else { return Ok(None) };
                first.previous = hash;
            }
            found.reverse();
            return Ok(Some(found));
        }
        let Some(before) = before else { return Ok(None) };
        place = before;
        expected = Some(version - 1);
    }
}

/// Scans all entries of the file.
fn look_through(rows: &Rows, stream: i64, after: u64, limit: u32) -> SqlResult<Vec<Entry>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM entries e WHERE e.stream = ?1 AND e.version >= ?2 ORDER BY e.version, e.number"
    );
    let mut asked = rows.prepare_cached(&sql)?;
    let mut asked = asked.query([stream, rows::stored(after)])?;
    let mut before: Option<(u64, String)> = None;
    let mut found = Vec::new();
    while found.len() < limit as usize
        && let Some(row) = asked.next()?
    {
        let mut entry = rows::entry(rows, row)?;
        let own = (entry.version, entry.hash.clone());
        if entry.version > after {
            entry.previous = before
                .take()
                .filter(|(version, _)| version + 1 == entry.version)
                .map(|(_, hash)| hash)
                .unwrap_or_default();
            found.push(entry);
        }
        before = Some(own);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rusqlite::{Connection, params};

    use super::*;
    use crate::EntryFilter;
    use crate::sqlite::pointers;
    use crate::sqlite::{known, schema};

    /// A file with entries of three chains in this order. The first `old` entries have no `before`, as in an old file.
    fn file(order: &[u8], old: usize) -> Rows {
        let rows = Rows::new(Connection::open_in_memory().unwrap());
        schema::prepare(&rows, true).unwrap();
        let mut ends = [(0, 0); 3];
        for (at, chain) in order.iter().enumerate() {
            let stream = format!("table/{chain}");
            let (version, before) = ends[usize::from(*chain)];
            let before = (at >= old).then_some(before);
            let sql = "INSERT INTO entries (stream, version, at, actor, kinds, significant, body, link, ledger, hash, before)
                       VALUES (?1, ?2, 0, 0, 0, 0, X'00', X'', X'', zeroblob(32), ?3)";
            let id = rows.number(&stream).unwrap();
            rows.execute(sql, params![id, version + 1, before]).unwrap();
            let number = rows.last_insert_rowid();
            ends[usize::from(*chain)] = (version + 1, number);
            rows::put_end(&rows, &stream, number).unwrap();
        }
        rows
    }

    fn versions(entries: SqlResult<Vec<Entry>>) -> Vec<u64> {
        entries.unwrap().iter().map(|entry| entry.version).collect()
    }

    fn numbers(entries: &[Entry]) -> Vec<u64> {
        entries.iter().map(|entry| entry.number).collect()
    }

    /// Damage to a file. Moving an end to an earlier entry of its own chain is not included: only the audit detects that.
    const DAMAGE: [&str; 5] = [
        "",
        "DELETE FROM entries WHERE number = ?1",
        "UPDATE entries SET before = (number * 7919) % 400 WHERE number = ?1",
        "UPDATE heads SET number = ?1 WHERE stream <> coalesce((SELECT stream FROM entries WHERE number = ?1), 0)",
        "UPDATE entries SET before = NULL WHERE number = ?1",
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// Whatever is damaged, a chain reads the same as with a full scan.
        #[test]
        fn a_damaged_chain_reads_as_in_a_full_scan(
            order in proptest::collection::vec(0..3_u8, 1..400),
            old in 0..400_usize,
            damage in 0..DAMAGE.len(),
            at in 1..400_i64,
            after in 0..200_u64,
            limit in 1..200_u32,
        ) {
            let connection = file(&order, old);
            if !DAMAGE[damage].is_empty() {
                connection.execute(DAMAGE[damage], [at]).unwrap();
            }
            for chain in ["table/0", "table/1", "table/2", "table/3"] {
                let stream = Stream::named(chain);
                let there = connection.find(chain).unwrap().map(|id| look_through(&connection, id, after, limit));
                let there = there.map_or(Vec::new(), versions);
                prop_assert_eq!(&versions(read(&connection, &stream, after, limit)), &there);
            }
        }

        /// Filtering by chain gives the same entries as filtering the whole journal afterwards.
        #[test]
        fn filtering_by_chain_agrees_with_the_whole_journal(
            order in proptest::collection::vec(0..3_u8, 1..400),
            old in 0..400_usize,
            after in proptest::option::of(0..400_u64),
            before in proptest::option::of(0..400_u64),
            limit in 1..200_u32,
        ) {
            let connection = file(&order, old);
            let ask = |stream: Option<Stream>, limit| {
                rows::entries(&connection, &EntryFilter { stream, after, before, limit, ..EntryFilter::default() }).unwrap()
            };
            let all = ask(None, u32::MAX);
            for chain in ["table/0", "table/1", "table/2", "table/3"] {
                let stream = Stream::named(chain);
                let own = all.iter().filter(|entry| entry.stream == stream).take(limit as usize).cloned();
                prop_assert_eq!(numbers(&ask(Some(stream.clone()), limit)), numbers(&own.collect::<Vec<_>>()));
            }
            prop_assert_eq!(pointers::wrong_pointers(&connection).unwrap(), vec![]);
            prop_assert!(known::Known::read(&connection).is_ok());
        }
    }
}
