//! Rulings that affect other tables: a bar from further play, a fault of the whole jackpot system.
//!
//! A ruling is applied to each table in its own transaction. It is recorded as pending with the ruling, and as applied afterwards, so a
//! house that stops in between continues when it opens again. Applying it twice changes nothing.

use std::sync::Arc;

use baize_floor::SystemFault;

use super::{Answer, House};
use crate::facts::TableFact;
use crate::live_table::PendingRulings;
use crate::memory::TableSlot;
use crate::turn::Turn;
use crate::{Actor, HouseError, Instant, TableId};

/// Seconds after which a tick takes over from the host that began.
const TAKEOVER_SECONDS: u32 = 5;

impl House {
    /// Applies pending rulings of this table to the other tables.
    pub(super) async fn apply_pending(&self, slot: &Arc<TableSlot>) -> Answer<()> {
        let Some(PendingRulings { bars, fault, registered, .. }) = slot.shown.get().live.pending.clone()
        else {
            return Ok(());
        };
        if let Some(report) = fault {
            self.apply_fault_to_linked(slot, &SystemFault { report, registered }).await?;
        }
        // MBS 5.9: a bar holds in the whole house until a Shift Manager lifts it (I-16).
        for other in self.table_slots().iter().filter(|other| other.id != slot.id && !bars.is_empty()) {
            let plan = |turn: &mut Turn<'_>| {
                bars.iter().for_each(|(player, barred)| turn.bar(player, *barred));
                Ok(())
            };
            ignore_unaffected(self.turn(other, &Actor::House, None, plan).await)?;
        }
        let told = |turn: &mut Turn<'_>| {
            if turn.live.pending.is_some() {
                turn.step(&Actor::House, TableFact::OthersTold);
            }
            Ok(())
        };
        ignore_unaffected(self.turn(slot, &Actor::House, None, told).await)
    }

    /// Applies rulings that were pending when the house stopped.
    pub(super) async fn apply_all_pending(&self) -> Answer<()> {
        for slot in self.table_slots() {
            self.apply_pending(&slot).await?;
        }
        Ok(())
    }

    /// Applies a fault of the whole system to every other table of the jackpot.
    // RH 5.16, 5.17; RS 5.17, 5.18: a fault of the system reaches every linked table.
    async fn apply_fault_to_linked(&self, slot: &TableSlot, fault: &SystemFault) -> Answer<()> {
        let Some(jackpot) = slot.shown.get().live.config.jackpot.clone() else { return Ok(()) };
        let linked = self.jackpot_slot(&jackpot)?.shown.get();
        let others = linked.state.tables.keys().filter_map(|name| name.parse::<TableId>().ok());
        for other in others.filter(|other| *other != slot.id) {
            let other = self.table_slot(&other)?;
            ignore_unaffected(self.turn(&other, &Actor::House, None, |turn| turn.apply_fault(fault)).await)?;
        }
        Ok(())
    }

    /// Whether a ruling has been pending so long that the host applying it must have stopped.
    pub(super) fn is_overdue(to_tell: Option<&PendingRulings>, now: Instant) -> bool {
        to_tell.is_some_and(|to_tell| to_tell.since.plus_seconds(TAKEOVER_SECONDS) <= now)
    }
}

/// Ignores tables that refuse the ruling or are halted.
fn ignore_unaffected<T>(done: Answer<Option<T>>) -> Answer<()> {
    match done {
        Ok(_) | Err(HouseError::Refused(_) | HouseError::Corrupt(_)) => Ok(()),
        Err(other) => Err(other),
    }
}
