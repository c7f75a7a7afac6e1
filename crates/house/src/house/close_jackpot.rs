//! Closes a jackpot: all its pools move to another one, in one transaction.

use std::cmp::Ordering;

use baize_jackpot::{Command as Ask, Refusal};

use super::jackpot_parameters::new_jackpot_entry;
use super::jackpots::person;
use super::{Answer, House, MAX_ATTEMPTS};
use crate::boxed;
use crate::journal::{Batch, Stream};
use crate::memory::JackpotSlot;
use crate::{Actor, Duty, HouseError, JackpotId};

impl House {
    /// Closes a jackpot permanently and moves its pools to another one of the same operator. Its tables continue without a jackpot. Shift
    /// Manager.
    ///
    /// # Errors
    /// The same jackpot, or another operator's; a round with jackpot wagers is in progress; hits are pending.
    #[boxed]
    pub async fn close_jackpot(&self, by: &Actor, jackpot: &JackpotId, into: &JackpotId) -> Answer<()> {
        by.require(Duty::ShiftManager)?;
        let (slot, other) = (self.jackpot_slot(jackpot)?, self.jackpot_slot(into)?);
        let command = Ask::Close { into: into.to_string(), by: person(by)? };
        if self.was_carried_out(by, &command).await? {
            return Ok(());
        }
        if let (Some(one), Some(another)) = (self.operator_of(&slot), self.operator_of(&other))
            && one != another
        {
            return Err(HouseError::SetUp(format!(
                "jackpot {jackpot} belongs to {one} and {into} to {another}: pools stay with their operator"
            )));
        }
        self.same_money(format!("jackpot {jackpot}"), jackpot, into)?;
        for _ in 0..MAX_ATTEMPTS {
            match self.try_close(by, &slot, &other, &command).await {
                Err(HouseError::Conflict { .. }) => {}
                Err(error) if !self.was_carried_out(by, &command).await? => return Err(error),
                Ok(()) | Err(_) => return Ok(()),
            }
        }
        Err(HouseError::Conflict { stream: Stream::jackpot(jackpot).to_string(), tries: MAX_ATTEMPTS })
    }

    /// The operator of a jackpot's games, if it links any.
    fn operator_of(&self, slot: &JackpotSlot) -> Option<String> {
        let shown = slot.shown.get();
        let mut tables = shown.state.tables.keys().filter_map(|name| name.parse().ok());
        tables.find_map(|table| Some(self.rulebook(&table).ok()?.operator.clone()))
    }

    async fn try_close(
        &self,
        by: &Actor,
        slot: &JackpotSlot,
        other: &JackpotSlot,
        command: &Ask,
    ) -> Answer<()> {
        let refused =
            |refusal: Refusal| HouseError::Jackpot { jackpot: slot.id.clone(), why: refusal.to_string() };
        // Locked in a fixed order, so that two jackpots closing into each other do not deadlock.
        let (first, second) = match slot.id.cmp(&other.id) {
            Ordering::Less => (slot, other),
            Ordering::Greater => (other, slot),
            Ordering::Equal => {
                return Err(refused(Refusal::NotAnotherJackpot { into: other.id.to_string() }));
            }
        };
        let (mut one, mut two) = (first.work.lock().await, second.work.lock().await);
        self.refresh_jackpot(first, &mut one).await?;
        self.refresh_jackpot(second, &mut two).await?;
        let (from, to) = if first.id == slot.id { (&mut *one, &mut *two) } else { (&mut *two, &mut *one) };
        for either in [slot, other] {
            if let Some(why) = &either.shown.get().stopped {
                return Err(HouseError::Jackpot { jackpot: either.id.clone(), why: why.clone() });
            }
        }
        // Jackpot wagers on a table could not be accepted afterwards.
        let linked: Vec<_> = from
            .state
            .tables
            .keys()
            .filter_map(|name| Some((name.as_str(), self.table_slot(&name.parse().ok()?).ok()?.shown.get())))
            .collect();
        let tables = linked.iter().map(|(name, shown)| (*name, &shown.live.table));
        baize_floor::may_close(tables).map_err(refused)?;
        let pools = from.state.meter.pools();
        let receive = Ask::ReceivePools { from: slot.id.to_string(), pools };
        let sent = self.request.id.as_ref().map(ToString::to_string);
        let now = self.now();
        let closed = new_jackpot_entry(slot, from, command, by, now, sent).map_err(refused)?;
        let received = new_jackpot_entry(other, to, &receive, by, now, None).map_err(refused)?;
        let mut batch = Batch::default();
        for made in [&closed, &received] {
            batch.entries.push(made.entry.clone());
            batch.snapshots.extend(made.snapshot.clone());
        }
        match self.append(batch).await {
            Ok(numbers) => {
                for ((slot, work, made), number) in
                    [(slot, from, closed), (other, to, received)].into_iter().zip(numbers)
                {
                    (work.state, work.head) = (made.state, made.entry.head());
                    slot.publish(&work.state, work.head.version);
                    self.announce(&Stream::jackpot(&slot.id), work.head.version, number, now);
                }
                Ok(())
            }
            Err(error) => {
                (from.stale, to.stale) = (true, true);
                Err(error.into())
            }
        }
    }
}
