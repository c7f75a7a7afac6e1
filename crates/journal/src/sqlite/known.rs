//! The writer's in-memory state: where every chain ends, and all balances.
//!
//! Only one process writes the file, so its memory matches the file, and a refusal is decided before any row is written. A flush therefore
//! needs no savepoint per command: only disk errors remain, and those abort the whole flush.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use super::names::Rows;
use super::rows;
use crate::accounts;
use crate::{Batch, Head, StoreError};

/// All balances as last written. Views of players read them all the time.
#[derive(Clone, Default)]
pub(super) struct Balances(Arc<RwLock<HashMap<String, i64>>>);

impl Balances {
    /// Balance of an account.
    pub(super) fn of(&self, account: &str) -> i64 {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(account).copied().unwrap_or(0)
    }

    fn extend(&self, changed: HashMap<String, i64>) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).extend(changed);
    }
}

/// The state as last written.
pub(super) struct Known {
    heads: HashMap<String, Head>,
    /// Number of each chain's last entry.
    ends: HashMap<String, i64>,
    pub(super) balances: Balances,
}

impl Known {
    pub(super) fn read(rows: &Rows) -> Result<Known, rusqlite::Error> {
        rows::mend_ends(rows)?;
        let heads = rows::heads(rows)?;
        let balances = Balances::default();
        balances.extend(rows::balances(rows)?);
        let heads = heads.into_iter().map(|(stream, head)| (stream.as_str().to_owned(), head)).collect();
        Ok(Known { heads, ends: rows::ends(rows)?, balances })
    }

    /// Applies the changes of a flush that is on disk.
    pub(super) fn keep(&mut self, flushed: Changes) {
        self.heads.extend(flushed.heads);
        self.ends.extend(flushed.ends);
        self.balances.extend(flushed.balances);
    }
}

/// Changes made by a flush.
#[derive(Default)]
pub(super) struct Changes {
    heads: HashMap<String, Head>,
    /// Chains that it extends, with the number of their new last entry.
    pub(super) ends: HashMap<String, i64>,
    /// Accounts that it changes, with their new balance.
    pub(super) balances: HashMap<String, i64>,
}

impl Changes {
    /// Adds a batch after checking it against the state. A refused batch changes nothing.
    pub(super) fn take_in(&mut self, known: &Known, batch: &Batch) -> Result<(), StoreError> {
        let mut heads: Vec<(&str, Head)> = Vec::with_capacity(batch.entries.len());
        let mut balances: Vec<(&str, i64)> = Vec::new();
        for entry in &batch.entries {
            let name = entry.stream.as_str();
            let own = heads.iter().rev().find(|(stream, _)| *stream == name).map(|(_, head)| head);
            let head = own.or_else(|| self.heads.get(name)).or_else(|| known.heads.get(name));
            let (version, hash) = head.map_or((0, ""), |head| (head.version, head.hash.as_str()));
            if entry.version != version + 1 || entry.previous != hash {
                return Err(StoreError::Conflict(entry.stream.clone()));
            }
            heads.push((name, entry.head()));
            for posting in &entry.postings {
                let account = posting.account.as_str();
                let own = balances.iter_mut().find(|(name, _)| *name == account);
                let cents = match own {
                    Some((_, cents)) => {
                        *cents += posting.cents;
                        *cents
                    }
                    None => {
                        let before = self.balances.get(account).copied();
                        let cents = before.unwrap_or_else(|| known.balances.of(account)) + posting.cents;
                        balances.push((account, cents));
                        cents
                    }
                };
                if cents < 0 && !accounts::may_be_negative(account) {
                    return Err(StoreError::Short(posting.account.clone()));
                }
            }
        }
        for (name, head) in heads {
            put(&mut self.heads, name, head);
        }
        for (account, cents) in balances {
            put(&mut self.balances, account, cents);
        }
        Ok(())
    }

    /// Number of a chain's last entry; 0 if it is empty.
    pub(super) fn end(&self, known: &Known, stream: &str) -> i64 {
        self.ends.get(stream).or_else(|| known.ends.get(stream)).copied().unwrap_or(0)
    }

    /// Records the number of an entry just written to a chain.
    pub(super) fn ends_at(&mut self, stream: &str, number: i64) {
        put(&mut self.ends, stream, number);
    }
}

/// Inserts without cloning the name if it is present already, as it mostly is.
fn put<T>(map: &mut HashMap<String, T>, name: &str, value: T) {
    match map.get_mut(name) {
        Some(there) => *there = value,
        None => drop(map.insert(name.to_owned(), value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Instant;
    use crate::{Entry, Posting, Stream};

    fn known() -> Known {
        let balances = Balances::default();
        balances.extend(HashMap::from([("purse/ann".to_owned(), 100)]));
        Known { heads: HashMap::new(), ends: HashMap::new(), balances }
    }

    fn entry(stream: &str, version: u64, previous: &str, postings: &[(&str, i64)]) -> Entry {
        Entry {
            number: 0,
            stream: Stream::named(stream),
            version,
            at: Instant(0),
            actor: "house".to_owned(),
            command: None,
            kinds: String::new(),
            significant: None,
            body: String::new(),
            link: None,
            postings: postings
                .iter()
                .map(|(account, cents)| Posting { account: (*account).to_owned(), cents: *cents })
                .collect(),
            previous: previous.to_owned(),
            hash: format!("{stream}-{version}"),
        }
    }

    fn batch(entries: impl IntoIterator<Item = Entry>) -> Batch {
        Batch { entries: entries.into_iter().collect(), ..Batch::default() }
    }

    #[test]
    fn a_refused_batch_changes_nothing() {
        let (known, mut changes) = (known(), Changes::default());
        let first = batch([entry("table/x", 1, "", &[("purse/ann", -60), ("play/x", 60)])]);
        assert_eq!(changes.take_in(&known, &first), Ok(()));
        let too_much = batch([
            entry("table/x", 2, "table/x-1", &[("play/x", -60), ("float/x", 60)]),
            entry("jackpot/j", 1, "", &[("purse/ann", -41), ("jackpot/j", 41)]),
        ]);
        assert_eq!(changes.take_in(&known, &too_much), Err(StoreError::Short("purse/ann".to_owned())));
        let late = batch([
            entry("jackpot/j", 1, "", &[("house", -5), ("jackpot/j", 5)]),
            entry("table/x", 1, "", &[("purse/ann", -1), ("play/x", 1)]),
        ]);
        assert_eq!(changes.take_in(&known, &late), Err(StoreError::Conflict(Stream::named("table/x"))));
        let forged = batch([entry("table/x", 2, "another hash", &[])]);
        assert_eq!(changes.take_in(&known, &forged), Err(StoreError::Conflict(Stream::named("table/x"))));
        // The refused batches left no trace, so these can be written.
        let all = batch([
            entry("table/x", 2, "table/x-1", &[("purse/ann", -40), ("play/x", 40)]),
            entry("table/x", 3, "table/x-2", &[("house", -7), ("play/x", 7)]),
            entry("jackpot/j", 1, "", &[]),
        ]);
        assert_eq!(changes.take_in(&known, &all), Ok(()));
        let holds = |account: &str| changes.balances.get(account).copied();
        assert_eq!(
            ["purse/ann", "play/x", "house", "float/x", "jackpot/j"].map(holds),
            [Some(0), Some(107), Some(-7), None, None]
        );
    }
}
