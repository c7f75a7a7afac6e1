//! Checks the file's pointers (`before` and `heads`) against the entries themselves.
//!
//! Entries on a damaged page cannot be read, so chains that pass through one are skipped.

use std::collections::{BTreeSet, HashMap, HashSet};

use rusqlite::{ErrorCode, OptionalExtension};

use super::names::Rows;
use super::rows::{self, SqlResult};
use crate::LooseRow;

/// The last entry of a chain seen so far.
struct Last {
    version: i64,
    number: i64,
}

/// The chains as found in the entries, in order of number.
#[derive(Default)]
struct Walk {
    chains: HashMap<String, Last>,
    /// Chains whose entries are out of order or may be missing: the audit of entries reports those.
    doubtful: HashSet<String>,
    wrong: Vec<LooseRow>,
    lost: BTreeSet<i64>,
}

/// Pointers that contradict the entries.
pub(super) fn wrong_pointers(rows: &Rows) -> SqlResult<Vec<LooseRow>> {
    let sql = "SELECT seq FROM sqlite_sequence WHERE name = 'entries'";
    let given: i64 = rows.query_row(sql, [], |row| row.get(0)).optional()?.unwrap_or(0);
    let mut walked = Walk::default();
    let mut after = i64::MIN;
    while let Some(lost) = walked.read_from(rows, after)? {
        if lost > given {
            break;
        }
        walked.lost.insert(lost);
        after = lost;
    }
    walked.ends(rows)
}

impl Walk {
    /// Reads the entries after a number. Returns the number at which a damaged page stopped it.
    fn read_from(&mut self, rows: &Rows, after: i64) -> SqlResult<Option<i64>> {
        let sql = "SELECT number, version, before, stream FROM entries WHERE number > ?1 ORDER BY number";
        let mut asked = rows.prepare_cached(sql)?;
        let mut found = asked.query([after])?;
        let mut at = after;
        loop {
            let row = match found.next() {
                Ok(Some(row)) => row,
                Ok(None) => return Ok(None),
                Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseCorrupt) => {
                    return Ok(Some(at.max(0) + 1));
                }
                Err(error) => return Err(error),
            };
            at = row.get(0)?;
            self.one(at, row.get(1)?, row.get(2)?, &rows.name(row.get(3)?)?);
        }
    }

    fn one(&mut self, number: i64, version: i64, said: Option<i64>, stream: &str) {
        let is = match self.chains.get_mut(stream) {
            Some(last) if last.version + 1 == version => {
                let is = last.number;
                (last.version, last.number) = (version, number);
                is
            }
            None if version == 1 => {
                self.chains.insert(stream.to_owned(), Last { version, number });
                0
            }
            Some(last) => {
                if last.version < version {
                    (last.version, last.number) = (version, number);
                }
                self.doubtful.insert(stream.to_owned());
                return;
            }
            None => {
                self.chains.insert(stream.to_owned(), Last { version, number });
                self.doubtful.insert(stream.to_owned());
                return;
            }
        };
        // Only the first wrong pointer of a chain is reported.
        if let Some(said) = said.filter(|said| *said != is && !self.doubtful.contains(stream)) {
            self.doubtful.insert(stream.to_owned());
            self.wrong.push(LooseRow {
                place: format!("{stream} entry {version}"),
                what: format!("it names number {said} as the entry before it, and that is number {is}"),
            });
        }
    }

    fn ends(mut self, rows: &Rows) -> SqlResult<Vec<LooseRow>> {
        let said = rows::ends(rows)?;
        let streams: BTreeSet<&String> = said.keys().chain(self.chains.keys()).collect();
        for stream in streams {
            let said = said.get(stream).copied();
            let is = self.chains.get(stream).map(|last| last.number);
            if said != is && !said.is_some_and(|said| self.lost.contains(&said)) {
                let number =
                    |number: Option<i64>| number.map_or("none".to_owned(), |number| number.to_string());
                self.wrong.push(LooseRow {
                    place: format!("the end of {stream}"),
                    what: format!("it is recorded as number {}, and is number {}", number(said), number(is)),
                });
            }
        }
        Ok(self.wrong)
    }
}
