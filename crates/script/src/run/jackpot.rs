//! The jackpot shared by all tables of a script: its set-up, and the order of the lines.
//!
//! `baize-floor` handles what happens between it and the tables. A script opens it with its first round and links each table with
//! that table's first round; every winning hand is verified as qualifying.

use baize_floor::{KnownJackpot, LinkedTable, OrderResults, Stop, Verification};
use baize_jackpot::{Command, Configuration, Jackpot, Parameters, Person, Status, TableLink, decide, evolve};
use baize_rules::{Cites, Money, Percent, Role, Rulebook};
use baize_table::Table;

use super::TableRun;
use crate::JackpotStood;
use crate::transcript::Refused;

/// The shared jackpot.
#[derive(Debug, Clone)]
pub(super) struct SharedJackpot {
    base: Money,
    parameters: Parameters,
    jackpot: Jackpot,
    /// The operator whose games it links: that of the script's first table.
    operator: String,
    /// Lines are in time order: the number of steps done.
    steps: u64,
}

impl Default for SharedJackpot {
    fn default() -> SharedJackpot {
        let usual = Money::from_dollars(100_000);
        SharedJackpot {
            base: usual,
            parameters: Parameters {
                wager: Money::from_dollars(5),
                reset: usual,
                increment: Percent::ZERO,
                reserve: Percent::ZERO,
                ceiling: None,
                // In a script one person's verification is enough, whatever the amount.
                confirm_above: Money::from_cents(i64::MAX / 100_000),
            },
            jackpot: Jackpot::default(),
            operator: String::new(),
            steps: 0,
        }
    }
}

/// Who verifies hits and links tables in a script.
fn somebody() -> Person {
    Person { name: "script".to_owned(), role: Role::ShiftManager }
}

impl SharedJackpot {
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

    /// The share of each wager that is added to the meter.
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
        if self.jackpot.status == Status::Open { self.jackpot.displayed() } else { self.base }
    }

    /// The next step is later than all before it.
    pub(super) const fn step_on(&mut self) {
        self.steps += 1;
    }

    /// Carries out a command at a table, and keeps the resulting jackpot.
    pub(super) fn at<F>(&mut self, table: &TableRun, state: &Table, doing: F) -> Result<OrderResults, Refused>
    where
        F: FnOnce(&LinkedTable<'_>, &Table) -> Result<OrderResults, Stop>,
    {
        let linked = LinkedTable {
            book: &table.book,
            name: name(table),
            jackpot: KnownJackpot::Read(&self.jackpot),
            order: self.steps,
            verification: Verification::AtOnce(somebody()),
        };
        let mut done = doing(&linked, state).map_err(|stop| refused(stop, &table.book))?;
        if let Some(jackpot) = done.jackpot.take() {
            self.jackpot = jackpot;
        }
        Ok(done)
    }

    /// Opens the jackpot with the first round of any table, and links each table with its own first round.
    pub(super) fn link_table(&mut self, table: &TableRun) -> Result<(), Refused> {
        if self.jackpot.tables.contains_key(name(table)) {
            return Ok(());
        }
        if table.book.operator != self.operator {
            return Err(Refused::because(format!(
                "the tables of a script share a jackpot, which links games of one operator: {} is {}'s and the first game is {}'s",
                table.book.id, table.book.operator, self.operator
            )));
        }
        if self.jackpot.status != Status::Open {
            let configuration = Configuration {
                name: "jackpot".to_owned(),
                base: self.base,
                parameters: self.parameters.clone(),
                tables: Vec::new(),
            };
            self.ask(&Command::Open { configuration })?;
        }
        let link = TableLink::new(name(table), &table.book).with_readings(table.state.settings.readings);
        self.ask(&Command::LinkTable { link: Box::new(link), by: somebody() })
    }

    fn ask(&mut self, command: &Command) -> Result<(), Refused> {
        let events = decide(&self.jackpot, command).map_err(Refused::because)?;
        self.jackpot = events.iter().fold(std::mem::take(&mut self.jackpot), evolve);
        Ok(())
    }
}

/// The name of a table in the jackpot.
fn name(table: &TableRun) -> &str {
    table.name.as_deref().unwrap_or("(unnamed)")
}

fn refused(stop: Stop, book: &Rulebook) -> Refused {
    match stop {
        Stop::Refused(refusal) => refusal.into(),
        Stop::Away(away) => Refused { why: away.to_string(), cites: away.cites(book) },
        Stop::Jackpot(_) | Stop::NeedsJackpot => Refused { why: stop.to_string(), cites: Cites::NONE },
    }
}
