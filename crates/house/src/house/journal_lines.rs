//! Journal listings: significant events, lines, entries, changes.

use std::collections::BTreeMap;

use super::{Answer, House};
use crate::boxed;
use crate::facts::{Body, TableFact};
use crate::journal::{Entry, EntryFilter, Stream};
use crate::stored;
use crate::{Actor, Change, Duty, JournalFilter, JournalLine, Recorded, Significant};

/// Maximum length of any list.
pub(super) const MAX_LISTED: u32 = 1_000;

impl House {
    /// Whether the journal has a command with this id.
    #[boxed]
    pub async fn knows(&self, id: &crate::CommandId) -> Answer<bool> {
        Ok(self.inner.store.by_command(id.as_str()).await?.is_some())
    }

    /// Significant events, newest first. Pit or auditor.
    #[boxed]
    pub async fn significant_events(&self, by: &Actor, limit: u32) -> Answer<Vec<Significant>> {
        by.require_or_auditor(Duty::PitSupervisor)?;
        let filter =
            EntryFilter { significant: true, limit: limit.min(MAX_LISTED), ..EntryFilter::default() };
        let entries = self.inner.store.entries(filter).await?;
        let one = |entry: &Entry| -> Answer<Option<Significant>> {
            let body = stored::read(&entry.body, &entry.place())?;
            Ok(crate::significant::significant(&body, self.gaming_day()).map(|(kind, words)| Significant {
                number: entry.number,
                at: entry.at,
                actor: entry.actor.clone(),
                stream: entry.stream.to_string(),
                kind,
                words,
            }))
        };
        // Without the key, the entries of a round in progress stay sealed.
        entries.iter().filter(|entry| !entry.is_sealed()).filter_map(|entry| one(entry).transpose()).collect()
    }

    /// Journal lines. Auditor.
    #[boxed]
    pub async fn journal(&self, by: &Actor, filter: &JournalFilter) -> Answer<Vec<JournalLine>> {
        by.require(Duty::Auditor)?;
        let limit = filter.limit.unwrap_or(100).min(MAX_LISTED);
        let mut ask = EntryFilter {
            stream: filter.stream.clone().map(Stream::named),
            kinds: filter.kind.iter().cloned().collect(),
            actor: filter.actor.clone(),
            significant: false,
            from: filter.from,
            until: filter.until,
            text: filter.text.clone().filter(|text| !text.is_empty()),
            account: None,
            after: filter.after,
            before: filter.before,
            limit,
        };
        let mut lines = Vec::new();
        let mut over = BTreeMap::new();
        loop {
            let entries = self.inner.store.entries(ask.clone()).await?;
            let (found, last) = (entries.len(), entries.last().map(|entry| entry.number));
            let mut page = Vec::with_capacity(found);
            for entry in entries {
                let closed = self.closed(&entry, &mut over).await?;
                page.push(journal_line(entry, closed));
            }
            // The database searches whole entries; a line must match in what its reader may see.
            if let Some(text) = &ask.text {
                page.retain(|line| line.says(text));
            }
            lines.extend(page);
            lines.truncate(limit as usize);
            if found < limit as usize || lines.len() == limit as usize {
                return Ok(lines);
            }
            if ask.after.is_some() { ask.after = last } else { ask.before = last }
        }
    }

    /// Entries after this number with everything that their hashes cover, oldest first, of one chain or all; for the owner of the database.
    /// Bodies of rounds in progress are left out.
    #[boxed]
    pub async fn recorded(&self, stream: Option<&str>, after: u64, limit: u32) -> Answer<Vec<Recorded>> {
        let (stream, after) = (stream.map(Stream::named), Some(after));
        let filter = EntryFilter { stream, after, limit, ..EntryFilter::default() };
        let (mut found, mut over) = (Vec::new(), BTreeMap::new());
        for entry in self.inner.store.entries(filter).await? {
            let closed = entry.is_sealed() || self.closed(&entry, &mut over).await?;
            found.push(recorded(entry, closed));
        }
        Ok(found)
    }

    /// Whether an entry belongs to a round in progress, according to the journal itself, so that it also holds on a host that has not read
    /// the round yet. `over` caches the answers.
    async fn closed(&self, entry: &Entry, over: &mut BTreeMap<(String, u32), bool>) -> Answer<bool> {
        let Some(table) = entry.stream.after("table/") else { return Ok(false) };
        let Ok(Body::Table { round, steps, .. }) = stored::read(&entry.body, &entry.place()) else {
            return Ok(true);
        };
        let opened = steps.iter().flat_map(|step| &step.facts).filter_map(TableFact::opened).next_back();
        let round = opened.unwrap_or(round);
        if round == 0 {
            return Ok(false);
        }
        let key = (table.to_owned(), round);
        if let Some(over) = over.get(&key) {
            return Ok(!over);
        }
        let ended = self.inner.store.round(table, round).await?.is_some();
        over.insert(key, ended);
        Ok(!ended)
    }

    /// Changes after this number, oldest first, for a reader that reconnects. Several processes may write at once: to miss nothing, ask
    /// from a little before the last number seen, and expect duplicates.
    #[boxed]
    pub async fn changes_after(&self, number: u64, limit: u32) -> Answer<Vec<Change>> {
        let filter =
            EntryFilter { after: Some(number), limit: limit.min(MAX_LISTED), ..EntryFilter::default() };
        let entries = self.inner.store.entries(filter).await?;
        let change = |entry: Entry| {
            let what = super::attempt::changed(&entry.stream)?;
            Some(Change { number: entry.number, what, version: entry.version, at: entry.at })
        };
        Ok(entries.into_iter().filter_map(change).collect())
    }
}

fn recorded(entry: Entry, closed: bool) -> Recorded {
    let text = (!closed).then_some(entry.body);
    let body = text.map(|text| {
        let value: Option<serde_json::Value> = serde_json::from_str(&text).ok();
        let again = value.as_ref().map(ToString::to_string);
        value.filter(|_| again.as_ref() == Some(&text)).unwrap_or(serde_json::Value::String(text))
    });
    Recorded {
        number: entry.number,
        stream: entry.stream.to_string(),
        version: entry.version,
        at: entry.at,
        actor: entry.actor,
        command: entry.command.unwrap_or_default(),
        kinds: entry.kinds,
        significant: entry.significant.unwrap_or_default(),
        body,
        link: entry.link.unwrap_or_default(),
        postings: entry.postings.into_iter().map(|posting| (posting.account, posting.cents)).collect(),
        previous: entry.previous,
        hash: entry.hash,
    }
}

/// A line for the auditor, without password hashes and without bodies of rounds in progress.
fn journal_line(entry: Entry, closed: bool) -> JournalLine {
    let mut body: Option<serde_json::Value> =
        if closed { None } else { serde_json::from_str(&entry.body).ok() };
    if let Some(facts) = body.as_mut().and_then(|body| body.get_mut("house")).and_then(|f| f.as_array_mut()) {
        for fact in facts.iter_mut().filter_map(serde_json::Value::as_object_mut) {
            if fact.get("password").is_some_and(|password| !password.is_null()) {
                fact.insert("password".to_owned(), "(hash not shown)".into());
            }
        }
    }
    JournalLine {
        number: entry.number,
        stream: entry.stream.to_string(),
        version: entry.version,
        at: entry.at,
        actor: entry.actor,
        kinds: entry.kinds.split(',').filter(|kind| !kind.is_empty()).map(str::to_owned).collect(),
        body,
        postings: entry.postings.into_iter().map(|posting| (posting.account, posting.cents)).collect(),
        previous: entry.previous,
        hash: entry.hash,
    }
}
