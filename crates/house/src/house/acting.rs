//! Orders: carried out once, answered the same; reports and rulings are shown beforehand to staff.

use baize_floor::SystemFault;
use baize_rules::Cites;
use baize_table::describe::joined;
use baize_table::{CardView, Command, Finished, Phase, Report, Ruling, describe};

use super::{Answer, House};
use crate::facts::{Body, TableFact};
use crate::journal::{Entry, Stream, stored};
use crate::live::LiveTable;
use crate::slots::TableSlot;
use crate::turn::{Asked, departs_from};
use crate::{Actor, CommandId, Duty, HouseError, Order, Preview, Receipt, TableId};

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
        match done {
            Ok(Some(written)) => {
                if let Some(fault) = &written.reaches {
                    self.tell_linked(&slot, fault).await?;
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
                // It may have been carried out before: then it is answered as it was then.
                let judged = matches!(
                    error,
                    HouseError::Refused(_)
                        | HouseError::NotNow(_)
                        | HouseError::NotYourBox { .. }
                        | HouseError::Purse { .. }
                        | HouseError::PurseOf { .. }
                        | HouseError::JackpotAway { .. }
                        | HouseError::Stale { .. }
                        | HouseError::Forbidden { .. }
                        | HouseError::NotAssigned(_)
                        | HouseError::Conflict { .. }
                );
                let before = if judged { self.inner.store.by_command(id.as_str()).await? } else { None };
                before.map_or(Err(error), |entry| repeated(actor, table, &asked, &entry))
            }
        }
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
            Command::Report(undisclosed(&shown.live, actor, Report { by, ..report })?)
        } else if let Command::Rule(ruling) = command {
            Command::Rule(Ruling { by, ..ruling })
        } else {
            return Err(NOT_FORESEEN);
        };
        let events = baize_table::decide(&shown.live.book, &shown.live.table, &command)?;
        // Told as the reader sees the table now: what the events would turn is not turned yet.
        let seen = baize_table::view(&shown.live.book, &shown.live.table, &actor.viewer());
        let told = events.iter().flat_map(|event| describe(&shown.live.book, event, &seen, &seen));
        Ok(Preview {
            steps: joined(told).iter().map(ToString::to_string).collect(),
            boxes: baize_table::foreseen(&shown.live.table, &events),
        })
    }
}

/// A report as it is previewed. Whether a card that he cannot see is out, and whose it is, would be told by a refusal: such a card
/// is taken to lie where the report says.
fn undisclosed(live: &LiveTable, actor: &Actor, mut report: Report) -> Answer<Report> {
    let Some(card) = report.facts.card else { return Ok(report) };
    let seen = baize_table::view(&live.book, &live.table, &live.viewer(actor));
    let boxes = seen.boxes.values().flat_map(|on_box| &on_box.cards);
    let mut open = boxes.chain(&seen.board).chain(&seen.dealer).chain(&seen.burnt);
    if open.any(|shown| *shown == CardView::Up(card)) {
        return Ok(report);
    }
    let (Phase::Play(play) | Phase::Finished(Finished { play, .. })) = &live.table.round.phase else {
        return Ok(report);
    };
    let of_dealer = report.facts.whose == Some(baize_rules::Whose::Dealer);
    let place = if of_dealer { play.dealer.first().copied() } else { play.cards_out().iter().next() };
    report.facts.card = Some(place.ok_or(HouseError::NotNow("no such card has been dealt"))?);
    Ok(report)
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
