//! The entries of one chain.
//!
//! An entry knows the number of the one before it, every 64th of a chain is in an index, and it is written down where each chain ends. A
//! chain is therefore read backwards, from an entry of the index or from its end. What was followed must have led from place to place
//! without a gap; where it has not, the file is damaged, and all of it is looked through as if nothing were known.

use rusqlite::{Connection, OptionalExtension, params};

use super::rows::{self, Asked, COLUMNS};
use crate::{Entry, Stream};

/// The number of the entry before `e`. Entries of files that were begun before version 4 do not say; all of those are in the index.
const BEFORE: &str = "coalesce(e.before, (
  SELECT p.number FROM entries p INDEXED BY entries_marked
  WHERE p.stream = e.stream AND p.version = e.version - 1 AND (p.before IS NULL OR p.version % 64 = 1)))";

/// Where a chain ends: an entry's number, or null.
const END: &str = "(SELECT number FROM heads WHERE stream = ?1)";

/// A table `chain` of the numbers (`place`) of the chain `?1`, back to those above `?3`: to be joined with `entries`, which then come newest
/// first. It begins with number `?2` if that is an entry of the chain, as whoever turns a page has it at hand, or else at the end. `UNION`
/// takes no number twice: a damaged file cannot lead round in circles.
pub(super) fn back() -> String {
    format!(
        "WITH RECURSIVE chain (place) AS (
           SELECT coalesce((SELECT number FROM entries WHERE number = ?2 AND stream = ?1), {END})
           UNION SELECT {BEFORE} FROM chain JOIN entries e ON e.number = chain.place WHERE e.number > ?3)"
    )
}

/// Entries of a chain after a version, in order.
pub(super) fn read(connection: &Connection, stream: &Stream, after: u64, limit: u32) -> Asked<Vec<Entry>> {
    let found = match follow(connection, stream, after, limit)? {
        Some(found) => found,
        None => look_through(connection, stream, after, limit)?,
    };
    rows::with_postings(connection, found)
}

/// The entries backwards from the first of the index that is late enough, or from the end. None: they do not lead from place to place.
fn follow(connection: &Connection, stream: &Stream, after: u64, limit: u32) -> Asked<Option<Vec<Entry>>> {
    let (from, to) =
        (rows::stored(after).saturating_add(1), rows::stored(after).saturating_add(i64::from(limit)));
    let sql = format!(
        "SELECT coalesce((SELECT number FROM entries INDEXED BY entries_marked
                          WHERE stream = ?1 AND version >= ?2 AND (before IS NULL OR version % 64 = 1) ORDER BY version LIMIT 1),
                         {END})"
    );
    let start = connection.prepare_cached(&sql)?.query_row(params![stream.as_str(), to], |row| row.get(0))?;
    let Some(mut place): Option<i64> = start else { return Ok(Some(Vec::new())) };
    let step = format!("SELECT e.version, {BEFORE} FROM entries e WHERE e.number = ?1 AND e.stream = ?2");
    let mut step = connection.prepare_cached(&step)?;
    let mut entry = connection.prepare_cached(&format!("SELECT {COLUMNS} FROM entries WHERE number = ?1"))?;
    let mut found = Vec::new();
    let mut expected = None;
    loop {
        let there = step.query_row(params![place, stream.as_str()], |row| Ok((row.get(0)?, row.get(1)?)));
        let Some((version, before)): Option<(i64, Option<i64>)> = there.optional()? else { return Ok(None) };
        if expected.is_some_and(|expected| expected != version) {
            return Ok(None);
        }
        if (from..=to).contains(&version) {
            found.push(entry.query_row([place], rows::entry)?);
        }
        if version <= from {
            found.reverse();
            return Ok(Some(found));
        }
        let Some(before) = before else { return Ok(None) };
        place = before;
        expected = Some(version - 1);
    }
}

/// Every entry of the file is looked at.
fn look_through(connection: &Connection, stream: &Stream, after: u64, limit: u32) -> Asked<Vec<Entry>> {
    let sql =
        format!("SELECT {COLUMNS} FROM entries WHERE stream = ?1 AND version > ?2 ORDER BY version LIMIT ?3");
    let mut asked = connection.prepare_cached(&sql)?;
    asked.query_map(params![stream.as_str(), rows::stored(after), limit], rows::entry)?.collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::EntryFilter;
    use crate::sqlite::pointers;
    use crate::sqlite::{known, schema};

    /// Entries of a few chains in some order, the first of them without the number of the one before: as in a file that is older.
    fn file(order: &[u8], old: usize) -> Connection {
        let connection = Connection::open_in_memory().unwrap();
        schema::prepare(&connection, true).unwrap();
        let mut ends = [(0, 0); 3];
        for (at, chain) in order.iter().enumerate() {
            let stream = format!("table/{chain}");
            let (version, before) = ends[usize::from(*chain)];
            let before = (at >= old).then_some(before);
            let sql = "INSERT INTO entries (stream, version, at, actor, kinds, body, previous, hash, before)
                       VALUES (?1, ?2, 0, 'house', ',x,', '', '', '', ?3)";
            connection.execute(sql, params![stream, version + 1, before]).unwrap();
            let number = connection.last_insert_rowid();
            ends[usize::from(*chain)] = (version + 1, number);
            rows::put_end(&connection, &stream, number).unwrap();
        }
        connection
    }

    fn versions(entries: Asked<Vec<Entry>>) -> Vec<u64> {
        entries.unwrap().iter().map(|entry| entry.version).collect()
    }

    fn numbers(entries: &[Entry]) -> Vec<u64> {
        entries.iter().map(|entry| entry.number).collect()
    }

    /// What somebody does to the file. An end that is put at an earlier entry of its own chain is not among it: only the audit finds that.
    const DAMAGE: [&str; 5] = [
        "",
        "DELETE FROM entries WHERE number = ?1",
        "UPDATE entries SET before = (number * 7919) % 400 WHERE number = ?1",
        "UPDATE heads SET number = ?1 WHERE stream <> coalesce((SELECT stream FROM entries WHERE number = ?1), '')",
        "UPDATE entries SET before = NULL WHERE number = ?1",
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// Whatever leads through the chains, and wherever it is damaged: what is read is what is there.
        #[test]
        fn a_chain_reads_as_if_all_were_looked_through(
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
                let there = versions(look_through(&connection, &stream, after, limit));
                prop_assert_eq!(&versions(read(&connection, &stream, after, limit)), &there);
            }
        }

        /// A question about one chain has the answer that the question about all has for it.
        #[test]
        fn a_chain_is_asked_like_the_whole_journal(
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
            prop_assert_eq!(pointers::misled(&connection).unwrap(), vec![]);
            prop_assert!(known::Known::read(&connection).is_ok());
        }
    }
}
