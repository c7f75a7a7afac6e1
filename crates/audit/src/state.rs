//! The state that was audited: what an operator writes down elsewhere, and holds a later audit against.
//!
//! Whoever can write the whole database can write a whole history that fits. What they cannot write is what was noted before, outside. The
//! last hash of the house's chain covers everything up to its last seal. Where numbers have no gaps (SQLite) there is also a hash over all
//! entries in order, up to the very last: each step is the SHA-256 of the step before and of the entry's hash, both in hexadecimal.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Findings;
use super::order::Numbered;
use baize_house::{Instant, Program};
use baize_journal::Stream;
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

/// Gathers the state of everything that was walked, and holds it against what was expected.
pub(super) fn of(
    order: &[Numbered],
    gapless: bool,
    expected: Option<&Expected>,
    at: Instant,
    findings: &mut Findings,
) {
    let house = Stream::house();
    let mut state = AuditedState {
        entries: u64::try_from(order.len()).unwrap_or(0),
        rulebooks: std::mem::take(&mut findings.played),
        program: Program::this().to_string(),
        program_hash: Program::this().hash.clone(),
        at,
        ..AuditedState::default()
    };
    let wanted = match expected {
        Some(Expected::Hash(hash)) => Some(hash.as_str()),
        Some(Expected::Heads(_)) | None => None,
    };
    let mut contained = false;
    let mut all = String::new();
    for entry in order {
        let Some((hash, _)) = findings.hashes.get(&(entry.stream.clone(), entry.version)) else { continue };
        if gapless {
            all = secret::digest(format!("{all}{hash}").as_bytes());
            contained |= wanted == Some(all.as_str());
        }
        contained |= entry.stream == house && wanted == Some(hash.as_str());
        let head = state.heads.entry(entry.stream.to_string()).or_default();
        if head.0 < entry.version {
            *head = (entry.version, hash.clone());
        }
    }
    state.house = state.heads.get(house.as_str()).map(|(_, hash)| hash.clone()).unwrap_or_default();
    state.all = (gapless && !all.is_empty()).then_some(all);
    let last_seal = findings.seals.iter().map(|seal| seal.number).max().unwrap_or(0);
    let sealed: u64 =
        findings.seals.iter().filter(|seal| seal.number == last_seal).map(|seal| seal.version).sum();
    let own = order.iter().filter(|entry| entry.stream == house && entry.number <= last_seal).count();
    state.unsealed = state.entries.saturating_sub(sealed + u64::try_from(own).unwrap_or(0));
    let gone = "history was rewritten, or an older copy was restored";
    match expected {
        Some(Expected::Hash(hash)) if !contained => {
            findings.fault("the journal", format!("it does not contain the state {hash}: {gone}"));
        }
        Some(Expected::Heads(heads)) => {
            for (stream, (version, hash)) in heads {
                let found = findings.hashes.get(&(Stream::named(stream.clone()), *version));
                if found.is_none_or(|(found, _)| found != hash) {
                    let place = format!("{stream} entry {version}");
                    findings
                        .fault(place, format!("it is not the one of the state that was expected: {gone}"));
                }
            }
        }
        Some(Expected::Hash(_)) | None => {}
    }
    findings.state = state;
}
