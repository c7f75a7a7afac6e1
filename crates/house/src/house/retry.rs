//! Retries a turn on version conflicts, for a bounded time.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use baize_rules::Money;
use tracing::Instrument as _;

use super::attempt::{Claim, Failed, TurnPlan, Written};
use super::{Answer, House, TRIES};
use crate::journal::{StoreError, Stream, sabotage};
use crate::memory::{TableSlot, TableWork};
use crate::turn::{SentOrder, Stuck, Turn};
use crate::{Actor, HouseError, PlayerId, ledger};

/// For how long a turn is tried again, and at least [`TRIES`] times: hosts that share a jackpot get a conflict only if one of them gets
/// nothing done at all.
const PATIENCE: Duration = Duration::from_secs(5);

impl House {
    /// Works out a turn at a table, writes it and shows what came of it. `None`: there was nothing to write.
    pub(crate) async fn turn<F>(
        &self,
        slot: &Arc<TableSlot>,
        actor: &Actor,
        asked: Option<&SentOrder<'_>>,
        plan: F,
    ) -> Answer<Option<Written>>
    where
        F: Fn(&mut Turn<'_>) -> Result<(), Stuck>,
    {
        self.turn_at(slot, actor, asked, None, plan).await
    }

    /// As `turn`, for one version of the table and no other.
    pub(crate) async fn turn_at<F>(
        &self,
        slot: &Arc<TableSlot>,
        actor: &Actor,
        asked: Option<&SentOrder<'_>>,
        seen: Option<u64>,
        plan: F,
    ) -> Answer<Option<Written>>
    where
        F: Fn(&mut Turn<'_>) -> Result<(), Stuck>,
    {
        self.not_behind()?;
        if self.inner.closed.load(Ordering::SeqCst) {
            return Err(HouseError::Unavailable("the house is closing".to_owned()));
        }
        let mut planned = TurnPlan { actor, asked, plan, seen, fill: false, claims: Vec::new() };
        let mut work = slot.work.lock().await;
        let mut looked = false;
        let since = tokio::time::Instant::now();
        let (mut tried, mut faster) = (0, Stream::table(&slot.id));
        loop {
            if tried >= TRIES && since.elapsed() >= PATIENCE {
                return Err(HouseError::Conflict { stream: faster.to_string(), tries: tried });
            }
            tried += 1;
            self.up_to_date(slot, &mut work).await?;
            let span = tracing::debug_span!(target: "baize::order", "turn", table = %slot.id, tried);
            match self.attempt(slot, &mut work, &planned).instrument(span).await {
                Ok(written) => return Ok(written),
                Err(Failed::No(HouseError::Corrupt(why))) => {
                    slot.halt(&why);
                    return Err(HouseError::Corrupt(why));
                }
                Err(Failed::No(error)) => {
                    // Another host may have changed the table since it was last read: nobody is refused on old news.
                    let alone = self.inner.store.ordered();
                    if alone || looked || !self.went_on(slot, &mut work).await? {
                        return Err(error);
                    }
                    looked = true;
                }
                Err(Failed::Owing(taken)) => planned.claims = self.claims(taken).await?,
                Err(Failed::Store(StoreError::Conflict(stream))) => {
                    work.stale = !sabotage::is("a table that has gone on is not read again");
                    self.inner.measures.conflicts.fetch_add(1, Ordering::Relaxed);
                    planned.claims.clear();
                    tracing::debug!(target: "baize::order", table = %slot.id, tried, %stream, "conflict: another writer was first");
                    faster = stream;
                    // Back off: the other writer needs a moment.
                    tokio::time::sleep(Duration::from_millis(u64::from(tried * tried).min(150))).await;
                }
                Err(Failed::Store(StoreError::Short(account)))
                    if account == ledger::float(&slot.id)
                        && !planned.fill
                        && !sabotage::is("a float that runs short is not filled") =>
                {
                    planned.fill = true;
                }
                Err(Failed::Store(StoreError::Short(account))) => return Err(self.short(&account).await?),
                Err(Failed::Store(StoreError::CommandKnown)) => {
                    return Err(HouseError::NotNow("the command was carried out before"));
                }
                Err(Failed::Store(StoreError::Unknown(why))) => {
                    work.stale = true;
                    return Err(HouseError::NotKnown { id: asked.map(|asked| asked.id.clone()), why });
                }
                Err(Failed::Store(other)) => {
                    work.stale = true;
                    return Err(other.into());
                }
            }
        }
    }

    /// The table is not halted, and nothing of the journal or of the deck is missing here.
    async fn up_to_date(&self, slot: &TableSlot, work: &mut TableWork) -> Answer<()> {
        if let Some(why) = &slot.shown.get().halted {
            // It may have fallen behind since it was asked.
            self.not_behind()?;
            return Err(HouseError::Corrupt(why.clone()));
        }
        let promised = work.live.promise.as_ref().map(|promise| promise.round);
        if work.stale || work.deck.as_ref().map(|(round, _)| *round) != promised {
            self.refresh_or_halt(slot, work).await?;
        }
        Ok(())
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

    /// What players owe of what is taken back: all that their purses do not hold now.
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

    /// What it means that an account does not hold enough.
    async fn short(&self, account: &str) -> Answer<HouseError> {
        let Some(player) = account.strip_prefix("purse/").and_then(|name| name.parse::<PlayerId>().ok())
        else {
            return Ok(HouseError::Corrupt(format!("{account} would go below nothing")));
        };
        let has = Money::from_cents(self.inner.store.balance(account).await?);
        Ok(HouseError::PurseOf { player, has })
    }
}
