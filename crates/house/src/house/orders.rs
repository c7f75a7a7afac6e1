//! Orders: each acts once and gets the same answer when repeated. Previews of reports and rulings for staff.

use baize_rules::Cites;
use baize_table::describe::joined;
use baize_table::{Command, Event, Report, Ruling, describe};
use tracing::Instrument as _;

use super::hidden_cards::{Judged, StandIns};
use super::{Answer, House};
use crate::boxed;
use crate::facts::{Body, HouseFact, TableFact};
use crate::journal::{Entry, StoreError, Stream, sabotage};
use crate::live_table::LiveTable;
use crate::memory::TableSlot;
use crate::stored;
use crate::turn::{SentOrder, departs_from};
use crate::{Actor, CommandId, Duty, HouseError, Order, Preview, Receipt, TableId};

/// Period over which attempts are counted, in milliseconds.
const HOUR_MS: u64 = 3_600_000;

/// The preview if the consequences differ between stand-in tables.
const DEPENDS_ON_HIDDEN: &str = "The consequences depend on cards that are not face up.";

const NO_PREVIEW: HouseError = HouseError::NotNow("only reports and rulings have a preview");

impl House {
    /// Carries out an order. Sent twice under one id, it acts once and gets the same answer.
    ///
    /// # Errors
    /// The rules refuse it, the actor lacks the duty, the purse is too short, the database is not available, the id was used for another
    /// order. Nothing has changed then; a refused order that is sent again is judged again.
    #[boxed]
    pub async fn act(&self, actor: &Actor, table: &TableId, id: &CommandId, order: Order) -> Answer<Receipt> {
        self.act_at(actor, table, id, order, None).await
    }

    /// As [`House::act`], but only if the table still has the version that the sender saw, on any host.
    ///
    /// # Errors
    /// As [`House::act`]; the table has changed ([`HouseError::Stale`]).
    #[boxed]
    pub async fn act_at(
        &self,
        actor: &Actor,
        table: &TableId,
        id: &CommandId,
        order: Order,
        version: Option<u64>,
    ) -> Answer<Receipt> {
        let began = std::time::Instant::now();
        let (who, what) = (actor.label(), order.kind());
        let span = tracing::info_span!(target: "baize::order", "order", command = %id, %table);
        let answer = self.carry_out(actor, table, id, order, version).instrument(span).await;
        let outcome = answer.as_ref().map_or_else(HouseError::code, |_| "done");
        self.inner.metrics.order(outcome, began.elapsed());
        // The order's contents are not logged: they may be cards.
        let ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        tracing::info!(target: "baize::order", %table, who, what, outcome, ms, "order");
        answer
    }

    async fn carry_out(
        &self,
        actor: &Actor,
        table: &TableId,
        id: &CommandId,
        order: Order,
        version: Option<u64>,
    ) -> Answer<Receipt> {
        let slot = self.table_slot(table)?;
        let sent = SentOrder { id, digest: crate::order::digest(&order) };
        if let Some(player) = actor.as_player() {
            slot.presence.note(player, slot.shown.get().version);
        }
        self.check_people(&slot.shown.get().live, actor, &order).await?;
        let done = self
            .turn_at(&slot, actor, Some(&sent), version, Box::new(|turn| turn.order(actor, &order)))
            .await;
        if let Err(HouseError::Hidden) = done {
            self.note_attempt(actor, &slot, &order).await?;
        }
        match done {
            Ok(Some(written)) => {
                // The ruling is on record as pending: a later tick applies it.
                if let Err(error) = self.apply_pending(&slot).await {
                    tracing::warn!(target: "baize::order", %table, %error, "the ruling is applied to other tables later");
                }
                Ok(Receipt {
                    table: table.clone(),
                    command: id.clone(),
                    version: written.version,
                    round: written.round,
                    departs_from: written.departs_from,
                    repeated: false,
                })
            }
            Ok(None) => Err(HouseError::NotNow("there is nothing to do")),
            Err(error) => {
                // If it was carried out before, or its answer was lost, it gets its first answer.
                let settled = matches!(
                    error,
                    HouseError::Refused(_)
                        | HouseError::Hidden
                        | HouseError::NotNow(_)
                        | HouseError::NotYourBox { .. }
                        | HouseError::Chip { .. }
                        | HouseError::Purse { .. }
                        | HouseError::PurseOf { .. }
                        | HouseError::JackpotAway { .. }
                        | HouseError::Stale { .. }
                        | HouseError::Forbidden { .. }
                        | HouseError::NotAssigned(_)
                        | HouseError::Conflict { .. }
                        | HouseError::Unavailable(_)
                        | HouseError::NotKnown { .. }
                );
                let before = if settled && !sabotage::is("a repeated order is not looked up") {
                    self.entry_of_command(id).await?
                } else {
                    None
                };
                before.map_or(Err(error), |entry| repeated_receipt(actor, table, &sent, &entry))
            }
        }
    }

    /// Records an attempt to learn hidden cards. From the third within an hour it is a significant event.
    async fn note_attempt(&self, actor: &Actor, slot: &TableSlot, order: &Order) -> Answer<()> {
        let (by, now) = (actor.label(), self.now());
        let round = slot.shown.get().live.table.round.number;
        let noting = self.for_request(None, self.request.address);
        let noted = noting.append_facts(&Actor::House, |register| {
            let before = register.attempts.get(&by).filter(|(since, _)| now.since(*since) < HOUR_MS);
            let (since, count) = before.map_or((now, 1), |(since, count)| (*since, count + 1));
            let (table, by, what) = (slot.id.clone(), by.clone(), order.name());
            Ok(vec![HouseFact::AttemptNoted { table, round, by, what, since, count }])
        });
        noted.await
    }

    /// The entry that answers the request with this id, if there is one. [`HouseError::NotKnown`] if it cannot be looked up.
    pub(super) async fn entry_of_command(&self, id: &CommandId) -> Answer<Option<Entry>> {
        match self.inner.store.by_command(id.as_str()).await {
            Err(StoreError::Away(why) | StoreError::Unknown(why)) => {
                Err(HouseError::NotKnown { id: Some(id.clone()), why })
            }
            other => Ok(other?),
        }
    }

    /// The consequences of a report or ruling, in words and paragraphs, without carrying it out; for floor staff.
    ///
    /// It is derived from the visible cards. No card is drawn or turned and nothing is settled, so a preview reveals nothing that the
    /// actor's view does not show.
    ///
    /// # Errors
    /// As [`House::act`]; any other order; anyone but floor staff.
    #[boxed]
    pub async fn preview(&self, actor: &Actor, table: &TableId, order: Order) -> Answer<Preview> {
        let slot = self.table_slot(table)?;
        let foreseen = foresee(&slot.shown.get().live, actor, &order);
        if let Err(HouseError::Hidden) = foreseen {
            self.note_attempt(actor, &slot, &order).await?;
        }
        foreseen
    }
}

/// The consequences of a report or a ruling at this table.
fn foresee(live: &LiveTable, actor: &Actor, order: &Order) -> Answer<Preview> {
    let (Actor::Staff { .. }, Some(by)) = (actor, actor.as_staff()) else {
        return Err(HouseError::Forbidden { needs: Duty::Dealer, cites: Cites::NONE });
    };
    live.dealt_by(actor)?;
    let Order::Table { command } = order.clone() else { return Err(NO_PREVIEW) };
    let command = if let Command::Report(report) = command {
        let mut report = Report { by, ..report };
        live.reconstructs(&mut report);
        Command::Report(report)
    } else if let Command::Rule(ruling) = command {
        Command::Rule(Ruling { by, ..ruling })
    } else {
        return Err(NO_PREVIEW);
    };
    let (book, table) = (&live.book, &live.table);
    // Described for the actor's present view: cards that the events would turn are still face down.
    let seen = baize_table::view(book, table, &live.viewer(actor));
    let preview = |events: &Vec<Event>| {
        let told = events.iter().flat_map(|event| describe(book, event, &seen, &seen));
        let steps = joined(told).iter().map(ToString::to_string).collect();
        Preview { steps, boxes: baize_table::foreseen(table, events) }
    };
    let mut foreseen: Vec<Preview> = match StandIns::new(book, table, &live.viewer(actor)).judge(&command) {
        Judged::AllVisible => vec![preview(&baize_table::decide(book, table, &command)?)],
        Judged::Refused(refusal) => return Err(refusal.into()),
        Judged::Hidden(..) if live.computer_deals() => return Err(HouseError::Hidden),
        Judged::Accepted(events) | Judged::Hidden(events, _) => events.iter().map(preview).collect(),
    };
    foreseen.dedup();
    match (foreseen.pop(), foreseen.is_empty()) {
        (Some(one), true) => Ok(one),
        (Some(_), false) => Ok(Preview { steps: vec![DEPENDS_ON_HIDDEN.to_owned()], ..preview(&Vec::new()) }),
        (None, _) => Err(HouseError::Hidden),
    }
}

/// The answer to an order that was already carried out.
fn repeated_receipt(actor: &Actor, table: &TableId, sent: &SentOrder<'_>, entry: &Entry) -> Answer<Receipt> {
    let reused = || Err(HouseError::CommandReused(sent.id.clone()));
    if entry.stream != Stream::table(table) || entry.actor != actor.label() {
        return reused();
    }
    let (round, departs_from) = match stored::read(&entry.body, &entry.place())? {
        // Entries of older programs have no digest: the id alone decides.
        Body::Table { order: Some(order), .. }
            if order != sent.digest && !sabotage::is("an id stands for any order") =>
        {
            return reused();
        }
        Body::Table { round, steps, .. } => {
            let opened = steps.iter().flat_map(|step| &step.facts).filter_map(TableFact::opened).next_back();
            (opened.unwrap_or(round), departs_from(&steps))
        }
        Body::Jackpot(_) | Body::House(_) | Body::Purse(_) => (0, Cites::NONE),
    };
    Ok(Receipt {
        table: table.clone(),
        command: sent.id.clone(),
        version: entry.version,
        round,
        departs_from,
        repeated: true,
    })
}
