//! The audited state: hashes that an operator records elsewhere and compares with a later audit.
//!
//! Anyone who can write the whole database can write a consistent false history, but cannot change a hash recorded outside. The last hash
//! of the house's chain covers everything up to the last seal. If numbers have no gaps (SQLite), there is also a hash over all entries in
//! order: each step is the SHA-256 of the previous step and the entry's hash, both in hexadecimal.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Findings;
use baize_house::{Instant, Program};
use baize_journal::Entry;
use baize_journal::secret;

/// The audited state.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
pub struct AuditedState {
    /// Number of entries in the journal.
    pub entries: u64,
    /// Hash of the last entry of the house's chain.
    pub house: String,
    /// Number of entries after the last seal, which that hash does not cover.
    pub unsealed: u64,
    /// Hash over all entries in order, if numbers have no gaps.
    pub all: Option<String>,
    /// Head of every chain: version and hash.
    pub heads: BTreeMap<String, (u64, String)>,
    /// Rulebooks that tables were set up with: id and hash.
    pub rulebooks: BTreeSet<(String, String)>,
    /// Version of the program that ran the audit.
    pub program: String,
    /// SHA-256 of the program's file.
    pub program_hash: Option<String>,
    /// Time of the audit.
    pub at: Instant,
}

/// An earlier state that the journal must contain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expected {
    /// A hash.
    Hash(String),
    /// All heads from the report of an earlier audit.
    Heads(BTreeMap<String, (u64, String)>),
}

impl Expected {
    /// Parses a hash, or an earlier report printed with `--json`.
    ///
    /// # Errors
    /// The text is neither.
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

/// The state so far, and how much of the expected state was found.
#[derive(Default)]
pub(crate) struct StateBuilder {
    /// Hash over all entries so far, if numbers have no gaps.
    pub(super) all: String,
    gapless: bool,
    /// The hash that the journal must contain.
    wanted: Option<String>,
    contained: bool,
    /// Expected heads not found yet.
    heads: BTreeMap<String, (u64, String)>,
}

impl StateBuilder {
    pub(super) fn expecting(expected: Option<&Expected>, gapless: bool) -> StateBuilder {
        let (wanted, heads) = match expected {
            Some(Expected::Hash(hash)) => (Some(hash.clone()), BTreeMap::new()),
            Some(Expected::Heads(heads)) => (None, heads.clone()),
            None => (None, BTreeMap::new()),
        };
        StateBuilder { gapless, wanted, heads, ..StateBuilder::default() }
    }

    /// The next entry in order of number.
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

/// Completes the state and compares it with the expected one.
pub(super) fn end(heads: BTreeMap<String, (u64, String)>, at: Instant, findings: &mut Findings) {
    let gathered = std::mem::take(&mut findings.gathered);
    let entries = findings.order.entries;
    let gone = "history was rewritten, or an older copy was restored";
    if let Some(hash) = gathered.wanted.filter(|_| !gathered.contained) {
        findings.fault("the journal", format!("it does not contain the state {hash}: {gone}"));
    }
    for (stream, (version, _)) in gathered.heads {
        let place = format!("{stream} entry {version}");
        findings.fault(place, format!("it differs from the expected state: {gone}"));
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
