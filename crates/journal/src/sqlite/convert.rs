//! Schema upgrade from version 6 to 7: compresses every row. One transaction, one row at a time, so memory use does not depend on the
//! journal's length.

use rusqlite::Row;

use super::names::Rows;
use super::rows::{self, SqlResult, count};
use crate::packed;
use crate::{DeckRow, Entry, Instant, Posting, RoundRow, SnapshotRow, Stream};

/// Copies the version 6 tables, renamed to `old_…`, into those of version 7.
pub(super) fn to_version_7(rows: &Rows) -> SqlResult<()> {
    entries(rows)?;
    others(rows)?;
    // Assigned numbers stay assigned, including those of deleted entries.
    rows.execute_batch(
        "DELETE FROM sqlite_sequence WHERE name = 'entries';
         INSERT INTO sqlite_sequence (name, seq) SELECT 'entries', seq FROM sqlite_sequence WHERE name = 'old_entries';",
    )?;
    let loose = "SELECT count(*) FROM old_postings p WHERE NOT EXISTS (SELECT 1 FROM old_entries e WHERE e.number = p.number)";
    let loose: i64 = rows.query_row(loose, [], |row| row.get(0))?;
    if loose > 0 {
        tracing::warn!(target: "baize::journal", rows = loose, "dropped ledger rows without an entry");
    }
    Ok(())
}

fn entries(rows: &Rows) -> SqlResult<()> {
    let mut asked = rows.prepare(
        "SELECT number, stream, version, at, actor, command, kinds, significant, body, link, hash, before FROM old_entries
         ORDER BY number",
    )?;
    let mut postings =
        rows.prepare("SELECT account, cents FROM old_postings WHERE number = ?1 ORDER BY line")?;
    let mut asked = asked.query([])?;
    while let Some(row) = asked.next()? {
        let number: i64 = row.get(0)?;
        let posting = |row: &Row<'_>| Ok(Posting { account: row.get(0)?, cents: row.get(1)? });
        let entry = Entry {
            number: 0,
            stream: Stream::named(row.get::<_, String>(1)?),
            version: count(row, 2)?,
            at: Instant(row.get(3)?),
            actor: row.get(4)?,
            command: row.get(5)?,
            kinds: row.get(6)?,
            significant: row.get(7)?,
            body: row.get(8)?,
            link: row.get(9)?,
            previous: String::new(),
            hash: row.get(10)?,
            postings: postings.query_map([number], posting)?.collect::<SqlResult<_>>()?,
        };
        rows::put_entry(rows, Some(number), &entry, &packed::pack(&entry.body), row.get(11)?)?;
    }
    Ok(())
}

fn others(rows: &Rows) -> SqlResult<()> {
    let mut heads = rows.prepare("SELECT stream, number FROM old_heads")?;
    let mut heads = heads.query([])?;
    while let Some(row) = heads.next()? {
        rows::put_end(rows, &row.get::<_, String>(0)?, row.get(1)?)?;
    }
    let mut decks = rows.prepare("SELECT tab, round, salt, cards FROM old_decks ORDER BY tab, round")?;
    let mut decks = decks.query([])?;
    while let Some(row) = decks.next()? {
        let (salt, cards): (String, String) = (row.get(2)?, row.get(3)?);
        let (table, round) = (row.get(0)?, row.get(1)?);
        let deck = DeckRow { table, round, salt: String::new(), cards: String::new(), sealed: false };
        rows::put_deck(rows, &deck, (&salt, &cards))?;
    }
    let mut rounds = rows.prepare(
        "SELECT tab, round, rulebook, opened, ended, outcome, players, staked, won, contributed, awarded, first, last
         FROM old_rounds ORDER BY rowid",
    )?;
    let mut rounds = rounds.query([])?;
    while let Some(row) = rounds.next()? {
        let round = RoundRow {
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
        };
        rows::put_round(rows, &round)?;
    }
    let mut states =
        rows.prepare("SELECT stream, version, hash, at, state FROM old_snapshots ORDER BY rowid")?;
    let mut states = states.query([])?;
    while let Some(row) = states.next()? {
        let (stream, version) = (Stream::named(row.get::<_, String>(0)?), count(row, 1)?);
        let snapshot =
            SnapshotRow { stream, version, hash: row.get(2)?, at: Instant(row.get(3)?), state: row.get(4)? };
        rows::put_snapshot(rows, &snapshot)?;
    }
    Ok(())
}
