//! The parameters of a jackpot: one person proposes others, a second one approves, and they wait for the next hit of the top award.

use std::sync::Arc;

use baize_jackpot::{Change, Command as Ask, Jackpot, Parameters, Person, decide, evolve};

use super::create::needs;
use super::jackpots::person;
use super::{Answer, House, TRIES};
use crate::facts::{Body, JackpotStep};
use crate::journal::{Batch, Entry, SnapshotRow, Stream};
use crate::ledger::{self, Movements};
use crate::memory::{JackpotSlot, JackpotWork};
use crate::snapshots::of_jackpot;
use crate::stored;
use crate::turn::sealed;
use crate::{Actor, Duty, HouseError, JackpotId};

impl House {
    /// The parameters of a jackpot, and a change of them that is proposed or approved. Pit Supervisor or above, and auditors.
    ///
    /// # Errors
    /// Not their business, or no such jackpot.
    pub fn jackpot_parameters(
        &self,
        by: &Actor,
        jackpot: &JackpotId,
    ) -> Answer<(Parameters, Option<Change>)> {
        if !by.may(Duty::Auditor) {
            needs(by, Duty::PitSupervisor)?;
        }
        let state = &self.jackpot_slot(jackpot)?.shown.get().state;
        Ok((state.parameters.clone(), state.change.clone()))
    }

    /// Proposes other parameters. Pit Manager or above. The wager stays: it is displayed at the linked tables.
    ///
    /// # Errors
    /// Figures that do not fit, or a change that waits already.
    pub async fn propose_change(
        &self,
        by: &Actor,
        jackpot: &JackpotId,
        parameters: Parameters,
    ) -> Answer<()> {
        needs(by, Duty::PitManager)?;
        let now = self.jackpot_slot(jackpot)?.shown.get().state.parameters.clone();
        if parameters.wager != now.wager {
            return Err(HouseError::SetUp(format!(
                "the jackpot wager of {} is displayed at the linked tables and stays; for another, set up another jackpot",
                now.wager
            )));
        }
        if parameters == now {
            return Err(HouseError::NotNow("those are the parameters already"));
        }
        self.ask_jackpot(by, jackpot, |by| Ask::ProposeChange { parameters: parameters.clone(), by }).await
    }

    /// Approves what another person has proposed. Shift Manager or above. The two must be two persons:
    /// neither brought the other into the house, and no third person brought both within a day.
    ///
    /// # Errors
    /// Nothing is proposed, or by the same person, or hits are pending.
    pub async fn approve_change(&self, by: &Actor, jackpot: &JackpotId) -> Answer<()> {
        needs(by, Duty::ShiftManager)?;
        let shown = self.jackpot_slot(jackpot)?.shown.get();
        if let Some(change) = &shown.state.change {
            self.apart(by, &change.proposed_by, "approves the change").await?;
        }
        self.ask_jackpot(by, jackpot, |by| Ask::ApproveChange { by }).await
    }

    /// Takes back a change that is proposed, or approved and waiting. Pit Manager or above.
    ///
    /// # Errors
    /// Nothing is proposed.
    pub async fn withdraw_change(&self, by: &Actor, jackpot: &JackpotId) -> Answer<()> {
        needs(by, Duty::PitManager)?;
        self.ask_jackpot(by, jackpot, |by| Ask::WithdrawChange { by }).await
    }

    /// Asks a jackpot for something that no table is part of, once under an id.
    async fn ask_jackpot(&self, by: &Actor, id: &JackpotId, ask: impl Fn(Person) -> Ask) -> Answer<()> {
        let slot = self.jackpot_slot(id)?;
        let command = ask(person(by)?);
        if self.was_asked(by, &command).await? {
            return Ok(());
        }
        for _ in 0..TRIES {
            match self.try_ask(by, &slot, &command).await {
                Err(HouseError::Conflict { .. }) => {}
                // The same request may have come a second time meanwhile.
                Err(error) if !self.was_asked(by, &command).await? => return Err(error),
                Ok(()) | Err(_) => return Ok(()),
            }
        }
        Err(HouseError::Conflict { stream: Stream::jackpot(id).to_string(), tries: TRIES })
    }

    async fn try_ask(&self, by: &Actor, slot: &JackpotSlot, command: &Ask) -> Answer<()> {
        let mut work = slot.work.lock().await;
        self.refresh_jackpot(slot, &mut work).await?;
        let refused = |why: String| HouseError::Jackpot { jackpot: slot.id.clone(), why };
        if let Some(why) = &slot.shown.get().stopped {
            return Err(refused(why.clone()));
        }
        let sent = self.request.id.as_ref().map(ToString::to_string);
        let now = self.now();
        let made =
            asked(slot, &work, command, by, now, sent).map_err(|refusal| refused(refusal.to_string()))?;
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

    /// Whether this very request was carried out before, under its id.
    pub(super) async fn was_asked(&self, by: &Actor, command: &Ask) -> Answer<bool> {
        let Some(id) = &self.request.id else { return Ok(false) };
        let Some(entry) = self.inner.store.by_command(id.as_str()).await? else { return Ok(false) };
        let same = match stored::read(&entry.body, &entry.place())? {
            Body::Jackpot(steps) => steps.iter().any(|step| step.command == *command),
            Body::Table { .. } | Body::House(_) | Body::Purse(_) => false,
        };
        if same && entry.actor == by.label() { Ok(true) } else { Err(HouseError::CommandReused(id.clone())) }
    }
}

/// What a request makes: the entry, and the jackpot after it.
pub(super) struct MadeEntry {
    pub(super) entry: Entry,
    pub(super) snapshot: Option<SnapshotRow>,
    pub(super) state: Arc<Jackpot>,
}

pub(super) fn asked(
    slot: &JackpotSlot,
    work: &JackpotWork,
    command: &Ask,
    by: &Actor,
    now: crate::Instant,
    sent: Option<String>,
) -> Result<MadeEntry, baize_jackpot::Refusal> {
    let events = decide(&work.state, command)?;
    let (state, moves) = after(&work.state, &slot.id, &events);
    let body = Body::Jackpot(vec![JackpotStep { command: command.clone(), events }]);
    let stream = Stream::jackpot(&slot.id);
    let mut entry = sealed(stream, &work.head, &body, now, by, sent, None, moves.postings());
    let snapshot = of_jackpot(&state, &mut entry);
    Ok(MadeEntry { entry, snapshot, state: Arc::new(state) })
}

/// The jackpot after these events, and what they move.
pub(super) fn after(
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
