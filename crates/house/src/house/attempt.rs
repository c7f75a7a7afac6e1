//! One try of a turn: worked out on copies, written in one transaction, then shown.

use std::collections::BTreeMap;
use std::sync::Arc;

use baize_rules::{Cites, Money};
use tokio::sync::OwnedMutexGuard;

use super::House;
use crate::facts::{Body, PurseFact};
use crate::journal::{Entry, Head, StoreError, Stream, sabotage};
use crate::live_table::LiveTable;
use crate::memory::{JackpotSlot, JackpotWork, TableSlot, TableWork};
use crate::turn::{LinkedJackpot, Made, SentOrder, Stuck, Turn, sealed};
use crate::{Actor, Change, Changed, HouseError, Instant, PlayerId, RoundId, ledger};

/// What the house brings when a float runs short.
const FILL: Money = Money::from_dollars(1_000_000);

/// What was written: the table's version and its round.
pub(crate) struct Written {
    pub(crate) version: u64,
    pub(crate) round: u32,
    pub(crate) departs_from: Cites,
}

/// Why a try failed.
pub(super) enum Failed {
    /// It is not to be done.
    No(HouseError),
    /// The database did not take it.
    Store(StoreError),
    /// A round that is put right takes back so much, and some purse does not hold it.
    Owing(BTreeMap<PlayerId, Money>),
}

fn owes(account: &str, taken: &BTreeMap<PlayerId, Money>) -> bool {
    taken.keys().any(|player| ledger::purse(player) == account)
}

/// What is to be done at a table: for whom, in answer to which order, and how.
pub(super) struct TurnPlan<'a, F> {
    pub(super) actor: &'a Actor,
    pub(super) asked: Option<&'a SentOrder<'a>>,
    pub(super) plan: F,
    /// The version of the table that the order was made for, if it is for no other.
    pub(super) seen: Option<u64>,
    /// The house brings chips first: the float was too short for it.
    pub(super) fill: bool,
    /// What players owe because their purses are too short for it.
    pub(super) claims: Vec<Claim>,
}

/// What a player owes because a round that is put right takes back more than their purse holds.
pub(super) struct Claim {
    pub(super) player: PlayerId,
    /// Where the player's chain ends.
    pub(super) head: Head,
    pub(super) taken: Money,
    pub(super) held: Money,
}

impl Claim {
    /// The entry in the player's chain. It belongs to the entry of the table of which it is a part.
    fn entry(&self, round: &RoundId, table: &Entry, by: &Actor, now: Instant) -> Entry {
        let amount = self.taken - self.held;
        let (round, taken, held) = (round.to_string(), self.taken, self.held);
        let fact = PurseFact::ClaimBooked { round, taken, held, amount };
        let mut moves = ledger::Movements::default();
        ledger::at_cage(&self.player, &fact, &mut moves);
        let (stream, body) = (Stream::player(&self.player), Body::Purse(vec![fact]));
        sealed(stream, &self.head, &body, now, by, None, Some(table.hash.clone()), moves.postings())
    }
}

/// A turn that is worked out, what it takes out of the actor's purse, and what it takes back out of purses.
struct Worked {
    made: Made,
    needs: Money,
    taken: BTreeMap<PlayerId, Money>,
}

impl<F> TurnPlan<'_, F>
where
    F: Fn(&mut Turn<'_>) -> Result<(), Stuck>,
{
    /// Works it out on a copy of the table. `None`: nothing comes of it.
    fn run(
        &self,
        work: &mut TableWork,
        jackpot: Option<LinkedJackpot>,
        now: Instant,
    ) -> Result<Option<Worked>, Stuck> {
        let deck = work.deck.as_ref().map(|(_, deck)| deck.clone());
        let live = LiveTable::clone(&work.live);
        let mut turn = Turn::new(live, &work.head, deck, jackpot, &mut work.shuffler, now);
        if self.fill {
            turn.fill_float(FILL);
        }
        (self.plan)(&mut turn)?;
        if turn.is_empty() {
            return Ok(None);
        }
        let needs = self.actor.as_player().map_or(0, |player| -turn.moved(&ledger::purse(player)));
        let taken = turn.taken_back();
        let mut made = turn.end(self.actor, self.asked, &work.head, Some(&work.live));
        if let (false, Some(table)) = (self.claims.is_empty(), made.batch.entries.first()) {
            let round = RoundId { table: made.live.id.clone(), number: made.live.table.round.number };
            let claims = self.claims.iter().map(|claim| claim.entry(&round, table, self.actor, now));
            let claims: Vec<Entry> = claims.collect();
            made.batch.entries.splice(0..0, claims);
        }
        Ok(Some(Worked { made, needs: Money::from_cents(needs), taken }))
    }
}

/// A jackpot that a turn takes part in. It is held until what comes of it is written, or handed on before that where the database
/// writes in the order of the calls.
struct Held {
    slot: Arc<JackpotSlot>,
    work: Option<OwnedMutexGuard<JackpotWork>>,
}

impl Held {
    /// The next table works on what this one has made, before it is on the disk: what comes after is written after.
    fn hand_on(&mut self, made: &LinkedJackpot) {
        if let Some(mut work) = self.work.take() {
            (work.state, work.head) = (made.state.clone(), made.head.clone());
        }
    }

    /// What this turn has made of it was not written: read it again before it is used.
    async fn forget(self) {
        let stale = !sabotage::is("a jackpot that was not written is kept in memory");
        match self.work {
            Some(mut work) => work.stale = stale,
            None => self.slot.work.lock().await.stale = stale,
        }
    }

    /// What this turn has made of it is written.
    fn keep(mut self, made: &LinkedJackpot) {
        self.hand_on(made);
        self.slot.publish(&made.state, made.head.version);
    }
}

fn no_jackpot() -> Failed {
    Failed::No(HouseError::NotNow("this table is linked to no jackpot"))
}

impl House {
    /// Tries once.
    pub(super) async fn attempt<F>(
        &self,
        slot: &TableSlot,
        work: &mut TableWork,
        planned: &TurnPlan<'_, F>,
    ) -> Result<Option<Written>, Failed>
    where
        F: Fn(&mut Turn<'_>) -> Result<(), Stuck>,
    {
        let stale =
            |seen: &u64| *seen != work.head.version && !sabotage::is("an order for an old version is taken");
        if let Some(seen) = planned.seen.filter(stale) {
            return Err(Failed::No(HouseError::Stale { seen, now: work.head.version }));
        }
        // A round with jackpot wagers mostly asks the jackpot: holding it from the start spares working the turn out twice. One that
        // cannot be held may not be needed either.
        let wagered = work.live.under_way() && baize_floor::wagered(&work.live.table);
        let first = if wagered { self.hold_jackpot(work).await.ok() } else { None };
        let (held, linked) = first.map_or((None, None), |(held, linked)| (Some(held), Some(linked)));
        let mut now = self.now();
        let (worked, held) = match planned.run(work, linked, now) {
            Ok(worked) => (worked, held),
            Err(Stuck::No(error)) => return Err(Failed::No(error)),
            Err(Stuck::NeedsJackpot) => {
                let (held, linked) = self.hold_jackpot(work).await?;
                // Others may have moved it while this turn waited: the times of its chain do not go back.
                now = self.now();
                match planned.run(work, Some(linked), now) {
                    Ok(worked) => (worked, Some(held)),
                    Err(Stuck::No(error)) => return Err(Failed::No(error)),
                    Err(Stuck::NeedsJackpot) => return Err(no_jackpot()),
                }
            }
        };
        let Some(Worked { mut made, needs, taken }) = worked else { return Ok(None) };
        let heads = match self.write(&mut made, held, planned.actor, needs).await {
            Err(Failed::Store(StoreError::Short(account))) if owes(&account, &taken) => {
                return Err(Failed::Owing(taken));
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
        slot.publish(work);
        for ((stream, head), number) in &heads {
            self.announce(stream, head.version, *number, now);
        }
        let (version, round) = (work.head.version, work.live.table.round.number);
        Ok(Some(Written { version, round, departs_from: made.departs_from }))
    }

    /// Holds the jackpot of a table, as it stands now.
    async fn hold_jackpot(&self, work: &mut TableWork) -> Result<(Held, LinkedJackpot), Failed> {
        let id = work.live.config.jackpot.clone().ok_or_else(no_jackpot)?;
        let slot = self.jackpot_slot(&id).map_err(Failed::No)?;
        let mut inside = Arc::clone(&slot.work).lock_owned().await;
        let away = |why| Failed::No(HouseError::JackpotAway { jackpot: id.clone(), why });
        // Where writes are carried out in the order of the calls there is no other host.
        let behind = work.jackpot_behind && !self.inner.store.ordered();
        if inside.stale || behind {
            match self.refresh_jackpot(&slot, &mut inside).await {
                Ok(()) => work.jackpot_behind = false,
                Err(HouseError::Corrupt(why)) => {
                    slot.stop(&why);
                    return Err(away(why));
                }
                Err(other) => return Err(Failed::No(other)),
            }
        }
        // One that was closed takes no wagers, and is still asked about rounds from before.
        let closed = matches!(inside.state.status, baize_jackpot::Status::Closed(_));
        if let Some(why) = slot.shown.get().stopped.clone().filter(|_| !closed) {
            return Err(away(why));
        }
        let (state, head) = (inside.state.clone(), inside.head.clone());
        let linked = LinkedJackpot { id, state, head, changed: false };
        Ok((Held { slot, work: Some(inside) }, linked))
    }

    /// Writes what a turn has made, and gives the new heads of its chains with the numbers of their entries.
    async fn write(
        &self,
        made: &mut Made,
        held: Option<Held>,
        actor: &Actor,
        needs: Money,
    ) -> Result<Vec<((Stream, Head), u64)>, Failed> {
        let batch = std::mem::take(&mut made.batch);
        let heads: Vec<(Stream, Head)> =
            batch.entries.iter().map(|entry| (entry.stream.clone(), entry.head())).collect();
        let writing = self.append(batch);
        // A jackpot that was only looked at is let go at once.
        let mut taken = made.jackpot.take().filter(|jackpot| jackpot.changed).zip(held);
        if let (true, Some((jackpot, held))) = (self.inner.store.ordered(), &mut taken) {
            held.hand_on(jackpot);
        }
        let went = match writing.await {
            Err(StoreError::Unknown(_)) if sabotage::is("a lost answer counts as done") => {
                Ok(vec![0; heads.len()])
            }
            other => other,
        };
        match went {
            Ok(numbers) => {
                if let Some((jackpot, held)) = taken {
                    held.keep(&jackpot);
                }
                Ok(heads.into_iter().zip(numbers).collect())
            }
            Err(error) => {
                if let Some((_, held)) = taken {
                    held.forget().await;
                }
                Err(self.why_not(error, actor, needs).await?)
            }
        }
    }

    /// A purse that does not hold so much is its owner's affair; anything else may be worth another try.
    async fn why_not(&self, error: StoreError, actor: &Actor, needs: Money) -> Result<Failed, Failed> {
        let own = actor.as_player().filter(
            |player| matches!(&error, StoreError::Short(account) if *account == ledger::purse(player)),
        );
        let Some(player) = own.cloned() else { return Ok(Failed::Store(error)) };
        let has = self.inner.store.balance(&ledger::purse(&player)).await.map_err(Failed::Store)?;
        Ok(Failed::No(HouseError::Purse { player, has: Money::from_cents(has), needs }))
    }

    /// Tells everybody that a chain has gone on.
    pub(crate) fn announce(&self, stream: &Stream, version: u64, number: u64, at: Instant) {
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
