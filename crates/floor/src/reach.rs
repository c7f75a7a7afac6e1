//! What reaches from one table to others: a fault of the whole jackpot system, and a bar from further play (I-16).

use baize_rules::{BarReach, FaultScope, IrregularityKind, Money};
use baize_table::{Command, Event, Facts, Player, Report, RulingKind, Settings, Table};

use crate::act::Work;
use crate::{LinkedTable, OrderResults, Stop};

/// A fault of the whole jackpot system, as reported to the other linked tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SystemFault {
    /// The report, without the facts of the table where it was made: who has seen cards is decided table by table.
    pub report: Report,
    /// The amount that the sign showed when the system failed.
    pub registered: Money,
}

/// The report of a fault of the whole system that this command makes.
pub(crate) fn system_fault(command: &Command) -> Option<Report> {
    let Command::Report(report) = command else { return None };
    let system = report.kind == IrregularityKind::JackpotFault
        && report.facts.scope == Some(FaultScope::System)
        && !report.facts.previous_round;
    system
        .then(|| Report { facts: Facts { scope: report.facts.scope, ..Facts::default() }, ..report.clone() })
}

/// Reports a fault of the whole system to another linked table. A table that it cannot concern (no round is open, and its game
/// has no paragraph for it) refuses the report and continues unchanged.
///
/// # Errors
/// As [`crate::act`].
pub fn tell_fault(at: &LinkedTable<'_>, table: &Table, fault: &SystemFault) -> Result<OrderResults, Stop> {
    let mut work = Work::new(at, table);
    work.registered = Some(fault.registered);
    work.run(&Command::Report(fault.report.clone()))?;
    Ok(OrderResults { reaches: None, ..work.done() })
}

/// A bar from further play that applies in the whole house, or its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HouseBar {
    /// The player is barred at every table.
    Barred(Player),
    /// The bar is lifted at every table.
    Lifted(Player),
}

/// The bar that this event sets or lifts in the whole house, if the reading in force extends it that far.
#[must_use]
pub fn house_bar(settings: &Settings, event: &Event) -> Option<HouseBar> {
    let Event::Ruled { ruling, .. } = event else { return None };
    if settings.readings.bar_reach == BarReach::Table {
        return None;
    }
    match &ruling.kind {
        RulingKind::Bar(player) => Some(HouseBar::Barred(player.clone())),
        RulingKind::Lift(player) => Some(HouseBar::Lifted(player.clone())),
        RulingKind::Void
        | RulingKind::Continue
        | RulingKind::FirstCard(_)
        | RulingKind::NoJackpot
        | RulingKind::CloseTable
        | RulingKind::BarBox(_)
        | RulingKind::JackpotRestored
        | RulingKind::Restrict(_)
        | RulingKind::Stop(_)
        | RulingKind::PermitWithdrawal
        | RulingKind::Intentional
        | RulingKind::NotIntentional => None,
    }
}
