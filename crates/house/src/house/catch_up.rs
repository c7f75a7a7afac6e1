//! Brings the in-memory states up to date with the journal.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use baize_rules::Rulebook;

use super::{Answer, House};
use crate::facts::{Body, TableFact};
use crate::journal::{Entry, Head, StoreError, Stream, sabotage};
use crate::live_table::LiveTable;
use crate::memory::{JackpotSlot, JackpotWork, LastRead, TableSlot, TableWork};
use crate::register::RegisterWork;
use crate::rulebooks::Rulebooks;
use crate::shoe::{Shuffled, promised_by};
use crate::snapshots::State;
use crate::stored;
use crate::{HouseError, TableId, ledger};

/// Journal entries per read.
const PAGE: u32 = 500;

/// Checks that an entry is readable, follows the head and has the right hash.
///
/// # Errors
/// The fault.
pub fn follows(head: &Head, entry: &Entry) -> Result<(), StoreError> {
    let wrong = |what: &str| Err(StoreError::Corrupt(format!("{}: {what}", entry.place())));
    if entry.is_sealed() {
        return wrong(
            "it was altered, or is sealed with another key; if the key was lost, its chips were returned to the players: set up a new table",
        );
    }
    if entry.version != head.version + 1 {
        return wrong("an entry before it is missing");
    }
    if entry.previous != head.hash {
        return wrong("it does not follow the entry before it");
    }
    if entry.computed_hash() != entry.hash {
        return wrong("it was altered: its hash is wrong");
    }
    Ok(())
}

impl House {
    /// Loads a table from the journal.
    async fn load_table(&self, id: &TableId, rulebooks: &Rulebooks) -> Answer<TableSlot> {
        let first = self.inner.store.read(&Stream::table(id), 0, 1).await?;
        let entry = first.first().ok_or_else(|| HouseError::Corrupt(format!("table {id} has no entries")))?;
        let body = stored::read(&entry.body, &entry.place())?;
        let Body::Table { steps, .. } = body else {
            return Err(HouseError::Corrupt(format!("{}: it is not an entry of a table", entry.place())));
        };
        let set_up = steps.iter().flat_map(|step| &step.facts).find_map(TableFact::set_up);
        let (config, hash) =
            set_up.ok_or_else(|| HouseError::Corrupt(format!("{}: no set-up", entry.place())))?;
        let book = match rulebooks.find(&config.rulebook, hash) {
            Ok(book) => book,
            Err(gone) => {
                // A table without its rulebook is halted. It is shown with the built-in rulebook of the same id, if there is one.
                let Some(own) = Rulebook::builtin(&config.rulebook) else { return Err(gone) };
                let slot = TableSlot::new(LiveTable::new(config.clone(), Arc::new(own.clone())));
                slot.halt(&gone.to_string());
                return Ok(slot);
            }
        };
        let slot = TableSlot::new(LiveTable::new(config.clone(), Arc::clone(&book)));
        let mut work = slot.work.lock().await;
        if let Some((head, State::Table(state))) = self.snapshot(&Stream::table(id), u64::MAX, None).await?
            && state.rulebook == book.hash
        {
            (work.live, work.head) = (Arc::new(LiveTable::resumed(*state, book)), head);
        }
        match self.refresh_table(&slot, &mut work).await {
            Ok(_) => {}
            // A damaged table is halted.
            Err(HouseError::Corrupt(why)) => slot.halt(&why),
            Err(other) => return Err(other),
        }
        drop(work);
        Ok(slot)
    }

    /// Reads a table's new entries and the promised deck. Publishes and announces new entries, including any read by an earlier call that
    /// failed. Returns whether there were any.
    pub(crate) async fn refresh_table(&self, slot: &TableSlot, work: &mut TableWork) -> Answer<bool> {
        self.apply_new_entries(slot, work).await?;
        while let Some(round) = self.missing_deck(slot, work).await? {
            // Another host may have ended the round after its entries were read here: then the deck is gone, and there are more entries.
            if !self.apply_new_entries(slot, work).await? {
                let why = format!("table {}: the deck of round {round} is not the promised one", slot.id);
                return Err(HouseError::Corrupt(why));
            }
        }
        work.stale = false;
        let changed = slot.shown.get().version != work.head.version;
        if changed {
            slot.publish(work, false);
            self.announce_read(&Stream::table(&slot.id), work.head.version, work.read);
        }
        Ok(changed)
    }

    /// Announces a chain's last entry that was read.
    fn announce_read(&self, stream: &Stream, version: u64, read: Option<LastRead>) {
        if let Some((number, at)) = read {
            self.announce(stream, version, number, at);
        }
    }

    /// Reads and applies a table's new entries. Returns whether there were any.
    async fn apply_new_entries(&self, slot: &TableSlot, work: &mut TableWork) -> Answer<bool> {
        let stream = Stream::table(&slot.id);
        let mut changed = false;
        loop {
            let entries = self.entries_after(&stream, &work.head).await?;
            // Without the key, a read-only house shows the table as it was before the deal.
            let first_sealed = entries.iter().position(|entry| self.inner.read_only && entry.is_sealed());
            let last = first_sealed.is_some() || entries.len() < PAGE as usize;
            let readable = first_sealed.unwrap_or(entries.len());
            for entry in entries.into_iter().take(readable) {
                follows(&work.head, &entry)?;
                let body = stored::read(&entry.body, &entry.place())?;
                let Body::Table { steps, .. } = body else {
                    return Err(HouseError::Corrupt(format!(
                        "{}: it is not an entry of a table",
                        entry.place()
                    )));
                };
                let live = Arc::make_mut(&mut work.live);
                for step in &steps {
                    live.apply_step(step, entry.at, entry.version);
                    // Another host may have withdrawn a promise and made a new one for the same round.
                    let new_promise =
                        step.facts.iter().any(|fact| matches!(fact, TableFact::ShufflePrepared { .. }));
                    if new_promise && !sabotage::is("a deck that was promised anew is not read again") {
                        work.deck = None;
                    }
                }
                work.head = entry.head();
                work.read = Some((entry.number, entry.at));
                work.jackpot_behind = true;
                changed = true;
            }
            if last {
                return Ok(changed);
            }
        }
    }

    /// Loads the promised deck. Returns the round if the deck is missing or not the promised one.
    async fn missing_deck(&self, slot: &TableSlot, work: &mut TableWork) -> Answer<Option<u32>> {
        let wanted = work.live.promise.as_ref().map(|promise| promise.round);
        if wanted == work.deck.as_ref().map(|(round, _)| *round) {
            return Ok(None);
        }
        work.deck = None;
        let Some(promise) = &work.live.promise else { return Ok(None) };
        let round = promise.round;
        let row = self.inner.store.deck(slot.id.as_str(), round).await?;
        let sealed = row.as_ref().is_some_and(|row| row.sealed);
        let deck = row.as_ref().and_then(Shuffled::from_row);
        match deck.filter(|deck| promised_by(&promise.commitment, &deck.salt, &deck.deck)) {
            Some(deck) => work.deck = Some((round, deck)),
            // A read-only house needs no deck, and a deck of which no card was dealt is replaced.
            None if sealed && (self.inner.read_only || !work.live.deck_in_use()) => {}
            None => return Ok(Some(round)),
        }
        Ok(None)
    }

    /// Reads, applies and publishes a jackpot's new entries.
    pub(crate) async fn refresh_jackpot(&self, slot: &JackpotSlot, work: &mut JackpotWork) -> Answer<()> {
        let stream = Stream::jackpot(&slot.id);
        work.stale |= slot.doubtful.swap(false, Ordering::SeqCst);
        if work.stale {
            // The state in memory may be ahead of the journal: restart from the published state.
            let shown = slot.shown.get();
            (work.state, work.head) = if shown.version > 0 {
                (shown.state.clone(), self.head_at(&stream, shown.version).await?)
            } else if let Some((head, State::Jackpot(state))) = self.snapshot(&stream, u64::MAX, None).await?
            {
                (Arc::new(*state), head)
            } else {
                (shown.state.clone(), Head::default())
            };
        }
        loop {
            let entries = self.entries_after(&stream, &work.head).await?;
            let last = entries.len() < PAGE as usize;
            for entry in entries {
                follows(&work.head, &entry)?;
                let body = stored::read(&entry.body, &entry.place())?;
                let Body::Jackpot(steps) = body else {
                    return Err(HouseError::Corrupt(format!(
                        "{}: it is not an entry of a jackpot",
                        entry.place()
                    )));
                };
                let mut state = Arc::unwrap_or_clone(std::mem::take(&mut work.state));
                for event in steps.iter().flat_map(|step| &step.events) {
                    state = baize_jackpot::evolve(state, event);
                }
                work.state = Arc::new(state);
                work.head = entry.head();
                work.read = Some((entry.number, entry.at));
            }
            if last {
                break;
            }
        }
        work.stale = false;
        if slot.publish(&work.state, work.head.version) {
            self.announce_read(&stream, work.head.version, work.read);
        }
        Ok(())
    }

    async fn head_at(&self, stream: &Stream, version: u64) -> Answer<Head> {
        let entries = self.inner.store.read(stream, version - 1, 1).await?;
        let there = entries.first().filter(|entry| entry.version == version).map(Entry::head);
        there.ok_or_else(|| self.fell_behind(stream, version))
    }

    /// The next entries after a head. If the database lacks the head itself, it is behind.
    async fn entries_after(&self, stream: &Stream, head: &Head) -> Answer<Vec<Entry>> {
        let mut entries = self
            .inner
            .store
            .read(stream, head.version.saturating_sub(1), PAGE + u32::from(head.version > 0))
            .await?;
        if head.version > 0 {
            let there = entries.first().is_some_and(|entry| entry.head() == *head);
            if !there {
                return Err(self.fell_behind(stream, head.version));
            }
            entries.remove(0);
        }
        for entry in &entries {
            self.inner.clock.observe(entry.at);
        }
        Ok(entries)
    }

    /// Reads and applies new entries of the house's own chain, and loads new tables and jackpots.
    pub(crate) async fn refresh_register(&self, work: &mut RegisterWork) -> Answer<()> {
        let stream = Stream::house();
        if work.head.version == 0
            && let Some((head, State::House(register))) = self.snapshot(&stream, u64::MAX, None).await?
        {
            (work.register, work.head) = (*register, head);
        }
        loop {
            let entries = self.entries_after(&stream, &work.head).await?;
            let last = entries.len() < PAGE as usize;
            for entry in entries {
                follows(&work.head, &entry)?;
                let body = stored::read(&entry.body, &entry.place())?;
                let Body::House(facts) = body else {
                    return Err(HouseError::Corrupt(format!(
                        "{}: it is not an entry of the house",
                        entry.place()
                    )));
                };
                for fact in &facts {
                    work.register.apply(fact);
                }
                work.head = entry.head();
            }
            if last {
                break;
            }
        }
        work.stale = false;
        self.inner.shown.set(work.register.clone());
        self.find_key(&work.register)?;
        self.open_slots(work).await
    }

    /// Checks that every jackpot's account holds at least what came in less the awards drawn, and stops a jackpot of which this is not
    /// true. Called when no other process writes. The audit checks it to the cent.
    pub(crate) async fn reconcile_jackpots(&self) -> Answer<()> {
        for slot in self.jackpot_slots() {
            let state = &slot.shown.get().state;
            let should = ledger::came_in(state).cents() - state.counters.paid_from_meter.ceil().cents();
            let holds = self.inner.store.balance(&ledger::fund(&slot.id)).await?;
            if holds < should {
                slot.stop(&format!("its account holds {holds} cents, but {should} are expected"));
            }
        }
        Ok(())
    }

    async fn open_slots(&self, work: &RegisterWork) -> Answer<()> {
        for id in &work.register.jackpots {
            if self.jackpot_slot(id).is_err() {
                let slot = Arc::new(JackpotSlot::new(id.clone()));
                let mut inside = slot.work.lock().await;
                match self.refresh_jackpot(&slot, &mut inside).await {
                    Ok(()) => {}
                    Err(HouseError::Corrupt(why)) => slot.stop(&why),
                    Err(other) => return Err(other),
                }
                drop(inside);
                self.inner
                    .jackpots
                    .write()
                    .unwrap_or_else(std::sync::PoisonError::into_inner)
                    .insert(id.clone(), slot);
            }
        }
        for id in &work.register.tables {
            if self.table_slot(id).is_err() {
                let slot = Arc::new(self.load_table(id, &work.register.rulebooks).await?);
                self.inner
                    .tables
                    .write()
                    .unwrap_or_else(std::sync::PoisonError::into_inner)
                    .insert(id.clone(), slot);
            }
        }
        Ok(())
    }
}
