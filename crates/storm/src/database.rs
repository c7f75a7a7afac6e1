//! The simulated database: the contract of [`baize_journal::Store`], in memory.
//!
//! Transactions are atomic, as in SQLite and PostgreSQL. Faults on the way to the database and back are in `store.rs`.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use baize_journal::{
    Batch, DeckRow, Entry, EntryFilter, Head, Instant, RoundFilter, RoundRow, SecretRow, SnapshotFilter,
    SnapshotRow, StoreError, Stream, Unsealing, Vault, accounts,
};

/// The rows. Cheap to clone, for frozen views.
#[derive(Clone, Default)]
pub(crate) struct Database {
    /// Bodies as a database stores them: sealed while their round is in progress.
    pub(crate) entries: Vec<Arc<Entry>>,
    chains: BTreeMap<Stream, Vec<usize>>,
    commands: HashMap<String, usize>,
    /// Balances.
    pub(crate) balances: BTreeMap<String, i64>,
    decks: BTreeMap<(String, u32), DeckRow>,
    /// Round summaries.
    pub(crate) rounds: BTreeMap<(String, u32), RoundRow>,
    snapshots: BTreeMap<(Stream, u64), SnapshotRow>,
    secrets: BTreeMap<String, (SecretRow, String)>,
}

/// Whether this bug is switched on.
fn sabotaged(fault: &'static str) -> bool {
    baize_journal::sabotage::is(fault)
}

impl Database {
    /// Head of a chain.
    #[must_use]
    pub(crate) fn head(&self, stream: &Stream) -> Head {
        self.last(stream).map(|entry| entry.head()).unwrap_or_default()
    }

    fn last(&self, stream: &Stream) -> Option<&Arc<Entry>> {
        self.entries.get(*self.chains.get(stream)?.last()?)
    }

    /// Writes a batch atomically.
    pub(crate) fn commit(&mut self, batch: &Batch, vault: &Vault) -> Result<Vec<u64>, StoreError> {
        let mut heads: BTreeMap<&Stream, Head> = BTreeMap::new();
        let mut moved: BTreeMap<&str, i64> = BTreeMap::new();
        for entry in &batch.entries {
            let known = entry.command.as_ref().is_some_and(|command| self.commands.contains_key(command));
            if known && !sabotaged("database: an id may be used twice") {
                return Err(StoreError::CommandKnown);
            }
            let head = heads.entry(&entry.stream).or_insert_with(|| self.head(&entry.stream));
            let follows = entry.version == head.version + 1 && entry.previous == head.hash;
            if !follows && !sabotaged("database: a stale version is accepted") {
                return Err(StoreError::Conflict(entry.stream.clone()));
            }
            *head = entry.head();
            for posting in &entry.postings {
                *moved.entry(&posting.account).or_default() += posting.cents;
            }
        }
        for (account, cents) in &moved {
            let holds = self.balances.get(*account).copied().unwrap_or(0) + cents;
            if holds < 0
                && !accounts::may_be_negative(account)
                && !sabotaged("database: a purse may go below nothing")
            {
                return Err(StoreError::Short((*account).to_owned()));
            }
        }
        let bodies = vault.bodies(batch)?;
        let decks: Vec<(&DeckRow, (&str, String))> = batch
            .decks
            .iter()
            .map(|deck| Ok((deck, vault.sealed(deck)?)))
            .collect::<Result<_, StoreError>>()?;
        let torn = sabotaged("database: half of a transaction is kept") && batch.entries.len() > 1;
        for (account, cents) in moved.into_iter().filter(|_| !torn) {
            *self.balances.entry(account.to_owned()).or_default() += cents;
        }
        let mut numbers = Vec::new();
        for (entry, body) in batch.entries.iter().zip(bodies) {
            let at = self.entries.len();
            let number = at as u64 + 1;
            if let Some(command) = &entry.command {
                self.commands.insert(command.clone(), at);
            }
            self.chains.entry(entry.stream.clone()).or_default().push(at);
            self.entries.push(Arc::new(Entry { number, body: body.into_owned(), ..entry.clone() }));
            numbers.push(number);
        }
        for (deck, (salt, cards)) in decks {
            let row = DeckRow { salt: salt.to_owned(), cards, ..deck.clone() };
            self.decks.insert((deck.table.clone(), deck.round), row);
        }
        for told in &batch.told {
            self.decks.remove(told);
        }
        for row in &batch.rounds {
            self.rounds.insert((row.table.clone(), row.round), row.clone());
        }
        for row in &batch.snapshots {
            self.snapshots.insert((row.stream.clone(), row.version), row.clone());
        }
        for how in &batch.unseals {
            self.unseal(how, vault);
        }
        Ok(numbers)
    }

    fn unseal(&mut self, how: &Unsealing, vault: &Vault) {
        let Some(places) = how.stream().and_then(|stream| self.chains.get(&Stream::named(stream))) else {
            return;
        };
        for at in places.iter().rev() {
            let Some(entry) = self.entries.get_mut(*at) else { continue };
            // The sealed bodies of a round are at the end of its chain, before the entry that ends it.
            if entry.is_sealed()
                && let Some(body) = vault.unsealed(how, entry.stream.as_str(), entry.version, &entry.body)
            {
                Arc::make_mut(entry).body = body;
            }
        }
    }

    /// Entries of a chain after a version, in order.
    #[must_use]
    pub(crate) fn read(&self, stream: &Stream, after: u64, limit: u32) -> Vec<Entry> {
        let places = self.chains.get(stream).map_or(&[][..], Vec::as_slice);
        let found = places.iter().filter_map(|at| self.entries.get(*at));
        let skipped = usize::try_from(after).unwrap_or(usize::MAX);
        found.skip(skipped).take(limit as usize).map(|entry| Entry::clone(entry)).collect()
    }

    /// The entry that this command produced.
    #[must_use]
    pub(crate) fn by_command(&self, command: &str) -> Option<&Arc<Entry>> {
        self.entries.get(*self.commands.get(command)?)
    }

    /// Entries of any chain.
    #[must_use]
    pub(crate) fn filtered(&self, filter: &EntryFilter) -> Vec<Entry> {
        let fits = |entry: &&Arc<Entry>| fits(entry, filter);
        let (limit, cloned) = (filter.limit as usize, |entry: &Arc<Entry>| Entry::clone(entry));
        let own = filter.stream.as_ref().map(|stream| self.chains.get(stream).map_or(&[][..], Vec::as_slice));
        match (own, filter.after.is_some()) {
            (Some(own), true) => own
                .iter()
                .filter_map(|at| self.entries.get(*at))
                .filter(fits)
                .take(limit)
                .map(cloned)
                .collect(),
            (Some(own), false) => {
                let found = own.iter().rev().filter_map(|at| self.entries.get(*at));
                found.filter(fits).take(limit).map(cloned).collect()
            }
            (None, true) => self.entries.iter().filter(fits).take(limit).map(cloned).collect(),
            (None, false) => self.entries.iter().rev().filter(fits).take(limit).map(cloned).collect(),
        }
    }

    /// Lowest and highest entry number in a time range.
    #[must_use]
    pub(crate) fn numbers(&self, from: Option<Instant>, until: Option<Instant>) -> Option<(u64, u64)> {
        let within = |at: Instant| from.is_none_or(|from| at >= from) && until.is_none_or(|until| at < until);
        let mut found = self.entries.iter().filter(|entry| within(entry.at)).map(|entry| entry.number);
        let first = found.next()?;
        Some((first, found.next_back().unwrap_or(first)))
    }

    /// All chains.
    #[must_use]
    pub(crate) fn streams(&self) -> Vec<Stream> {
        self.chains.keys().cloned().collect()
    }

    /// The heads of all chains.
    #[must_use]
    pub(crate) fn heads(&self) -> BTreeMap<Stream, Head> {
        self.chains.keys().map(|stream| (stream.clone(), self.head(stream))).collect()
    }

    /// A deck as stored.
    #[must_use]
    pub(crate) fn deck(&self, table: &str, round: u32) -> Option<DeckRow> {
        self.decks.get(&(table.to_owned(), round)).cloned()
    }

    /// All decks of a table as stored.
    #[must_use]
    pub(crate) fn decks(&self, table: &str) -> Vec<DeckRow> {
        self.decks.values().filter(|row| row.table == table).cloned().collect()
    }

    /// Number of round summaries and decks, by table.
    #[must_use]
    pub(crate) fn rounds_kept(&self) -> BTreeMap<String, (u64, u64)> {
        let mut kept: BTreeMap<String, (u64, u64)> = BTreeMap::new();
        for (table, _) in self.rounds.keys() {
            kept.entry(table.clone()).or_default().0 += 1;
        }
        for row in self.decks.values() {
            kept.entry(row.table.clone()).or_default().1 += 1;
        }
        kept
    }

    /// Finished rounds, newest first.
    #[must_use]
    pub(crate) fn rounds(&self, filter: &RoundFilter) -> Vec<RoundRow> {
        let played = |row: &RoundRow, player: &String| row.players.contains(&format!(",{player},"));
        let mut found: Vec<RoundRow> = self
            .rounds
            .values()
            .filter(|row| filter.table.as_ref().is_none_or(|table| row.table == *table))
            .filter(|row| filter.player.as_ref().is_none_or(|player| played(row, player)))
            .filter(|row| filter.before.is_none_or(|before| row.ended < before))
            .cloned()
            .collect();
        found.sort_by(|a, b| (b.ended, &b.table, b.round).cmp(&(a.ended, &a.table, a.round)));
        found.truncate(filter.limit.unwrap_or(50) as usize);
        found
    }

    /// Names of snapshot streams with this prefix.
    #[must_use]
    pub(crate) fn names_from(&self, prefix: &str) -> Vec<String> {
        let mut names: Vec<String> = self.snapshots.keys().map(|(stream, _)| stream.to_string()).collect();
        names.retain(|name| name.starts_with(prefix));
        names.dedup();
        names
    }

    /// Snapshots of a chain, newest first.
    pub(crate) fn snapshots(&self, filter: &SnapshotFilter) -> Vec<SnapshotRow> {
        let range = (filter.stream.clone(), filter.from)..=(filter.stream.clone(), filter.to);
        let found = self.snapshots.range(range).rev().map(|(_, row)| row);
        let found = found.filter(|row| filter.before.is_none_or(|before| row.at < before));
        found.take(filter.limit as usize).cloned().collect()
    }

    /// Stores a session or link.
    pub(crate) fn put_secret(&mut self, row: SecretRow, made: String) {
        self.secrets.insert(row.hash.clone(), (row, made));
    }

    /// Sessions and links.
    #[must_use]
    pub(crate) const fn secrets(&self) -> &BTreeMap<String, (SecretRow, String)> {
        &self.secrets
    }

    /// Removes and returns a session or link.
    pub(crate) fn take_secret(
        &mut self,
        hash: &str,
        kind: &str,
        now: Instant,
    ) -> Option<(SecretRow, String)> {
        self.secrets.retain(|_, (row, _)| row.expires > now);
        let there = self.secrets.get(hash).is_some_and(|(row, _)| row.kind == kind);
        if there { self.secrets.remove(hash) } else { None }
    }
}

fn fits(entry: &Entry, filter: &EntryFilter) -> bool {
    let says = |text: &String| {
        let text = text.to_ascii_lowercase();
        let body = if entry.is_sealed() { "" } else { &entry.body };
        let whole = format!("{} {} {} {body}", entry.stream, entry.kinds, entry.actor).to_ascii_lowercase();
        whole.contains(&text)
            || entry.postings.iter().any(|posting| posting.account.to_ascii_lowercase().contains(&text))
    };
    let of_account = |account: &String| entry.postings.iter().any(|posting| posting.account == *account);
    filter.actor.as_ref().is_none_or(|actor| entry.actor == *actor)
        && filter.after.is_none_or(|after| entry.number > after)
        && filter.before.is_none_or(|before| entry.number < before)
        && filter.from.is_none_or(|from| entry.at >= from)
        && filter.until.is_none_or(|until| entry.at < until)
        && (!filter.significant || entry.significant.is_some())
        && filter.account.as_ref().is_none_or(of_account)
        && (filter.kinds.is_empty()
            || filter.kinds.iter().any(|kind| entry.kinds.contains(&format!(",{kind},"))))
        && filter.text.as_ref().is_none_or(says)
}
