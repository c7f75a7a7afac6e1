//! An entry of the journal and its hash.

use std::fmt;

use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::Posting;
use crate::{Instant, secret};

/// A chain of entries.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stream(String);

impl Stream {
    /// The chain of the house.
    #[must_use]
    pub fn house() -> Stream {
        Stream("house".to_owned())
    }

    /// No chain: word that any of them may have changed.
    #[must_use]
    pub fn all() -> Stream {
        Stream("*".to_owned())
    }

    /// The chain of a table.
    pub fn table(id: impl fmt::Display) -> Stream {
        Stream(format!("table/{id}"))
    }

    /// The chain of a jackpot.
    pub fn jackpot(id: impl fmt::Display) -> Stream {
        Stream(format!("jackpot/{id}"))
    }

    /// The chain of a player.
    pub fn player(id: impl fmt::Display) -> Stream {
        Stream(format!("player/{id}"))
    }

    /// A name that was read from the database.
    pub fn named(name: impl Into<String>) -> Stream {
        Stream(name.into())
    }

    /// Its name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The name after `table/`, `jackpot/` or `player/`.
    pub fn after(&self, prefix: &str) -> Option<&str> {
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
pub struct Head {
    /// The number of its last entry; 0: it has none.
    pub version: u64,
    /// The hash of its last entry; empty: it has none.
    pub hash: String,
}

/// One entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its number over all chains, given by the database; 0 before it is written. Not covered by the hash.
    pub number: u64,
    /// The chain that it belongs to.
    pub stream: Stream,
    /// Its place in the chain, from 1.
    pub version: u64,
    /// When.
    pub at: Instant,
    /// Who: `player:ann`.
    pub actor: String,
    /// The id of the command that it answers.
    pub command: Option<String>,
    /// The kinds of what happened, each between commas: `,wager-placed,bets-closed,`.
    pub kinds: String,
    /// The name of the significant event that it is, if it is one.
    pub significant: Option<String>,
    /// What happened, as JSON of a stored version.
    pub body: String,
    /// The hash of the entry of another chain that it belongs to.
    pub link: Option<String>,
    /// The ledger entries that it makes. They balance.
    pub postings: Vec<Posting>,
    /// The hash of the entry before; empty for the first.
    pub previous: String,
    /// Its hash.
    pub hash: String,
}

impl Entry {
    /// The hash over everything else. Each part is preceded by its length, so that no two entries have the same bytes.
    pub fn computed_hash(&self) -> String {
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
        secret::hex(&hasher.finalize())
    }

    /// The entry, which now vouches for the state of this digest.
    pub fn vouch(&mut self, digest: &str) {
        self.body = vouching(&self.body, digest);
        self.hash = self.computed_hash();
    }

    /// Its body is sealed, and the key is not here: what happened is not known.
    pub fn is_sealed(&self) -> bool {
        crate::key::is_sealed(&self.body)
    }

    /// The head of its chain once it is written.
    pub fn head(&self) -> Head {
        Head { version: self.version, hash: self.hash.clone() }
    }

    /// `table/rh-1 entry 17`.
    pub fn place(&self) -> String {
        format!("{} entry {}", self.stream, self.version)
    }
}

/// The field of a body that vouches for a snapshot.
#[derive(Deserialize)]
struct Vouching {
    #[serde(default)]
    kept: Option<String>,
}

/// The text of a body that vouches for a snapshot by the digest of its state.
pub fn vouching(text: &str, digest: &str) -> String {
    format!("{},\"kept\":\"{digest}\"}}", text.strip_suffix('}').unwrap_or(text))
}

/// The digest of the state that a body vouches for. Bodies of older programs vouch for none.
pub fn vouched(text: &str) -> Option<String> {
    serde_json::from_str::<Vouching>(text).ok()?.kept
}
