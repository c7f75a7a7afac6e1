//! A turn on the floor: what `baize-floor` makes of a command is written down as facts and moves the money.

use std::sync::Arc;

use baize_floor::{Away, Done, Fact, JackpotStep, Known, LinkedTable, Stop, Verification, house_bar};
use baize_jackpot::{Command as Request, Event as Said, Jackpot, Person, evolve};
use baize_rules::{Money, Role};
use baize_table::{Command, Table};

use super::{Stuck, Turn};
use crate::facts::{Step, TableFact};
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
    /// Does something on the floor with the table as it stands, and writes down what came of it.
    pub(super) fn on_floor<F>(&mut self, by: &Actor, doing: F) -> Result<(), Stuck>
    where
        F: FnOnce(&LinkedTable<'_>, &Table) -> Result<Done, Stop>,
    {
        let live = &self.live;
        let at = LinkedTable {
            book: &live.book,
            name: live.id.as_str(),
            jackpot: match (&live.config.jackpot, &self.jackpot) {
                (None, _) => Known::NotLinked,
                (Some(_), None) => Known::Unread,
                (Some(_), Some(jackpot)) => Known::Read(&jackpot.state),
            },
            // The number of the jackpot's entry: no two tables have the same, and a later order has a higher one.
            order: self.jackpot.as_ref().map_or(0, |jackpot| jackpot.head.version + 1),
            verification: if live.computer_deals() {
                Verification::SmallAtOnce(computer())
            } else {
                Verification::ByPeople
            },
        };
        let done = doing(&at, &live.table).map_err(|stop| stuck(stop, live.config.jackpot.as_ref()))?;
        self.bars.extend(done.events().filter_map(|event| house_bar(&live.table.settings, event)));
        if done.reaches.is_some() {
            self.reaches.clone_from(&done.reaches);
        }
        self.write_down(by, done)
    }

    fn write_down(&mut self, by: &Actor, done: Done) -> Result<(), Stuck> {
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
                        let baize_floor::Award { hit, seat, amount, from_meter } = award;
                        self.record(TableFact::AwardDrawn { jackpot, hit, seat, amount, from_meter });
                    }
                    Fact::AwardReturned(award) => {
                        let jackpot = self.own_jackpot()?;
                        let baize_floor::Award { hit, seat, amount, from_meter } = award;
                        self.record(TableFact::AwardReturned { jackpot, hit, seat, amount, from_meter });
                    }
                }
            }
            self.keep_row();
        }
        Ok(())
    }

    fn own_jackpot(&self) -> Result<JackpotId, Stuck> {
        self.jackpot.as_ref().map(|jackpot| jackpot.id.clone()).ok_or(Stuck::NeedsJackpot)
    }

    /// Records what the jackpot was asked and moves its money.
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

    /// Asks the jackpot something about the table or a hit of it, and hands over what is then paid.
    pub(crate) fn ask_jackpot(&mut self, by: &Actor, request: Request) -> Result<(), Stuck> {
        self.on_floor(by, |at, table| baize_floor::ask(at, table, request))
    }

    /// Hands over what the jackpot has decided on claims of this table.
    pub(crate) fn pay_awards(&mut self) -> Result<(), Stuck> {
        self.on_floor(&Actor::House, baize_floor::pay)
    }
}

fn stuck(stop: Stop, jackpot: Option<&JackpotId>) -> Stuck {
    let not_linked = HouseError::NotNow("this table is linked to no jackpot: no jackpot wagers are taken");
    match (stop, jackpot) {
        (Stop::NeedsJackpot, _) => Stuck::NeedsJackpot,
        (Stop::Refused(refusal), _) => refusal.into(),
        (Stop::Away(Away::NotLinked), _) | (Stop::Away(_) | Stop::Jackpot(_), None) => Stuck::No(not_linked),
        (Stop::Away(away), Some(id)) => {
            Stuck::No(HouseError::JackpotAway { jackpot: id.clone(), why: away.to_string() })
        }
        (Stop::Jackpot(refusal), Some(id)) => {
            Stuck::No(HouseError::Jackpot { jackpot: id.clone(), why: refusal.to_string() })
        }
    }
}
