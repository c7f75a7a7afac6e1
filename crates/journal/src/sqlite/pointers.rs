//! What the file says of where its chains go on and end, held against the entries themselves.
//!
//! Entries on a damaged page cannot be held against anything: chains that lead through one are passed over.

use std::collections::{BTreeSet, HashMap, HashSet};

use rusqlite::{ErrorCode, OptionalExtension};

use super::names::Rows;
use super::rows::{self, Asked};
use crate::LooseRow;

/// The last entry of a chain so far.
struct Last {
    version: i64,
    number: i64,
}

/// The chains as their entries are, read in the order of their numbers.
#[derive(Default)]
struct Walked {
    chains: HashMap<String, Last>,
    /// Chains whose entries are not in order, or of which one may be lost: the audit of the entries names what is wrong there.
    doubtful: HashSet<String>,
    misled: Vec<LooseRow>,
    lost: BTreeSet<i64>,
}

/// What the file says of its chains, and is not so.
pub(super) fn misled(rows: &Rows) -> Asked<Vec<LooseRow>> {
    let sql = "SELECT seq FROM sqlite_sequence WHERE name = 'entries'";
    let given: i64 = rows.query_row(sql, [], |row| row.get(0)).optional()?.unwrap_or(0);
    let mut walked = Walked::default();
    let mut after = i64::MIN;
    while let Some(lost) = walked.take_in(rows, after)? {
        if lost > given {
            break;
        }
        walked.lost.insert(lost);
        after = lost;
    }
    walked.ends(rows)
}

impl Walked {
    /// Takes in the entries after a number, and says at which one it could not go on.
    fn take_in(&mut self, rows: &Rows, after: i64) -> Asked<Option<i64>> {
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
        // The first of a chain tells it.
        if let Some(said) = said.filter(|said| *said != is && !self.doubtful.contains(stream)) {
            self.doubtful.insert(stream.to_owned());
            self.misled.push(LooseRow {
                place: format!("{stream} entry {version}"),
                what: format!("it names number {said} as the entry before it, and that is number {is}"),
            });
        }
    }

    fn ends(mut self, rows: &Rows) -> Asked<Vec<LooseRow>> {
        let said = rows::ends(rows)?;
        let streams: BTreeSet<&String> = said.keys().chain(self.chains.keys()).collect();
        for stream in streams {
            let said = said.get(stream).copied();
            let is = self.chains.get(stream).map(|last| last.number);
            if said != is && !said.is_some_and(|said| self.lost.contains(&said)) {
                let number =
                    |number: Option<i64>| number.map_or("none".to_owned(), |number| number.to_string());
                self.misled.push(LooseRow {
                    place: format!("the end of {stream}"),
                    what: format!("it is recorded as number {}, and is number {}", number(said), number(is)),
                });
            }
        }
        Ok(self.misled)
    }
}
