//! An entry of the journal and its hash.

use std::fmt;

use sha2::{Digest, Sha256};

use super::Posting;
use crate::{Instant, JackpotId, PlayerId, TableId};

/// A chain of entries.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Stream(String);

impl Stream {
    pub(crate) fn house() -> Stream {
        Stream("house".to_owned())
    }

    /// No chain: word that any of them may have changed.
    pub(crate) fn all() -> Stream {
        Stream("*".to_owned())
    }

    pub(crate) fn table(id: &TableId) -> Stream {
        Stream(format!("table/{id}"))
    }

    pub(crate) fn jackpot(id: &JackpotId) -> Stream {
        Stream(format!("jackpot/{id}"))
    }

    pub(crate) fn player(id: &PlayerId) -> Stream {
        Stream(format!("player/{id}"))
    }

    /// A name that was read from the database.
    pub(crate) fn named(name: impl Into<String>) -> Stream {
        Stream(name.into())
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// The name after `table/`, `jackpot/` or `player/`.
    pub(crate) fn after(&self, prefix: &str) -> Option<&str> {
        self.0.strip_prefix(prefix)
    }
}

impl fmt::Display for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// Where a chain ends.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Head {
    /// The number of its last entry; 0: it has none.
    pub(crate) version: u64,
    /// The hash of its last entry; empty: it has none.
    pub(crate) hash: String,
}

/// One entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Its number over all chains, given by the database; 0 before it is written. Not covered by the hash.
    pub(crate) number: u64,
    pub(crate) stream: Stream,
    /// Its place in the chain, from 1.
    pub(crate) version: u64,
    pub(crate) at: Instant,
    /// Who: `player:ann`.
    pub(crate) actor: String,
    /// The id of the command that it answers.
    pub(crate) command: Option<String>,
    /// The kinds of what happened, each between commas: `,wager-placed,bets-closed,`.
    pub(crate) kinds: String,
    /// The name of the significant event that it is, if it is one.
    pub(crate) significant: Option<String>,
    /// What happened, as JSON of a stored version.
    pub(crate) body: String,
    /// The hash of the entry of another chain that it belongs to.
    pub(crate) link: Option<String>,
    /// The ledger entries that it makes. They balance.
    pub(crate) postings: Vec<Posting>,
    /// The hash of the entry before; empty for the first.
    pub(crate) previous: String,
    /// Its hash.
    pub(crate) hash: String,
}

impl Entry {
    /// The hash over everything else. Each part is preceded by its length, so that no two entries have the same bytes.
    pub(crate) fn computed_hash(&self) -> String {
        let mut hasher = Sha256::new();
        let mut part = |bytes: &[u8]| {
            hasher.update((bytes.len() as u64).to_be_bytes());
            hasher.update(bytes);
        };
        part(b"baize-journal-1");
        part(self.previous.as_bytes());
        part(self.stream.as_str().as_bytes());
        part(&self.version.to_be_bytes());
        part(&self.at.0.to_be_bytes());
        part(self.actor.as_bytes());
        part(self.command.as_deref().unwrap_or("").as_bytes());
        part(self.kinds.as_bytes());
        part(self.significant.as_deref().unwrap_or("").as_bytes());
        part(self.body.as_bytes());
        part(self.link.as_deref().unwrap_or("").as_bytes());
        for posting in &self.postings {
            part(posting.account.as_bytes());
            part(&posting.cents.to_be_bytes());
        }
        crate::secret::hex(&hasher.finalize())
    }

    /// The entry, which now vouches for the state of this digest.
    pub(crate) fn vouch(&mut self, digest: &str) {
        self.body = super::stored::vouching(&self.body, digest);
        self.hash = self.computed_hash();
    }

    /// The head of its chain once it is written.
    pub(crate) fn head(&self) -> Head {
        Head { version: self.version, hash: self.hash.clone() }
    }

    /// `table/rh-1 entry 17`.
    pub(crate) fn place(&self) -> String {
        format!("{} entry {}", self.stream, self.version)
    }
}
