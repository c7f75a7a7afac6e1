//! Brings the states in memory up to date with the journal.

use std::sync::Arc;

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

/// Entries that are read at once.
const PAGE: u32 = 500;

/// The entry follows the head, and its hash is right.
///
/// # Errors
/// What is wrong with it.
pub fn follows(head: &Head, entry: &Entry) -> Result<(), StoreError> {
    let wrong = |what: &str| Err(StoreError::Corrupt(format!("{}: {what}", entry.place())));
    if entry.is_sealed() {
        return wrong(
            "it is sealed with a key that is not here, or was altered; after a lost key the chips went back to the players: set up another table",
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
    /// A slot for a table that is in the journal.
    async fn load_table(&self, id: &TableId, rulebooks: &Rulebooks) -> Answer<TableSlot> {
        let first = self.inner.store.read(&Stream::table(id), 0, 1).await?;
        let entry = first.first().ok_or_else(|| HouseError::Corrupt(format!("table {id} has no entries")))?;
        let body = stored::read(&entry.body, &entry.place())?;
        let Body::Table { steps, .. } = body else {
            return Err(HouseError::Corrupt(format!("{}: it is not a table's", entry.place())));
        };
        let set_up = steps.iter().flat_map(|step| &step.facts).find_map(TableFact::set_up);
        let (config, hash) =
            set_up.ok_or_else(|| HouseError::Corrupt(format!("{}: no set-up", entry.place())))?;
        let book = match rulebooks.find(&config.rulebook, hash) {
            Ok(book) => book,
            Err(gone) => {
                // A table whose rulebook is gone is halted; the others go on. Where the program has one of that name, it is shown so.
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
            // A damaged table is halted; the others go on.
            Err(HouseError::Corrupt(why)) => slot.halt(&why),
            Err(other) => return Err(other),
        }
        drop(work);
        Ok(slot)
    }

    /// Reads what the journal has beyond the head, and the deck that it promises. Shows and announces what is new, including what was read
    /// before a question that the database did not answer. Returns whether there was something.
    pub(crate) async fn refresh_table(&self, slot: &TableSlot, work: &mut TableWork) -> Answer<bool> {
        self.read_on(slot, work).await?;
        while let Some(round) = self.deck_missing(slot, work).await? {
            // Another host may have ended the round after its entries were read here: then its deck is gone, and there are more entries.
            if !self.read_on(slot, work).await? {
                let why =
                    format!("table {}: the deck of round {round} is not the one that was promised", slot.id);
                return Err(HouseError::Corrupt(why));
            }
        }
        work.stale = false;
        let went_on = slot.shown.get().version != work.head.version;
        if went_on {
            slot.publish(work);
            self.announce_read(&Stream::table(&slot.id), work.head.version, work.read);
        }
        Ok(went_on)
    }

    /// Announces a chain up to the last entry that was read.
    fn announce_read(&self, stream: &Stream, version: u64, read: Option<LastRead>) {
        if let Some((number, at)) = read {
            self.announce(stream, version, number, at);
        }
    }

    /// Applies the entries of a table beyond its head. Returns whether there were any.
    async fn read_on(&self, slot: &TableSlot, work: &mut TableWork) -> Answer<bool> {
        let stream = Stream::table(&slot.id);
        let mut went_on = false;
        loop {
            let entries = self.beyond(&stream, &work.head).await?;
            // Without the key, a reader sees the table as it was before the deal.
            let shut = entries.iter().position(|entry| self.inner.looking && entry.is_sealed());
            let last = shut.is_some() || entries.len() < PAGE as usize;
            let readable = shut.unwrap_or(entries.len());
            for entry in entries.into_iter().take(readable) {
                follows(&work.head, &entry)?;
                let body = stored::read(&entry.body, &entry.place())?;
                let Body::Table { steps, .. } = body else {
                    return Err(HouseError::Corrupt(format!("{}: it is not a table's", entry.place())));
                };
                let live = Arc::make_mut(&mut work.live);
                for step in &steps {
                    live.apply_step(step, entry.at, entry.version);
                    // Another host may have taken a promise back and made another for the same round.
                    let anew =
                        step.facts.iter().any(|fact| matches!(fact, TableFact::ShufflePrepared { .. }));
                    if anew && !sabotage::is("a deck that was promised anew is not read again") {
                        work.deck = None;
                    }
                }
                work.head = entry.head();
                work.read = Some((entry.number, entry.at));
                work.jackpot_behind = true;
                went_on = true;
            }
            if last {
                return Ok(went_on);
            }
        }
    }

    /// Reads the deck of the round that is promised. Returns the round if the deck is not there or not the promised one.
    async fn deck_missing(&self, slot: &TableSlot, work: &mut TableWork) -> Answer<Option<u32>> {
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
            // A reader without the key needs no deck, and a deck that no card was dealt from is replaced.
            None if sealed && (self.inner.looking || !work.live.begun()) => {}
            None => return Ok(Some(round)),
        }
        Ok(None)
    }

    /// Reads what the journal has beyond the head of a jackpot.
    pub(crate) async fn refresh_jackpot(&self, slot: &JackpotSlot, work: &mut JackpotWork) -> Answer<()> {
        let stream = Stream::jackpot(&slot.id);
        if work.stale {
            // What is in memory may be ahead of what was written: begin again from the last state that is shown.
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
            let entries = self.beyond(&stream, &work.head).await?;
            let last = entries.len() < PAGE as usize;
            for entry in entries {
                follows(&work.head, &entry)?;
                let body = stored::read(&entry.body, &entry.place())?;
                let Body::Jackpot(steps) = body else {
                    return Err(HouseError::Corrupt(format!("{}: it is not a jackpot's", entry.place())));
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

    /// The entries after a head. A database that does not have the head itself has less than is known here.
    async fn beyond(&self, stream: &Stream, head: &Head) -> Answer<Vec<Entry>> {
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
            self.inner.clock.saw(entry.at);
        }
        Ok(entries)
    }

    /// Reads what the journal has beyond the head of the house's own chain, and opens tables and jackpots that are new.
    pub(crate) async fn refresh_register(&self, work: &mut RegisterWork) -> Answer<()> {
        let stream = Stream::house();
        if work.head.version == 0
            && let Some((head, State::House(register))) = self.snapshot(&stream, u64::MAX, None).await?
        {
            (work.register, work.head) = (*register, head);
        }
        loop {
            let entries = self.beyond(&stream, &work.head).await?;
            let last = entries.len() < PAGE as usize;
            for entry in entries {
                follows(&work.head, &entry)?;
                let body = stored::read(&entry.body, &entry.place())?;
                let Body::House(facts) = body else {
                    return Err(HouseError::Corrupt(format!("{}: it is not the house's", entry.place())));
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

    /// Every jackpot's account holds at least what came in less what awards drew: a jackpot of which that is not so is stopped. SentOrder when
    /// nobody else writes; the audit says the same to the cent.
    pub(crate) async fn hold_jackpots_against_the_ledger(&self) -> Answer<()> {
        for slot in self.jackpot_slots() {
            let state = &slot.shown.get().state;
            let should = ledger::came_in(state).cents() - state.counters.paid_from_meter.ceil().cents();
            let holds = self.inner.store.balance(&ledger::fund(&slot.id)).await?;
            if holds < should {
                slot.stop(&format!("its account holds {holds} cents and the jackpot accounts for {should}"));
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
