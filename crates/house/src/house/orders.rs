//! Orders: carried out once, answered the same; reports and rulings are shown beforehand to staff.

use baize_rules::Cites;
use baize_table::describe::joined;
use baize_table::{Command, Event, Report, Ruling, describe};
use tracing::Instrument as _;

use super::hidden_cards::{Judged, Worlds};
use super::{Answer, House};
use crate::facts::{Body, HouseFact, TableFact};
use crate::journal::{Entry, StoreError, Stream, sabotage};
use crate::live_table::LiveTable;
use crate::memory::TableSlot;
use crate::stored;
use crate::turn::{SentOrder, departs_from};
use crate::{Actor, CommandId, Duty, HouseError, Order, Preview, Receipt, TableId};

/// Thousandths of a second in which attempts are counted together.
const AN_HOUR: u64 = 3_600_000;

/// What is foreseen where it is another thing with other hidden cards.
const DEPENDS: &str = "What comes of it depends on cards that do not lie open.";

const NOT_FORESEEN: HouseError = HouseError::NotNow("only reports and rulings are shown beforehand");

impl House {
    /// Carries out an order. Sent twice under one id, it acts once and answers the same.
    ///
    /// # Errors
    /// The rules refuse it, the actor may not, the purse does not hold it, the database is away, the id stands for another order.
    /// Nothing has changed then; an order that was refused is judged afresh when it is sent again.
    pub async fn act(&self, actor: &Actor, table: &TableId, id: &CommandId, order: Order) -> Answer<Receipt> {
        self.act_at(actor, table, id, order, None).await
    }

    /// As [`House::act`], only while the table is at the version that the sender saw, on any host.
    ///
    /// # Errors
    /// As [`House::act`]; the table has gone on ([`HouseError::Stale`]).
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
        self.inner.measures.order(outcome, began.elapsed());
        // What the order says stays out: it may be cards.
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
        let asked = SentOrder { id, digest: crate::order::digest(&order) };
        if let Some(player) = actor.as_player() {
            slot.presence.note(player, slot.shown.get().version);
        }
        self.admits(&slot.shown.get().live, actor, &order).await?;
        let done = self.turn_at(&slot, actor, Some(&asked), version, |turn| turn.order(actor, &order)).await;
        if let Err(HouseError::Hidden) = done {
            self.note_attempt(actor, &slot, &order).await?;
        }
        match done {
            Ok(Some(written)) => {
                // It is on record: the clock applies it later.
                if let Err(error) = self.tell_others(&slot).await {
                    tracing::warn!(target: "baize::order", %table, %error, "other tables are told later");
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
            Ok(None) => Err(HouseError::NotNow("there was nothing to do")),
            Err(error) => {
                // It may have been carried out before, or its answer was lost: then it is answered as it was then.
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
                    self.done_as(id).await?
                } else {
                    None
                };
                before.map_or(Err(error), |entry| repeated(actor, table, &asked, &entry))
            }
        }
    }

    /// Records that an actor asked for what only hidden cards could decide. From the third time within an hour it is a significant event.
    async fn note_attempt(&self, actor: &Actor, slot: &TableSlot, order: &Order) -> Answer<()> {
        let (by, now) = (actor.label(), self.now());
        let round = slot.shown.get().live.table.round.number;
        let noting = self.for_request(None, self.request.address);
        let noted = noting.note(&Actor::House, |register| {
            let before = register.attempts.get(&by).filter(|(since, _)| now.since(*since) < AN_HOUR);
            let (since, count) = before.map_or((now, 1), |(since, count)| (*since, count + 1));
            let (table, by, what) = (slot.id.clone(), by.clone(), order.name());
            Ok(vec![HouseFact::AttemptNoted { table, round, by, what, since, count }])
        });
        noted.await
    }

    /// The entry that answers the request of this id, if there is one. Where that cannot be looked up nothing is said of its fate.
    pub(super) async fn done_as(&self, id: &CommandId) -> Answer<Option<Entry>> {
        match self.inner.store.by_command(id.as_str()).await {
            Err(StoreError::Away(why) | StoreError::Unknown(why)) => {
                Err(HouseError::NotKnown { id: Some(id.clone()), why })
            }
            other => Ok(other?),
        }
    }

    /// What a report or a ruling would lead to by itself, in words and paragraphs, without carrying it out: for the irregularity desk.
    ///
    /// It is told from what lies open. No card is drawn or turned and nothing is settled, so that nobody learns from a preview what theirs
    /// view does not tell them.
    ///
    /// # Errors
    /// As [`House::act`]; any other order, anybody but staff of the floor.
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
    let Order::Table { command } = order.clone() else { return Err(NOT_FORESEEN) };
    let command = if let Command::Report(report) = command {
        let mut report = Report { by, ..report };
        live.reconstructs(&mut report);
        Command::Report(report)
    } else if let Command::Rule(ruling) = command {
        Command::Rule(Ruling { by, ..ruling })
    } else {
        return Err(NOT_FORESEEN);
    };
    let (book, table) = (&live.book, &live.table);
    // Told as the reader sees the table now: what the events would turn is not turned yet.
    let seen = baize_table::view(book, table, &live.viewer(actor));
    let preview = |events: &Vec<Event>| {
        let told = events.iter().flat_map(|event| describe(book, event, &seen, &seen));
        let steps = joined(told).iter().map(ToString::to_string).collect();
        Preview { steps, boxes: baize_table::foreseen(table, events) }
    };
    let mut foreseen: Vec<Preview> = match Worlds::new(book, table, &live.viewer(actor)).judge(&command) {
        Judged::Open => vec![preview(&baize_table::decide(book, table, &command)?)],
        Judged::Refused(refusal) => return Err(refusal.into()),
        Judged::Hidden(..) if live.computer_deals() => return Err(HouseError::Hidden),
        Judged::Accepted(events) | Judged::Hidden(events, _) => events.iter().map(preview).collect(),
    };
    foreseen.dedup();
    match (foreseen.pop(), foreseen.is_empty()) {
        (Some(one), true) => Ok(one),
        (Some(_), false) => Ok(Preview { steps: vec![DEPENDS.to_owned()], ..preview(&Vec::new()) }),
        (None, _) => Err(HouseError::Hidden),
    }
}

/// The answer to an order that was carried out before.
fn repeated(actor: &Actor, table: &TableId, asked: &SentOrder<'_>, entry: &Entry) -> Answer<Receipt> {
    let reused = || Err(HouseError::CommandReused(asked.id.clone()));
    if entry.stream != Stream::table(table) || entry.actor != actor.label() {
        return reused();
    }
    let (round, departs_from) = match stored::read(&entry.body, &entry.place())? {
        // An entry from before digests were kept is taken at its id's word.
        Body::Table { order: Some(order), .. }
            if order != asked.digest && !sabotage::is("an id stands for any order") =>
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
        command: asked.id.clone(),
        version: entry.version,
        round,
        departs_from,
        repeated: true,
    })
}
