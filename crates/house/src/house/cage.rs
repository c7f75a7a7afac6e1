//! The cage: chips for cash, cash for chips.

use baize_rules::Money;

use super::setting_up::needs;
use super::{Answer, House, TRIES};
use crate::facts::{Body, PurseFact};
use crate::journal::{Batch, Entry, Head, StoreError, Stream};
use crate::ledger::{self, Movements};
use crate::turn::sealed;
use crate::{Actor, CommandId, Duty, HouseError, PlayerId};

/// The most that goes over the counter at once.
const MOST: Money = Money::from_dollars(10_000_000);

impl House {
    /// Chips for cash. Answers what is in the purse then. Cage.
    ///
    /// # Errors
    /// No such player, an amount that is nothing or too large.
    pub async fn buy_in(
        &self,
        by: &Actor,
        player: &PlayerId,
        id: &CommandId,
        amount: Money,
    ) -> Answer<Money> {
        needs(by, Duty::Cage)?;
        self.at_cage(by, player, id, PurseFact::BoughtIn { amount: countable(amount)? }).await
    }

    /// Cash for chips. Answers what is left in the purse. Cage.
    ///
    /// # Errors
    /// No such player, more than his purse holds.
    pub async fn cash_out(
        &self,
        by: &Actor,
        player: &PlayerId,
        id: &CommandId,
        amount: Money,
    ) -> Answer<Money> {
        needs(by, Duty::Cage)?;
        self.at_cage(by, player, id, PurseFact::CashedOut { amount: countable(amount)? }).await
    }

    /// What is in a purse.
    ///
    /// # Errors
    /// No such player.
    pub async fn purse(&self, player: &PlayerId) -> Answer<Money> {
        if !self.inner.shown.get().players.contains_key(player) {
            return Err(HouseError::UnknownPlayer(player.clone()));
        }
        Ok(Money::from_cents(self.inner.store.balance(&ledger::purse(player)).await?))
    }

    async fn at_cage(&self, by: &Actor, player: &PlayerId, id: &CommandId, fact: PurseFact) -> Answer<Money> {
        self.purse(player).await?;
        let stream = Stream::player(player);
        let store = &self.inner.store;
        for tried in 1..=TRIES {
            if let Some(entry) = store.by_command(id.as_str()).await? {
                let same =
                    entry.stream == stream && entry.actor == by.label() && entry.body == body_text(&fact);
                return if same {
                    self.purse(player).await
                } else {
                    Err(HouseError::CommandReused(id.clone()))
                };
            }
            let head = self.head_of(&stream).await?;
            let entry = purse_entry(player, &head, &fact, by, Some(id), self.now());
            let version = entry.version;
            match store.append(Batch { entries: vec![entry], ..Batch::default() }).await {
                Ok(numbers) => {
                    self.announce(&stream, version, numbers.first().copied().unwrap_or(0), self.now());
                    return self.purse(player).await;
                }
                Err(StoreError::Conflict(_) | StoreError::CommandKnown) if tried < TRIES => {}
                Err(StoreError::Short(_)) => {
                    let has = self.purse(player).await?;
                    let needs = match fact {
                        PurseFact::PlayChipsGiven { amount }
                        | PurseFact::BoughtIn { amount }
                        | PurseFact::CashedOut { amount } => amount,
                    };
                    return Err(HouseError::Purse { player: player.clone(), has, needs });
                }
                Err(other) => return Err(other.into()),
            }
        }
        Err(HouseError::Conflict { stream: stream.to_string(), tries: TRIES })
    }

    async fn head_of(&self, stream: &Stream) -> Answer<Head> {
        let filter =
            crate::journal::EntryFilter { stream: Some(stream.clone()), limit: 1, ..Default::default() };
        Ok(self.inner.store.entries(filter).await?.first().map(Entry::head).unwrap_or_default())
    }
}

fn countable(amount: Money) -> Answer<Money> {
    if amount > Money::ZERO && amount <= MOST { Ok(amount) } else { Err(HouseError::Amount(amount)) }
}

fn body_text(fact: &PurseFact) -> String {
    crate::journal::stored::write(&Body::Purse(vec![fact.clone()]))
}

pub(crate) fn purse_entry(
    player: &PlayerId,
    head: &Head,
    fact: &PurseFact,
    by: &Actor,
    id: Option<&CommandId>,
    now: crate::Instant,
) -> Entry {
    let mut moves = Movements::default();
    ledger::at_cage(player, fact, &mut moves);
    let body = Body::Purse(vec![fact.clone()]);
    let id = id.map(ToString::to_string);
    sealed(Stream::player(player), head, &body, now, by, id, None, moves.postings())
}
