//! The house's key: loading it, recording it, rotating it.

use std::collections::BTreeMap;
use std::sync::Arc;

use baize_rules::Money;

use super::cage::purse_entry;
use super::{Answer, House};
use crate::boxed;
use crate::facts::{Body, HouseFact, PurseFact, TableFact};
use crate::journal::{Batch, Entry, Posting, Stream, Unsealing};
use crate::register::Register;
use crate::{Actor, Clock, HouseError, Instant, PlayerId, TableId, ledger, stored};

/// Journal entries per read.
const PAGE: u32 = 500;

impl House {
    /// Loads the key that the journal names. A read-only house works without it.
    pub(super) fn find_key(&self, register: &Register) -> Answer<()> {
        if self.inner.vault.key().is_some() {
            return Ok(());
        }
        let (place, wanted) = (&self.inner.key_place, register.key.as_deref());
        if !self.inner.read_only {
            self.inner.vault.take(Arc::new(place.needed(wanted)?));
            return Ok(());
        }
        let found = place.find(None).ok().flatten();
        if let Some(key) = found.filter(|key| wanted.is_none_or(|wanted| wanted == key.id)) {
            self.inner.vault.take(Arc::new(key));
        }
        Ok(())
    }

    /// Records the key in a database that names none yet.
    pub(super) async fn note_key(&self) -> Answer<()> {
        let Some(key) = self.inner.vault.key() else { return Ok(()) };
        self.append_facts(&Actor::House, |register| match &register.key {
            Some(noted) if *noted == key.id => Ok(Vec::new()),
            Some(noted) => Err(HouseError::Key(format!(
                "the journal was written with the key {noted}, and the key that was given is {}",
                key.id
            ))),
            None => {
                let (key, before, given_up) = (key.id.clone(), None, BTreeMap::new());
                Ok(vec![HouseFact::KeyTaken { key, before, given_up }])
            }
        })
        .await
    }

    /// Changes the key of a stopped casino, on record. Sealed bodies are sealed again; sessions and links end. With `lost`, the present key
    /// is not available: a round in progress can no longer be read, so its chips are returned to the players, and the table stays halted; a
    /// Shift Manager sets up a new one. Returns the ids of the old and the new key.
    ///
    /// # Errors
    /// The database is in use; the key is not in a file.
    #[boxed]
    pub async fn rotate_key(
        database: &str,
        clock: Arc<dyn Clock>,
        lost: bool,
    ) -> Answer<(Option<String>, String)> {
        // A mistyped path must create neither a casino nor a key.
        drop(House::look_at(database).await?);
        let (_, place) = crate::journal::key_place(database);
        let made = place.make_next()?;
        let next = Arc::clone(&made.key);
        let house = House::open_for_keys(database, clock, lost.then(|| Arc::clone(&next))).await?;
        if !house.inner.store.alone() {
            return Err(HouseError::Key(
                "stop all hosts first: they have the current key in memory".to_owned(),
            ));
        }
        let before = house.inner.shown.get().key.clone();
        let mut decks = Vec::new();
        for slot in house.table_slots() {
            let work = slot.work.lock().await;
            decks.extend(work.deck.as_ref().map(|(round, deck)| deck.row(&slot.id, *round)));
        }
        // Not before now: the next key of a rotation that is under way must stay until the journal names it.
        made.keep()?;
        // Sealed bodies are sealed again in the same transaction.
        let unseals: Vec<Unsealing> = house.inner.vault.key().map(Unsealing::Reseal).into_iter().collect();
        house.inner.vault.take(Arc::clone(&next));
        let (given_up, entries) = if lost { house.give_up_rounds().await? } else { Default::default() };
        let fact = HouseFact::KeyTaken { key: next.id.clone(), before: before.clone(), given_up };
        let batch = || Batch {
            entries: entries.clone(),
            decks: decks.clone(),
            unseals: unseals.clone(),
            ..Batch::default()
        };
        house.append_facts_with(&Actor::House, |_, _| Ok((vec![fact.clone()], batch()))).await?;
        // Ends all sessions and links: at this time all of them have expired.
        house.inner.store.take_secret("", "", Instant(i64::MAX)).await?;
        // The journal now names the new key: it replaces the old one.
        place.find(Some(&next.id))?;
        house.inner.store.close().await?;
        Ok((before, next.id.clone()))
    }

    /// For every table with entries sealed with the lost key: its chips, and the entries that return them to their players.
    async fn give_up_rounds(&self) -> Answer<(BTreeMap<TableId, Money>, Vec<Entry>)> {
        let mut chips: BTreeMap<TableId, Money> = BTreeMap::new();
        let mut returned: BTreeMap<PlayerId, Vec<PurseFact>> = BTreeMap::new();
        for slot in self.table_slots().into_iter().filter(|slot| slot.shown.get().halted.is_some()) {
            let Some((round, stakes)) = self.sealed_chips(&slot.id).await? else { continue };
            chips.insert(slot.id.clone(), stakes.values().copied().sum());
            for (player, amount) in stakes {
                let fact = PurseFact::ChipsReturned { table: slot.id.clone(), round, amount };
                returned.entry(player).or_default().push(fact);
            }
        }
        let mut entries: Vec<Entry> = Vec::new();
        for (player, facts) in returned {
            let mut head = self.head_of(&Stream::player(&player)).await?;
            for fact in facts {
                let entry = purse_entry(&player, &head, &fact, &Actor::House, None, self.now());
                head = entry.head();
                entries.push(entry);
            }
        }
        Ok((chips, entries))
    }

    /// The round of a table whose last entries are sealed, and each player's chips in it according to the ledger, which is never sealed.
    /// `None` if no entry is sealed.
    async fn sealed_chips(&self, table: &TableId) -> Answer<Option<(u32, BTreeMap<PlayerId, Money>)>> {
        let (stream, play) = (Stream::table(table), ledger::play(table));
        let (mut after, mut sealed, mut staked, mut round) = (0, false, 0, 0);
        let mut stakes: BTreeMap<PlayerId, Money> = BTreeMap::new();
        loop {
            let entries = self.inner.store.read(&stream, after, PAGE).await?;
            let Some(last) = entries.last() else { break };
            after = last.version;
            for entry in &entries {
                sealed |= entry.is_sealed();
                if !entry.is_sealed()
                    && let Body::Table { steps, .. } = stored::read(&entry.body, &entry.place())?
                {
                    let facts = steps.iter().flat_map(|step| &step.facts);
                    round = facts.filter_map(TableFact::opened).next_back().unwrap_or(round);
                }
                for Posting { account, cents } in &entry.postings {
                    if *account == play {
                        staked += cents;
                    } else if let Some(player) = account.strip_prefix("purse/").and_then(|id| id.parse().ok())
                    {
                        *stakes.entry(player).or_default() -= Money::from_cents(*cents);
                    }
                }
                // Nothing in play: the round is over.
                if staked == 0 {
                    stakes.clear();
                }
            }
        }
        stakes.retain(|_, amount| *amount != Money::ZERO);
        let total: Money = stakes.values().copied().sum();
        if sealed && (total.cents() != staked || stakes.values().any(|amount| *amount < Money::ZERO)) {
            let why = format!("table {table}: the ledger does not show whose chips are in play");
            return Err(HouseError::Corrupt(why));
        }
        Ok(sealed.then_some((round, stakes)))
    }
}
