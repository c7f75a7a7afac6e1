//! What happened at a table and its jackpot, in order.

use baize_jackpot::{Command as Request, Event as Answer, Jackpot};
use baize_rules::{BoxNumber, Money};
use baize_table::{Command, Event, Table, evolve};
use serde::{Deserialize, Serialize};

use crate::SystemFault;

/// A request to a jackpot and its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JackpotStep {
    /// The request.
    pub command: Request,
    /// The answer.
    pub events: Vec<Answer>,
}

/// An award that moves between the jackpot and the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AwardTransfer {
    /// The hit.
    pub hit: u64,
    /// The box.
    pub seat: BoxNumber,
    /// What the player gets.
    pub amount: Money,
    /// The part of it that comes out of the meter.
    pub from_meter: Money,
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fact {
    /// At the table.
    Table(Event),
    /// At its jackpot.
    Jackpot(JackpotStep),
    /// The jackpot paid an award to the table, which hands it to the player.
    AwardDrawn(AwardTransfer),
    /// An award that had been drawn went back to the jackpot.
    AwardReturned(AwardTransfer),
}

/// A command at the table and its results. Without a command: a request to the jackpot only.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Step {
    /// The command. A command that pays the jackpot comes from the floor itself.
    pub command: Option<Command>,
    /// Its results.
    pub facts: Vec<Fact>,
}

/// All results of an order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OrderResults {
    /// In order.
    pub steps: Vec<Step>,
    /// The jackpot afterwards, if it has changed.
    pub jackpot: Option<Jackpot>,
    /// What must be reported to the jackpot's other tables, with [`crate::tell_fault`].
    pub reaches: Option<SystemFault>,
}

impl OrderResults {
    /// All that happened, in order.
    pub fn facts(&self) -> impl Iterator<Item = &Fact> {
        self.steps.iter().flat_map(|step| &step.facts)
    }

    /// What happened at the table, in order.
    pub fn events(&self) -> impl Iterator<Item = &Event> {
        self.facts().filter_map(|fact| if let Fact::Table(event) = fact { Some(event) } else { None })
    }

    /// The table afterwards.
    #[must_use]
    pub fn table(&self, before: Table) -> Table {
        self.events().fold(before, evolve)
    }
}
