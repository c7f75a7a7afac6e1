//! Retries a turn on version conflicts, for a bounded time.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use baize_rules::Money;
use tracing::Instrument as _;

use super::attempt::{AttemptError, Claim, Plan, TurnPlan, Written};
use super::{Answer, Boxed, House, MAX_ATTEMPTS};
use crate::boxed;
use crate::journal::{StoreError, Stream, sabotage};
use crate::memory::{TableSlot, TableWork};
use crate::turn::{SentOrder, Turn, TurnError};
use crate::{Actor, HouseError, PlayerId, ledger};

/// A turn is retried for at least this long and at least [`MAX_ATTEMPTS`] times, so that hosts which share a jackpot do not fail merely
/// because others are faster.
const MIN_RETRY: Duration = Duration::from_secs(5);

impl House {
    /// Computes, writes and publishes a turn at a table. `None` if there was nothing to write.
    pub(crate) fn turn<'a>(
        &'a self,
        slot: &'a Arc<TableSlot>,
        actor: &'a Actor,
        sent: Option<&'a SentOrder<'a>>,
        plan: impl Fn(&mut Turn<'_>) -> Result<(), TurnError> + Send + Sync + 'a,
    ) -> Boxed<'a, Option<Written>> {
        self.turn_at(slot, actor, sent, None, Box::new(plan))
    }

    /// Runs a turn of the house itself at every table. Damaged tables stay halted and are skipped.
    pub(crate) async fn turn_everywhere<F>(&self, plan: F) -> Answer<()>
    where
        F: Fn(&mut Turn<'_>) -> Result<(), TurnError> + Send + Sync,
    {
        for slot in self.table_slots() {
            match self.turn(&slot, &Actor::House, None, &plan).await {
                Ok(_) | Err(HouseError::Corrupt(_)) => {}
                Err(other) => return Err(other),
            }
        }
        Ok(())
    }

    /// As `turn`, but only if the table has this version.
    #[boxed]
    pub(crate) async fn turn_at<'a>(
        &'a self,
        slot: &'a Arc<TableSlot>,
        actor: &'a Actor,
        sent: Option<&'a SentOrder<'a>>,
        seen: Option<u64>,
        plan: Box<Plan<'a>>,
    ) -> Answer<Option<Written>> {
        self.not_behind()?;
        if self.inner.closed.load(Ordering::SeqCst) {
            return Err(HouseError::Unavailable("the house is closing".to_owned()));
        }
        let mut planned = TurnPlan { actor, sent, plan, seen, fill_float: false, claims: Vec::new() };
        let mut work = slot.work.lock().await;
        let mut refreshed = false;
        let since = tokio::time::Instant::now();
        let (mut tried, mut conflicting) = (0, Stream::table(&slot.id));
        loop {
            if tried >= MAX_ATTEMPTS && since.elapsed() >= MIN_RETRY {
                return Err(HouseError::Conflict { stream: conflicting.to_string(), tries: tried });
            }
            tried += 1;
            self.up_to_date(slot, &mut work).await?;
            let span = tracing::debug_span!(target: "baize::order", "turn", table = %slot.id, tried);
            match self.attempt(slot, &mut work, &planned).instrument(span).await {
                Ok(written) => return Ok(written),
                Err(AttemptError::Refused(HouseError::Corrupt(why))) => {
                    slot.halt(&why);
                    return Err(HouseError::Corrupt(why));
                }
                Err(AttemptError::Refused(error)) => {
                    // Another host may have changed the table since it was last read: refuse only on current data.
                    let alone = self.inner.store.ordered();
                    if alone || refreshed || !self.refresh_all(slot, &mut work).await? {
                        return Err(error);
                    }
                    refreshed = true;
                }
                Err(AttemptError::PurseShort(taken)) => planned.claims = self.claims(taken).await?,
                Err(AttemptError::Store(StoreError::Conflict(stream))) => {
                    work.stale = !sabotage::is("a table that has gone on is not read again");
                    self.inner.metrics.conflicts.fetch_add(1, Ordering::Relaxed);
                    planned.claims.clear();
                    tracing::debug!(target: "baize::order", table = %slot.id, tried, %stream, "conflict: another writer was first");
                    conflicting = stream;
                    // Back off.
                    tokio::time::sleep(Duration::from_millis(u64::from(tried * tried).min(150))).await;
                }
                Err(AttemptError::Store(StoreError::Short(account)))
                    if account == ledger::float(&slot.id)
                        && !planned.fill_float
                        && !sabotage::is("a float that runs short is not filled") =>
                {
                    planned.fill_float = true;
                }
                Err(AttemptError::Store(StoreError::Short(account))) => {
                    return Err(self.short_error(&account).await?);
                }
                Err(AttemptError::Store(StoreError::CommandKnown)) => {
                    return Err(HouseError::NotNow("the command has already been carried out"));
                }
                Err(AttemptError::Store(StoreError::Unknown(why))) => {
                    work.stale = true;
                    return Err(HouseError::NotKnown { id: sent.map(|sent| sent.id.clone()), why });
                }
                Err(AttemptError::Store(other)) => {
                    work.stale = true;
                    return Err(other.into());
                }
            }
        }
    }

    /// Refuses a halted table, and reads new entries and the deck if needed.
    async fn up_to_date(&self, slot: &TableSlot, work: &mut TableWork) -> Answer<()> {
        if let Some(why) = &slot.shown.get().halted {
            // If the database is behind, say so instead.
            self.not_behind()?;
            return Err(HouseError::Corrupt(why.clone()));
        }
        let promised = work.live.promise.as_ref().map(|promise| promise.round);
        if work.stale || work.deck.as_ref().map(|(round, _)| *round) != promised {
            self.refresh_or_halt(slot, work).await?;
        }
        Ok(())
    }

    /// Reads new entries of the table and its jackpot. Returns whether there were any.
    async fn refresh_all(&self, slot: &TableSlot, work: &mut TableWork) -> Answer<bool> {
        let mut changed = self.refresh_table(slot, work).await?;
        if let Some(id) = work.live.config.jackpot.clone() {
            let jackpot = self.jackpot_slot(&id)?;
            let mut inside = jackpot.work.lock().await;
            let before = inside.head.version;
            self.refresh_jackpot(&jackpot, &mut inside).await?;
            changed |= inside.head.version > before;
        }
        Ok(changed)
    }

    async fn refresh_or_halt(&self, slot: &TableSlot, work: &mut TableWork) -> Answer<()> {
        match self.refresh_table(slot, work).await {
            Ok(_) => Ok(()),
            Err(HouseError::Corrupt(why)) => {
                slot.halt(&why);
                Err(HouseError::Corrupt(why))
            }
            Err(other) => Err(other),
        }
    }

    /// The debts from a correction: what exceeds each player's purse.
    async fn claims(&self, taken: BTreeMap<PlayerId, Money>) -> Answer<Vec<Claim>> {
        let mut claims = Vec::new();
        for (player, taken) in taken {
            let head = self.head_of(&Stream::player(&player)).await?;
            let held = Money::from_cents(self.inner.store.balance(&ledger::purse(&player)).await?);
            if held < taken {
                claims.push(Claim { player, head, taken, held });
            }
        }
        Ok(claims)
    }

    /// The error for an account that is too short.
    async fn short_error(&self, account: &str) -> Answer<HouseError> {
        let Some(player) = account.strip_prefix("purse/").and_then(|name| name.parse::<PlayerId>().ok())
        else {
            return Ok(HouseError::Corrupt(format!("{account} would become negative")));
        };
        let has = Money::from_cents(self.inner.store.balance(account).await?);
        Ok(HouseError::PurseOf { player, has })
    }
}
