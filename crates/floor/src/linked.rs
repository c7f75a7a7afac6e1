//! A table with its link to a jackpot, as an order finds it.

use baize_jackpot::{Jackpot, Person};
use baize_rules::{AcrossTables, Area, Rulebook};
use baize_table::{Phase, Play, Stake, Table};

/// What the caller knows of a table's jackpot.
#[derive(Debug, Clone, Copy)]
pub enum KnownJackpot<'a> {
    /// The table is not linked.
    NotLinked,
    /// It is linked to a jackpot that has not been read: most orders do not need it.
    Unread,
    /// The current jackpot.
    Read(&'a Jackpot),
}

/// Who verifies that a winning hand qualifies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verification {
    /// This person, at once, whatever the amount.
    AtOnce(Person),
    /// The computer, if it dealt the hands and the amount needs no second person. Staff verify the rest.
    SmallAtOnce(Person),
    /// Staff, later.
    ByPeople,
}

/// A table with its link to a jackpot.
#[derive(Debug, Clone)]
pub struct LinkedTable<'a> {
    /// The rules that it plays by.
    pub book: &'a Rulebook,
    /// Its name in the jackpot.
    pub name: &'a str,
    /// Its jackpot.
    pub jackpot: KnownJackpot<'a>,
    /// The place of this order among all orders at the tables of the jackpot: smaller is earlier. Hands that get their last card
    /// by it are dealt at this place (RH 4.5, RS 4.5.2).
    pub order: u64,
    /// Who verifies winning hands.
    pub verification: Verification,
}

impl LinkedTable<'_> {
    pub(crate) const fn is_linked(&self) -> bool {
        !matches!(self.jackpot, KnownJackpot::NotLinked)
    }

    /// Whether winners across tables are paid in the order of the deal.
    pub(crate) fn dealt_first(&self) -> bool {
        self.book.jackpot.across_tables.value == AcrossTables::DealtFirst
    }
}

/// Whether a jackpot wager was placed in the table's round, including one returned since the close.
#[must_use]
pub fn wagered(table: &Table) -> bool {
    let on_jackpot = |stakes: &[Stake]| stakes.iter().any(|stake| stake.area == Area::Jackpot);
    let handed_back = |play: &Play| play.handed_back.iter().any(|(_, stake, _)| stake.area == Area::Jackpot);
    match &table.round.phase {
        Phase::Idle => false,
        Phase::Betting(betting) => betting.boxes.values().any(|on_box| on_jackpot(&on_box.stakes)),
        Phase::Play(play) => play.hands.values().any(|hand| on_jackpot(&hand.stakes)) || handed_back(play),
        Phase::Finished(finished) => {
            finished.boxes.iter().any(|slip| on_jackpot(&slip.stakes)) || handed_back(&finished.play)
        }
    }
}
