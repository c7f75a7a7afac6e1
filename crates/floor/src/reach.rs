//! What reaches from one table to the others that share its jackpot: a fault of the whole jackpot system.

use baize_rules::{FaultScope, IrregularityKind, Money};
use baize_table::{Command, Facts, Report, Table};

use crate::act::Work;
use crate::{Done, LinkedTable, Stop};

/// A fault of the whole jackpot system, as the other linked tables are told of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SystemFault {
    /// The report, without what was said about the table where it was made: who has seen cards decides table by table.
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

/// Tells another linked table of a fault of the whole system. One that cannot be concerned (no round is open, and its game has no
/// paragraph for it) refuses the report and goes on as it is.
///
/// # Errors
/// As [`crate::act`].
pub fn tell_fault(at: &LinkedTable<'_>, table: &Table, fault: &SystemFault) -> Result<Done, Stop> {
    let mut work = Work::new(at, table);
    work.registered = Some(fault.registered);
    work.run(&Command::Report(fault.report.clone()))?;
    Ok(Done { reaches: None, ..work.done() })
}
