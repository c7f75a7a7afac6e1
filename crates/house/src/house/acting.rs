//! Orders: worked out, written, answered.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use baize_rules::Money;

use super::{Answer, House, TRIES};
use crate::facts::{Body, TableFact};
use crate::journal::{Entry, StoreError, Stream, stored};
use crate::slots::{JackpotSlot, TableSlot, TableWork};
use crate::turn::{LinkedJackpot, Made, Stuck, Turn};
use crate::{Actor, Change, Changed, CommandId, HouseError, Order, PlayerId, Receipt, TableId, ledger};

/// What the house brings when a float runs short.
const FILL: Money = Money::from_dollars(1_000_000);

/// What was written: the table's version, its round, and how much each account moved.
pub(crate) struct Written {
    pub(crate) version: u64,
    pub(crate) round: u32,
}

impl House {
    /// Carries out an order. Sent twice under one id, it acts once and answers the same.
    ///
    /// # Errors
    /// The rules refuse it, the actor may not, the purse does not hold it, the database is away. Nothing has changed then; an order that
    /// was refused is judged afresh when it is sent again.
    pub async fn act(&self, actor: &Actor, table: &TableId, id: &CommandId, order: Order) -> Answer<Receipt> {
        let slot = self.table_slot(table)?;
        let done = self.turn(&slot, actor, Some(id), |turn| turn.order(actor, &order)).await;
        match done {
            Ok(Some(written)) => Ok(Receipt {
                table: table.clone(),
                command: id.clone(),
                version: written.version,
                round: written.round,
                repeated: false,
            }),
            Ok(None) => Err(HouseError::NotNow("there was nothing to do")),
            Err(error) => {
                // It may have been carried out before: then it is answered as it was then.
                let judged = matches!(
                    error,
                    HouseError::Refused(_)
                        | HouseError::NotNow(_)
                        | HouseError::NotYourBox { .. }
                        | HouseError::Purse { .. }
                        | HouseError::Forbidden { .. }
                        | HouseError::Conflict { .. }
                );
                let before = if judged { self.inner.store.by_command(id.as_str()).await? } else { None };
                before.map_or(Err(error), |entry| repeated(actor, table, id, &entry))
            }
        }
    }

    /// What an order would lead to, in words and paragraphs, without carrying it out: for the irregularity desk.
    ///
    /// # Errors
    /// As [`House::act`].
    pub async fn preview(&self, actor: &Actor, table: &TableId, order: Order) -> Answer<Vec<String>> {
        let slot = self.table_slot(table)?;
        let shown = slot.shown.get();
        let mut shuffler = crate::shoe::Shuffler::new();
        let head = crate::journal::Head { version: shown.version, hash: String::new() };
        let work = slot.work.lock().await;
        let deck = work.deck.as_ref().map(|(_, deck)| deck.clone());
        drop(work);
        let mut jackpot = None;
        loop {
            let live = shown.live.clone();
            let mut turn = Turn::new(live, &head, deck.clone(), jackpot.clone(), &mut shuffler, self.now());
            match turn.order(actor, &order) {
                Ok(()) => return Ok(turn.events().map(crate::words::event).collect()),
                Err(Stuck::No(error)) => return Err(error),
                Err(Stuck::NeedsJackpot) if jackpot.is_some() => {
                    return Err(HouseError::NotNow("this table is linked to no jackpot"));
                }
                Err(Stuck::NeedsJackpot) => jackpot = Some(self.linked_for_preview(&shown.live)?),
            }
        }
    }

    fn linked_for_preview(&self, live: &crate::live::LiveTable) -> Answer<LinkedJackpot> {
        let id =
            live.config.jackpot.as_ref().ok_or(HouseError::NotNow("this table is linked to no jackpot"))?;
        let shown = self.jackpot_slot(id)?.shown.get();
        let head = crate::journal::Head { version: shown.version, hash: String::new() };
        Ok(LinkedJackpot { id: id.clone(), state: shown.state.clone(), head, changed: false })
    }

    /// Works out a turn at a table, writes it and shows what came of it. `None`: there was nothing to write.
    pub(crate) async fn turn<F>(
        &self,
        slot: &Arc<TableSlot>,
        actor: &Actor,
        command: Option<&CommandId>,
        plan: F,
    ) -> Answer<Option<Written>>
    where
        F: Fn(&mut Turn<'_>) -> Result<(), Stuck>,
    {
        if self.inner.closed.load(Ordering::SeqCst) {
            return Err(HouseError::Unavailable("the house is closing".to_owned()));
        }
        let mut work = slot.work.lock().await;
        let mut fill = false;
        let mut looked = false;
        for tried in 1..=TRIES {
            if let Some(why) = &slot.shown.get().halted {
                return Err(HouseError::Corrupt(why.clone()));
            }
            if work.stale
                || work.deck.as_ref().map(|(round, _)| *round) != work.live.promise.as_ref().map(|p| p.round)
            {
                self.refresh_or_halt(slot, &mut work).await?;
            }
            match self.attempt(slot, &mut work, actor, command, &plan, fill).await {
                Ok(written) => return Ok(written),
                Err(Failed::No(error)) => {
                    // Another host may have changed the table since it was last read: nobody is refused on old news.
                    let alone = self.inner.store.ordered();
                    if alone || looked || !self.went_on(slot, &mut work).await? {
                        return Err(error);
                    }
                    looked = true;
                }
                Err(Failed::Store(StoreError::Conflict(stream))) => {
                    work.stale = true;
                    if tried == TRIES {
                        return Err(HouseError::Conflict { stream: stream.to_string(), tries: TRIES });
                    }
                    // Whoever was faster needs a moment; the more often, the longer.
                    tokio::time::sleep(std::time::Duration::from_millis(u64::from(tried * tried))).await;
                }
                Err(Failed::Store(StoreError::Short(account)))
                    if account == ledger::float(&slot.id).as_str() && !fill =>
                {
                    fill = true;
                }
                Err(Failed::Store(StoreError::Short(account))) => return Err(self.short(&account).await?),
                Err(Failed::Store(StoreError::CommandKnown)) => {
                    return Err(HouseError::NotNow("the command was carried out before"));
                }
                Err(Failed::Store(other)) => {
                    work.stale = true;
                    return Err(other.into());
                }
            }
        }
        Err(HouseError::Conflict { stream: Stream::table(&slot.id).to_string(), tries: TRIES })
    }

    /// Whether the journal has more of this table or its jackpot than is known here.
    async fn went_on(&self, slot: &TableSlot, work: &mut TableWork) -> Answer<bool> {
        let mut went_on = self.refresh_table(slot, work).await?;
        if let Some(id) = work.live.config.jackpot.clone() {
            let jackpot = self.jackpot_slot(&id)?;
            let mut inside = jackpot.work.lock().await;
            let before = inside.head.version;
            self.refresh_jackpot(&jackpot, &mut inside).await?;
            went_on |= inside.head.version > before;
        }
        Ok(went_on)
    }

    pub(crate) async fn refresh_or_halt(&self, slot: &TableSlot, work: &mut TableWork) -> Answer<()> {
        match self.refresh_table(slot, work).await {
            Ok(_) => Ok(()),
            Err(HouseError::Corrupt(why)) => {
                slot.halt(&why);
                Err(HouseError::Corrupt(why))
            }
            Err(other) => Err(other),
        }
    }

    async fn short(&self, account: &str) -> Answer<HouseError> {
        let Some(player) = account.strip_prefix("purse/").and_then(|name| name.parse::<PlayerId>().ok())
        else {
            return Ok(HouseError::Corrupt(format!("{account} would go below nothing")));
        };
        let has = Money::from_cents(self.inner.store.balance(account).await?);
        Ok(HouseError::Purse { player, has, needs: Money::ZERO })
    }

    async fn attempt<F>(
        &self,
        slot: &Arc<TableSlot>,
        work: &mut TableWork,
        actor: &Actor,
        command: Option<&CommandId>,
        plan: &F,
        fill: bool,
    ) -> Result<Option<Written>, Failed>
    where
        F: Fn(&mut Turn<'_>) -> Result<(), Stuck>,
    {
        let now = self.now();
        let run = |work: &mut TableWork,
                   jackpot: Option<LinkedJackpot>|
         -> Result<Option<(Made, Money)>, Stuck> {
            let deck = work.deck.as_ref().map(|(_, deck)| deck.clone());
            let mut turn = Turn::new(work.live.clone(), &work.head, deck, jackpot, &mut work.shuffler, now);
            if fill {
                turn.fill_float(FILL)?;
            }
            plan(&mut turn)?;
            if turn.is_empty() {
                return Ok(None);
            }
            let needs = actor.as_player().map_or(0, |player| -turn.moved(&ledger::purse(player)));
            Ok(Some((
                turn.end(actor, command.map(ToString::to_string), &work.head),
                Money::from_cents(needs),
            )))
        };
        let mut guard = None;
        let mut jackpot_slot: Option<Arc<JackpotSlot>> = None;
        let ran = match run(work, None) {
            Err(Stuck::NeedsJackpot) => {
                let id = work.live.config.jackpot.clone();
                let id = id.ok_or(Failed::No(HouseError::NotNow("this table is linked to no jackpot")))?;
                let linked = self.jackpot_slot(&id).map_err(Failed::No)?;
                let mut inside = Arc::clone(&linked.work).lock_owned().await;
                if inside.stale {
                    self.refresh_jackpot(&linked, &mut inside).await.map_err(|error| {
                        if let HouseError::Corrupt(why) = error {
                            linked.stop(&why);
                            return Failed::No(HouseError::JackpotAway { jackpot: id.clone(), why });
                        }
                        Failed::No(error)
                    })?;
                }
                if let Some(why) = linked.shown.get().stopped.clone() {
                    return Err(Failed::No(HouseError::JackpotAway { jackpot: id, why }));
                }
                let (state, head) = (inside.state.clone(), inside.head.clone());
                guard = Some(inside);
                jackpot_slot = Some(linked);
                run(work, Some(LinkedJackpot { id, state, head, changed: false }))
            }
            other => other,
        };
        let (made, needs) = match ran {
            Ok(Some(made)) => made,
            Ok(None) => return Ok(None),
            Err(Stuck::No(error)) => return Err(Failed::No(error)),
            Err(Stuck::NeedsJackpot) => {
                return Err(Failed::No(HouseError::NotNow("this table is linked to no jackpot")));
            }
        };
        let (live, deck, jackpot) = (made.live, made.deck, made.jackpot.filter(|jackpot| jackpot.changed));
        let streams: Vec<(Stream, u64)> =
            made.batch.entries.iter().map(|entry| (entry.stream.clone(), entry.version)).collect();
        let table_head =
            made.batch.entries.iter().find(|entry| entry.stream == Stream::table(&slot.id)).map(Entry::head);
        let writing = self.inner.store.append(made.batch);
        if let (true, Some(jackpot), Some(inside)) = (self.inner.store.ordered(), &jackpot, guard.as_mut()) {
            // What comes after is written after: the next table need not wait for the disk.
            (inside.state, inside.head) = (jackpot.state.clone(), jackpot.head.clone());
            guard = None;
        } else if jackpot.is_none() {
            guard = None;
        }
        let numbers = match writing.await {
            Ok(numbers) => numbers,
            Err(error) => {
                if let (Some(linked), true) = (&jackpot_slot, jackpot.is_some()) {
                    match guard {
                        Some(mut inside) => inside.stale = true,
                        None => linked.work.lock().await.stale = true,
                    }
                }
                let own = actor.as_player().filter(|player| {
                    matches!(&error, StoreError::Short(account) if *account == ledger::purse(player))
                });
                let Some(player) = own.cloned() else { return Err(Failed::Store(error)) };
                let has = self.inner.store.balance(&ledger::purse(&player)).await.map_err(Failed::Store)?;
                return Err(Failed::No(HouseError::Purse { player, has: Money::from_cents(has), needs }));
            }
        };
        if let (Some(jackpot), Some(linked)) = (jackpot, &jackpot_slot) {
            if let Some(inside) = guard.as_mut() {
                (inside.state, inside.head) = (jackpot.state.clone(), jackpot.head.clone());
            }
            linked.publish(&jackpot.state, jackpot.head.version);
        }
        drop(guard);
        work.live = live;
        work.deck = deck.and_then(|deck| work.live.promise.as_ref().map(|promise| (promise.round, deck)));
        if let Some(head) = table_head {
            work.head = head;
        }
        slot.publish(work);
        for ((stream, version), number) in streams.into_iter().zip(numbers) {
            self.announce(&stream, version, number, now);
        }
        Ok(Some(Written { version: work.head.version, round: work.live.table.round.number }))
    }

    /// Tells everybody that a chain has gone on.
    pub(crate) fn announce(&self, stream: &Stream, version: u64, number: u64, at: crate::Instant) {
        if let Some(what) = changed(stream) {
            // Nobody may be listening.
            let _ = self.inner.changes.send(Change { number, what, version, at });
        }
    }
}

/// What a chain is about.
pub(crate) fn changed(stream: &Stream) -> Option<Changed> {
    if let Some(table) = stream.after("table/") {
        return table.parse().ok().map(Changed::Table);
    }
    if let Some(jackpot) = stream.after("jackpot/") {
        return jackpot.parse().ok().map(Changed::Jackpot);
    }
    if let Some(player) = stream.after("player/") {
        return player.parse().ok().map(Changed::Player);
    }
    Some(Changed::House)
}

enum Failed {
    No(HouseError),
    Store(StoreError),
}

/// The answer to an order that was carried out before.
fn repeated(actor: &Actor, table: &TableId, id: &CommandId, entry: &Entry) -> Answer<Receipt> {
    if entry.stream != Stream::table(table) || entry.actor != actor.label() {
        return Err(HouseError::CommandReused(id.clone()));
    }
    let round = match stored::read(&entry.body, &entry.place())? {
        Body::Table { round, steps } => steps
            .iter()
            .flat_map(|step| &step.facts)
            .filter_map(TableFact::opened)
            .next_back()
            .unwrap_or(round),
        Body::Jackpot(_) | Body::House(_) | Body::Purse(_) => 0,
    };
    Ok(Receipt { table: table.clone(), command: id.clone(), version: entry.version, round, repeated: true })
}
