//! Runs a script: steps go to their table and its jackpot, expectations are looked at.
//!
//! Pure: the same script and rulebooks always give the same transcript. A refused step changes nothing. The run goes on
//! after a failure, so that a reader sees all of it.

mod expectation;
mod implied;
mod jackpot;
mod reach;
mod set_up;

use std::collections::BTreeSet;
use std::sync::Arc;

use baize_floor::{act, pay, tell_fault};
use baize_rules::{Cites, Rulebook};
use baize_table::{Command, Event, Outcome, Player, Table};

use self::implied::InTurn;
use self::jackpot::SharedJackpot;
use crate::transcript::{Entry, Failure, Happened, Refused, RoundRecord, TableRecord, Transcript, finished};
use crate::{Expect, Script, SetUp, Statement};

/// Runs a script with the rulebooks that `lookup` finds by their id.
#[must_use]
pub fn run(script: &Script, lookup: &dyn Fn(&str) -> Option<Rulebook>) -> Transcript {
    let mut run = Run {
        lookup,
        tables: Vec::new(),
        current: 0,
        common: Vec::new(),
        jackpot: SharedJackpot::default(),
        barred: BTreeSet::new(),
        last: None,
        entries: Vec::new(),
        rounds: Vec::new(),
        failures: Vec::new(),
    };
    for line in &script.lines {
        run.line(line.number, &line.statement);
        if run.tables.is_empty() {
            break;
        }
    }
    run.step_ends();
    run.failures.sort_by_key(|failure| failure.line);
    let tables = run.tables.into_iter().map(|table| TableRecord {
        name: table.name,
        book: table.book,
        settings: table.state.settings,
    });
    Transcript {
        heading: script.heading.clone(),
        tables: tables.collect(),
        entries: run.entries,
        rounds: run.rounds,
        failures: run.failures,
    }
}

/// A table of the run.
struct TableRun {
    name: Option<String>,
    book: Arc<Rulebook>,
    state: Table,
    in_turn: InTurn,
    /// The index of its latest round.
    round: Option<usize>,
}

/// The latest step.
struct LastStep {
    line: usize,
    /// The step as it is written.
    text: String,
    refused: Option<Refused>,
    /// The paragraphs of the dealing procedure that it departs from.
    departs_from: Cites,
    /// It was expected to be refused.
    expected: bool,
}

struct Run<'a> {
    lookup: &'a dyn Fn(&str) -> Option<Rulebook>,
    tables: Vec<TableRun>,
    current: usize,
    /// The set-up that all tables share: what comes before the first `table`.
    common: Vec<SetUp>,
    jackpot: SharedJackpot,
    /// Players barred in the whole house (I-16).
    barred: BTreeSet<Player>,
    last: Option<LastStep>,
    entries: Vec<Entry>,
    rounds: Vec<RoundRecord>,
    failures: Vec<Failure>,
}

impl Run<'_> {
    fn line(&mut self, line: usize, statement: &Statement) {
        let names_game = matches!(statement, Statement::SetUp(SetUp::Game(_)));
        if self.tables.is_empty() != names_game {
            let expected = "the game is named in the first line, and only there".to_owned();
            self.failures.push(Failure { line, expected, happened: statement.to_string(), refusal: true });
            return;
        }
        if let Statement::Expect(expect) = statement {
            self.expect(line, expect);
            return;
        }
        self.step_ends();
        let happened = match statement {
            Statement::SetUp(set_up) => self.set_up(set_up).map(|()| Happened::SetUp),
            Statement::Table { name, game } => {
                self.choose_table(name, game.as_deref()).map(|()| Happened::SetUp)
            }
            Statement::Step(command) => self.step(line, command),
            Statement::Expect(_) => Ok(Happened::Expected),
        };
        let refused = happened.as_ref().err().cloned();
        let departs_from = happened.as_ref().map_or(Cites::NONE, departs_from);
        let step = statement.to_string();
        self.last = Some(LastStep { line, text: step.clone(), refused, departs_from, expected: false });
        self.enter(line, happened.unwrap_or_else(|refused| Happened::Refused { step, refused }));
    }

    fn enter(&mut self, line: usize, happened: Happened) {
        let round = self.tables.get(self.current).and_then(|table| table.round);
        self.entries.push(Entry { line, table: self.current, round, happened });
    }

    /// The expectations of the latest step are over: had it been refused, one of them must have said so.
    fn step_ends(&mut self) {
        let Some(LastStep { line, text, refused: Some(refused), expected: false, .. }) = self.last.take()
        else {
            return;
        };
        self.failures.push(Failure {
            line,
            expected: format!("`{text}` is done"),
            happened: format!("refused: {}", refused.why),
            refusal: true,
        });
    }

    fn expect(&mut self, line: usize, expect: &Expect) {
        if let (Expect::Refused { .. }, Some(last)) = (expect, &mut self.last) {
            last.expected = true;
        }
        if let Err((expected, happened)) = self.holds(expect) {
            self.failures.push(Failure { line, expected, happened, refusal: false });
        }
        self.enter(line, Happened::Expected);
    }

    /// Does a step with all that it implies, or nothing at all.
    fn step(&mut self, line: usize, command: &Command) -> Result<Happened, Refused> {
        let table = &self.tables[self.current];
        let before = &table.state;
        let mut jackpot = self.jackpot.clone();
        jackpot.step_on();
        let (mut events, mut state, mut reaches) = (Vec::new(), before.clone(), None);
        if *command != Command::Settle || !is_void(before) {
            for implied in implied::before(command, table.in_turn, &table.book, before) {
                // What the table does not let happen is not implied.
                if let Ok(done) = jackpot.at(table, &state, |at, state| act(at, state, &implied)) {
                    events.extend(done.events().cloned());
                    state = done.table(state);
                }
            }
            if *command == Command::Open {
                jackpot.link_table(table)?;
            }
            let done = jackpot.at(table, &state, |at, state| act(at, state, command))?;
            events.extend(done.events().cloned());
            state = done.table(state);
            reaches = done.reaches;
        }
        let mut states: Vec<Table> = self.tables.iter().map(|table| table.state.clone()).collect();
        let mut elsewhere: Vec<(usize, Vec<Event>)> = Vec::new();
        states[self.current] = state;
        for (at, other) in self.tables.iter().enumerate().filter(|(at, _)| *at != self.current) {
            let Some(fault) = &reaches else { break };
            // A table that cannot be concerned goes on as it is.
            if let Ok(done) = jackpot.at(other, &states[at], |at, state| tell_fault(at, state, fault)) {
                elsewhere.push((at, done.events().cloned().collect()));
                states[at] = done.table(states[at].clone());
            }
        }
        for (at, table) in self.tables.iter().enumerate() {
            let done = jackpot.at(table, &states[at], pay)?;
            if done.steps.is_empty() {
                continue;
            }
            let paid = done.events().cloned();
            match elsewhere.iter_mut().find(|(known, _)| *known == at) {
                Some((_, there)) => there.extend(paid),
                None if at == self.current => events.extend(paid),
                None => elsewhere.push((at, paid.collect())),
            }
            states[at] = done.table(states[at].clone());
        }
        // Nothing can be refused any more.
        self.jackpot = jackpot;
        for (at, (table, state)) in self.tables.iter_mut().zip(states).enumerate() {
            if at == self.current {
                table.in_turn = table.in_turn.after(command, &table.book, &table.state, &state);
            }
            table.state = state;
        }
        reach::bars(&mut self.barred, &mut self.tables, self.current, &events);
        if *command == Command::Open {
            self.open_record(line);
        }
        self.keep_records();
        Ok(Happened::Done { command: command.clone(), events, elsewhere })
    }

    fn open_record(&mut self, line: usize) {
        let table = &mut self.tables[self.current];
        table.round = Some(self.rounds.len());
        let meter = self.jackpot.displayed();
        let round = table.state.round.clone();
        self.rounds.push(RoundRecord {
            table: self.current,
            opened: line,
            meter_before: meter,
            meter,
            round,
        });
    }

    /// Every table's latest round as it is now; the meter belongs to the round of the step and to those that it changed.
    fn keep_records(&mut self) {
        let meter = self.jackpot.displayed();
        for (at, table) in self.tables.iter().enumerate() {
            let Some(record) = table.round.and_then(|round| self.rounds.get_mut(round)) else { continue };
            if at == self.current || record.round != table.state.round {
                record.meter = meter;
                record.round = table.state.round.clone();
            }
        }
    }
}

fn departs_from(happened: &Happened) -> Cites {
    let Happened::Done { events, .. } = happened else { return Cites::NONE };
    let dealt = events.iter().filter_map(|event| {
        if let Event::CardsDealt { departs_from, .. } | Event::CardBurnt { departs_from, .. } = event {
            Some(*departs_from)
        } else {
            None
        }
    });
    dealt.fold(Cites::NONE, Cites::and)
}

fn is_void(table: &Table) -> bool {
    finished(&table.round).is_some_and(|finished| matches!(finished.outcome, Outcome::Void { .. }))
}

impl From<baize_table::Refusal> for Refused {
    fn from(refusal: baize_table::Refusal) -> Refused {
        Refused { why: refusal.to_string(), cites: refusal.cites }
    }
}

impl Refused {
    /// Refused for a reason of which no paragraph speaks.
    fn because(why: impl std::fmt::Display) -> Refused {
        Refused { why: why.to_string(), cites: Cites::NONE }
    }
}
