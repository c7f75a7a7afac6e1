//! What could be done now: the table's own answer, less the jackpot wagers that the jackpot would refuse.

use baize_jackpot::{Jackpot, Status};
use baize_rules::{Area, Rulebook};
use baize_table::{Legal, Table};

use crate::Away;

/// Whether the jackpot takes wagers from this table now.
///
/// # Errors
/// Why not.
pub fn takes_wagers(jackpot: Option<&Jackpot>, table: &str) -> Result<(), Away> {
    let jackpot = jackpot.ok_or(Away::NotLinked)?;
    if jackpot.status != Status::Open {
        return Err(Away::Closed);
    }
    jackpot.reconcile()?;
    match jackpot.tables.get(table) {
        None => Err(Away::Unlinked),
        Some(linked) if linked.suspended => Err(Away::Suspended),
        Some(_) => Ok(()),
    }
}

/// Everything that would be accepted now at a table of this name with this jackpot.
#[must_use]
pub fn legal(book: &Rulebook, table: &Table, jackpot: Option<&Jackpot>, name: &str) -> Legal {
    narrowed(baize_table::legal(book, table), jackpot, name)
}

/// Of all that would be accepted now, what players do themselves.
#[must_use]
pub fn legal_to_players(book: &Rulebook, table: &Table, jackpot: Option<&Jackpot>, name: &str) -> Legal {
    narrowed(baize_table::legal_to_players(book, table), jackpot, name)
}

fn narrowed(mut all: Legal, jackpot: Option<&Jackpot>, name: &str) -> Legal {
    if takes_wagers(jackpot, name).is_err() {
        all.wagers.retain(|wager| wager.area != Area::Jackpot);
    }
    all
}
