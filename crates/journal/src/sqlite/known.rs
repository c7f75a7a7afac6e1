//! What the writer knows by heart: where every chain ends, and what every account holds.
//!
//! One process writes the file, so its memory is as good as the file, and everything that can be refused is refused before a row is
//! written. A flush therefore needs no savepoint for each command: whatever still goes wrong is the disk, and takes the flush with it.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use super::names::Rows;
use super::rows;
use crate::accounts;
use crate::{Batch, Head, StoreError};

/// What every account holds, as last written. Views of players ask for it all the time.
#[derive(Clone, Default)]
pub(super) struct Balances(Arc<RwLock<HashMap<String, i64>>>);

impl Balances {
    /// What is in an account.
    pub(super) fn of(&self, account: &str) -> i64 {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(account).copied().unwrap_or(0)
    }

    fn extend(&self, changed: HashMap<String, i64>) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).extend(changed);
    }
}

/// The file as it was last written.
pub(super) struct Known {
    heads: HashMap<String, Head>,
    /// The numbers of the last entries of all chains.
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

    /// The flush is on the disk.
    pub(super) fn keep(&mut self, flushed: Changes) {
        self.heads.extend(flushed.heads);
        self.ends.extend(flushed.ends);
        self.balances.extend(flushed.balances);
    }
}

/// What a flush changes.
#[derive(Default)]
pub(super) struct Changes {
    heads: HashMap<String, Head>,
    /// The chains that it makes longer, and the numbers of their last entries then.
    pub(super) ends: HashMap<String, i64>,
    /// The accounts that it moves, and what they hold then.
    pub(super) balances: HashMap<String, i64>,
}

impl Changes {
    /// Takes in a batch that follows from what is known. One that does not leaves nothing behind.
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

    /// The number of the last entry of a chain so far; 0: it has none.
    pub(super) fn end(&self, known: &Known, stream: &str) -> i64 {
        self.ends.get(stream).or_else(|| known.ends.get(stream)).copied().unwrap_or(0)
    }

    /// An entry of a chain was written, and got this number.
    pub(super) fn ends_at(&mut self, stream: &str, number: i64) {
        put(&mut self.ends, stream, number);
    }
}

/// Most chains and accounts of a flush come again and again: their names are copied once.
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
    fn a_batch_that_does_not_follow_leaves_nothing_behind() {
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
        // What was refused can still be done in another way: nothing of it was kept.
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
