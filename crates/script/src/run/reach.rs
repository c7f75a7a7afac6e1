//! What reaches from one table to the others of a script: a fault of the whole jackpot system, a bar from further play (I-16).

use std::collections::BTreeSet;

use baize_rules::{BarReach, FaultScope, IrregularityKind};
use baize_table::{Command, Event, Facts, Player, Report, RulingKind, Table, decide, evolve};

use super::TableRun;

/// What happens at the other tables when this has happened at one: each is judged by itself, because who has seen cards decides table by
/// table. A table that cannot be concerned (no round is open, and its game has no paragraph for it) goes on as it is.
pub(super) fn elsewhere(
    tables: &[TableRun],
    current: usize,
    events: &[Event],
) -> Vec<(usize, Table, Vec<Event>)> {
    let Some(report) = events.iter().find_map(system_fault) else { return Vec::new() };
    let others = tables.iter().enumerate().filter(|(at, _)| *at != current);
    others
        .filter_map(|(at, table)| {
            let command = Command::Report(report.clone());
            let events = decide(&table.book, &table.state, &command).ok()?;
            let after = events.iter().fold(table.state.clone(), evolve);
            Some((at, after, events))
        })
        .collect()
}

/// The report of a fault of the whole system as the other tables get it: without what was said about this one.
fn system_fault(event: &Event) -> Option<Report> {
    let Event::IrregularityRuled { report, .. } = event else { return None };
    let system = report.kind == IrregularityKind::JackpotFault
        && report.facts.scope == Some(FaultScope::System)
        && !report.facts.previous_round;
    system
        .then(|| Report { facts: Facts { scope: report.facts.scope, ..Facts::default() }, ..report.clone() })
}

/// Whether these events void a round.
pub(super) fn voids(events: &[Event]) -> bool {
    events.iter().any(|event| matches!(event, Event::RoundVoided { .. }))
}

/// A bar holds at every table, also at those that come later, and so does its end, where the reading in force says so.
pub(super) fn bars(house: &mut BTreeSet<Player>, tables: &mut [TableRun], current: usize, events: &[Event]) {
    if tables[current].state.settings.readings.bar_reach == BarReach::Table {
        return;
    }
    for event in events {
        let Event::Ruled { ruling, .. } = event else { continue };
        let everywhere = tables.iter_mut().map(|table| &mut table.state.standing.barred).chain([&mut *house]);
        if let RulingKind::Bar(player) = &ruling.kind {
            everywhere.for_each(|barred| drop(barred.insert(player.clone())));
        } else if let RulingKind::Lift(player) = &ruling.kind {
            everywhere.for_each(|barred| drop(barred.remove(player)));
        }
    }
}
