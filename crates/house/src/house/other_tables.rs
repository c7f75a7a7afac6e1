//! What is ruled at one table and reaches others: a bar from further play, a fault of the whole jackpot system.
//!
//! It is applied to each table in a transaction of its own. The ruling records that this is to be done, and that it was done is
//! recorded after it: a house that stops in between tells them when it opens again. Telling a table twice changes nothing.

use std::sync::Arc;

use baize_floor::SystemFault;

use super::{Answer, House};
use crate::facts::TableFact;
use crate::live_table::ToTell;
use crate::memory::TableSlot;
use crate::turn::Turn;
use crate::{Actor, HouseError, Instant, TableId};

/// Seconds after which the clock takes over from the host that had begun.
const TELLING: u32 = 5;

impl House {
    /// Tells the other tables what was ruled at this one, if they do not know it yet.
    pub(super) async fn tell_others(&self, slot: &Arc<TableSlot>) -> Answer<()> {
        let Some(ToTell { bars, fault, registered, .. }) = slot.shown.get().live.to_tell.clone() else {
            return Ok(());
        };
        if let Some(report) = fault {
            self.tell_linked(slot, &SystemFault { report, registered }).await?;
        }
        // MBS 5.9: a bar holds in the whole house until a Shift Manager lifts it (I-16).
        for other in self.table_slots().iter().filter(|other| other.id != slot.id && !bars.is_empty()) {
            let plan = |turn: &mut Turn<'_>| {
                bars.iter().for_each(|(player, barred)| turn.bar(player, *barred));
                Ok(())
            };
            goes_on(self.turn(other, &Actor::House, None, plan).await)?;
        }
        let told = |turn: &mut Turn<'_>| {
            if turn.live.to_tell.is_some() {
                turn.step(&Actor::House, TableFact::OthersTold);
            }
            Ok(())
        };
        goes_on(self.turn(slot, &Actor::House, None, told).await)
    }

    /// Applies rulings that were pending when the house stopped.
    pub(super) async fn tell_all_others(&self) -> Answer<()> {
        for slot in self.table_slots() {
            self.tell_others(&slot).await?;
        }
        Ok(())
    }

    /// Applies a fault of the whole system to every other table of the jackpot.
    // RH 5.16, 5.17; RS 5.17, 5.18: a fault of the system reaches every linked table.
    async fn tell_linked(&self, slot: &TableSlot, fault: &SystemFault) -> Answer<()> {
        let Some(jackpot) = slot.shown.get().live.config.jackpot.clone() else { return Ok(()) };
        let linked = self.jackpot_slot(&jackpot)?.shown.get();
        let others = linked.state.tables.keys().filter_map(|name| name.parse::<TableId>().ok());
        for other in others.filter(|other| *other != slot.id) {
            let other = self.table_slot(&other)?;
            goes_on(self.turn(&other, &Actor::House, None, |turn| turn.tell_fault(fault)).await)?;
        }
        Ok(())
    }

    /// Whether a ruling has been pending too long: the host that applied it has stopped.
    pub(super) fn untold(to_tell: Option<&ToTell>, now: Instant) -> bool {
        to_tell.is_some_and(|to_tell| to_tell.since.plus_seconds(TELLING) <= now)
    }
}

/// A table that cannot be concerned, or is halted, goes on as it is.
fn goes_on<T>(done: Answer<Option<T>>) -> Answer<()> {
    match done {
        Ok(_) | Err(HouseError::Refused(_) | HouseError::Corrupt(_)) => Ok(()),
        Err(other) => Err(other),
    }
}
