//! Writes what happened at a table as a script that replays to the same settlement.
//!
//! The events of a journal are turned back into the steps that caused them. Each step is decided again on the way and must
//! give exactly the recorded events. Names become single words, because a script separates words by spaces.

use std::collections::BTreeSet;

use baize_rules::{BoxNumber, Money, Percent, Rulebook};
use baize_table::{Command, Event, Player, RulingKind, Settings, Staff, Table, decide, evolve};
use thiserror::Error;

use crate::run::implied::{self, InTurn};
use crate::transcript::finished;
use crate::{Expect, Script, ScriptLine, SetUp, Stands, Statement};

/// The jackpot when the round was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JackpotStood {
    /// The meter.
    pub meter: Money,
    /// The reset value.
    pub reset: Money,
    /// The share of each wager that is added to it.
    pub rate: Percent,
}

/// Why a record cannot be written as a script.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ExportFault {
    /// No step causes this event here.
    #[error("event {at} of the record does not follow from a step: {event}")]
    NoStep {
        /// Its position in the record; the first is 1.
        at: usize,
        /// The event.
        event: String,
    },
}

impl Script {
    /// The rounds of a record, starting with the first one opened at `table`, with what must hold at the end of each.
    /// The results of earlier rounds are left out; what carries over from them is included.
    ///
    /// # Errors
    /// Events that do not follow from any step at this table.
    pub fn export(
        book: &Rulebook,
        table: &Table,
        jackpot: JackpotStood,
        events: &[Event],
    ) -> Result<Script, ExportFault> {
        let mut statements: Vec<Statement> =
            set_up(book, &table.settings, jackpot).into_iter().map(Statement::SetUp).collect();
        statements.extend(standing(table).map(SetUp::Standing).map(Statement::SetUp));
        let mut state = table.clone();
        let (mut at, mut begun) = (0, false);
        let (mut in_turn, mut ahead) = (InTurn::default(), Vec::new());
        while let Some(event) = events.get(at) {
            let no_step = || ExportFault::NoStep { at: at + 1, event: format!("{event:?}") };
            if let Event::JackpotPaid { .. } = event {
                // The jackpot's payments follow from the settlement.
                state = evolve(state, event);
                at += 1;
                continue;
            }
            if let Some(player) = barred_at_another_table(event, &state) {
                state = evolve(state, event);
                // The script does not bar them here, so a later lifting of the bar is left out as well.
                state.standing.barred.remove(player);
                at += 1;
                continue;
            }
            if matches!(event, Event::RoundOpened { .. }) {
                if begun {
                    statements.extend(expectations(&state));
                }
                begun = true;
                ahead.clear();
            }
            let command = step(event, &state).ok_or_else(no_step)?;
            let decided = decide(book, &state, &command).map_err(|_| no_step())?;
            if decided.is_empty() || events.get(at..at + decided.len()) != Some(&decided[..]) {
                return Err(no_step());
            }
            at += decided.len();
            // What a script implies before this step is not written again where the record has it later.
            for step in implied::before(&command, in_turn, book, &state) {
                if !ahead.contains(&step) && decide(book, &state, &step).is_ok() {
                    ahead.push(step);
                }
            }
            let after = decided.iter().fold(state.clone(), evolve);
            in_turn = in_turn.after(&command, book, &state, &after);
            state = after;
            match ahead.iter().position(|step| *step == command) {
                Some(implied) => drop(ahead.remove(implied)),
                None => statements.push(Statement::Step(in_words(command))),
            }
        }
        if begun {
            statements.extend(expectations(&state));
        }
        let lines = statements.into_iter().enumerate();
        Ok(Script {
            heading: Vec::new(),
            lines: lines.map(|(at, statement)| ScriptLine { number: at + 1, statement }).collect(),
        })
    }
}

fn set_up(book: &Rulebook, settings: &Settings, jackpot: JackpotStood) -> Vec<SetUp> {
    let mut lines = vec![
        SetUp::Game(book.id.clone()),
        SetUp::Dealing(settings.procedure),
        SetUp::Boxes(settings.boxes),
        SetUp::Limit { area: baize_rules::Area::Ante, least: settings.ante.least, most: settings.ante.most },
    ];
    if book.has_area(baize_rules::Area::Bonus) {
        let (least, most) = (settings.bonus.least, settings.bonus.most);
        lines.push(SetUp::Limit { area: baize_rules::Area::Bonus, least, most });
    }
    lines.extend([
        SetUp::JackpotWager(settings.jackpot_wager),
        SetUp::JackpotMeter(jackpot.meter),
        SetUp::JackpotReset(jackpot.reset),
        SetUp::JackpotRate(jackpot.rate),
    ]);
    for point in book.interpretations.iter().map(|open| open.id) {
        let reading = settings.readings.reading(point);
        if reading != book.readings.reading(point) {
            lines.push(SetUp::Interpret { point, reading });
        }
    }
    lines
}

/// What carries over at the table. A closed table is not included: no round opens there.
fn standing(table: &Table) -> impl Iterator<Item = Stands> {
    let named = |players: &BTreeSet<Player>, stands: fn(Player) -> Stands| -> Vec<Stands> {
        let word = |player: &Player| {
            let mut player = player.clone();
            one_word(&mut player);
            stands(player)
        };
        players.iter().map(word).collect()
    };
    let standing = &table.standing;
    let mut lines = Vec::new();
    lines.extend((table.round.number > 0).then_some(Stands::Rounds(table.round.number)));
    lines.extend(standing.no_jackpot.then_some(Stands::NoJackpot));
    lines.extend(standing.jackpot_fault.then_some(Stands::JackpotFault));
    lines.extend(standing.barred_boxes.iter().map(|seat| Stands::BarredBox(*seat)));
    lines.extend(named(&standing.restricted, Stands::Restricted));
    lines.extend(named(&standing.barred, Stands::Barred));
    lines.extend(named(&standing.stopped, Stands::Stopped));
    lines.extend(named(&standing.under_minimum, Stands::UnderMinimum));
    lines.into_iter()
}

/// The player whose bar the event lifts or repeats, if it was imposed at another table during this round. That is not an event of this
/// table: the script does not have it, has nothing to lift, and does not know a player who is barred once more here.
fn barred_at_another_table<'e>(event: &'e Event, table: &Table) -> Option<&'e Player> {
    let Event::Ruled { ruling, .. } = event else { return None };
    if let RulingKind::Lift(player) = &ruling.kind {
        (!table.standing.barred.contains(player)).then_some(player)
    } else if let RulingKind::Bar(player) = &ruling.kind {
        (!table.known_players().contains(player)).then_some(player)
    } else {
        None
    }
}

/// The step whose first event is this one.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the other events never come first: an earlier step causes them"
)]
fn step(event: &Event, table: &Table) -> Option<Command> {
    Some(match event.clone() {
        Event::RoundOpened { .. } => Command::Open,
        Event::WagerPlaced { seat, player, area, amount, unnoticed, placed_by } => {
            Command::PlaceWager { seat, player, area, amount, unnoticed, placed_by }
        }
        Event::WagerWithdrawn { seat, player, area, .. } => Command::Withdraw { seat, player, area },
        Event::BetsClosed { .. } => Command::Close,
        Event::CardBurnt { card, .. } => Command::Burn { card },
        Event::CardsDealt { to, cards, .. } => Command::Deal { to, cards },
        Event::CardPutBack { card, to: Some(to) } => Command::Deal { to, cards: vec![card] },
        Event::CardPutBack { card, to: None } => Command::Burn { card },
        Event::HandLookedAt { seat } => Command::Look { seat },
        Event::DecisionMade { seat, decided, .. } => decision(seat, decided, table)?,
        Event::CardsRevealed { what } => Command::Reveal { what },
        Event::HandShown { seat } => Command::Show { seat },
        Event::HandDeclined { seat } => Command::Decline { seat },
        Event::PlayerAbsent { seat, .. } => Command::Absent { seat },
        Event::IrregularityRuled { report, .. } => Command::Report(report),
        Event::OptionChosen { seat, player, choice, .. } => Command::Choose { seat, player, choice },
        Event::Ruled { ruling, .. } => Command::Rule(ruling),
        Event::RoundSettled { .. } => Command::Settle,
        _ => return None,
    })
}

/// A decision; for a player who has walked away it is made when the next cards are turned.
fn decision(seat: BoxNumber, decided: baize_table::Decided, table: &Table) -> Option<Command> {
    let play = crate::transcript::play(&table.round)?;
    if play.hands.get(&seat)?.absent {
        let due = baize_rules::Reveal::ALL.into_iter().find(|what| !play.revealed.contains(what))?;
        return Some(Command::Reveal { what: due });
    }
    match decided {
        baize_table::Decided::Folded => Some(Command::Fold { seat }),
        baize_table::Decided::Checked => Some(Command::Check { seat }),
        baize_table::Decided::Raised => None,
    }
}

/// What must hold at the end of the round: every line of every slip, and what each box won or lost.
fn expectations(table: &Table) -> Vec<Statement> {
    let Some(finished) = finished(&table.round) else { return Vec::new() };
    let mut expects = vec![match &finished.outcome {
        baize_table::Outcome::Settled => Expect::Settled,
        baize_table::Outcome::Void { cites, .. } => Expect::Void { citing: cites.first() },
    }];
    for slip in &finished.boxes {
        expects.extend(slip.lines.iter().map(|line| Expect::Area {
            seat: slip.seat,
            area: line.area,
            result: line.result,
            amount: Some(line.amount),
            citing: line.cites.first(),
        }));
        expects.push(Expect::Net { seat: slip.seat, amount: slip.net() });
    }
    expects.into_iter().map(Statement::Expect).collect()
}

/// The step with every name as one word and every reason without a comment sign.
fn in_words(mut command: Command) -> Command {
    named_players(&mut command).into_iter().for_each(one_word);
    if let Command::Report(report) = &mut command {
        staff_in_words(&mut report.by);
    } else if let Command::Rule(ruling) = &mut command {
        staff_in_words(&mut ruling.by);
        let reason = ruling.reason.take().map(|reason| words(&reason.replace('#', " "), " "));
        ruling.reason = reason.filter(|reason| !reason.is_empty());
    }
    command
}

/// Every player named in a step.
pub fn named_players(command: &mut Command) -> Vec<&mut Player> {
    match command {
        Command::PlaceWager { player, .. } | Command::Withdraw { player, .. } => vec![player],
        Command::Choose { player, .. } => player.iter_mut().collect(),
        Command::Report(report) => report.facts.player.iter_mut().collect(),
        Command::Rule(ruling) => match &mut ruling.kind {
            RulingKind::Restrict(player)
            | RulingKind::Bar(player)
            | RulingKind::Stop(player)
            | RulingKind::Lift(player) => vec![player],
            RulingKind::Void
            | RulingKind::Continue
            | RulingKind::FirstCard(_)
            | RulingKind::NoJackpot
            | RulingKind::CloseTable
            | RulingKind::BarBox(_)
            | RulingKind::JackpotRestored
            | RulingKind::PermitWithdrawal
            | RulingKind::Intentional
            | RulingKind::NotIntentional => Vec::new(),
        },
        Command::Open
        | Command::Close
        | Command::Burn { .. }
        | Command::Deal { .. }
        | Command::Look { .. }
        | Command::Fold { .. }
        | Command::Check { .. }
        | Command::Reveal { .. }
        | Command::Show { .. }
        | Command::Decline { .. }
        | Command::Absent { .. }
        | Command::Settle
        | Command::PayJackpot { .. } => Vec::new(),
    }
}

fn one_word(player: &mut Player) {
    let name = words(&player.0.replace('#', " "), "-");
    player.0 = if name.is_empty() { "-".to_owned() } else { name };
}

fn staff_in_words(by: &mut Staff) {
    let name = by.name.take().map(|name| words(&name.replace('#', " "), "-"));
    by.name = name.filter(|name| !name.is_empty() && name != "because");
}

fn words(text: &str, between: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(between)
}
