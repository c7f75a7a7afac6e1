//! What a round and its jackpot tell each other.

use baize_jackpot::{Command as Ask, Event as Said, HitState, Jackpot, Person, Wager, evolve};
use baize_rules::{Area, Role};
use baize_table::{Command, Event, JackpotPayment, OpenPoint, Outcome, Phase, ResultKind, RulingKind};

use super::{Stuck, Turn};
use crate::facts::{JackpotStep, TableFact};
use crate::journal::Head;
use crate::ledger;
use crate::{Actor, HouseError, JackpotId};

/// A jackpot as a turn works on it.
#[derive(Debug, Clone)]
pub(crate) struct LinkedJackpot {
    pub(crate) id: JackpotId,
    pub(crate) state: Jackpot,
    pub(crate) head: Head,
    pub(crate) changed: bool,
}

/// The house itself, where the computer dealt and there is nothing to doubt.
fn computer() -> Person {
    Person { name: "house".to_owned(), role: Role::PitSupervisor }
}

impl Turn<'_> {
    /// Jackpot wagers are taken only at a linked table, while the jackpot is in play.
    pub(super) fn jackpot_open(&mut self) -> Result<(), Stuck> {
        let Some(id) = self.live.config.jackpot.clone() else {
            return Err(Stuck::No(HouseError::NotNow(
                "this table is linked to no jackpot: no jackpot wagers are taken",
            )));
        };
        let name = self.live.id.to_string();
        let jackpot = self.jackpot.as_ref().ok_or(Stuck::NeedsJackpot)?;
        let away = |why: String| Stuck::No(HouseError::JackpotAway { jackpot: id.clone(), why });
        if let Err(imbalance) = jackpot.state.reconcile() {
            return Err(away(imbalance.to_string()));
        }
        match jackpot.state.tables.get(&name) {
            None => Err(away("the table is not linked any more".to_owned())),
            Some(table) if table.suspended => Err(away("a fault was reported here".to_owned())),
            Some(_) => Ok(()),
        }
    }

    /// Asks the jackpot, records its answer and moves its money.
    pub(crate) fn ask(&mut self, command: Ask) -> Result<Vec<Said>, Stuck> {
        let jackpot = self.jackpot.as_mut().ok_or(Stuck::NeedsJackpot)?;
        let refused = |why: baize_jackpot::Refusal| HouseError::Jackpot {
            jackpot: jackpot.id.clone(),
            why: why.to_string(),
        };
        let events = baize_jackpot::decide(&jackpot.state, &command).map_err(refused)?;
        for event in &events {
            let before = std::mem::take(&mut jackpot.state);
            let after = evolve(before.clone(), event);
            ledger::at_jackpot(&jackpot.id, &before, event, &after, &mut self.jackpot_moves);
            jackpot.state = after;
        }
        self.jackpot_steps.push(JackpotStep { command, events: events.clone() });
        Ok(events)
    }

    /// Whether the jackpot counts wagers of this round.
    fn counted(&self) -> Result<bool, Stuck> {
        if self.live.config.jackpot.is_none() || !self.live.jackpot_wagered() {
            return Ok(false);
        }
        let jackpot = self.jackpot.as_ref().ok_or(Stuck::NeedsJackpot)?;
        let open = jackpot.state.tables.get(self.live.id.as_str()).and_then(|table| table.open.as_ref());
        Ok(open.is_some_and(|open| open.round == u64::from(self.live.table.round.number)))
    }

    /// Carries to the jackpot what has just happened at the table.
    pub(super) fn tell_jackpot(&mut self, was_over: bool, event: &Event) -> Result<(), Stuck> {
        let Some(id) = self.live.config.jackpot.clone() else { return Ok(()) };
        let (table, round) = (self.live.id.to_string(), u64::from(self.live.table.round.number));
        match event {
            Event::BetsClosed { jackpot } if !jackpot.is_empty() => {
                let wagers =
                    jackpot.iter().map(|(seat, amount)| Wager { seat: *seat, amount: *amount }).collect();
                self.with_contribution(&id, Ask::CloseBets { table, round, wagers })
            }
            Event::CardsDealt { .. } if self.counted()? => {
                let jackpot = self.jackpot.as_ref().ok_or(Stuck::NeedsJackpot)?;
                let open = jackpot.state.tables.get(&table).and_then(|table| table.open.as_ref());
                if open.is_some_and(|open| open.dealt.is_some()) {
                    return Ok(());
                }
                // The number of the jackpot's entry: no two deals have the same, and a later deal has a higher one.
                let order = jackpot.head.version + 1;
                self.ask(Ask::DealHands { table, round, order }).map(drop)
            }
            Event::JackpotFailed if self.counted()? => {
                let cites =
                    self.live.table.round.ruled.as_ref().map_or_else(Default::default, |ruled| ruled.cites);
                self.ask(Ask::ReportFault { table, round, cites }).map(drop)
            }
            Event::Ruled { ruling, .. } if ruling.kind == RulingKind::JackpotRestored => {
                let jackpot = self.jackpot.as_ref().ok_or(Stuck::NeedsJackpot)?;
                if jackpot.state.tables.get(&table).is_none_or(|table| !table.suspended) {
                    return Ok(());
                }
                let name = ruling.by.name.clone().unwrap_or_else(|| ruling.by.role.name().to_owned());
                let role = ruling.by.role.max(Role::PitManager);
                self.ask(Ask::Restore { table, by: Person { name, role } }).map(drop)
            }
            Event::RoundVoided { .. } if was_over => self.reject_hits("the round is void"),
            Event::RoundVoided { .. } if self.counted()? => {
                self.with_contribution(&id, Ask::VoidRound { table, round })
            }
            Event::RoundSettled { claims, .. } if self.counted()? => {
                let returned = self.returned();
                if !returned.is_empty() {
                    let (table, seats) = (table.clone(), returned);
                    self.with_contribution(&id, Ask::TakeOut { table, round, seats })?;
                }
                if claims.is_empty() {
                    return self.ask(Ask::EndRound { table, round }).map(drop);
                }
                self.ask(Ask::EnterClaims { table, round, claims: claims.clone() })?;
                self.verify_small_hits()
            }
            Event::RoundOpened { .. }
            | Event::WagerPlaced { .. }
            | Event::WagerWithdrawn { .. }
            | Event::WagerReturned { .. }
            | Event::BetsClosed { .. }
            | Event::CardBurnt { .. }
            | Event::CardsDealt { .. }
            | Event::HandLookedAt { .. }
            | Event::DecisionMade { .. }
            | Event::CardsRevealed { .. }
            | Event::HandShown { .. }
            | Event::HandDeclined { .. }
            | Event::PlayerAbsent { .. }
            | Event::IrregularityRuled { .. }
            | Event::RulingAwaited { .. }
            | Event::OptionsGiven { .. }
            | Event::OptionChosen { .. }
            | Event::Ruled { .. }
            | Event::HandInvalidated { .. }
            | Event::HandsMoved { .. }
            | Event::CardsShifted { .. }
            | Event::CardsTakenOff { .. }
            | Event::DealerFaceUpSet { .. }
            | Event::JackpotFailed
            | Event::RoundVoided { .. }
            | Event::RoundSettled { .. }
            | Event::SlipCorrected { .. }
            | Event::JackpotPaid { .. } => Ok(()),
        }
    }

    /// Boxes whose jackpot wager went back.
    fn returned(&self) -> Vec<u8> {
        let Phase::Finished(finished) = &self.live.table.round.phase else { return Vec::new() };
        let jackpot =
            self.jackpot.as_ref().and_then(|jackpot| jackpot.state.tables.get(self.live.id.as_str()));
        let counted = |seat: u8| {
            jackpot
                .and_then(|table| table.open.as_ref())
                .is_some_and(|open| open.contributions.iter().any(|made| made.seat == seat))
        };
        // Handed back at the settlement, or before it, when the slip has no line for it.
        let back = |slip: &&baize_table::BoxSettlement| {
            let mut lines = slip.lines.iter().filter(|line| line.area == Area::Jackpot).peekable();
            lines.peek().is_none() || lines.any(|line| line.result == ResultKind::Returned)
        };
        finished.boxes.iter().filter(back).map(|slip| slip.seat).filter(|seat| counted(*seat)).collect()
    }

    fn with_contribution(&mut self, id: &JackpotId, command: Ask) -> Result<(), Stuck> {
        let came_in = |turn: &Turn<'_>| turn.jackpot.as_ref().map(|jackpot| ledger::came_in(&jackpot.state));
        let before = came_in(self);
        self.ask(command)?;
        if let (Some(before), Some(after)) = (before, came_in(self))
            && before != after
        {
            self.record(TableFact::Contributed { jackpot: id.clone(), amount: after - before })?;
        }
        Ok(())
    }

    /// The computer dealt and ranked the hands: an award that needs no second person needs no first one either.
    fn verify_small_hits(&mut self) -> Result<(), Stuck> {
        if !self.live.computer_deals() {
            return Ok(());
        }
        let Some(jackpot) = &self.jackpot else { return Ok(()) };
        let limit = jackpot.state.parameters.confirm_above;
        let (table, round) = (self.live.id.as_str(), u64::from(self.live.table.round.number));
        let small: Vec<u64> = jackpot
            .state
            .pending()
            .filter(|hit| hit.table == table && hit.round == round && hit.amount() <= limit)
            .map(|hit| hit.id)
            .collect();
        for hit in small {
            self.ask(Ask::Verify { hit, by: computer() })?;
        }
        Ok(())
    }

    fn reject_hits(&mut self, reason: &str) -> Result<(), Stuck> {
        let jackpot = self.jackpot.as_ref().ok_or(Stuck::NeedsJackpot)?;
        let (table, round) = (self.live.id.as_str(), u64::from(self.live.table.round.number));
        let pending = jackpot.state.pending().filter(|hit| hit.table == table && hit.round == round);
        let pending: Vec<u64> = pending.map(|hit| hit.id).collect();
        for hit in pending {
            self.ask(Ask::Reject { hit, by: computer(), reason: reason.to_owned() })?;
        }
        Ok(())
    }

    /// Hands over what the jackpot has decided on claims of this table.
    pub(crate) fn pay_hits(&mut self) -> Result<(), Stuck> {
        let Phase::Finished(finished) = &self.live.table.round.phase else { return Ok(()) };
        if finished.claims.is_empty() || finished.outcome != Outcome::Settled {
            return Ok(());
        }
        let jackpot = self.jackpot.as_ref().ok_or(Stuck::NeedsJackpot)?;
        let id = jackpot.id.clone();
        let (table, round) = (self.live.id.as_str(), u64::from(self.live.table.round.number));
        let mut payments = Vec::new();
        let mut drawn = Vec::new();
        for hit in jackpot.state.hits.iter().filter(|hit| hit.table == table && hit.round == round) {
            if !finished.claims.iter().any(|claim| claim.seat == hit.claim.seat) {
                continue;
            }
            let (Some(payment), seat) = (&hit.payment, hit.claim.seat) else { continue };
            match hit.state {
                HitState::Pending => {}
                HitState::Paid => {
                    payments.push(JackpotPayment {
                        seat,
                        amount: payment.amount,
                        cites: payment.cites,
                        interpretation: payment
                            .interpretation
                            .and_then(|point| OpenPoint::try_from(point.to_owned()).ok()),
                    });
                    drawn.push(TableFact::AwardDrawn {
                        jackpot: id.clone(),
                        hit: hit.id,
                        seat,
                        amount: payment.amount,
                        from_meter: payment.from_meter,
                    });
                }
                HitState::Rejected { .. } => payments.push(JackpotPayment {
                    seat,
                    amount: baize_rules::Money::ZERO,
                    cites: self.live.book.jackpot.table,
                    interpretation: None,
                }),
            }
        }
        if payments.is_empty() {
            return Ok(());
        }
        for fact in drawn {
            self.step(&Actor::House, fact)?;
        }
        self.command(&Actor::House, Command::PayJackpot { payments })
    }
}
