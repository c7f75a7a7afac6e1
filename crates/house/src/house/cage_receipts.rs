//! Cage movements read from the journal: a receipt, and a cashier's day.

use baize_rules::Money;

use super::{Answer, House};
use crate::boxed;
use crate::journal::{Entry, EntryFilter};
use crate::{Actor, CageMovement, CageReceipt, CommandId, Duty, HouseError, Instant, ledger};

/// Maximum movements in a list, and entries per read.
const MAX_MOVEMENTS: u32 = 1_000;

/// Attempts to read a purse whose owner is playing.
const PURSE_READS: u32 = 5;

/// The facts that move cash.
pub(super) fn cash_kinds() -> Vec<String> {
    vec!["bought-in".to_owned(), "cashed-out".to_owned()]
}

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
    /// The receipt of a cage movement, by its command id, with the balance of the purse right after it. `None` if the journal has no such
    /// movement. Cage or auditor.
    ///
    /// # Errors
    /// Lack of duty; the purse keeps changing.
    #[boxed]
    pub async fn cage_receipt(&self, by: &Actor, id: &CommandId) -> Answer<Option<CageReceipt>> {
        by.require_or_auditor(Duty::Cage)?;
        let entry = self.inner.store.by_command(id.as_str()).await?;
        let Some(movement) = entry.as_ref().and_then(movement) else { return Ok(None) };
        let account = ledger::purse(&movement.player);
        for _ in 0..PURSE_READS {
            let before = self.purse(&movement.player).await?;
            let since = self.moved_since(&account, movement.number).await?;
            // The purse did not change while its movements were read, so they add up to this balance.
            if self.purse(&movement.player).await? == before {
                return Ok(Some(CageReceipt { purse_after: before - since, movement }));
            }
        }
        Err(HouseError::Conflict { stream: account, tries: PURSE_READS })
    }

    /// The net change of an account after this entry.
    async fn moved_since(&self, account: &str, number: u64) -> Answer<Money> {
        let (mut after, mut sum) = (number, Money::ZERO);
        loop {
            let filter = EntryFilter {
                account: Some(account.to_owned()),
                after: Some(after),
                limit: MAX_MOVEMENTS,
                ..EntryFilter::default()
            };
            let entries = self.inner.store.entries(filter).await?;
            let own = entries.iter().flat_map(|entry| &entry.postings);
            sum += own.filter(|posting| posting.account == account).map(|p| Money::from_cents(p.cents)).sum();
            match entries.last() {
                Some(last) if entries.len() == MAX_MOVEMENTS as usize => after = last.number,
                _ => return Ok(sum),
            }
        }
    }

    /// This cashier's movements since a time, latest first, at most a thousand. Cage.
    #[boxed]
    pub async fn cage_movements(&self, by: &Actor, since: Instant) -> Answer<Vec<CageMovement>> {
        by.require(Duty::Cage)?;
        let Some((first, _)) = self.inner.store.numbers(Some(since), None).await? else {
            return Ok(Vec::new());
        };
        let filter = EntryFilter {
            actor: Some(by.label()),
            kinds: cash_kinds(),
            from: Some(since),
            after: Some(first.saturating_sub(1)),
            limit: u32::MAX,
            ..EntryFilter::default()
        };
        let entries = self.inner.store.entries(filter).await?;
        Ok(entries.iter().rev().filter_map(movement).take(MAX_MOVEMENTS as usize).collect())
    }
}
