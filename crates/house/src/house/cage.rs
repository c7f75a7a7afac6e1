//! The cage: buy-ins, cash-outs and the collection of debts.

use baize_rules::Money;

use super::cash_rules::CASH_REPORT;
use super::{Answer, House, MAX_ATTEMPTS};
use crate::boxed;
use crate::facts::{Body, HouseFact, PurseFact};
use crate::journal::{Batch, Entry, Head, StoreError, Stream, sabotage};
use crate::ledger::{self, Movements};
use crate::stored;
use crate::turn::new_entry;
use crate::{Actor, CommandId, Date, Duty, HouseError, MoneyKind, PlayerId};

/// Maximum amount of one movement.
const MAX_AMOUNT: Money = Money::from_dollars(10_000_000);

impl House {
    /// Sells chips for cash. Returns the new balance of the purse. Cage.
    ///
    /// # Errors
    /// No such player; an amount that is zero or too large.
    #[boxed]
    pub async fn buy_in(
        &self,
        by: &Actor,
        player: &PlayerId,
        id: &CommandId,
        amount: Money,
    ) -> Answer<Money> {
        self.move_cash(by, player, id, amount, |told, day| PurseFact::BoughtIn { amount, told, day }).await
    }

    /// Redeems chips for cash. Returns the new balance of the purse. Cage.
    ///
    /// # Errors
    /// No such player; more than their purse holds.
    #[boxed]
    pub async fn cash_out(
        &self,
        by: &Actor,
        player: &PlayerId,
        id: &CommandId,
        amount: Money,
    ) -> Answer<Money> {
        self.move_cash(by, player, id, amount, |told, day| PurseFact::CashedOut { amount, told, day }).await
    }

    /// Collects all or part of a player's debt from their purse. Returns the new balance. Cage.
    ///
    /// # Errors
    /// No such player; more than their purse holds or than they owe.
    #[boxed]
    pub async fn collect(
        &self,
        by: &Actor,
        player: &PlayerId,
        id: &CommandId,
        amount: Money,
    ) -> Answer<Money> {
        self.move_cash(by, player, id, amount, |told, _| PurseFact::ClaimCollected { amount, told }).await
    }

    /// What a player owes the house.
    #[boxed]
    pub async fn owed(&self, player: &PlayerId) -> Answer<Money> {
        Ok(Money::from_cents(-self.inner.store.balance(&ledger::owed(player)).await?))
    }

    /// The balance of a purse.
    #[boxed]
    pub async fn purse(&self, player: &PlayerId) -> Answer<Money> {
        self.find_account(&Actor::player(player.clone())).await?;
        Ok(Money::from_cents(self.inner.store.balance(&ledger::purse(player)).await?))
    }

    /// Records a movement of a purse. `fact` gets the new balance and the gaming day; both are recorded, and a repeated request gets the
    /// same answer.
    async fn move_cash(
        &self,
        by: &Actor,
        player: &PlayerId,
        id: &CommandId,
        amount: Money,
        fact: impl Fn(Option<Money>, Option<Date>) -> PurseFact,
    ) -> Answer<Money> {
        by.require(Duty::Cage)?;
        if amount <= Money::ZERO || amount > MAX_AMOUNT {
            return Err(HouseError::Amount(amount));
        }
        self.not_behind()?;
        self.find_account(&Actor::player(player.clone())).await?;
        let stream = Stream::player(player);
        for tried in 1..=MAX_ATTEMPTS {
            let before = self.entry_of_command(id).await?;
            if let Some(entry) =
                before.filter(|_| !sabotage::is("a repeated movement of cash is not looked up"))
            {
                return self.first_answer(by, player, id, &entry, &fact).await;
            }
            let head = self.head_of(&stream).await?;
            self.check_cashable(player, &fact(None, None)).await?;
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
                match self.append_with_report(by, player, day, entry).await {
                    Err(HouseError::Conflict { .. }) if tried < MAX_ATTEMPTS => continue,
                    Err(_) if tried < MAX_ATTEMPTS && self.entry_of_command(id).await?.is_some() => continue,
                    written => return written.map(|()| told),
                }
            }
            let version = entry.version;
            match self.append(Batch { entries: vec![entry], ..Batch::default() }).await {
                Ok(numbers) => {
                    self.announce(&stream, version, numbers.first().copied().unwrap_or(0), self.now());
                    return Ok(told);
                }
                Err(StoreError::Conflict(_) | StoreError::CommandKnown) if tried < MAX_ATTEMPTS => {}
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
        Err(HouseError::Conflict { stream: stream.to_string(), tries: MAX_ATTEMPTS })
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
    async fn append_with_report(&self, by: &Actor, player: &PlayerId, day: Date, entry: Entry) -> Answer<()> {
        let due = HouseFact::CashReportDue { player: player.clone(), day };
        self.append_facts_with(by, |_, _| {
            let batch = Batch { entries: vec![entry.clone()], ..Batch::default() };
            Ok((vec![due.clone()], batch))
        })
        .await
    }

    /// The answer to a request that was carried out before.
    async fn first_answer(
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
            // Entries of older programs do not have the answer.
            Some((None, _)) => self.purse(player).await,
            None => Err(HouseError::CommandReused(id.clone())),
        }
    }

    /// Refuses movements of play chips, cash-outs of players who owe, and collecting more than is owed.
    async fn check_cashable(&self, player: &PlayerId, fact: &PurseFact) -> Answer<()> {
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
        last.iter().for_each(|entry| self.inner.clock.observe(entry.at));
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
    new_entry(Stream::player(player), head, &body, now, by, id, None, moves.postings())
}
