//! Changes of a jackpot's parameters: one person proposes, another approves, and the change takes effect with the next hit of the top
//! award.

use std::sync::Arc;

use baize_jackpot::{Change, Command as Ask, Jackpot, Parameters, Person, decide, evolve};

use super::jackpots::person;
use super::{Answer, House, MAX_ATTEMPTS};
use crate::boxed;
use crate::facts::{Body, JackpotStep};
use crate::journal::{Batch, Entry, SnapshotRow, Stream};
use crate::ledger::{self, Movements};
use crate::memory::{JackpotSlot, JackpotWork};
use crate::snapshots::of_jackpot;
use crate::stored;
use crate::turn::new_entry;
use crate::{Actor, Duty, HouseError, JackpotId};

impl House {
    /// The parameters of a jackpot, and the proposed or approved change, if any. Pit Supervisor or above, and auditors.
    ///
    /// # Errors
    /// Lack of duty; no such jackpot.
    pub fn jackpot_parameters(
        &self,
        by: &Actor,
        jackpot: &JackpotId,
    ) -> Answer<(Parameters, Option<Change>)> {
        by.require_or_auditor(Duty::PitSupervisor)?;
        let state = &self.jackpot_slot(jackpot)?.shown.get().state;
        Ok((state.parameters.clone(), state.change.clone()))
    }

    /// Proposes new parameters. The wager cannot change: it is displayed at the linked tables. Pit Manager or above.
    ///
    /// # Errors
    /// Invalid parameters; another change is pending.
    #[boxed]
    pub async fn propose_change(
        &self,
        by: &Actor,
        jackpot: &JackpotId,
        parameters: Parameters,
    ) -> Answer<()> {
        by.require(Duty::PitManager)?;
        let now = self.jackpot_slot(jackpot)?.shown.get().state.parameters.clone();
        if parameters.wager != now.wager {
            return Err(HouseError::SetUp(format!(
                "the jackpot wager of {} is displayed at the linked tables and cannot change: set up a new jackpot instead",
                now.wager
            )));
        }
        if parameters == now {
            return Err(HouseError::NotNow("these are already the parameters"));
        }
        self.ask_jackpot(by, jackpot, |by| Ask::ProposeChange { parameters: parameters.clone(), by }).await
    }

    /// Approves the proposed change. The rule of two persons applies: see `two_persons`. Shift Manager or above.
    ///
    /// # Errors
    /// Nothing is proposed; the approver counts as the proposer; hits are pending.
    #[boxed]
    pub async fn approve_change(&self, by: &Actor, jackpot: &JackpotId) -> Answer<()> {
        by.require(Duty::ShiftManager)?;
        let shown = self.jackpot_slot(jackpot)?.shown.get();
        if let Some(change) = &shown.state.change {
            self.check_two_persons(by, &change.proposed_by, "approves the change").await?;
        }
        self.ask_jackpot(by, jackpot, |by| Ask::ApproveChange { by }).await
    }

    /// Withdraws a proposed or approved change. Pit Manager or above.
    ///
    /// # Errors
    /// Nothing is proposed.
    #[boxed]
    pub async fn withdraw_change(&self, by: &Actor, jackpot: &JackpotId) -> Answer<()> {
        by.require(Duty::PitManager)?;
        self.ask_jackpot(by, jackpot, |by| Ask::WithdrawChange { by }).await
    }

    /// Sends a jackpot a command that concerns no table, once under the request's id.
    async fn ask_jackpot(&self, by: &Actor, id: &JackpotId, ask: impl Fn(Person) -> Ask) -> Answer<()> {
        let slot = self.jackpot_slot(id)?;
        let command = ask(person(by)?);
        if self.was_carried_out(by, &command).await? {
            return Ok(());
        }
        for _ in 0..MAX_ATTEMPTS {
            match self.try_command(by, &slot, &command).await {
                Err(HouseError::Conflict { .. }) => {}
                // The same request may have arrived twice at the same time.
                Err(error) if !self.was_carried_out(by, &command).await? => return Err(error),
                Ok(()) | Err(_) => return Ok(()),
            }
        }
        Err(HouseError::Conflict { stream: Stream::jackpot(id).to_string(), tries: MAX_ATTEMPTS })
    }

    async fn try_command(&self, by: &Actor, slot: &JackpotSlot, command: &Ask) -> Answer<()> {
        let mut work = slot.work.lock().await;
        self.refresh_jackpot(slot, &mut work).await?;
        let refused = |why: String| HouseError::Jackpot { jackpot: slot.id.clone(), why };
        if let Some(why) = &slot.shown.get().stopped {
            return Err(refused(why.clone()));
        }
        let sent = self.request.id.as_ref().map(ToString::to_string);
        let now = self.now();
        let made = new_jackpot_entry(slot, &work, command, by, now, sent)
            .map_err(|refusal| refused(refusal.to_string()))?;
        let head = made.entry.head();
        let snapshots = made.snapshot.into_iter().collect();
        let batch = Batch { entries: vec![made.entry], snapshots, ..Batch::default() };
        match self.append(batch).await {
            Ok(numbers) => {
                (work.state, work.head) = (made.state, head);
                slot.publish(&work.state, work.head.version);
                let number = numbers.first().copied().unwrap_or(0);
                self.announce(&Stream::jackpot(&slot.id), work.head.version, number, now);
                Ok(())
            }
            Err(error) => {
                work.stale = true;
                Err(error.into())
            }
        }
    }

    /// Whether this command was carried out before under the request's id.
    pub(super) async fn was_carried_out(&self, by: &Actor, command: &Ask) -> Answer<bool> {
        let Some(id) = &self.request.id else { return Ok(false) };
        let Some(entry) = self.inner.store.by_command(id.as_str()).await? else { return Ok(false) };
        let same = match stored::read(&entry.body, &entry.place())? {
            Body::Jackpot(steps) => steps.iter().any(|step| step.command == *command),
            Body::Table { .. } | Body::House(_) | Body::Purse(_) => false,
        };
        if same && entry.actor == by.label() { Ok(true) } else { Err(HouseError::CommandReused(id.clone())) }
    }
}

/// The result of a jackpot command: the entry, and the jackpot after it.
pub(super) struct JackpotEntry {
    pub(super) entry: Entry,
    pub(super) snapshot: Option<SnapshotRow>,
    pub(super) state: Arc<Jackpot>,
}

pub(super) fn new_jackpot_entry(
    slot: &JackpotSlot,
    work: &JackpotWork,
    command: &Ask,
    by: &Actor,
    now: crate::Instant,
    sent: Option<String>,
) -> Result<JackpotEntry, baize_jackpot::Refusal> {
    let events = decide(&work.state, command)?;
    let (state, moves) = apply_events(&work.state, &slot.id, &events);
    let body = Body::Jackpot(vec![JackpotStep { command: command.clone(), events }]);
    let stream = Stream::jackpot(&slot.id);
    let mut entry = new_entry(stream, &work.head, &body, now, by, sent, None, moves.postings());
    let snapshot = of_jackpot(&state, &mut entry);
    Ok(JackpotEntry { entry, snapshot, state: Arc::new(state) })
}

/// The jackpot after these events, and the movements of money.
pub(super) fn apply_events(
    state: &Jackpot,
    id: &JackpotId,
    events: &[baize_jackpot::Event],
) -> (Jackpot, Movements) {
    let (mut state, mut moves) = (state.clone(), Movements::default());
    for event in events {
        let before = ledger::came_in(&state);
        state = evolve(state, event);
        ledger::at_jackpot(id, event, ledger::came_in(&state) - before, &mut moves);
    }
    (state, moves)
}
