//! Turns an order into the steps of a table and its jackpot.

use std::borrow::Cow;

use baize_jackpot::{Command as Request, Event as Answer, Jackpot, Person, Status};
use baize_rules::{Area, Money};
use baize_table::{Command, Table, Why, decide, record};

use crate::legal::takes_wagers;
use crate::reach::system_fault;
use crate::{Fact, JackpotStep, KnownJackpot, LinkedTable, OrderResults, Step, Stop, SystemFault};

/// Carries out a command at a table, with its effects on the jackpot and everything that the jackpot then pays at this table.
/// [`pay`] hands over what it pays at other tables.
///
/// # Errors
/// Why it is not carried out, or that the jackpot is needed and was not read.
pub fn act(at: &LinkedTable<'_>, table: &Table, command: &Command) -> Result<OrderResults, Stop> {
    if let Command::PayJackpot { .. } = command {
        return Err(
            baize_table::Refusal::from(Why::Payments("the jackpot itself decides on them".into())).into()
        );
    }
    let mut work = Work::new(at, table);
    work.run(command)?;
    Ok(work.done())
}

/// Hands over what the jackpot has decided on this table's claims.
///
/// # Errors
/// As [`act`].
pub fn pay(at: &LinkedTable<'_>, table: &Table) -> Result<OrderResults, Stop> {
    let mut work = Work::new(at, table);
    work.pay_due()?;
    Ok(work.done())
}

/// Sends the jackpot a request about this table or one of its hits, and hands over what is then paid here.
///
/// # Errors
/// As [`act`].
pub fn ask(at: &LinkedTable<'_>, table: &Table, request: Request) -> Result<OrderResults, Stop> {
    let mut work = Work::new(at, table);
    work.steps.push(Step::default());
    work.ask(request)?;
    work.pay_due()?;
    Ok(work.done())
}

/// Reopens a table that was closed after a fault: the jackpot takes wagers from it as before.
///
/// # Errors
/// As [`act`].
pub fn reopen(at: &LinkedTable<'_>, table: &Table, by: Person) -> Result<OrderResults, Stop> {
    let mut work = Work::new(at, table);
    let standing = &table.standing;
    if at.is_linked() && standing.closed && !standing.no_jackpot {
        work.steps.push(Step::default());
        work.restore(by)?;
        work.steps.retain(|step| !step.facts.is_empty());
    }
    Ok(work.done())
}

/// An order in progress: copies of the table and of the jackpot, made on first change.
pub(crate) struct Work<'a> {
    pub(crate) at: &'a LinkedTable<'a>,
    pub(crate) table: Cow<'a, Table>,
    changed: Option<Jackpot>,
    steps: Vec<Step>,
    /// Awards that were paid before their round was partly undone, and are paid again.
    pub(crate) again: Vec<u64>,
    /// The amount that was registered when the jackpot system failed elsewhere.
    pub(crate) registered: Option<Money>,
    reaches: Option<SystemFault>,
}

impl<'a> Work<'a> {
    pub(crate) fn new(at: &'a LinkedTable<'a>, table: &'a Table) -> Work<'a> {
        Work {
            at,
            table: Cow::Borrowed(table),
            changed: None,
            steps: Vec::new(),
            again: Vec::new(),
            registered: None,
            reaches: None,
        }
    }

    pub(crate) fn done(self) -> OrderResults {
        OrderResults { steps: self.steps, jackpot: self.changed, reaches: self.reaches }
    }

    /// Carries out a command and everything that follows from it.
    pub(crate) fn run(&mut self, command: &Command) -> Result<(), Stop> {
        // What the jackpot has decided is handed over before a round can be undone or another opened.
        self.pay_due()?;
        let fault = system_fault(command).filter(|_| self.at.is_linked());
        let registered = fault.as_ref().map(|_| self.jackpot().map(Jackpot::displayed)).transpose()?;
        self.carry_out(command)?;
        self.reaches = fault.zip(registered).map(|(report, registered)| SystemFault { report, registered });
        self.pay_again()?;
        self.pay_due()
    }

    /// The number of the round as the jackpot counts it.
    pub(crate) fn round(&self) -> u64 {
        u64::from(self.table.round.number)
    }

    pub(crate) fn jackpot(&self) -> Result<&Jackpot, Stop> {
        match (&self.changed, self.at.jackpot) {
            (Some(jackpot), _) => Ok(jackpot),
            (None, KnownJackpot::Read(jackpot)) => Ok(jackpot),
            (None, KnownJackpot::Unread | KnownJackpot::NotLinked) => Err(Stop::NeedsJackpot),
        }
    }

    /// The table as the jackpot knows it, while the jackpot is in play.
    pub(crate) fn linked(&self) -> Result<Option<&baize_jackpot::LinkState>, Stop> {
        let jackpot = self.jackpot()?;
        Ok(jackpot.tables.get(self.at.name).filter(|_| jackpot.status == Status::Open))
    }

    /// Begins the step of a command.
    pub(crate) fn begin(&mut self, command: Command) {
        self.steps.push(Step { command: Some(command), facts: Vec::new() });
    }

    pub(crate) fn note(&mut self, fact: Fact) {
        match self.steps.last_mut() {
            Some(step) => step.facts.push(fact),
            None => self.steps.push(Step { command: None, facts: vec![fact] }),
        }
    }

    /// Sends the jackpot a request and records its answer.
    pub(crate) fn ask(&mut self, command: Request) -> Result<Vec<Answer>, Stop> {
        let events = baize_jackpot::decide(self.jackpot()?, &command)?;
        let mut jackpot = match self.changed.take() {
            Some(jackpot) => jackpot,
            None => self.jackpot()?.clone(),
        };
        for event in &events {
            jackpot = baize_jackpot::evolve(jackpot, event);
        }
        self.changed = Some(jackpot);
        self.note(Fact::Jackpot(JackpotStep { command, events: events.clone() }));
        Ok(events)
    }

    fn carry_out(&mut self, command: &Command) -> Result<(), Stop> {
        let events = decide(self.at.book, &self.table, command)?;
        if let Command::PlaceWager { area: Area::Jackpot, .. } = command {
            let jackpot = if self.at.is_linked() { Some(self.jackpot()?) } else { None };
            takes_wagers(jackpot, self.at.name)?;
        }
        self.begin(command.clone());
        // Only steps that concern the jackpot need the intermediate state of the table.
        let told = self.at.is_linked() && events.iter().any(|event| self.news(event).is_some());
        for event in events {
            self.note(Fact::Table(event.clone()));
            if told {
                record(self.table.to_mut(), &event);
                if let Some(news) = self.news(&event) {
                    self.tell(news)?;
                }
            }
        }
        Ok(())
    }
}
