//! Runs a script: steps go to their table and its jackpot, expectations are checked.
//!
//! Pure: the same script and rulebooks always give the same transcript. A refused step changes nothing. The run
//! continues after a failure, so that a reader sees all of them.

mod expectation;
pub(crate) mod implied;
mod jackpot;
mod set_up;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use baize_floor::{HouseBar, SystemFault, act, house_bar, pay, tell_fault};
use baize_rules::{Cites, Rulebook};
use baize_table::{Command, Event, Outcome, Phase, Player, Table};

pub use self::expectation::{Judge, Observed};

use self::implied::InTurn;
use self::jackpot::SharedJackpot;
use crate::transcript::{Happened, LineResult, Refused, ScriptRound, TableRecord, Transcript, finished};
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
        judge: Judge::default(),
        entries: Vec::new(),
        rounds: Vec::new(),
    };
    for line in &script.lines {
        run.line(line.number, &line.statement);
        if run.tables.is_empty() {
            break;
        }
    }
    let jackpot = run.jackpot.set_up();
    let tables = run.tables.into_iter().map(|table| TableRecord {
        name: table.name,
        book: table.book,
        settings: table.state.settings.clone(),
        state: table.state,
    });
    Transcript {
        heading: script.heading.clone(),
        tables: tables.collect(),
        entries: run.entries,
        rounds: run.rounds,
        jackpot,
        failures: run.judge.end(),
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

struct Run<'a> {
    lookup: &'a dyn Fn(&str) -> Option<Rulebook>,
    tables: Vec<TableRun>,
    current: usize,
    /// The set-up that all tables share: what comes before the first `table`.
    common: Vec<SetUp>,
    jackpot: SharedJackpot,
    /// Players barred in the whole house (I-16).
    barred: BTreeSet<Player>,
    judge: Judge,
    entries: Vec<LineResult>,
    rounds: Vec<ScriptRound>,
}

impl Run<'_> {
    fn line(&mut self, line: usize, statement: &Statement) {
        let names_game = matches!(statement, Statement::SetUp(SetUp::Game(_)));
        if self.tables.is_empty() != names_game {
            let expected = "the game is named in the first line, and only there".to_owned();
            self.judge.fails(line, expected, statement.to_string(), true);
            return;
        }
        if let Statement::Expect(expect) = statement {
            self.expect(line, expect);
            return;
        }
        let happened = match statement {
            Statement::SetUp(set_up) => self.set_up(set_up).map(|()| Happened::SetUp),
            Statement::Table { name, game } => {
                self.choose_table(name, game.as_deref()).map(|()| Happened::SetUp)
            }
            Statement::Step(command) => self.step(line, command),
            Statement::Expect(_) => Ok(Happened::Expected),
        };
        let step = statement.to_string();
        let done = happened.as_ref().map(|happened| match happened {
            Happened::Done { events, .. } => departs_from(events),
            Happened::SetUp | Happened::Refused { .. } | Happened::Expected => Cites::NONE,
        });
        self.judge.step(line, step.clone(), done.map_err(Clone::clone));
        self.enter(line, happened.unwrap_or_else(|refused| Happened::Refused { step, refused }));
    }

    fn enter(&mut self, line: usize, happened: Happened) {
        let round = self.tables.get(self.current).and_then(|table| table.round);
        self.entries.push(LineResult { line, table: self.current, round, happened });
    }

    fn expect(&mut self, line: usize, expect: &Expect) {
        let table = &self.tables[self.current];
        let observed = Observed::of(&table.book, &table.state, self.jackpot.displayed());
        self.judge.expect(line, expect, &observed);
        self.enter(line, Happened::Expected);
    }

    /// Does a step with all that it implies, or nothing at all.
    fn step(&mut self, line: usize, command: &Command) -> Result<Happened, Refused> {
        let table = &self.tables[self.current];
        let before = &table.state;
        let command = &implied::in_full(command, before);
        let mut jackpot = self.jackpot.clone();
        jackpot.step_on();
        let (mut events, mut implied, mut state) = (Vec::new(), Vec::new(), before.clone());
        let mut others = BTreeMap::new();
        let said_already = *command == Command::Settle && is_void(before) || noted_as_gone(command, before);
        if !said_already {
            for step in implied::before(command, table.in_turn, &table.book, before) {
                // A step that the table would not allow is not implied.
                if let Ok(done) = jackpot.at(table, &state, |at, state| act(at, state, &step)) {
                    events.extend(done.events().cloned());
                    state = done.table(state);
                    implied.push(step);
                }
            }
            if *command == Command::Open {
                jackpot.link_table(table)?;
            }
            let done = jackpot.at(table, &state, |at, state| act(at, state, command))?;
            events.extend(done.events().cloned());
            state = done.table(state);
            if let Some(fault) = done.reaches {
                self.tell_others(&mut jackpot, &fault, &mut others);
            }
        }
        // What a round that became void elsewhere was holding up is paid here too.
        let done = jackpot.at(table, &state, pay)?;
        events.extend(done.events().cloned());
        state = done.table(state);
        for (at, other) in self.tables.iter().enumerate().filter(|(at, _)| *at != self.current) {
            let (state, events) = others.entry(at).or_insert_with(|| (other.state.clone(), Vec::new()));
            let done = jackpot.at(other, state, pay)?;
            if !done.steps.is_empty() {
                events.extend(done.events().cloned());
                *state = done.table(state.clone());
            }
        }
        // From here on nothing can be refused.
        self.jackpot = jackpot;
        let table = &mut self.tables[self.current];
        table.in_turn = table.in_turn.after(command, &table.book, &table.state, &state);
        table.state = state;
        let mut elsewhere = Vec::new();
        for (at, (state, events)) in others.into_iter().filter(|(_, (_, events))| !events.is_empty()) {
            self.tables[at].state = state;
            elsewhere.push((at, events));
        }
        self.bar(&events);
        if *command == Command::Open {
            self.open_record(line);
        }
        self.keep_records();
        Ok(Happened::Done { command: command.clone(), implied, events, elsewhere })
    }

    /// Reports a fault of the whole system to the other tables. A table that it cannot concern continues
    /// unchanged.
    fn tell_others(
        &self,
        jackpot: &mut SharedJackpot,
        fault: &SystemFault,
        others: &mut BTreeMap<usize, (Table, Vec<Event>)>,
    ) {
        for (at, other) in self.tables.iter().enumerate().filter(|(at, _)| *at != self.current) {
            if let Ok(done) = jackpot.at(other, &other.state, |at, state| tell_fault(at, state, fault)) {
                others.insert(at, (done.table(other.state.clone()), done.events().cloned().collect()));
            }
        }
    }

    /// A bar in the whole house applies at every table, including those that come later.
    fn bar(&mut self, events: &[Event]) {
        let settings = self.tables[self.current].state.settings.clone();
        for bar in events.iter().filter_map(|event| house_bar(&settings, event)) {
            let tables = self.tables.iter_mut().map(|table| &mut table.state.standing.barred);
            for barred in tables.chain([&mut self.barred]) {
                match &bar {
                    HouseBar::Barred(player) => barred.insert(player.clone()),
                    HouseBar::Lifted(player) => barred.remove(player),
                };
            }
        }
    }

    fn open_record(&mut self, line: usize) {
        let table = &mut self.tables[self.current];
        table.round = Some(self.rounds.len());
        let meter = self.jackpot.displayed();
        let round = table.state.round.clone();
        self.rounds.push(ScriptRound {
            table: self.current,
            opened: line,
            meter_before: meter,
            meter,
            round,
        });
    }

    /// Every table's latest round as it is now; the meter belongs to the round of the step and to the rounds that the
    /// step changed.
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

/// The paragraphs of the dealing procedure that the cards of these events depart from.
pub fn departs_from<'e>(events: impl IntoIterator<Item = &'e Event>) -> Cites {
    let departed = events.into_iter().filter_map(|event| {
        if let Event::CardsDealt { departs_from, .. } | Event::CardBurnt { departs_from, .. } = event {
            Some(*departs_from)
        } else {
            None
        }
    });
    departed.fold(Cites::NONE, Cites::and)
}

fn is_void(table: &Table) -> bool {
    finished(&table.round).is_some_and(|finished| matches!(finished.outcome, Outcome::Void { .. }))
}

/// A player with several hands who was noted as gone with one of them is gone from all: a script may say it of each.
fn noted_as_gone(command: &Command, table: &Table) -> bool {
    let (Command::Absent { seat }, Phase::Play(play)) = (command, &table.round.phase) else { return false };
    let Some(hand) = play.hands.get(seat).filter(|hand| play.gone.contains(&hand.seated)) else {
        return false;
    };
    let mut theirs = play.hands.values().filter(|other| other.seated == hand.seated);
    theirs.clone().count() > 1 && theirs.all(|hand| hand.absent || !hand.in_play())
}

impl From<baize_table::Refusal> for Refused {
    fn from(refusal: baize_table::Refusal) -> Refused {
        Refused { why: refusal.to_string(), cites: refusal.cites }
    }
}

impl Refused {
    /// Refused for a reason that no paragraph covers.
    fn because(why: impl std::fmt::Display) -> Refused {
        Refused { why: why.to_string(), cites: Cites::NONE }
    }
}
