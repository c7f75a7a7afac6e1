//! The jackpot that all tables of a script share.
//!
//! What happens at the tables is told to it in the order of the lines: wagers that count, hands that are dealt, wagers that go
//! back, claims. It decides what is paid and when. Whoever looks at a winning hand in a script finds that it qualifies.

use baize_jackpot::{
    Command, Configuration, Event, HitState, Jackpot, OpenRound, Parameters, Person, Price, TableLink, Wager,
    decide, evolve,
};
use baize_rules::{Area, Cites, Claim, Money, Percent, Role};
use baize_table::{Event as TableEvent, JackpotPayment, OpenPoint, Place, RulingKind, Table};

use super::TableRun;
use crate::JackpotStood;
use crate::transcript::{Refused, play};

/// The shared jackpot.
#[derive(Debug, Clone)]
pub(super) struct Link {
    base: Money,
    parameters: Parameters,
    jackpot: Jackpot,
    /// Whose games it links: those of the operator of the script's first table.
    operator: String,
    /// The name of each table in the jackpot, in the order of the script's tables.
    tables: Vec<Option<String>>,
    /// The place of the next deal in the order of all deals.
    deals: u64,
    /// What is to be paid, by table.
    payments: Vec<(usize, Vec<JackpotPayment>)>,
}

impl Default for Link {
    fn default() -> Link {
        let usual = Money::from_dollars(100_000);
        Link {
            base: usual,
            parameters: Parameters {
                wager: Money::from_dollars(5),
                reset: usual,
                increment: Percent::ZERO,
                reserve: Percent::ZERO,
                ceiling: None,
                // In a script one person's look is enough, whatever the amount.
                confirm_above: Money::from_cents(i64::MAX / 100_000),
            },
            jackpot: Jackpot::default(),
            operator: String::new(),
            tables: Vec::new(),
            deals: 0,
            payments: Vec::new(),
        }
    }
}

/// Who verifies hits and restores tables in a script.
fn somebody() -> Person {
    Person { name: "script".to_owned(), role: Role::ShiftManager }
}

impl Link {
    pub(super) fn set_operator(&mut self, operator: &str) {
        operator.clone_into(&mut self.operator);
    }

    pub(super) fn set_meter(&mut self, meter: Money) {
        self.base = meter;
    }

    pub(super) fn set_reset(&mut self, reset: Money) {
        self.parameters.reset = reset;
    }

    pub(super) fn set_wager(&mut self, wager: Money) {
        self.parameters.wager = wager;
    }

    /// The share of each wager that the meter grows by.
    pub(super) fn set_rate(&mut self, rate: Percent) -> Result<(), Refused> {
        let parameters = Parameters { increment: rate, ..self.parameters.clone() };
        if let Some(fault) = parameters.faults().first() {
            return Err(Refused::because(fault));
        }
        self.parameters = parameters;
        Ok(())
    }

    /// The jackpot as the script sets it up.
    pub(super) fn set_up(&self) -> JackpotStood {
        let Parameters { reset, increment, .. } = self.parameters;
        JackpotStood { meter: self.base, reset, rate: increment }
    }

    /// What the sign shows.
    pub(super) fn displayed(&self) -> Money {
        if self.is_open() { self.jackpot.displayed() } else { self.base }
    }

    /// Takes what the jackpot has decided to pay.
    pub(super) fn take_payments(&mut self) -> Vec<(usize, Vec<JackpotPayment>)> {
        std::mem::take(&mut self.payments)
    }

    /// Tells the jackpot what has happened at a table; `after` is the table after it.
    pub(super) fn record(
        &mut self,
        at: usize,
        table: &TableRun,
        after: &Table,
        events: &[TableEvent],
    ) -> Result<(), Refused> {
        if events.iter().any(|event| matches!(event, TableEvent::RoundOpened { .. })) {
            self.link_table(at, table)?;
        }
        let Some(name) = self.tables.get(at).cloned().flatten() else { return Ok(()) };
        let round = u64::from(after.round.number);
        let mut fault_cites = Cites::NONE;
        for event in events {
            match event {
                TableEvent::BetsClosed { jackpot } => {
                    let wagers = jackpot.iter().map(|&(seat, amount)| Wager { seat, amount }).collect();
                    self.tell(&Command::CloseBets { table: name.clone(), round, wagers })?;
                }
                TableEvent::CardsDealt { to: Place::Box(seat), .. } => {
                    let play = play(&after.round);
                    let hand = play.and_then(|play| play.hands.get(seat));
                    if hand.is_some_and(|hand| hand.cards.len() >= table.book.hand_size()) {
                        self.dealt(&name, *seat)?;
                    }
                }
                TableEvent::HandInvalidated { seat, .. } => self.taken_back(&name, round, *seat)?,
                TableEvent::WagerReturned { seat, area: Area::Jackpot, .. } => {
                    self.taken_back(&name, round, *seat)?;
                }
                TableEvent::SlipCorrected { slip, cites } if slip.returns(Area::Jackpot) => {
                    self.undo(&name, round, Some(slip.seat), *cites)?;
                }
                TableEvent::RoundVoided { cites, .. } => self.void(&name, round, *cites)?,
                TableEvent::RoundSettled { claims, .. } => self.settle(&name, round, claims)?,
                TableEvent::IrregularityRuled { remedied, .. } => fault_cites = remedied.cites,
                TableEvent::JackpotFailed if play(&after.round).is_some_and(|play| play.at_registered) => {
                    self.failed(&name, round, fault_cites)?;
                }
                TableEvent::Ruled { ruling, .. } => self.ruled(&name, &ruling.kind)?,
                TableEvent::RoundOpened { .. }
                | TableEvent::WagerPlaced { .. }
                | TableEvent::WagerWithdrawn { .. }
                | TableEvent::WagerReturned { .. }
                | TableEvent::CardBurnt { .. }
                | TableEvent::CardsDealt { .. }
                | TableEvent::HandLookedAt { .. }
                | TableEvent::DecisionMade { .. }
                | TableEvent::CardsRevealed { .. }
                | TableEvent::HandShown { .. }
                | TableEvent::HandDeclined { .. }
                | TableEvent::PlayerAbsent { .. }
                | TableEvent::RulingAwaited { .. }
                | TableEvent::OptionsGiven { .. }
                | TableEvent::OptionChosen { .. }
                | TableEvent::HandsMoved { .. }
                | TableEvent::CardsShifted { .. }
                | TableEvent::CardsTakenOff { .. }
                | TableEvent::DealerFaceUpSet { .. }
                | TableEvent::JackpotFailed
                | TableEvent::SlipCorrected { .. }
                | TableEvent::JackpotPaid { .. } => {}
            }
        }
        Ok(())
    }

    fn is_open(&self) -> bool {
        self.jackpot.status == baize_jackpot::Status::Open
    }

    /// Opens the jackpot with the first round of any table, and links each table with its own first round.
    fn link_table(&mut self, at: usize, table: &TableRun) -> Result<(), Refused> {
        if self.tables.get(at).is_some_and(Option::is_some) {
            return Ok(());
        }
        if table.book.operator != self.operator {
            return Err(Refused::because(format!(
                "the tables of a script share a jackpot, which links games of one operator: {} is {}'s and the first game is {}'s",
                table.book.id, table.book.operator, self.operator
            )));
        }
        if !self.is_open() {
            let configuration = Configuration {
                name: "jackpot".to_owned(),
                base: self.base,
                parameters: self.parameters.clone(),
                tables: Vec::new(),
            };
            self.tell(&Command::Open { configuration })?;
        }
        let name = table.name.clone().unwrap_or_else(|| "(unnamed)".to_owned());
        let link = TableLink::new(name.clone(), &table.book).with_readings(table.state.settings.readings);
        self.tell(&Command::LinkTable { link: Box::new(link), by: somebody() })?;
        if self.tables.len() <= at {
            self.tables.resize(at + 1, None);
        }
        self.tables[at] = Some(name);
        Ok(())
    }

    fn open_round(&self, name: &str) -> Option<&OpenRound> {
        self.jackpot.tables.get(name)?.open.as_ref()
    }

    /// A box has its full hand: its place among all deals is taken now, if it has a wager and no place yet.
    fn dealt(&mut self, name: &str, seat: u8) -> Result<(), Refused> {
        let Some(open) = self.open_round(name) else { return Ok(()) };
        let counts = open.contributions.iter().any(|made| made.seat == seat);
        if !counts || open.dealt_at(seat).is_some() {
            return Ok(());
        }
        let (table, round, seat) = (name.to_owned(), open.round, Some(seat));
        self.deals += 1;
        let order = self.deals;
        self.tell(&Command::DealHands { table, round, order, seat })
    }

    /// The wager of a box goes back before the settlement.
    fn taken_back(&mut self, name: &str, round: u64, seat: u8) -> Result<(), Refused> {
        let counts = self.open_round(name).is_some_and(|open| {
            open.round == round && open.contributions.iter().any(|made| made.seat == seat)
        });
        if counts {
            self.tell(&Command::TakeOut { table: name.to_owned(), round, seats: vec![seat] })
        } else {
            Ok(())
        }
    }

    fn void(&mut self, name: &str, round: u64, cites: Cites) -> Result<(), Refused> {
        if self.open_round(name).is_some() {
            return self.tell(&Command::VoidRound { table: name.to_owned(), round });
        }
        self.undo(name, round, None, cites)
    }

    /// A settled round, or a box of it, is undone. One that is void before bets close never reached the jackpot.
    fn undo(&mut self, name: &str, round: u64, seat: Option<u8>, cites: Cites) -> Result<(), Refused> {
        let held = self.jackpot.tables.get(name).and_then(|table| table.held.as_ref());
        let counts = held.filter(|held| held.played.round == round).is_some_and(|held| {
            seat.is_none_or(|seat| held.played.contributions.iter().any(|made| made.seat == seat))
        });
        if !counts {
            return Ok(());
        }
        let (table, seats) = (name.to_owned(), seat.map(|seat| vec![seat]));
        self.tell(&Command::UndoRound { table, round, seats, cites })
    }

    fn settle(&mut self, name: &str, round: u64, claims: &[Claim]) -> Result<(), Refused> {
        // A round that was concluded before bets closed never reached the jackpot.
        let open = self.jackpot.tables.get(name).and_then(|linked| linked.open.as_ref());
        if open.is_none_or(|open| open.round != round) {
            return Ok(());
        }
        if !claims.is_empty() {
            self.deal_the_undealt()?;
        }
        let before = self.jackpot.counters.hits;
        self.tell(&Command::SettleRound { table: name.to_owned(), round, claims: claims.to_vec() })?;
        for hit in before + 1..=self.jackpot.counters.hits {
            self.tell(&Command::Verify { hit, by: somebody() })?;
        }
        Ok(())
    }

    /// Hands that are not dealt yet are dealt after those that claim now: the lines of a script stand in the order of time.
    fn deal_the_undealt(&mut self) -> Result<(), Refused> {
        let seats = |(name, linked): (&String, &baize_jackpot::Table)| {
            let made = linked.open.iter().flat_map(|open| &open.contributions);
            made.map(|made| (name.clone(), made.seat)).collect::<Vec<_>>()
        };
        let boxes: Vec<(String, u8)> = self.jackpot.tables.iter().flat_map(seats).collect();
        boxes.into_iter().try_for_each(|(table, seat)| self.dealt(&table, seat))
    }

    /// The jackpot system failed during a round that goes on.
    fn failed(&mut self, name: &str, round: u64, cites: Cites) -> Result<(), Refused> {
        let open = self.open_round(name);
        if open.is_some_and(|open| open.round == round && open.registered.is_none()) {
            return self.tell(&Command::ReportFault { table: name.to_owned(), round, cites });
        }
        Ok(())
    }

    /// With its box barred, or when it works again, the table's other boxes may bet on the jackpot.
    fn ruled(&mut self, name: &str, ruling: &RulingKind) -> Result<(), Refused> {
        let suspended = self.jackpot.tables.get(name).is_some_and(|linked| linked.suspended);
        if suspended && matches!(ruling, RulingKind::BarBox(_) | RulingKind::JackpotRestored) {
            return self.tell(&Command::Restore { table: name.to_owned(), by: somebody() });
        }
        Ok(())
    }

    /// Asks the jackpot, and notes what it pays.
    fn tell(&mut self, command: &Command) -> Result<(), Refused> {
        let events = decide(&self.jackpot, command).map_err(Refused::because)?;
        for event in &events {
            self.jackpot = evolve(std::mem::take(&mut self.jackpot), event);
            if let Event::HitPaid { hit, .. } = event {
                self.note_payment(*hit);
            } else if let Event::HitsPriced { prices, .. } = event {
                // An award that was paid before its round was undone in part is paid anew.
                let paid = |price: &&Price| {
                    self.jackpot.hit(price.hit).is_some_and(|hit| hit.state == HitState::Paid)
                };
                let paid: Vec<u64> = prices.iter().filter(paid).map(|price| price.hit).collect();
                paid.into_iter().for_each(|hit| self.note_payment(hit));
            }
        }
        Ok(())
    }

    fn note_payment(&mut self, id: u64) {
        let Some(hit) = self.jackpot.hit(id) else { return };
        let Some(at) = self.tables.iter().position(|name| name.as_ref() == Some(&hit.table)) else { return };
        let Some(payment) = &hit.payment else { return };
        let payment = JackpotPayment {
            seat: payment.seat,
            amount: payment.amount,
            cites: payment.cites,
            interpretation: payment.interpretation.and_then(|id| OpenPoint::try_from(id.to_owned()).ok()),
        };
        match self.payments.iter_mut().find(|(table, _)| *table == at) {
            Some((_, payments)) => payments.push(payment),
            None => self.payments.push((at, vec![payment])),
        }
    }
}
