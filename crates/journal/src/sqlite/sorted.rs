//! The chains as an auditor reads them: sorted by themselves, whatever the file says about where they go on and end.
//!
//! Entries on a damaged page cannot be sorted. Who follows one, or a chain whose end it is, tells that there is one that cannot be read.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::{ErrorCode, OptionalExtension};

use super::names::Rows;
use super::rows::{self, Asked, COLUMNS};
use crate::{Entry, LooseRow, Stream};

/// Where an entry is: in its chain, and in the file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    version: i64,
    number: i64,
    /// The number of the entry before it, as the file says.
    before: Option<i64>,
}

/// All entries that can be read, by chain.
#[derive(Default)]
pub(super) struct Sorted {
    chains: BTreeMap<i64, Vec<Place>>,
    /// The number of each chain's name.
    names: BTreeMap<String, i64>,
    /// The numbers of those that cannot be read.
    unread: BTreeSet<i64>,
}

impl Sorted {
    pub(super) fn new(rows: &Rows) -> Asked<Sorted> {
        let sql = "SELECT seq FROM sqlite_sequence WHERE name = 'entries'";
        let given: i64 = rows.query_row(sql, [], |row| row.get(0)).optional()?.unwrap_or(0);
        let mut sorted = Sorted::default();
        let mut after = i64::MIN;
        while let Some(lost) = sorted.take_in(rows, after)? {
            if lost > given {
                break;
            }
            sorted.unread.insert(lost);
            after = lost;
        }
        for (id, places) in &mut sorted.chains {
            places.sort_unstable();
            sorted.names.insert(rows.name(*id)?.as_ref().to_owned(), *id);
        }
        // A chain of which nothing can be read is known by its end.
        let ends =
            rows.prepare_cached("SELECT stream FROM heads")?.query_map([], |row| row.get(0))?.collect();
        let ends: Vec<i64> = match ends {
            Err(error) if is_damage(&error) => Vec::new(),
            ends => ends?,
        };
        for id in ends {
            sorted.names.insert(rows.name(id)?.as_ref().to_owned(), id);
        }
        Ok(sorted)
    }

    /// Takes in the entries after a number, and says at which one it could not go on.
    fn take_in(&mut self, rows: &Rows, after: i64) -> Asked<Option<i64>> {
        let sql = "SELECT number, version, before, stream FROM entries WHERE number > ?1 ORDER BY number";
        let mut asked = rows.prepare_cached(sql)?;
        let mut found = asked.query([after])?;
        let mut last = after;
        loop {
            let row = match found.next() {
                Ok(Some(row)) => row,
                Ok(None) => return Ok(None),
                Err(error) if is_damage(&error) => return Ok(Some(last.max(0) + 1)),
                Err(error) => return Err(error),
            };
            last = row.get(0)?;
            let place = Place { number: last, version: row.get(1)?, before: row.get(2)? };
            self.chains.entry(row.get(3)?).or_default().push(place);
        }
    }

    /// The names of all chains.
    pub(super) fn streams(&self) -> Vec<Stream> {
        self.names.keys().map(|name| Stream::named(name.clone())).collect()
    }

    /// Entries of a chain after a version, in order, up to one that cannot be read. If that is the next one, it is an error.
    pub(super) fn read(&self, rows: &Rows, stream: &Stream, after: u64, limit: u32) -> Asked<Vec<Entry>> {
        let after = rows::stored(after);
        let id = self.names.get(stream.as_str()).copied();
        let places = id.and_then(|id| self.chains.get(&id)).map_or(&[][..], Vec::as_slice);
        let start = places.partition_point(|place| place.version <= after);
        let mut before = start.checked_sub(1).and_then(|at| places.get(at)).copied();
        let places = &places[start..];
        let mut asked =
            rows.prepare_cached(&format!("SELECT {COLUMNS} FROM entries e WHERE e.number = ?1"))?;
        let mut found: Vec<Entry> = Vec::new();
        let mut next = after.saturating_add(1);
        for place in places.iter().take(limit as usize) {
            let lost = place.before.filter(|before| place.version != next && self.unread.contains(before));
            match lost {
                Some(number) if found.is_empty() => return Err(damaged(number)),
                Some(_) => return Ok(found),
                None => {}
            }
            let mut entry = asked.query_row([place.number], |row| rows::entry(rows, row))?;
            // What comes before it by its version, whatever the file says.
            if let (Some(own), Some(id)) = (before.filter(|own| own.version + 1 == place.version), id) {
                entry.previous = match found.last() {
                    Some(last) => last.hash.clone(),
                    None => rows::hash_at(rows, own.number, id, own.version)?.unwrap_or_default(),
                };
            }
            found.push(entry);
            before = Some(*place);
            next = place.version.saturating_add(1);
        }
        if found.is_empty()
            && let Some(number) = end(rows, stream)?.filter(|end| self.unread.contains(end))
        {
            return Err(damaged(number));
        }
        Ok(found)
    }

    /// What the file says of its chains, and is not so.
    pub(super) fn misled(&self, rows: &Rows) -> Asked<Vec<LooseRow>> {
        let mut misled = Vec::new();
        for (stream, id) in &self.names {
            let places = self.chains.get(id).map_or(&[][..], Vec::as_slice);
            let before = |place: &Place| match places
                .binary_search_by_key(&(place.version - 1), |other| other.version)
            {
                Ok(at) => places.get(at).map(|other| other.number),
                Err(_) => (place.version == 1).then_some(0),
            };
            let wrong = places.iter().find_map(|place| match (place.before, before(place)) {
                (Some(said), Some(is)) if said != is => Some((place.version, said, is)),
                _ => None,
            });
            misled.extend(wrong.map(|(version, said, is)| LooseRow {
                place: format!("{stream} entry {version}"),
                what: format!("it names number {said} as the entry before it, and that is number {is}"),
            }));
        }
        let said = rows::ends(rows)?;
        let streams: BTreeSet<&String> = said.keys().chain(self.names.keys()).collect();
        for stream in streams {
            let said = said.get(stream).copied();
            let is =
                self.names.get(stream).and_then(|id| self.chains.get(id)?.last()).map(|place| place.number);
            if said != is && !said.is_some_and(|said| self.unread.contains(&said)) {
                let number =
                    |number: Option<i64>| number.map_or("none".to_owned(), |number| number.to_string());
                misled.push(LooseRow {
                    place: format!("the end of {stream}"),
                    what: format!("it is said to be number {}, and is number {}", number(said), number(is)),
                });
            }
        }
        Ok(misled)
    }
}

fn end(rows: &Rows, stream: &Stream) -> Asked<Option<i64>> {
    let Some(id) = rows.find(stream.as_str())? else { return Ok(None) };
    let mut asked = rows.prepare_cached("SELECT number FROM heads WHERE stream = ?1")?;
    asked.query_row([id], |row| row.get(0)).optional()
}

fn is_damage(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::DatabaseCorrupt)
}

fn damaged(number: i64) -> rusqlite::Error {
    let code = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT);
    rusqlite::Error::SqliteFailure(code, Some(format!("the page with number {number} is damaged")))
}
