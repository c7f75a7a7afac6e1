//! Rulebooks, staff and keys from the house's chain, loaded before the replay. The chain itself is checked in the walk.

use std::collections::{BTreeMap, BTreeSet};

use baize_house::record::{self, Body, HouseFact};
use baize_house::replay::{Lineage, Rulebooks};
use baize_house::{Answer, Duty, Instant};
use baize_journal::{Store, StoreError, Stream};

/// Entries read per query; small, because a seal names every chain.
const PAGE: u32 = 200;

/// What the replay needs to know beforehand.
#[derive(Default)]
pub(crate) struct HouseRecords {
    /// Rulebooks in the journal.
    pub(super) rulebooks: Rulebooks,
    /// Staff, and every duty they were ever given.
    pub(super) staff: BTreeMap<String, BTreeSet<Duty>>,
    /// Who created whose account.
    pub(super) lineage: Lineage,
    /// When the house took its first key. Assigned dealers, requested wagers and independent second persons are enforced from then on;
    /// older versions did not.
    enforced_from: Option<Instant>,
    /// The house's key is missing.
    pub(super) keyless: bool,
    /// Tables whose round was given up with a lost key.
    pub(super) given_up: BTreeSet<String>,
}

impl HouseRecords {
    pub(super) async fn load(store: &dyn Store, keyless: bool) -> Answer<HouseRecords> {
        let mut known = HouseRecords { keyless, ..HouseRecords::default() };
        let (mut after, mut limit) = (0, PAGE);
        loop {
            let entries = match store.read(&Stream::house(), after, limit).await {
                Ok(entries) => entries,
                // One entry is unreadable: read the others one by one.
                Err(StoreError::Corrupt(_)) if limit > 1 => {
                    limit = 1;
                    continue;
                }
                Err(StoreError::Corrupt(_)) => return Ok(known),
                Err(other) => return Err(other.into()),
            };
            let Some(last) = entries.last() else { return Ok(known) };
            after = last.version;
            for entry in &entries {
                let Ok(Body::House(facts)) = record::read(&entry.body, &entry.place()) else { continue };
                for fact in facts {
                    known.note(fact, &entry.actor, entry.at);
                }
            }
        }
    }

    fn note(&mut self, fact: HouseFact, actor: &str, at: Instant) {
        self.lineage.note(&fact, actor, at);
        if let HouseFact::KeyTaken { given_up, .. } = &fact {
            self.enforced_from.get_or_insert(at);
            self.given_up.extend(given_up.keys().map(ToString::to_string));
        }
        if let HouseFact::RulebookRecorded { hash, text } = &fact {
            self.rulebooks.record(hash, text);
        } else if let HouseFact::StaffCreated { id, duties, .. }
        | HouseFact::DutiesChanged { id, after: duties, .. } = fact
        {
            self.staff.entry(id.to_string()).or_default().extend(duties);
        }
    }

    /// Whether the rules on persons were enforced at this time.
    pub(super) fn enforced(&self, at: Instant) -> bool {
        self.enforced_from.is_some_and(|from| at >= from)
    }
}
