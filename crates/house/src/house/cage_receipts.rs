//! What went over the counter, read back from the journal: a receipt, and a cashier's day.

use baize_rules::Money;

use super::create::needs;
use super::{Answer, House};
use crate::journal::{Entry, EntryFilter};
use crate::{Actor, CageMovement, CageReceipt, CommandId, Duty, HouseError, Instant, ledger};

/// The most movements of a list.
const MOST: u32 = 1_000;

/// How often the purse is read again while its owner plays.
const TRIES: u32 = 5;

pub(super) fn movement(entry: &Entry) -> Option<CageMovement> {
    let cash = entry.postings.iter().find(|posting| posting.account == ledger::CAGE)?.cents;
    Some(CageMovement {
        number: entry.number,
        command: entry.command.as_ref()?.parse().ok()?,
        at: entry.at,
        cashier: entry.actor.strip_prefix("staff:").unwrap_or(&entry.actor).to_owned(),
        player: entry.stream.after("player/")?.parse().ok()?,
        buy_in: cash < 0,
        amount: Money::from_cents(cash.abs()),
    })
}

impl House {
    /// The receipt of a movement at the cage, by the id of its command, with what was in the purse right after it. Cage or auditor.
    ///
    /// # Errors
    /// Not their business; `None` where no such movement is in the journal.
    pub async fn cage_receipt(&self, by: &Actor, id: &CommandId) -> Answer<Option<CageReceipt>> {
        if !by.may(Duty::Auditor) {
            needs(by, Duty::Cage)?;
        }
        let entry = self.inner.store.by_command(id.as_str()).await?;
        let Some(movement) = entry.as_ref().and_then(movement) else { return Ok(None) };
        let account = ledger::purse(&movement.player);
        for _ in 0..TRIES {
            let before = self.purse(&movement.player).await?;
            let since = self.moved_since(&account, movement.number).await?;
            // Nothing happened to the purse while its movements were read: they belong to what it holds.
            if self.purse(&movement.player).await? == before {
                return Ok(Some(CageReceipt { purse_after: before - since, movement }));
            }
        }
        Err(HouseError::Conflict { stream: account, tries: TRIES })
    }

    /// What an account got after this entry.
    async fn moved_since(&self, account: &str, number: u64) -> Answer<Money> {
        let (mut after, mut sum) = (number, Money::ZERO);
        loop {
            let filter = EntryFilter {
                account: Some(account.to_owned()),
                after: Some(after),
                limit: MOST,
                ..EntryFilter::default()
            };
            let entries = self.inner.store.entries(filter).await?;
            let own = entries.iter().flat_map(|entry| &entry.postings);
            sum += own.filter(|posting| posting.account == account).map(|p| Money::from_cents(p.cents)).sum();
            match entries.last() {
                Some(last) if entries.len() == MOST as usize => after = last.number,
                _ => return Ok(sum),
            }
        }
    }

    /// What this cashier has moved since then, the latest first, at most a thousand. Cage.
    pub async fn cage_movements(&self, by: &Actor, since: Instant) -> Answer<Vec<CageMovement>> {
        needs(by, Duty::Cage)?;
        let Some((first, _)) = self.inner.store.numbers(Some(since), None).await? else {
            return Ok(Vec::new());
        };
        let filter = EntryFilter {
            actor: Some(by.label()),
            kinds: vec!["bought-in".to_owned(), "cashed-out".to_owned()],
            from: Some(since),
            after: Some(first.saturating_sub(1)),
            limit: u32::MAX,
            ..EntryFilter::default()
        };
        let entries = self.inner.store.entries(filter).await?;
        Ok(entries.iter().rev().filter_map(movement).take(MOST as usize).collect())
    }
}
