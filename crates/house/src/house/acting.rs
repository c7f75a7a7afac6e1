//! Orders: carried out once, answered the same; reports and rulings are shown beforehand to staff.

use baize_floor::{HouseBar, SystemFault};
use baize_rules::Cites;
use baize_table::describe::joined;
use baize_table::{Command, Event, Report, Ruling, describe};

use super::blind::{Judged, Worlds};
use super::{Answer, House};
use crate::facts::{Body, HouseFact, TableFact};
use crate::journal::{Entry, StoreError, Stream, stored};
use crate::slots::TableSlot;
use crate::turn::{Asked, Turn, departs_from};
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

    /// As [`House::act`], only while the table is at the version that the sender saw. Whoever was faster, on any host, is not overtaken.
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
        let slot = self.table_slot(table)?;
        let asked = Asked { id, digest: order.digest() };
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
                if let Some(fault) = &written.reaches {
                    self.tell_linked(&slot, fault).await?;
                }
                self.bar_everywhere(&slot, &written.bars).await?;
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
                let before = if settled { self.done_as(id).await? } else { None };
                before.map_or(Err(error), |entry| repeated(actor, table, &asked, &entry))
            }
        }
    }

    /// Notes that somebody asked for what only hidden cards could tell. Again and again within an hour is a significant event.
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

    /// Bars from further play hold in the whole house until a Shift Manager lifts them (MBS 5.9, I-16).
    async fn bar_everywhere(&self, slot: &TableSlot, bars: &[HouseBar]) -> Answer<()> {
        for other in self.table_slots().iter().filter(|other| other.id != slot.id && !bars.is_empty()) {
            let plan = |turn: &mut Turn<'_>| {
                bars.iter().for_each(|bar| turn.bar(bar));
                Ok(())
            };
            match self.turn(other, &Actor::House, None, plan).await {
                // A halted table takes no wagers anyway.
                Ok(_) | Err(HouseError::Corrupt(_)) => {}
                Err(other) => return Err(other),
            }
        }
        Ok(())
    }

    /// A fault of the whole jackpot system is told to every other table of the jackpot (RH 5.16, 5.17; RS 5.17, 5.18).
    async fn tell_linked(&self, slot: &TableSlot, fault: &SystemFault) -> Answer<()> {
        let Some(jackpot) = slot.shown.get().live.config.jackpot.clone() else { return Ok(()) };
        let linked = self.jackpot_slot(&jackpot)?.shown.get();
        let others = linked.state.tables.keys().filter_map(|name| name.parse::<TableId>().ok());
        for other in others.filter(|other| *other != slot.id) {
            let other = self.table_slot(&other)?;
            match self.turn(&other, &Actor::House, None, |turn| turn.tell_fault(fault)).await {
                // A table that cannot be concerned, or is halted, goes on as it is.
                Ok(_) | Err(HouseError::Refused(_) | HouseError::Corrupt(_)) => {}
                Err(other) => return Err(other),
            }
        }
        Ok(())
    }

    /// What a report or a ruling would lead to by itself, in words and paragraphs, without carrying it out: for the irregularity desk.
    ///
    /// It is told from what lies open. No card is drawn or turned and nothing is settled, so that nobody learns from a preview what his
    /// view does not tell him.
    ///
    /// # Errors
    /// As [`House::act`]; any other order, anybody but staff of the floor.
    pub async fn preview(&self, actor: &Actor, table: &TableId, order: Order) -> Answer<Preview> {
        let slot = self.table_slot(table)?;
        let (Actor::Staff { .. }, Some(by)) = (actor, actor.as_staff()) else {
            return Err(HouseError::Forbidden { needs: Duty::Dealer, cites: Cites::NONE });
        };
        let shown = slot.shown.get();
        shown.live.dealt_by(actor)?;
        let Order::Table { command } = order else { return Err(NOT_FORESEEN) };
        let command = if let Command::Report(report) = command {
            Command::Report(Report { by, ..report })
        } else if let Command::Rule(ruling) = command {
            Command::Rule(Ruling { by, ..ruling })
        } else {
            return Err(NOT_FORESEEN);
        };
        let (book, table) = (&shown.live.book, &shown.live.table);
        // Told as the reader sees the table now: what the events would turn is not turned yet.
        let seen = baize_table::view(book, table, &shown.live.viewer(actor));
        let preview = |events: &Vec<Event>| {
            let told = events.iter().flat_map(|event| describe(book, event, &seen, &seen));
            let steps = joined(told).iter().map(ToString::to_string).collect();
            Preview { steps, boxes: baize_table::foreseen(table, events) }
        };
        let mut foreseen: Vec<Preview> =
            match Worlds::new(book, table, &shown.live.viewer(actor)).judge(&command) {
                Judged::Open => vec![preview(&baize_table::decide(book, table, &command)?)],
                Judged::Refused(refusal) => return Err(refusal.into()),
                Judged::Hidden(..) if shown.live.computer_deals() => return Err(HouseError::Hidden),
                Judged::Accepted(events) | Judged::Hidden(events, _) => events.iter().map(preview).collect(),
            };
        foreseen.dedup();
        match (foreseen.pop(), foreseen.is_empty()) {
            (Some(one), true) => Ok(one),
            (Some(_), false) => Ok(Preview { steps: vec![DEPENDS.to_owned()], ..preview(&Vec::new()) }),
            (None, _) => Err(HouseError::Hidden),
        }
    }
}

/// The answer to an order that was carried out before.
fn repeated(actor: &Actor, table: &TableId, asked: &Asked<'_>, entry: &Entry) -> Answer<Receipt> {
    let reused = || Err(HouseError::CommandReused(asked.id.clone()));
    if entry.stream != Stream::table(table) || entry.actor != actor.label() {
        return reused();
    }
    let (round, departs_from) = match stored::read(&entry.body, &entry.place())? {
        // An entry from before digests were kept is taken at its id's word.
        Body::Table { order: Some(order), .. } if order != asked.digest => return reused(),
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
