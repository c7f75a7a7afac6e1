//! What a round and its jackpot tell each other.

use std::sync::Arc;

use baize_jackpot::{Command as Ask, Event as Said, Hit, HitState, Jackpot, Person, Wager, evolve};
use baize_rules::{Area, Cites, Money, Role};
use baize_table::{Command, Event, JackpotPayment, OpenPoint, Outcome, Phase, Place, ResultKind, RulingKind};

use super::{Stuck, Turn};
use crate::facts::{JackpotStep, TableFact};
use crate::journal::Head;
use crate::ledger;
use crate::{Actor, HouseError, JackpotId};

/// A jackpot as a turn works on it.
#[derive(Debug, Clone)]
pub(crate) struct LinkedJackpot {
    pub(crate) id: JackpotId,
    pub(crate) state: Arc<Jackpot>,
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
        let mut state = Arc::unwrap_or_clone(std::mem::take(&mut jackpot.state));
        for event in &events {
            let before = ledger::came_in(&state);
            state = evolve(state, event);
            let came_in = ledger::came_in(&state) - before;
            ledger::at_jackpot(&jackpot.id, event, came_in, &mut self.jackpot_moves);
            if let Said::BetsClosed { .. } | Said::TakenOut { .. } = event {
                self.contributed += came_in;
            }
        }
        jackpot.state = Arc::new(state);
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

    /// Whether the jackpot of the table may have to do with what has just happened: most rounds have no jackpot wager.
    pub(super) fn concerns_jackpot(&self, event: &Event) -> bool {
        self.live.config.jackpot.is_some()
            && (self.live.jackpot_wagered() || matches!(event, Event::Ruled { .. }))
    }

    /// Carries to the jackpot what has just happened at the table.
    pub(super) fn tell_jackpot(&mut self, was_over: bool, event: &Event) -> Result<(), Stuck> {
        let Some(id) = self.live.config.jackpot.clone() else { return Ok(()) };
        let (table, round) = (self.live.id.to_string(), u64::from(self.live.table.round.number));
        match event {
            Event::BetsClosed { jackpot } if !jackpot.is_empty() => {
                let wagers =
                    jackpot.iter().map(|(seat, amount)| Wager { seat: *seat, amount: *amount }).collect();
                self.with_contribution(&id, Ask::CloseBets { table, round, wagers }).map(drop)
            }
            Event::CardsDealt { to: Place::Box(seat), cards, .. }
                if self.just_complete(*seat, cards.len()) =>
            {
                if self.counted()? {
                    self.dealt(&[*seat])
                } else {
                    Ok(())
                }
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
            Event::RoundVoided { cites, .. } if was_over => self.undo(&id, None, *cites),
            Event::SlipCorrected { slip, cites } if slip.returns(Area::Jackpot) => {
                self.undo(&id, Some(slip.seat), *cites)
            }
            Event::RoundVoided { .. } if self.counted()? => {
                self.with_contribution(&id, Ask::VoidRound { table, round }).map(drop)
            }
            Event::RoundSettled { claims, .. } if self.counted()? => {
                let returned = self.returned();
                if !returned.is_empty() {
                    let (table, seats) = (table.clone(), returned);
                    self.with_contribution(&id, Ask::TakeOut { table, round, seats })?;
                }
                if !claims.is_empty() {
                    let seats: Vec<u8> = claims.iter().map(|claim| claim.seat).collect();
                    self.dealt(&seats)?;
                }
                self.ask(Ask::SettleRound { table, round, claims: claims.clone() })?;
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
            | Event::CardsReconstructed { .. }
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

    fn with_contribution(&mut self, id: &JackpotId, command: Ask) -> Result<Vec<Said>, Stuck> {
        self.contributed = Money::ZERO;
        let said = self.ask(command)?;
        let amount = std::mem::take(&mut self.contributed);
        if !amount.is_zero() {
            self.record(TableFact::Contributed { jackpot: id.clone(), amount })?;
        }
        Ok(said)
    }

    /// Whether a box with a jackpot wager has its full hand now and had not before these cards.
    fn just_complete(&self, seat: u8, cards: usize) -> bool {
        let Phase::Play(play) = &self.live.table.round.phase else { return false };
        let size = self.live.book.hand_size();
        play.hands.get(&seat).is_some_and(|hand| {
            let has = hand.cards.len();
            has >= size && has - cards < size && !hand.on(Area::Jackpot).is_zero()
        })
    }

    /// Says that these boxes have their full hands, where the order of payment depends on it and they have no place in it yet.
    fn dealt(&mut self, seats: &[u8]) -> Result<(), Stuck> {
        let jackpot = self.jackpot.as_ref().ok_or(Stuck::NeedsJackpot)?;
        let name = self.live.id.to_string();
        let Some(table) = jackpot.state.tables.get(&name).filter(|table| table.link.dealt_first()) else {
            return Ok(());
        };
        let Some(open) = &table.open else { return Ok(()) };
        // The number of the jackpot's entry: no two tables have the same, and a later deal has a higher one.
        let (round, order) = (open.round, jackpot.head.version + 1);
        let counts = |seat: &u8| open.contributions.iter().any(|made| made.seat == *seat);
        let new = |seat: &u8| counts(seat) && open.dealt_at(*seat).is_none();
        let new: Vec<u8> = seats.iter().copied().filter(new).collect();
        for seat in new {
            self.ask(Ask::DealHands { table: name.clone(), round, order, seat: Some(seat) })?;
        }
        Ok(())
    }

    /// A round, or a box of it, is undone after its settlement. Awards that had been handed over go back, and those that are left of the
    /// round are paid anew when the command is done.
    fn undo(&mut self, id: &JackpotId, seat: Option<u8>, cites: Cites) -> Result<(), Stuck> {
        if !self.live.jackpot_wagered() {
            return Ok(());
        }
        let (table, round) = (self.live.id.to_string(), u64::from(self.live.table.round.number));
        let jackpot = self.jackpot.as_ref().ok_or(Stuck::NeedsJackpot)?;
        let held = jackpot.state.tables.get(&table).and_then(|table| table.held.as_ref());
        let counts = held.filter(|held| held.played.round == round).is_some_and(|held| {
            seat.is_none_or(|seat| held.played.contributions.iter().any(|made| made.seat == seat))
        });
        if !counts {
            return Ok(());
        }
        let stood = Arc::clone(&jackpot.state);
        let seats = seat.map(|seat| vec![seat]);
        let said = self.with_contribution(id, Ask::UndoRound { table, round, seats, cites })?;
        for event in said {
            if let Said::HitReversed { hit, paid: true, .. } = event {
                self.award_back(id, &stood, hit)?;
            } else if let Said::HitsPriced { prices, .. } = event {
                for price in prices {
                    if self.award_back(id, &stood, price.hit)? {
                        self.paid_anew.push(price.hit);
                    }
                }
            }
        }
        Ok(())
    }

    /// Records that an award which was handed over goes back to the jackpot; says whether it was.
    fn award_back(&mut self, id: &JackpotId, stood: &Jackpot, hit: u64) -> Result<bool, Stuck> {
        // What is paid at this table has been handed over: that comes before every report.
        let handed = |hit: &&Hit| hit.state == HitState::Paid && hit.table == self.live.id.as_str();
        let Some(hit) = stood.hit(hit).filter(handed) else { return Ok(false) };
        let Some(payment) = &hit.payment else { return Ok(false) };
        self.record(TableFact::AwardReturned {
            jackpot: id.clone(),
            hit: hit.id,
            seat: payment.seat,
            amount: payment.amount,
            from_meter: payment.from_meter,
        })?;
        Ok(true)
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

    /// Hands over what the jackpot has decided on claims of this table.
    pub(crate) fn pay_hits(&mut self) -> Result<(), Stuck> {
        let Phase::Finished(finished) = &self.live.table.round.phase else { return Ok(()) };
        if finished.claims.is_empty() || finished.outcome != Outcome::Settled {
            return Ok(());
        }
        let jackpot = self.jackpot.as_ref().ok_or(Stuck::NeedsJackpot)?;
        let (table, round) = (self.live.id.as_str(), u64::from(self.live.table.round.number));
        let mut payments = Vec::new();
        let mut drawn = Vec::new();
        for hit in jackpot.state.hits.iter().filter(|hit| hit.table == table && hit.round == round) {
            let seat = hit.claim.seat;
            if !finished.claims.iter().any(|claim| claim.seat == seat) {
                continue;
            }
            match hit.state {
                HitState::Pending | HitState::Reversed { .. } => {}
                HitState::Paid => {
                    let Some((payment, fact)) = award(&jackpot.id, hit) else { continue };
                    payments.push(payment);
                    drawn.push(fact);
                }
                HitState::Rejected { .. } => payments.push(JackpotPayment {
                    seat,
                    amount: Money::ZERO,
                    cites: self.live.book.jackpot.table,
                    interpretation: None,
                }),
            }
        }
        self.hand_over(payments, drawn)
    }

    /// Hands over what is left of a round that was undone in part.
    pub(super) fn pay_anew(&mut self) -> Result<(), Stuck> {
        let hits = std::mem::take(&mut self.paid_anew);
        if hits.is_empty() {
            return Ok(());
        }
        let jackpot = self.jackpot.as_ref().ok_or(Stuck::NeedsJackpot)?;
        let awards = hits.iter().filter_map(|hit| award(&jackpot.id, jackpot.state.hit(*hit)?));
        let (payments, drawn) = awards.unzip();
        self.hand_over(payments, drawn)
    }

    fn hand_over(&mut self, payments: Vec<JackpotPayment>, drawn: Vec<TableFact>) -> Result<(), Stuck> {
        if payments.is_empty() {
            return Ok(());
        }
        for fact in drawn {
            self.step(&Actor::House, fact)?;
        }
        self.command(&Actor::House, Command::PayJackpot { payments })
    }
}

/// What a paid hit brings its player, and the fact that it was drawn.
fn award(jackpot: &JackpotId, hit: &Hit) -> Option<(JackpotPayment, TableFact)> {
    let payment = hit.payment.as_ref()?;
    let interpretation = payment.interpretation.and_then(|point| OpenPoint::try_from(point.to_owned()).ok());
    let paid =
        JackpotPayment { seat: payment.seat, amount: payment.amount, cites: payment.cites, interpretation };
    let drawn = TableFact::AwardDrawn {
        jackpot: jackpot.clone(),
        hit: hit.id,
        seat: payment.seat,
        amount: payment.amount,
        from_meter: payment.from_meter,
    };
    Some((paid, drawn))
}
