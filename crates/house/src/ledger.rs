//! The ledger: the postings of every fact, in integer cents. The postings of a fact add up to zero.
//!
//! | account | holds |
//! |---|---|
//! | `purse/NAME` | a player's chips that are not on a table |
//! | `play/TABLE` | wagers in play; zero after a round |
//! | `float/TABLE` | the table's own chips |
//! | `jackpot/NAME` | meter, reserve, overflow, and awards that are locked but not paid yet |
//! | `owed/NAME` | what a player owes the house, negative: corrected rounds took back more than the purse held |
//! | `house` | the house's capital: source of floats, meters, resets and play chips; may be negative |
//! | `cage` | buy-ins less cash-outs, negative |

use std::collections::{BTreeMap, BTreeSet};

use baize_jackpot::{Event as JackpotEvent, Exact, Jackpot};
use baize_rules::Money;
use baize_table::{BoxSettlement, Event, Finished, Phase, Player, Table};

use crate::facts::{PurseFact, TableFact};
use crate::journal::{Posting, sabotage};
use crate::{JackpotId, PlayerId, TableId};

pub use crate::journal::accounts::{CAGE, HOUSE, OWED, may_be_negative};

/// The account of what a player owes.
pub(crate) fn owed(player: &PlayerId) -> String {
    format!("{OWED}{player}")
}

pub(crate) fn purse(player: &PlayerId) -> String {
    format!("purse/{player}")
}

fn purse_of(player: &Player) -> String {
    format!("purse/{player}")
}

pub(crate) fn float(table: &TableId) -> String {
    format!("float/{table}")
}

/// The account of the wagers in play at a table.
#[must_use]
pub fn play(table: &TableId) -> String {
    format!("play/{table}")
}

/// The account of a jackpot.
#[must_use]
pub fn fund(jackpot: &JackpotId) -> String {
    format!("jackpot/{jackpot}")
}

/// Movements between accounts, added up by account.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Movements(BTreeMap<String, i64>);

impl Movements {
    /// Moves an amount from one account to another; a negative amount moves the other way.
    pub(crate) fn transfer(&mut self, from: &str, to: &str, amount: Money) {
        *self.0.entry(from.to_owned()).or_default() -= amount.cents();
        *self.0.entry(to.to_owned()).or_default() += amount.cents();
    }

    /// The net change of an account, in cents.
    #[must_use]
    pub fn of(&self, account: &str) -> i64 {
        self.0.get(account).copied().unwrap_or(0)
    }

    /// The purses with a negative net change, and its amount.
    pub(crate) fn out_of_purses(&self) -> BTreeMap<PlayerId, Money> {
        let taken = self.0.iter().filter(|(_, cents)| **cents < 0);
        let player = |account: &str| account.strip_prefix("purse/").and_then(|name| name.parse().ok());
        taken.filter_map(|(account, cents)| Some((player(account)?, Money::from_cents(-cents)))).collect()
    }

    /// The postings. They add up to zero.
    #[must_use]
    pub fn postings(&self) -> Vec<Posting> {
        let moved = self.0.iter().filter(|(_, cents)| **cents != 0);
        moved.map(|(account, cents)| Posting { account: account.clone(), cents: *cents }).collect()
    }
}

/// The total that these slips pay to each player.
fn paid(slips: &[BoxSettlement]) -> BTreeMap<Player, Money> {
    let mut paid = BTreeMap::new();
    for share in slips.iter().flat_map(BoxSettlement::shares) {
        *paid.entry(share.player).or_insert(Money::ZERO) += share.handed_over;
    }
    paid
}

/// The chips in play on a table.
#[must_use]
pub fn staked(table: &Table) -> Money {
    match &table.round.phase {
        Phase::Idle | Phase::Finished(_) => Money::ZERO,
        Phase::Betting(betting) => betting.boxes.values().flat_map(|b| &b.stakes).map(|s| s.amount).sum(),
        Phase::Play(play) => play.hands.values().flat_map(|h| &h.stakes).map(|s| s.amount).sum(),
    }
}

/// The chips and payouts of a table before a fact, which the postings of that fact depend on.
pub struct ChipsBefore {
    /// The chips in play.
    staked: Money,
    /// What each player had been paid.
    paid: BTreeMap<Player, Money>,
}

impl ChipsBefore {
    /// Takes the values before this fact. They are needed, and computed, only for facts that end or correct a round.
    #[must_use]
    pub fn of(fact: &TableFact, table: &Table) -> ChipsBefore {
        if ends_or_corrects(fact) {
            return ChipsBefore { staked: staked(table), paid: paid(slips(table)) };
        }
        ChipsBefore { staked: Money::ZERO, paid: BTreeMap::new() }
    }
}

const fn ends_or_corrects(fact: &TableFact) -> bool {
    matches!(
        fact,
        TableFact::Round(
            Event::RoundSettled { .. }
                | Event::RoundVoided { .. }
                | Event::SlipCorrected { .. }
                | Event::JackpotPaid { .. }
        )
    )
}

/// Adds the movements of a fact at a table. `before` is the table before it, `after` the table with it.
pub fn at_table(id: &TableId, before: &ChipsBefore, fact: &TableFact, after: &Table, moves: &mut Movements) {
    match fact {
        TableFact::SetUp { config, .. } => moves.transfer(HOUSE, &float(id), config.float),
        TableFact::FloatFilled { amount } => moves.transfer(HOUSE, &float(id), *amount),
        TableFact::AwardDrawn { jackpot, from_meter, .. } => {
            moves.transfer(&fund(jackpot), &float(id), *from_meter)
        }
        TableFact::AwardReturned { jackpot, from_meter, .. } => {
            moves.transfer(&float(id), &fund(jackpot), *from_meter)
        }
        TableFact::Round(Event::WagerPlaced { player, amount, .. }) => {
            moves.transfer(&purse_of(player), &play(id), *amount);
        }
        TableFact::Round(
            Event::WagerWithdrawn { player, amount, .. } | Event::WagerReturned { player, amount, .. },
        ) => {
            if !sabotage::is("chips that go back stay on the table") {
                moves.transfer(&play(id), &purse_of(player), *amount);
            }
        }
        TableFact::Round(_) if ends_or_corrects(fact) => {
            // When the round ends, the float collects all chips in play and pays out the slips. After that, only the difference between the
            // old and the new slips moves.
            let float = float(id);
            moves.transfer(&play(id), &float, before.staked);
            let (had, has) = (&before.paid, &paid(slips(after)));
            let players: BTreeSet<&Player> = had.keys().chain(has.keys()).collect();
            for player in players {
                let of = |map: &BTreeMap<Player, Money>| map.get(player).copied().unwrap_or(Money::ZERO);
                moves.transfer(&float, &purse_of(player), of(has) - of(had));
            }
        }
        TableFact::Round(_)
        | TableFact::Sat { .. }
        | TableFact::Left { .. }
        | TableFact::ReadySaid { .. }
        | TableFact::ShufflePrepared { .. }
        | TableFact::ShuffleWithdrawn { .. }
        | TableFact::ShuffleRevealed { .. }
        | TableFact::NoticeGiven { .. }
        | TableFact::Reopened
        | TableFact::Resumed
        | TableFact::PaceSet { .. }
        | TableFact::ShoeSet { .. }
        | TableFact::LimitsSet { .. }
        | TableFact::Contributed { .. }
        | TableFact::TimeRanOut { .. }
        | TableFact::DealerAssigned { .. }
        | TableFact::DealerRelieved { .. }
        | TableFact::BarReached { .. }
        | TableFact::OthersToTell { .. }
        | TableFact::OthersTold
        | TableFact::BetRequested { .. }
        | TableFact::EntryTakenBack
        | TableFact::Interrupted { .. } => {}
    }
}

fn slips(table: &Table) -> &[BoxSettlement] {
    match &table.round.phase {
        Phase::Finished(Finished { boxes, .. }) => boxes,
        Phase::Idle | Phase::Betting(_) | Phase::Play(_) => &[],
    }
}

/// Everything that ever came into a jackpot, rounded up to the cent: the balance of its account plus what was paid out.
#[must_use]
pub fn came_in(jackpot: &Jackpot) -> Money {
    let counters = &jackpot.counters;
    (Exact::from(counters.base) + counters.amount_in + counters.from_house + counters.received
        - counters.moved_out)
        .ceil()
}

/// Adds the movement of a jackpot's event; `change` is the change of [`came_in`]. Contributions come from the float of their table, which
/// collects the wager when the round ends. The rest comes from the house. Pools moved to another jackpot also pass through the house: each
/// account is rounded up to the cent by itself, and a rounding difference stays with the house.
pub fn at_jackpot(id: &JackpotId, event: &JackpotEvent, change: Money, moves: &mut Movements) {
    let source = if let JackpotEvent::BetsClosed { table, .. } | JackpotEvent::TakenOut { table, .. } = event
    {
        format!("float/{table}")
    } else {
        HOUSE.to_owned()
    };
    if !sabotage::is("the meter moves without the ledger") {
        moves.transfer(&source, &fund(id), change);
    }
}

/// Adds the movement of a fact at the cage.
pub fn at_cage(player: &PlayerId, fact: &PurseFact, moves: &mut Movements) {
    match fact {
        PurseFact::PlayChipsGiven { amount } => moves.transfer(HOUSE, &purse(player), *amount),
        PurseFact::BoughtIn { amount, .. } => moves.transfer(CAGE, &purse(player), *amount),
        PurseFact::CashedOut { amount, .. } => moves.transfer(&purse(player), CAGE, *amount),
        PurseFact::ClaimBooked { amount, .. } => moves.transfer(&owed(player), &purse(player), *amount),
        PurseFact::ClaimCollected { amount, .. } => moves.transfer(&purse(player), &owed(player), *amount),
        PurseFact::ChipsReturned { table, amount, .. } => {
            moves.transfer(&play(table), &purse(player), *amount)
        }
    }
}
