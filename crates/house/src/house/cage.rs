//! The cage: chips for cash, cash for chips, and what players owe.

use baize_rules::Money;

use super::cash_rules::CASH_REPORT;
use super::create::needs;
use super::{Answer, House, TRIES};
use crate::facts::{Body, HouseFact, PurseFact};
use crate::journal::{Batch, Entry, Head, StoreError, Stream, sabotage};
use crate::ledger::{self, Movements};
use crate::stored;
use crate::turn::sealed;
use crate::{Actor, CommandId, Date, Duty, HouseError, MoneyKind, PlayerId};

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
        self.at_cage(by, player, id, amount, |told, day| PurseFact::BoughtIn { amount, told, day }).await
    }

    /// Cash for chips. Answers what is left in the purse. Cage.
    ///
    /// # Errors
    /// No such player, more than their purse holds.
    pub async fn cash_out(
        &self,
        by: &Actor,
        player: &PlayerId,
        id: &CommandId,
        amount: Money,
    ) -> Answer<Money> {
        self.at_cage(by, player, id, amount, |told, day| PurseFact::CashedOut { amount, told, day }).await
    }

    /// A player pays what they owe, or part of it, out of their purse. Answers what is left in it. Cage.
    ///
    /// # Errors
    /// No such player, more than their purse holds or than they owe.
    pub async fn collect(
        &self,
        by: &Actor,
        player: &PlayerId,
        id: &CommandId,
        amount: Money,
    ) -> Answer<Money> {
        self.at_cage(by, player, id, amount, |told, _| PurseFact::ClaimCollected { amount, told }).await
    }

    /// What a player owes the house.
    pub async fn owed(&self, player: &PlayerId) -> Answer<Money> {
        Ok(Money::from_cents(-self.inner.store.balance(&ledger::owed(player)).await?))
    }

    /// What is in a purse.
    pub async fn purse(&self, player: &PlayerId) -> Answer<Money> {
        self.known(&Actor::player(player.clone())).await?;
        Ok(Money::from_cents(self.inner.store.balance(&ledger::purse(player)).await?))
    }

    /// Carries out what `fact` makes of the purse as it will be told. The answer is kept with it, and is the answer for ever.
    async fn at_cage(
        &self,
        by: &Actor,
        player: &PlayerId,
        id: &CommandId,
        amount: Money,
        fact: impl Fn(Option<Money>, Option<Date>) -> PurseFact,
    ) -> Answer<Money> {
        needs(by, Duty::Cage)?;
        if amount <= Money::ZERO || amount > MOST {
            return Err(HouseError::Amount(amount));
        }
        self.not_behind()?;
        self.known(&Actor::player(player.clone())).await?;
        let stream = Stream::player(player);
        for tried in 1..=TRIES {
            let before = self.done_as(id).await?;
            if let Some(entry) =
                before.filter(|_| !sabotage::is("a repeated movement of cash is not looked up"))
            {
                return self.told_before(by, player, id, &entry, &fact).await;
            }
            let head = self.head_of(&stream).await?;
            self.may_be_cashed(player, &fact(None, None)).await?;
            let has = self.purse(player).await?;
            let mut moves = Movements::default();
            ledger::at_cage(player, &fact(None, None), &mut moves);
            let moved = Money::from_cents(moves.of(&ledger::purse(player)));
            let short = HouseError::Purse { player: player.clone(), has, needs: Money::ZERO - moved };
            if has + moved < Money::ZERO {
                return Err(short);
            }
            let (told, day) = (has + moved, self.gaming_day().of(self.now()));
            let made = fact(Some(told), Some(day));
            let entry = purse_entry(player, &head, &made, by, Some(id), self.now());
            if self.is_report_due(player, day, &made).await? {
                match self.with_report(by, player, day, entry).await {
                    Err(HouseError::Conflict { .. }) if tried < TRIES => continue,
                    Err(_) if tried < TRIES && self.done_as(id).await?.is_some() => continue,
                    written => return written.map(|()| told),
                }
            }
            let version = entry.version;
            match self.append(Batch { entries: vec![entry], ..Batch::default() }).await {
                Ok(numbers) => {
                    self.announce(&stream, version, numbers.first().copied().unwrap_or(0), self.now());
                    return Ok(told);
                }
                Err(StoreError::Conflict(_) | StoreError::CommandKnown) if tried < TRIES => {}
                Err(StoreError::Short(_)) => return Err(short),
                Err(StoreError::Unknown(why)) if sabotage::is("a lost answer counts as refused") => {
                    return Err(HouseError::Unavailable(why));
                }
                Err(StoreError::Unknown(why)) => {
                    return Err(HouseError::NotKnown { id: Some(id.clone()), why });
                }
                Err(other) => return Err(other.into()),
            }
        }
        Err(HouseError::Conflict { stream: stream.to_string(), tries: TRIES })
    }

    /// Whether this movement of cash needs a cash transaction report that is not open yet.
    async fn is_report_due(&self, player: &PlayerId, day: Date, fact: &PurseFact) -> Answer<bool> {
        let (buy_in, amount) = match fact {
            PurseFact::BoughtIn { amount, .. } => (true, *amount),
            PurseFact::CashedOut { amount, .. } => (false, *amount),
            PurseFact::PlayChipsGiven { .. }
            | PurseFact::ClaimBooked { .. }
            | PurseFact::ClaimCollected { .. }
            | PurseFact::ChipsReturned { .. } => return Ok(false),
        };
        if self.inner.shown.get().cash_reports.contains(&(day, player.clone())) {
            return Ok(false);
        }
        Ok(self.cash_of(player, day).await?.reaches(buy_in, amount) >= CASH_REPORT)
    }

    /// Writes a movement together with the report that it makes due.
    async fn with_report(&self, by: &Actor, player: &PlayerId, day: Date, entry: Entry) -> Answer<()> {
        let due = HouseFact::CashReportDue { player: player.clone(), day };
        self.note_with(by, |_, _| {
            let batch = Batch { entries: vec![entry.clone()], ..Batch::default() };
            Ok((vec![due.clone()], batch))
        })
        .await
    }

    /// The answer to what was carried out before.
    async fn told_before(
        &self,
        by: &Actor,
        player: &PlayerId,
        id: &CommandId,
        entry: &Entry,
        fact: impl Fn(Option<Money>, Option<Date>) -> PurseFact,
    ) -> Answer<Money> {
        let body = stored::read(&entry.body, &entry.place())?;
        let told = match &body {
            Body::Purse(facts) => facts.iter().find_map(|fact| match fact {
                PurseFact::BoughtIn { told, day, .. } | PurseFact::CashedOut { told, day, .. } => {
                    Some((*told, *day))
                }
                PurseFact::ClaimCollected { told, .. } => Some((*told, None)),
                PurseFact::PlayChipsGiven { .. }
                | PurseFact::ClaimBooked { .. }
                | PurseFact::ChipsReturned { .. } => None,
            }),
            Body::Table { .. } | Body::Jackpot(_) | Body::House(_) => None,
        };
        let same = told.is_some_and(|(told, day)| {
            entry.stream == Stream::player(player)
                && entry.actor == by.label()
                && body == Body::Purse(vec![fact(told, day)])
        });
        match told.filter(|_| same) {
            Some((Some(told), _)) => Ok(told),
            // An entry from before answers were kept.
            Some((None, _)) => self.purse(player).await,
            None => Err(HouseError::CommandReused(id.clone())),
        }
    }

    /// Play chips are worth no cash, and a player who owes pays first.
    async fn may_be_cashed(&self, player: &PlayerId, fact: &PurseFact) -> Answer<()> {
        if self.plays_with(player).await? == MoneyKind::Practice {
            return Err(HouseError::Practice(player.clone()));
        }
        let amount = self.owed(player).await?;
        match fact {
            PurseFact::CashedOut { .. } if amount > Money::ZERO => {
                Err(HouseError::Owes { player: player.clone(), amount })
            }
            PurseFact::ClaimCollected { amount: paid, .. } if *paid > amount => {
                Err(HouseError::Amount(*paid))
            }
            PurseFact::CashedOut { .. }
            | PurseFact::ClaimCollected { .. }
            | PurseFact::BoughtIn { .. }
            | PurseFact::PlayChipsGiven { .. }
            | PurseFact::ClaimBooked { .. }
            | PurseFact::ChipsReturned { .. } => Ok(()),
        }
    }

    pub(super) async fn head_of(&self, stream: &Stream) -> Answer<Head> {
        let filter =
            crate::journal::EntryFilter { stream: Some(stream.clone()), limit: 1, ..Default::default() };
        let last = self.inner.store.entries(filter).await?.into_iter().next();
        last.iter().for_each(|entry| self.inner.clock.saw(entry.at));
        Ok(last.as_ref().map(Entry::head).unwrap_or_default())
    }
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
