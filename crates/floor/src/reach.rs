//! What reaches from one table to the others: a fault of the whole jackpot system, and a bar from further play (I-16).

use baize_rules::{BarReach, FaultScope, IrregularityKind, Rulebook};
use baize_table::{Command, Event, Facts, Player, Report, RulingKind, Settings, Table, decide};

/// The report that a fault of the whole jackpot system is at every other linked table: without what was said about this one, because who
/// has seen cards decides table by table (RH 5.16, RS 5.17). `None`: the command concerns its own table only.
#[must_use]
pub fn reaching(command: &Command) -> Option<Command> {
    let Command::Report(report) = command else { return None };
    let system = report.kind == IrregularityKind::JackpotFault
        && report.facts.scope == Some(FaultScope::System)
        && !report.facts.previous_round;
    let facts = Facts { scope: report.facts.scope, ..Facts::default() };
    system.then(|| Command::Report(Report { facts, ..report.clone() }))
}

/// What a command that reaches a table does there. A table that it cannot concern (no round is open, and its game has no paragraph for it)
/// goes on as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reached {
    /// The round goes on, or none is open. These come first: what a fault registers is the meter before any wager is taken out of it.
    GoesOn,
    /// The round is void, and its contributions leave the meter.
    Void,
}

/// What a command that reaches this table would do there; `None`: nothing.
#[must_use]
pub fn reached(book: &Rulebook, table: &Table, command: &Command) -> Option<Reached> {
    let events = decide(book, table, command).ok()?;
    let void = events.iter().any(|event| matches!(event, Event::RoundVoided { .. }));
    Some(if void { Reached::Void } else { Reached::GoesOn })
}

/// A bar from further play that holds in the whole house, or its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HouseBar {
    /// The player is barred at every table.
    Barred(Player),
    /// The bar is lifted at every table.
    Lifted(Player),
}

/// The bar that this event sets or lifts in the whole house, where the reading in force says that it reaches so far.
#[must_use]
pub fn house_bar(settings: &Settings, event: &Event) -> Option<HouseBar> {
    let Event::Ruled { ruling, .. } = event else { return None };
    if settings.readings.bar_reach == BarReach::Table {
        return None;
    }
    if let RulingKind::Bar(player) = &ruling.kind {
        Some(HouseBar::Barred(player.clone()))
    } else if let RulingKind::Lift(player) = &ruling.kind {
        Some(HouseBar::Lifted(player.clone()))
    } else {
        None
    }
}
