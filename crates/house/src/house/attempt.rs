//! One attempt of a turn: computed on copies, written in one transaction, then published.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use baize_rules::{Cites, Money};
use tokio::sync::OwnedMutexGuard;

use super::House;
use crate::facts::{Body, PurseFact};
use crate::journal::{Entry, Head, StoreError, Stream, sabotage};
use crate::live_table::LiveTable;
use crate::memory::{JackpotSlot, JackpotWork, TableSlot, TableWork};
use crate::turn::{FinishedTurn, LinkedJackpot, SentOrder, Turn, TurnError, new_entry};
use crate::{Actor, Change, Changed, HouseError, Instant, PlayerId, RoundId, ledger};

/// Amount added automatically to a float that is too short to pay.
const AUTO_FILL: Money = Money::from_dollars(1_000_000);

/// A written turn: the table's new version and its round.
pub(crate) struct Written {
    pub(crate) version: u64,
    pub(crate) round: u32,
    pub(crate) departs_from: Cites,
}

/// Why an attempt failed.
pub(super) enum AttemptError {
    /// Final: the turn is refused.
    Refused(HouseError),
    /// The database refused or failed.
    Store(StoreError),
    /// A correction takes back these amounts, and a purse is too short.
    PurseShort(BTreeMap<PlayerId, Money>),
}

fn is_purse_of(account: &str, taken: &BTreeMap<PlayerId, Money>) -> bool {
    taken.keys().any(|player| ledger::purse(player) == account)
}

/// What a turn does at its table.
pub(crate) type Plan<'a> = dyn Fn(&mut Turn<'_>) -> Result<(), TurnError> + Send + Sync + 'a;

/// A planned turn at a table.
pub(super) struct TurnPlan<'a> {
    pub(super) actor: &'a Actor,
    pub(super) sent: Option<&'a SentOrder<'a>>,
    pub(super) plan: Box<Plan<'a>>,
    /// The version that the table must have, if the order is for one version only.
    pub(super) seen: Option<u64>,
    /// Add chips to the float first, because it was too short.
    pub(super) fill_float: bool,
    /// Debts to book, because purses are too short for a correction.
    pub(super) claims: Vec<Claim>,
}

/// A debt: a correction takes back more than the player's purse holds.
pub(super) struct Claim {
    pub(super) player: PlayerId,
    /// The head of the player's chain.
    pub(super) head: Head,
    pub(super) taken: Money,
    pub(super) held: Money,
}

impl Claim {
    /// The entry in the player's chain, linked to the table's entry.
    fn entry(&self, round: &RoundId, table: &Entry, by: &Actor, now: Instant) -> Entry {
        let amount = self.taken - self.held;
        let (round, taken, held) = (round.to_string(), self.taken, self.held);
        let fact = PurseFact::ClaimBooked { round, taken, held, amount };
        let mut moves = ledger::Movements::default();
        ledger::at_cage(&self.player, &fact, &mut moves);
        let (stream, body) = (Stream::player(&self.player), Body::Purse(vec![fact]));
        new_entry(stream, &self.head, &body, now, by, None, Some(table.hash.clone()), moves.postings())
    }
}

/// A computed turn, what it takes out of the actor's purse, and what a correction takes out of purses.
struct ComputedTurn {
    made: FinishedTurn,
    needs: Money,
    taken: BTreeMap<PlayerId, Money>,
}

impl TurnPlan<'_> {
    /// Computes the turn on a copy of the table. `None` if it records nothing.
    fn run(
        &self,
        work: &mut TableWork,
        jackpot: Option<LinkedJackpot>,
        now: Instant,
    ) -> Result<Option<ComputedTurn>, TurnError> {
        let deck = work.deck.as_ref().map(|(_, deck)| deck.clone());
        let live = LiveTable::clone(&work.live);
        let mut turn = Turn::new(live, &work.head, deck, jackpot, &mut work.shuffler, now);
        if self.fill_float {
            turn.fill_float(AUTO_FILL);
        }
        (self.plan)(&mut turn)?;
        if turn.is_empty() {
            return Ok(None);
        }
        let needs = self.actor.as_player().map_or(0, |player| -turn.moved(&ledger::purse(player)));
        let taken = turn.taken_back();
        let mut made = turn.end(self.actor, self.sent, &work.head, Some(&work.live));
        if let (false, Some(table)) = (self.claims.is_empty(), made.batch.entries.first()) {
            let round = RoundId { table: made.live.id.clone(), number: made.live.table.round.number };
            let claims = self.claims.iter().map(|claim| claim.entry(&round, table, self.actor, now));
            let claims: Vec<Entry> = claims.collect();
            made.batch.entries.splice(0..0, claims);
        }
        Ok(Some(ComputedTurn { made, needs: Money::from_cents(needs), taken }))
    }
}

/// The locked jackpot of a turn. The lock is held until the turn is written; where the database writes in the order of the calls, it is
/// released as soon as the write is queued.
struct LockedJackpot {
    slot: Arc<JackpotSlot>,
    work: Option<OwnedMutexGuard<JackpotWork>>,
    /// Others may build on the turn's state, and it is not known whether that is written.
    in_doubt: bool,
}

impl LockedJackpot {
    /// Releases the lock with the turn's state, which the next turn builds on before it is durable: its write comes later.
    fn release(&mut self, made: &LinkedJackpot) {
        if let Some(mut work) = self.work.take() {
            (work.state, work.head) = (made.state.clone(), made.head.clone());
            self.in_doubt = true;
        }
    }

    /// The turn was not written: marks the state as stale.
    async fn discard(mut self) {
        let stale = !sabotage::is("a jackpot that was not written is kept in memory");
        match self.work.take() {
            Some(mut work) => work.stale = stale,
            None => self.slot.work.lock().await.stale = stale,
        }
        self.in_doubt = false;
    }

    /// The turn was written: publishes the state.
    fn publish(mut self, made: &LinkedJackpot) {
        self.release(made);
        self.slot.publish(&made.state, made.head.version);
        self.in_doubt = false;
    }
}

impl Drop for LockedJackpot {
    /// A turn that is given up before its write is answered leaves a state behind that may never be written.
    fn drop(&mut self) {
        if self.in_doubt {
            self.slot.doubtful.store(true, Ordering::SeqCst);
        }
    }
}

fn no_jackpot() -> AttemptError {
    AttemptError::Refused(HouseError::NotNow("this table has no jackpot"))
}

impl House {
    /// Makes one attempt. `None` if there was nothing to write.
    pub(super) async fn attempt(
        &self,
        slot: &TableSlot,
        work: &mut TableWork,
        planned: &TurnPlan<'_>,
    ) -> Result<Option<Written>, AttemptError> {
        let stale =
            |seen: &u64| *seen != work.head.version && !sabotage::is("an order for an old version is taken");
        if let Some(seen) = planned.seen.filter(stale) {
            return Err(AttemptError::Refused(HouseError::Stale { seen, now: work.head.version }));
        }
        // A round with jackpot wagers usually needs the jackpot: locking it now avoids computing the turn twice. If it cannot be locked, it
        // may not be needed either.
        let wagered = work.live.under_way() && baize_floor::wagered(&work.live.table);
        let first = if wagered { self.lock_jackpot(work).await.ok() } else { None };
        let (held, linked) = first.map_or((None, None), |(held, linked)| (Some(held), Some(linked)));
        let mut now = self.now();
        let (worked, held) = match planned.run(work, linked, now) {
            Ok(worked) => (worked, held),
            Err(TurnError::House(error)) => return Err(AttemptError::Refused(error)),
            Err(TurnError::NeedsJackpot) => {
                let (held, linked) = self.lock_jackpot(work).await?;
                // Other turns may have written to it while this one waited: times in its chain do not go back.
                now = self.now();
                match planned.run(work, Some(linked), now) {
                    Ok(worked) => (worked, Some(held)),
                    Err(TurnError::House(error)) => return Err(AttemptError::Refused(error)),
                    Err(TurnError::NeedsJackpot) => return Err(no_jackpot()),
                }
            }
        };
        let Some(ComputedTurn { mut made, needs, taken }) = worked else { return Ok(None) };
        let heads = match self.write(&mut made, held, planned.actor, needs).await {
            Err(AttemptError::Store(StoreError::Short(account))) if is_purse_of(&account, &taken) => {
                return Err(AttemptError::PurseShort(taken));
            }
            other => other?,
        };
        work.live = Arc::new(made.live);
        work.deck =
            made.deck.and_then(|deck| work.live.promise.as_ref().map(|promise| (promise.round, deck)));
        let own = Stream::table(&slot.id);
        if let Some(((_, head), _)) = heads.iter().find(|((stream, _), _)| *stream == own) {
            work.head = head.clone();
        }
        slot.publish(work, true);
        for ((stream, head), number) in &heads {
            self.announce(stream, head.version, *number, now);
        }
        let (version, round) = (work.head.version, work.live.table.round.number);
        Ok(Some(Written { version, round, departs_from: made.departs_from }))
    }

    /// Locks the jackpot of a table and brings it up to date.
    async fn lock_jackpot(
        &self,
        work: &mut TableWork,
    ) -> Result<(LockedJackpot, LinkedJackpot), AttemptError> {
        let id = work.live.config.jackpot.clone().ok_or_else(no_jackpot)?;
        let slot = self.jackpot_slot(&id).map_err(AttemptError::Refused)?;
        let mut inside = Arc::clone(&slot.work).lock_owned().await;
        let away = |why| AttemptError::Refused(HouseError::JackpotAway { jackpot: id.clone(), why });
        // With ordered writes there is no other host.
        let behind = work.jackpot_behind && !self.inner.store.ordered();
        if inside.stale || behind || slot.doubtful.load(Ordering::SeqCst) {
            match self.refresh_jackpot(&slot, &mut inside).await {
                Ok(()) => work.jackpot_behind = false,
                Err(HouseError::Corrupt(why)) => {
                    slot.stop(&why);
                    return Err(away(why));
                }
                Err(other) => return Err(AttemptError::Refused(other)),
            }
        }
        // A closed jackpot takes no wagers but still handles earlier rounds.
        let closed = matches!(inside.state.status, baize_jackpot::Status::Closed(_));
        if let Some(why) = slot.shown.get().stopped.clone().filter(|_| !closed) {
            return Err(away(why));
        }
        let (state, head) = (inside.state.clone(), inside.head.clone());
        let linked = LinkedJackpot { id, state, head, changed: false };
        Ok((LockedJackpot { slot, work: Some(inside), in_doubt: false }, linked))
    }

    /// Writes a turn. Returns the new heads of its chains and the numbers of their entries.
    async fn write(
        &self,
        made: &mut FinishedTurn,
        held: Option<LockedJackpot>,
        actor: &Actor,
        needs: Money,
    ) -> Result<Vec<((Stream, Head), u64)>, AttemptError> {
        let batch = std::mem::take(&mut made.batch);
        let heads: Vec<(Stream, Head)> =
            batch.entries.iter().map(|entry| (entry.stream.clone(), entry.head())).collect();
        let writing = self.append(batch);
        // The lock of a jackpot that was only read is released at once.
        let mut taken = made.jackpot.take().filter(|jackpot| jackpot.changed).zip(held);
        if let (true, Some((jackpot, held))) = (self.inner.store.ordered(), &mut taken) {
            held.release(jackpot);
        }
        let result = match writing.await {
            Err(StoreError::Unknown(_)) if sabotage::is("a lost answer counts as done") => {
                Ok(vec![0; heads.len()])
            }
            other => other,
        };
        match result {
            Ok(numbers) => {
                if let Some((jackpot, held)) = taken {
                    held.publish(&jackpot);
                }
                Ok(heads.into_iter().zip(numbers).collect())
            }
            Err(error) => {
                if let Some((_, held)) = taken {
                    held.discard().await;
                }
                Err(self.explain(error, actor, needs).await?)
            }
        }
    }

    /// A purse that is too short is an error for its owner; any other failure may be worth another attempt.
    async fn explain(
        &self,
        error: StoreError,
        actor: &Actor,
        needs: Money,
    ) -> Result<AttemptError, AttemptError> {
        let own = actor.as_player().filter(
            |player| matches!(&error, StoreError::Short(account) if *account == ledger::purse(player)),
        );
        let Some(player) = own.cloned() else { return Ok(AttemptError::Store(error)) };
        let has = self.inner.store.balance(&ledger::purse(&player)).await.map_err(AttemptError::Store)?;
        Ok(AttemptError::Refused(HouseError::Purse { player, has: Money::from_cents(has), needs }))
    }

    /// Notifies subscribers of a new entry.
    pub(crate) fn announce(&self, stream: &Stream, version: u64, number: u64, at: Instant) {
        if let Some(what) = changed(stream) {
            // There may be no subscriber.
            let _ = self.inner.changes.send(Change { number, what, version, at });
        }
    }
}

/// The thing that a chain is about.
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
