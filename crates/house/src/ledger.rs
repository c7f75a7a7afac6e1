//! The ledger: which accounts every fact moves money between. Integer cents; what one account gives, others get.
//!
//! | account | holds |
//! |---|---|
//! | `purse/NAME` | a player's chips that are not on a table |
//! | `play/TABLE` | wagers in play; nothing after a round |
//! | `float/TABLE` | the table's own chips |
//! | `jackpot/NAME` | meter, reserve, overflow, and awards that are locked and not handed over yet |
//! | `owed/NAME` | what a player owes the house, as a negative amount: rounds put right that took back more than their purse held |
//! | `house` | the house's capital: brings floats, meters, resets and play chips; may be negative |
//! | `cage` | cash against chips: buy-ins less cash-outs, as a negative amount |

use std::collections::BTreeMap;

use baize_jackpot::{Event as JackpotEvent, Exact, Jackpot};
use baize_rules::Money;
use baize_table::{BoxSettlement, Event, Finished, Phase, Player, Table};

use crate::facts::{PurseFact, TableFact};
use crate::journal::{Posting, sabotage};
use crate::{JackpotId, PlayerId, TableId};

pub use crate::journal::accounts::{CAGE, HOUSE, OWED, may_be_negative};

/// The claim of the house against a player.
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

/// Movements between accounts, added up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Movements(BTreeMap<String, i64>);

impl Movements {
    /// An amount goes from one account to another; a negative one the other way.
    pub(crate) fn transfer(&mut self, from: &str, to: &str, amount: Money) {
        *self.0.entry(from.to_owned()).or_default() -= amount.cents();
        *self.0.entry(to.to_owned()).or_default() += amount.cents();
    }

    /// What an account gets in all.
    #[must_use]
    pub fn of(&self, account: &str) -> i64 {
        self.0.get(account).copied().unwrap_or(0)
    }

    /// What is taken out of purses in all.
    pub(crate) fn out_of_purses(&self) -> BTreeMap<PlayerId, Money> {
        let taken = self.0.iter().filter(|(_, cents)| **cents < 0);
        let player = |account: &str| account.strip_prefix("purse/").and_then(|name| name.parse().ok());
        taken.filter_map(|(account, cents)| Some((player(account)?, Money::from_cents(-cents)))).collect()
    }

    /// The entries. They add up to nothing.
    #[must_use]
    pub fn postings(&self) -> Vec<Posting> {
        let moved = self.0.iter().filter(|(_, cents)| **cents != 0);
        moved.map(|(account, cents)| Posting { account: account.clone(), cents: *cents }).collect()
    }
}

/// What each player is handed by these slips.
fn handed(slips: &[BoxSettlement]) -> BTreeMap<Player, Money> {
    let mut handed = BTreeMap::new();
    for share in slips.iter().flat_map(BoxSettlement::shares) {
        *handed.entry(share.player).or_insert(Money::ZERO) += share.handed_over;
    }
    handed
}

/// All chips on a table.
#[must_use]
pub fn staked(table: &Table) -> Money {
    match &table.round.phase {
        Phase::Idle | Phase::Finished(_) => Money::ZERO,
        Phase::Betting(betting) => betting.boxes.values().flat_map(|b| &b.stakes).map(|s| s.amount).sum(),
        Phase::Play(play) => play.hands.values().flat_map(|h| &h.stakes).map(|s| s.amount).sum(),
    }
}

/// What the ledger must know of a table as it was before a fact.
pub struct Stood {
    /// All that lay on it.
    staked: Money,
    /// What each player had been handed.
    handed: BTreeMap<Player, Money>,
}

impl Stood {
    /// Before this fact. What was staked and handed is asked only by facts that end or correct a round.
    #[must_use]
    pub fn before(fact: &TableFact, table: &Table) -> Stood {
        if ends_or_corrects(fact) {
            return Stood { staked: staked(table), handed: handed(slips(table)) };
        }
        Stood { staked: Money::ZERO, handed: BTreeMap::new() }
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

/// What a fact at a table moves. `stood` is how the table was before it, `after` the table with it.
pub fn at_table(id: &TableId, stood: &Stood, fact: &TableFact, after: &Table, moves: &mut Movements) {
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
            // Before the end all chips are in play; the float collects them and hands over what the slips say. Afterwards only the
            // difference between the slips before and after moves.
            let float = float(id);
            moves.transfer(&play(id), &float, stood.staked);
            let (had, has) = (&stood.handed, &handed(slips(after)));
            let players: std::collections::BTreeSet<&Player> = had.keys().chain(has.keys()).collect();
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

/// All that ever came into a jackpot, in cents, rounded up: what its account holds together with what was handed over.
#[must_use]
pub fn came_in(jackpot: &Jackpot) -> Money {
    let counters = &jackpot.counters;
    (Exact::from(counters.base) + counters.amount_in + counters.from_house + counters.received
        - counters.moved_out)
        .ceil()
}

/// What an event of a jackpot moves, by which [`came_in`] changes so. Contributions come out of the float of their table, which collects
/// the wager when the round ends; the rest is the house's. Pools that move to another jackpot pass through the house too: each account is
/// rounded up to the cent by itself, and the cent that two of them round differently stays there.
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

/// What a fact at the cage moves.
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
