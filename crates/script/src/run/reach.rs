//! What reaches from one table to the others of a script: a bar from further play (I-16).

use std::collections::BTreeSet;

use baize_rules::BarReach;
use baize_table::{Event, Player, RulingKind};

use super::TableRun;

/// A bar holds at every table, also at those that come later, and so does its end, where the reading in force says so.
pub(super) fn bars(house: &mut BTreeSet<Player>, tables: &mut [TableRun], current: usize, events: &[Event]) {
    if tables[current].state.settings.readings.bar_reach == BarReach::Table {
        return;
    }
    for event in events {
        let Event::Ruled { ruling, .. } = event else { continue };
        let everywhere = tables.iter_mut().map(|table| &mut table.state.standing.barred).chain([&mut *house]);
        if let RulingKind::Bar(player) = &ruling.kind {
            everywhere.for_each(|barred| {
                barred.insert(player.clone());
            });
        } else if let RulingKind::Lift(player) = &ruling.kind {
            everywhere.for_each(|barred| {
                barred.remove(player);
            });
        }
    }
}
