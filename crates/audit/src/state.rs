//! The state that was audited: what an operator writes down elsewhere, and holds a later audit against.
//!
//! Whoever can write the whole database can write a whole history that fits. What they cannot write is what was noted before, outside. The
//! last hash of the house's chain covers everything up to its last seal. Where numbers have no gaps (SQLite) there is also a hash over all
//! entries in order, up to the very last: each step is the SHA-256 of the step before and of the entry's hash, both in hexadecimal.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Findings;
use baize_house::{Instant, Program};
use baize_journal::Entry;
use baize_journal::secret;

/// The state that was audited.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
pub struct AuditedState {
    /// How many entries the journal has.
    pub entries: u64,
    /// The hash of the last entry of the house's own chain.
    pub house: String,
    /// How many entries were written after the last seal: that hash does not cover them.
    pub unsealed: u64,
    /// The hash over all entries in order, where numbers have no gaps.
    pub all: Option<String>,
    /// Where every chain ends: version and hash.
    pub heads: BTreeMap<String, (u64, String)>,
    /// The rulebooks that tables were set up with: id and hash.
    pub rulebooks: BTreeSet<(String, String)>,
    /// The program that audited.
    pub program: String,
    /// The SHA-256 of its file.
    pub program_hash: Option<String>,
    /// When.
    pub at: Instant,
}

/// An earlier state that the journal must contain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expected {
    /// One of its hashes.
    Hash(String),
    /// All its heads, as the report of an earlier audit has them.
    Heads(BTreeMap<String, (u64, String)>),
}

impl Expected {
    /// A hash, or the heads of an earlier report as it was printed with `--json`.
    ///
    /// # Errors
    /// Neither of them.
    pub fn parse(text: &str) -> Result<Expected, String> {
        #[derive(Deserialize)]
        struct Report {
            state: State,
        }
        #[derive(Deserialize)]
        struct State {
            heads: BTreeMap<String, (u64, String)>,
        }
        let text = text.trim();
        if text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Ok(Expected::Hash(text.to_ascii_lowercase()));
        }
        match serde_json::from_str::<Report>(text) {
            Ok(report) if !report.state.heads.is_empty() => Ok(Expected::Heads(report.state.heads)),
            Ok(_) => Err("the report has no heads".to_owned()),
            Err(error) => Err(format!("neither a hash of 64 hexadecimal digits nor a report: {error}")),
        }
    }
}

/// The state as far as the journal was read, and what of the expected one was found.
#[derive(Default)]
pub(crate) struct Gathered {
    /// The hash over all entries so far, where numbers have no gaps.
    pub(super) all: String,
    gapless: bool,
    /// The hash that must be among them.
    wanted: Option<String>,
    contained: bool,
    /// The heads that must be among them and were not yet.
    heads: BTreeMap<String, (u64, String)>,
}

impl Gathered {
    pub(super) fn expecting(expected: Option<&Expected>, gapless: bool) -> Gathered {
        let (wanted, heads) = match expected {
            Some(Expected::Hash(hash)) => (Some(hash.clone()), BTreeMap::new()),
            Some(Expected::Heads(heads)) => (None, heads.clone()),
            None => (None, BTreeMap::new()),
        };
        Gathered { gapless, wanted, heads, ..Gathered::default() }
    }

    /// The next entry over all chains.
    pub(super) fn next(&mut self, entry: &Entry) {
        if self.gapless {
            self.all = secret::digest(format!("{}{}", self.all, entry.hash).as_bytes());
        }
        if let Some(wanted) = &self.wanted {
            let house = entry.stream.as_str() == "house" && entry.hash == *wanted;
            self.contained |= house || self.all == *wanted;
        }
        let found = |(version, hash): &(u64, String)| *version == entry.version && *hash == entry.hash;
        if self.heads.get(entry.stream.as_str()).is_some_and(found) {
            self.heads.remove(entry.stream.as_str());
        }
    }
}

/// The state of everything that was walked, held against what was expected.
pub(super) fn end(heads: BTreeMap<String, (u64, String)>, at: Instant, findings: &mut Findings) {
    let gathered = std::mem::take(&mut findings.gathered);
    let entries = findings.order.entries;
    let gone = "history was rewritten, or an older copy was restored";
    if let Some(hash) = gathered.wanted.filter(|_| !gathered.contained) {
        findings.fault("the journal", format!("it does not contain the state {hash}: {gone}"));
    }
    for (stream, (version, _)) in gathered.heads {
        let place = format!("{stream} entry {version}");
        findings.fault(place, format!("it is not the one of the state that was expected: {gone}"));
    }
    findings.state = AuditedState {
        entries,
        house: heads.get("house").map(|(_, hash)| hash.clone()).unwrap_or_default(),
        unsealed: entries.saturating_sub(findings.seals.covered),
        all: (gathered.gapless && !gathered.all.is_empty()).then_some(gathered.all),
        heads,
        rulebooks: std::mem::take(&mut findings.played),
        program: Program::this().to_string(),
        program_hash: Program::this().hash.clone(),
        at,
    };
}
