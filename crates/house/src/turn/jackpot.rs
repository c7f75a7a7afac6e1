//! Connects a turn to `baize-floor`: records the resulting facts and moves the money.

use std::sync::Arc;

use baize_floor::{
    Away, Fact, JackpotStep, KnownJackpot, LinkedTable, OrderResults, Stop, Verification, house_bar,
};
use baize_jackpot::{Command as Request, Event as Said, Jackpot, Person, evolve};
use baize_rules::{Money, Role};
use baize_table::{Command, Table};

use super::{Turn, TurnError};
use crate::facts::{Step, TableFact};
use crate::journal::Head;
use crate::ledger;
use crate::{Actor, HouseError, JackpotId};

/// A turn's copy of the jackpot.
#[derive(Debug, Clone)]
pub(crate) struct LinkedJackpot {
    pub(crate) id: JackpotId,
    pub(crate) state: Arc<Jackpot>,
    pub(crate) head: Head,
    pub(crate) changed: bool,
}

/// The house as the verifier of awards, where the computer dealt.
fn computer() -> Person {
    Person { name: "house".to_owned(), role: Role::PitSupervisor }
}

impl Turn<'_> {
    /// Carries out a floor operation on the table and records the result.
    pub(super) fn on_floor<F>(&mut self, by: &Actor, doing: F) -> Result<(), TurnError>
    where
        F: FnOnce(&LinkedTable<'_>, &Table) -> Result<OrderResults, Stop>,
    {
        let live = &self.live;
        let at = LinkedTable {
            book: &live.book,
            name: live.id.as_str(),
            jackpot: match (&live.config.jackpot, &self.jackpot) {
                (None, _) => KnownJackpot::NotLinked,
                (Some(_), None) => KnownJackpot::Unread,
                (Some(_), Some(jackpot)) => KnownJackpot::Read(&jackpot.state),
            },
            // The number of the jackpot's next entry: unique across tables, and higher for later orders.
            order: self.jackpot.as_ref().map_or(0, |jackpot| jackpot.head.version + 1),
            verification: if live.computer_deals() {
                Verification::SmallAtOnce(computer())
            } else {
                Verification::ByPeople
            },
        };
        let done = doing(&at, &live.table).map_err(|stop| turn_error(stop, live.config.jackpot.as_ref()))?;
        self.bars.extend(done.events().filter_map(|event| house_bar(&live.table.settings, event)));
        if done.reaches.is_some() {
            self.reaches.clone_from(&done.reaches);
        }
        self.record_all(by, done)
    }

    fn record_all(&mut self, by: &Actor, done: OrderResults) -> Result<(), TurnError> {
        for step in done.steps {
            if let Some(command) = step.command {
                let own = matches!(command, Command::PayJackpot { .. });
                let by = if own { Actor::House } else { by.clone() };
                self.steps.push(Step { by, command: Some(command), facts: Vec::new() });
            }
            for fact in step.facts {
                match fact {
                    Fact::Table(event) => self.record(TableFact::Round(event)),
                    Fact::Jackpot(step) => self.record_jackpot(step),
                    Fact::AwardDrawn(award) => {
                        let jackpot = self.own_jackpot()?;
                        let baize_floor::AwardTransfer { hit, seat, amount, from_meter } = award;
                        self.record(TableFact::AwardDrawn { jackpot, hit, seat, amount, from_meter });
                    }
                    Fact::AwardReturned(award) => {
                        let jackpot = self.own_jackpot()?;
                        let baize_floor::AwardTransfer { hit, seat, amount, from_meter } = award;
                        self.record(TableFact::AwardReturned { jackpot, hit, seat, amount, from_meter });
                    }
                }
            }
            self.update_row();
        }
        Ok(())
    }

    fn own_jackpot(&self) -> Result<JackpotId, TurnError> {
        self.jackpot.as_ref().map(|jackpot| jackpot.id.clone()).ok_or(TurnError::NeedsJackpot)
    }

    /// Records a step of the jackpot and moves its money.
    fn record_jackpot(&mut self, step: JackpotStep) {
        let Some(jackpot) = &mut self.jackpot else { return };
        let mut state = Arc::unwrap_or_clone(std::mem::take(&mut jackpot.state));
        let mut contributed = Money::ZERO;
        for event in &step.events {
            let before = ledger::came_in(&state);
            state = evolve(state, event);
            let came_in = ledger::came_in(&state) - before;
            ledger::at_jackpot(&jackpot.id, event, came_in, &mut self.jackpot_moves);
            if let Said::BetsClosed { .. } | Said::TakenOut { .. } = event {
                contributed += came_in;
            }
        }
        jackpot.state = Arc::new(state);
        self.jackpot_steps.push(step);
        if !contributed.is_zero() {
            let jackpot = jackpot.id.clone();
            self.record(TableFact::Contributed { jackpot, amount: contributed });
        }
    }

    /// Sends the jackpot a command about this table or one of its hits, and pays what is then due.
    pub(crate) fn ask_jackpot(&mut self, by: &Actor, request: Request) -> Result<(), TurnError> {
        self.on_floor(by, |at, table| baize_floor::ask(at, table, request))
    }

    /// Pays the awards of this table that the jackpot has decided.
    pub(crate) fn pay_awards(&mut self) -> Result<(), TurnError> {
        self.on_floor(&Actor::House, baize_floor::pay)
    }
}

fn turn_error(stop: Stop, jackpot: Option<&JackpotId>) -> TurnError {
    let not_linked = HouseError::NotNow("this table has no jackpot");
    match (stop, jackpot) {
        (Stop::NeedsJackpot, _) => TurnError::NeedsJackpot,
        (Stop::Refused(refusal), _) => refusal.into(),
        (Stop::Away(Away::NotLinked), _) | (Stop::Away(_) | Stop::Jackpot(_), None) => {
            TurnError::House(not_linked)
        }
        (Stop::Away(away), Some(id)) => {
            TurnError::House(HouseError::JackpotAway { jackpot: id.clone(), why: away.to_string() })
        }
        (Stop::Jackpot(refusal), Some(id)) => {
            TurnError::House(HouseError::Jackpot { jackpot: id.clone(), why: refusal.to_string() })
        }
    }
}
