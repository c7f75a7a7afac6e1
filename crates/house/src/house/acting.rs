//! Orders: carried out once, answered the same, and shown beforehand to whoever asks.

use super::{Answer, House};
use crate::facts::{Body, TableFact};
use crate::journal::{Entry, Head, Stream, stored};
use crate::live::LiveTable;
use crate::turn::{Asked, LinkedJackpot, Stuck, Turn};
use crate::{Actor, CommandId, HouseError, Order, Receipt, TableId};

impl House {
    /// Carries out an order. Sent twice under one id, it acts once and answers the same.
    ///
    /// # Errors
    /// The rules refuse it, the actor may not, the purse does not hold it, the database is away, the id stands for another order.
    /// Nothing has changed then; an order that was refused is judged afresh when it is sent again.
    pub async fn act(&self, actor: &Actor, table: &TableId, id: &CommandId, order: Order) -> Answer<Receipt> {
        let slot = self.table_slot(table)?;
        let asked = Asked { id, digest: order.digest() };
        let done = self.turn(&slot, actor, Some(&asked), |turn| turn.order(actor, &order)).await;
        match done {
            Ok(Some(written)) => Ok(Receipt {
                table: table.clone(),
                command: id.clone(),
                version: written.version,
                round: written.round,
                repeated: false,
            }),
            Ok(None) => Err(HouseError::NotNow("there was nothing to do")),
            Err(error) => {
                // It may have been carried out before: then it is answered as it was then.
                let judged = matches!(
                    error,
                    HouseError::Refused(_)
                        | HouseError::NotNow(_)
                        | HouseError::NotYourBox { .. }
                        | HouseError::Purse { .. }
                        | HouseError::Forbidden { .. }
                        | HouseError::Conflict { .. }
                );
                let before = if judged { self.inner.store.by_command(id.as_str()).await? } else { None };
                before.map_or(Err(error), |entry| repeated(actor, table, &asked, &entry))
            }
        }
    }

    /// What an order would lead to, in words and paragraphs, without carrying it out: for the irregularity desk.
    ///
    /// # Errors
    /// As [`House::act`].
    pub async fn preview(&self, actor: &Actor, table: &TableId, order: Order) -> Answer<Vec<String>> {
        let slot = self.table_slot(table)?;
        let shown = slot.shown.get();
        let mut shuffler = crate::shoe::Shuffler::new();
        let head = Head { version: shown.version, hash: String::new() };
        let work = slot.work.lock().await;
        let deck = work.deck.as_ref().map(|(_, deck)| deck.clone());
        drop(work);
        let mut jackpot = None;
        loop {
            let live = LiveTable::clone(&shown.live);
            let mut turn = Turn::new(live, &head, deck.clone(), jackpot.clone(), &mut shuffler, self.now());
            match turn.order(actor, &order) {
                Ok(()) => return Ok(turn.events().map(crate::words::event).collect()),
                Err(Stuck::No(error)) => return Err(error),
                Err(Stuck::NeedsJackpot) if jackpot.is_some() => {
                    return Err(HouseError::NotNow("this table is linked to no jackpot"));
                }
                Err(Stuck::NeedsJackpot) => jackpot = Some(self.linked_for_preview(&shown.live)?),
            }
        }
    }

    fn linked_for_preview(&self, live: &LiveTable) -> Answer<LinkedJackpot> {
        let id =
            live.config.jackpot.as_ref().ok_or(HouseError::NotNow("this table is linked to no jackpot"))?;
        let shown = self.jackpot_slot(id)?.shown.get();
        let head = Head { version: shown.version, hash: String::new() };
        Ok(LinkedJackpot { id: id.clone(), state: shown.state.clone(), head, changed: false })
    }
}

/// The answer to an order that was carried out before.
fn repeated(actor: &Actor, table: &TableId, asked: &Asked<'_>, entry: &Entry) -> Answer<Receipt> {
    let reused = || Err(HouseError::CommandReused(asked.id.clone()));
    if entry.stream != Stream::table(table) || entry.actor != actor.label() {
        return reused();
    }
    let round = match stored::read(&entry.body, &entry.place())? {
        // An entry from before digests were kept is taken at its id's word.
        Body::Table { order: Some(order), .. } if order != asked.digest => return reused(),
        Body::Table { round, steps, .. } => steps
            .iter()
            .flat_map(|step| &step.facts)
            .filter_map(TableFact::opened)
            .next_back()
            .unwrap_or(round),
        Body::Jackpot(_) | Body::House(_) | Body::Purse(_) => 0,
    };
    Ok(Receipt {
        table: table.clone(),
        command: asked.id.clone(),
        version: entry.version,
        round,
        repeated: true,
    })
}
