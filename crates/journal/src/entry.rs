//! An entry of the journal and its hash.

use std::fmt;

use serde::Deserialize;

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

    /// Wildcard in notifications: any chain may have changed.
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

    /// The chain with this name, as read from the database.
    pub fn named(name: impl Into<String>) -> Stream {
        Stream(name.into())
    }

    /// The chain's name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The part of the name after `prefix` (`table/`, `jackpot/` or `player/`).
    pub fn after(&self, prefix: &str) -> Option<&str> {
        self.0.strip_prefix(prefix)
    }
}

impl fmt::Display for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// The last entry of a chain.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Head {
    /// Version of the last entry; 0 if the chain is empty.
    pub version: u64,
    /// Hash of the last entry; empty if the chain is empty.
    pub hash: String,
}

/// One entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Number across all chains, assigned by the database; 0 before the entry is written. Not covered by the hash.
    pub number: u64,
    /// The chain.
    pub stream: Stream,
    /// Position in the chain, from 1.
    pub version: u64,
    /// Time of the entry.
    pub at: Instant,
    /// Who acted: `player:ann`.
    pub actor: String,
    /// Id of the command that produced it.
    pub command: Option<String>,
    /// Event kinds, each between commas: `,wager-placed,bets-closed,`.
    pub kinds: String,
    /// Name of the significant event, if it is one.
    pub significant: Option<String>,
    /// The event as JSON in a stored version.
    pub body: String,
    /// Hash of the entry in another chain that this one belongs to.
    pub link: Option<String>,
    /// Its ledger entries. They sum to zero.
    pub postings: Vec<Posting>,
    /// Hash of the previous entry of the chain; empty for the first.
    pub previous: String,
    /// Hash of this entry.
    pub hash: String,
}

impl Entry {
    /// The hash over all other fields. Each part is preceded by its length, so no two different entries hash the same bytes.
    pub fn computed_hash(&self) -> String {
        let mut hasher = secret::Hasher::default();
        let mut part = |bytes: &[u8]| {
            hasher.update(&(bytes.len() as u64).to_be_bytes());
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
        hasher.hex()
    }

    /// Adds the digest of a snapshot to the body, and updates the hash.
    pub fn vouch(&mut self, digest: &str) {
        self.body = vouching(&self.body, digest);
        self.hash = self.computed_hash();
    }

    /// Whether the body is still sealed because the key is missing.
    pub fn is_sealed(&self) -> bool {
        crate::key::is_sealed(&self.body)
    }

    /// The head of the chain after this entry.
    pub fn head(&self) -> Head {
        Head { version: self.version, hash: self.hash.clone() }
    }

    /// `table/rh-1 entry 17`.
    pub fn place(&self) -> String {
        format!("{} entry {}", self.stream, self.version)
    }
}

/// The field of a body that holds a snapshot's digest.
#[derive(Deserialize)]
struct Vouching {
    #[serde(default)]
    kept: Option<String>,
}

/// The body with the digest of a snapshot's state added.
pub fn vouching(text: &str, digest: &str) -> String {
    format!("{},\"kept\":\"{digest}\"}}", text.strip_suffix('}').unwrap_or(text))
}

/// The snapshot digest in a body. Bodies written by older versions have none.
pub fn vouched(text: &str) -> Option<String> {
    serde_json::from_str::<Vouching>(text).ok()?.kept
}
