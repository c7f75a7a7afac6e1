//! Jackpots: their views, and how staff process hits.

use std::collections::BTreeMap;

use baize_jackpot::{Command as Ask, Hit, Person};

use super::views::jackpot_notice;
use super::{Answer, House};
use crate::boxed;
use crate::facts::Body;
use crate::memory::JackpotSlot;
use crate::order::digest;
use crate::stored;
use crate::turn::SentOrder;
use crate::{
    Actor, Displayed, Duty, HitView, HouseError, JackpotId, JackpotView, MoneyKind, RoundId, TableId,
};

impl House {
    /// All jackpots, by name.
    #[boxed]
    pub async fn jackpots(&self) -> Answer<Vec<JackpotView>> {
        let register = self.inner.shown.get();
        let mut notices: BTreeMap<JackpotId, BTreeMap<TableId, Displayed>> = BTreeMap::new();
        for slot in self.table_slots() {
            let live = &slot.shown.get().live;
            if let (Some(jackpot), Some(notice)) =
                (&live.config.jackpot, jackpot_notice(&live.book, &live.table.standing))
            {
                notices.entry(jackpot.clone()).or_default().insert(slot.id.clone(), notice);
            }
        }
        let mut view = |slot: &JackpotSlot| {
            let of = view(slot, register.money_of_jackpot(&slot.id));
            JackpotView { notices: notices.remove(&slot.id).unwrap_or_default(), ..of }
        };
        Ok(self.jackpot_slots().iter().map(|slot| view(slot)).collect())
    }

    /// Verifies that the hand of a hit qualifies. Pit Supervisor or above.
    ///
    /// # Errors
    /// No such hit; nothing to verify.
    #[boxed]
    pub async fn verify_hit(&self, by: &Actor, jackpot: &JackpotId, hit: u64) -> Answer<()> {
        self.with_hit(by, jackpot, hit, |by| Ask::Verify { hit, by }).await
    }

    /// Confirms a large award as the second person. The rule of two persons applies: see `two_persons`. Pit Supervisor or above.
    ///
    /// # Errors
    /// The confirmer counts as the verifier; nothing to confirm.
    #[boxed]
    pub async fn confirm_hit(&self, by: &Actor, jackpot: &JackpotId, hit: u64) -> Answer<()> {
        let shown = self.jackpot_slot(jackpot)?.shown.get();
        if let Some(first) = shown.state.hit(hit).and_then(|hit| hit.verified_by.as_ref()) {
            self.check_two_persons(by, first, "confirms the award").await?;
        }
        self.with_hit(by, jackpot, hit, |by| Ask::Confirm { hit, by }).await
    }

    /// Rejects a hit: its locked amount is released. Pit Supervisor or above.
    ///
    /// # Errors
    /// No such hit; it has been paid.
    #[boxed]
    pub async fn reject_hit(&self, by: &Actor, jackpot: &JackpotId, hit: u64, reason: &str) -> Answer<()> {
        let reason: String = reason.chars().take(200).collect();
        self.with_hit(by, jackpot, hit, |by| Ask::Reject { hit, by, reason: reason.clone() }).await
    }

    async fn with_hit<F>(&self, by: &Actor, jackpot: &JackpotId, hit: u64, ask: F) -> Answer<()>
    where
        F: Fn(Person) -> Ask,
    {
        by.require(Duty::PitSupervisor)?;
        let person = person(by)?;
        let shown = self.jackpot_slot(jackpot)?.shown.get();
        let why = || HouseError::Jackpot { jackpot: jackpot.clone(), why: format!("there is no hit {hit}") };
        let table: TableId = shown.state.hit(hit).ok_or_else(why)?.table.parse()?;
        let slot = self.table_slot(&table)?;
        let command = ask(person);
        let id = self.request.id.as_ref();
        let sent = id.map(|id| SentOrder { id, digest: digest(&command) });
        let done = self.turn(&slot, by, sent.as_ref(), |turn| turn.ask_jackpot(by, command.clone())).await;
        if let Err(error) = done {
            // If it was carried out before, it gets its first answer.
            let Some(sent) = &sent else { return Err(error) };
            let Some(entry) = self.entry_of_command(sent.id).await? else {
                return Err(error);
            };
            let same = match stored::read(&entry.body, &entry.place())? {
                Body::Table { order, .. } => order.as_ref() == Some(&sent.digest),
                Body::Jackpot(steps) => steps.iter().any(|step| step.command == command),
                Body::House(_) | Body::Purse(_) => false,
            };
            let reused = || HouseError::CommandReused(sent.id.clone());
            return (same && entry.actor == by.label()).then_some(()).ok_or_else(reused);
        }
        // Hits of other tables may be payable now. The house pays them, not under this request's id, and the next tick retries what fails.
        if let Err(error) = self.for_request(None, None).tick().await {
            tracing::warn!(target: "baize::house", %jackpot, %error, "payments due after a hit are retried later");
        }
        Ok(())
    }
}

/// The actor as the jackpot records them.
pub(crate) fn person(by: &Actor) -> Answer<Person> {
    let name = match by {
        Actor::Staff { id, .. } => id.to_string(),
        Actor::House | Actor::Player { .. } | Actor::Public => by.label(),
    };
    Ok(Person { name, role: by.role().ok_or(HouseError::NotLoggedIn)? })
}

fn view(slot: &JackpotSlot, money: MoneyKind) -> JackpotView {
    let shown = slot.shown.get();
    let state = &shown.state;
    let limit = state.parameters.confirm_above;
    let hits = |hits: &mut dyn Iterator<Item = &Hit>| hits.filter_map(|hit| hit_view(hit, limit)).collect();
    JackpotView {
        id: slot.id.clone(),
        money,
        displayed: state.displayed(),
        wager: state.parameters.wager,
        reset: state.parameters.reset,
        tables: state.tables.keys().filter_map(|name| name.parse().ok()).collect(),
        pending: hits(&mut state.pending()),
        hits: hits(&mut state.last_hits()),
        stopped: shown.stopped.clone(),
        notices: BTreeMap::new(),
        version: shown.version,
    }
}

fn hit_view(hit: &Hit, limit: baize_rules::Money) -> Option<HitView> {
    Some(HitView {
        number: hit.id,
        round: RoundId { table: hit.table.parse().ok()?, number: u32::try_from(hit.round).ok()? },
        seat: hit.claim.seat,
        award: hit.award.clone(),
        top: hit.top,
        amount: hit.amount(),
        state: (&hit.state).into(),
        verified_by: hit.verified_by.as_ref().map(|person| person.name.clone()),
        confirmed_by: hit.confirmed_by.as_ref().map(|person| person.name.clone()),
        needs_confirmation: hit.is_pending() && hit.amount() > limit && hit.confirmed_by.is_none(),
    })
}
