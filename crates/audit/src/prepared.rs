//! Checks of a single entry: its hash, and that its body can be read and matches its event kinds. Done ahead of the replay, on another
//! core.

use baize_house::record::{self, Body};
use baize_journal::{Entry, Head};

/// The fault of an entry whose hash is wrong.
const WRONG_HASH: &str = "it was altered: its hash is wrong";

/// An entry and its parsed body.
pub(super) struct Prepared {
    pub(super) entry: Entry,
    hash_is_right: bool,
    pub(super) body: Result<Body, String>,
}

impl Prepared {
    fn of(entry: Entry) -> Prepared {
        let sealed = entry.is_sealed();
        let hash_is_right = !sealed && entry.computed_hash() == entry.hash;
        let body = match baize_journal::archive::missing_reason(&entry.body) {
            Some(why) => Err(why.to_owned()),
            None if hash_is_right => body(&entry),
            None => Err(WRONG_HASH.to_owned()),
        };
        Prepared { entry, hash_is_right, body }
    }

    /// Checks that the entry follows `head` and that its hash is right.
    pub(super) fn follows(&self, head: &Head) -> Result<(), &str> {
        if self.entry.is_sealed() {
            return Err(
                "it was altered, or is sealed with another key; if the key was lost, its chips were returned to the players: set up a \
                 new table",
            );
        }
        if self.entry.version != head.version + 1 {
            return Err("an entry before it is missing");
        }
        if self.entry.previous != head.hash {
            return Err("it does not follow the entry before it");
        }
        if !self.hash_is_right {
            return Err(self.body.as_ref().err().map_or(WRONG_HASH, String::as_str));
        }
        Ok(())
    }
}

fn body(entry: &Entry) -> Result<Body, String> {
    let body = record::read(&entry.body, &entry.place()).map_err(|error| error.to_string())?;
    if record::kinds(&body) != entry.kinds {
        return Err("its event kinds do not match its body".to_owned());
    }
    Ok(body)
}

/// Prepares a page of entries.
pub(super) fn page(entries: Vec<Entry>) -> Vec<Prepared> {
    entries.into_iter().map(Prepared::of).collect()
}
