//! The state of one jackpot, built from its events, and queries on it.

use std::collections::BTreeMap;

use baize_rules::{BoxNumber, Money};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::contest::first_turn;
use crate::{Change, Contest, Exact, Hit, MadeContribution, Meter, Parameters, Pools, Registered, TableLink};

/// How many settled hits stay on record.
const LAST_HITS: usize = 25;

/// Whether a jackpot is in play.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Not yet opened.
    #[default]
    Unopened,
    /// In play.
    Open,
    /// Closed; its pools went to the jackpot of this name.
    Closed(String),
}

/// A round whose bets are closed and that has not ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenRound {
    /// Its number.
    pub round: u64,
    /// The prescribed wager that its wagers were checked against.
    pub prescribed: Money,
    /// The wagers that count; a returned one is removed.
    pub contributions: Vec<MadeContribution>,
    /// How often the meter had been won when they came in. A win that is rejected or reversed later no longer counts.
    pub won_before: u64,
    /// How many hits had been entered then: the numbers of later hits are higher.
    #[serde(default)]
    pub hits_before: u64,
    /// Its place in the order of deals, if all its hands were reported as dealt at once.
    pub dealt: Option<u64>,
    /// The places of single boxes in the order of deals, as their hands were complete.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hands: Vec<(BoxNumber, u64)>,
    /// The registered amount, if a fault caught it.
    pub registered: Option<Registered>,
}

impl OpenRound {
    /// The place of this box in the order of deals, once it has its full hand.
    #[must_use]
    pub fn dealt_at(&self, seat: BoxNumber) -> Option<u64> {
        self.hands.iter().find(|(other, _)| *other == seat).map(|(_, order)| *order).or(self.dealt)
    }
}

/// The meter from which a round's awards were paid in their turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaidFrom {
    /// The meter at that time.
    pub meter: Meter,
    /// The hits.
    pub hits: Vec<u64>,
}

/// A round that is settled and can still be undone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeldRound {
    /// The round at its end, less the wagers returned since.
    pub played: OpenRound,
    /// What its awards were paid from, if they are paid.
    pub paid_from: Vec<PaidFrom>,
}

/// A linked table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkState {
    /// Its name, rules and readings.
    pub link: TableLink,
    /// The round that it is playing.
    pub open: Option<OpenRound>,
    /// The round before, while it can be undone: until the next bets close.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held: Option<HeldRound>,
    /// The last round that ended, and whether it ended with awards.
    pub ended: Option<(u64, bool)>,
    /// A fault stopped jackpot wagers here.
    pub suspended: bool,
    /// The prescribed wager before the last change: bets on the table at the time are still accepted once.
    pub superseded: Option<Money>,
}

/// What has gone through the jackpot since it was opened. At all times
/// `base + amount_in + from_house + received = meter + overflow + reserve + paid_from_meter + moved_out`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Counters {
    /// The value that the meter was opened with.
    pub base: Money,
    /// Contributions, less those taken out again.
    pub amount_in: Exact,
    /// Contributions taken out again.
    pub taken_out: Exact,
    /// What the house paid for resets.
    pub from_house: Exact,
    /// What came in from jackpots that closed.
    pub received: Exact,
    /// What awards drew from the meter, paid or pending.
    pub paid_from_meter: Exact,
    /// What the house paid for awards that do not draw from the meter.
    pub paid_by_house: Money,
    /// What moved out when the jackpot closed.
    pub moved_out: Exact,
    /// Hits entered.
    pub hits: u64,
    /// Hits paid.
    pub wins: u64,
    /// Hits found not to qualify.
    pub rejected: u64,
    /// Hits undone with their round or hand.
    #[serde(default)]
    pub reversed: u64,
    /// How often the meter has been won; a rejected or reversed hit does not count.
    pub won: u64,
}

/// The pools do not add up to what went through them: jackpot play must stop.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the jackpot does not reconcile: {came_in} came in, but {accounted} is in the pools or went out")]
pub struct Imbalance {
    /// What came in.
    pub came_in: Exact,
    /// What is there or went out.
    pub accounted: Exact,
}

/// One jackpot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Jackpot {
    /// Its name.
    pub name: String,
    /// Whether it is in play.
    pub status: Status,
    /// The parameters in force.
    pub parameters: Parameters,
    /// The meter and its pools.
    pub meter: Meter,
    /// The linked tables by name.
    pub tables: BTreeMap<String, LinkState>,
    /// The last rounds of unlinked tables: a table that is linked again cannot repeat one.
    pub unlinked: BTreeMap<String, (u64, bool)>,
    /// The pending hits and the last settled ones, in the order of entry.
    pub hits: Vec<Hit>,
    /// The rounds whose hits draw from the meter and are pending.
    pub contest: Option<Contest>,
    /// A change of parameters that is proposed, or approved and waiting.
    pub change: Option<Change>,
    /// What has gone through.
    pub counters: Counters,
    /// Every deal up to this place in the order of all deals has been reported.
    #[serde(default)]
    pub deals: u64,
}

impl Default for Jackpot {
    fn default() -> Jackpot {
        Jackpot {
            name: String::new(),
            status: Status::Unopened,
            parameters: Parameters {
                wager: Money::ZERO,
                reset: Money::ZERO,
                increment: baize_rules::Percent::ZERO,
                reserve: baize_rules::Percent::ZERO,
                ceiling: None,
                confirm_above: Money::ZERO,
            },
            meter: Meter::new(Money::ZERO, Money::ZERO),
            tables: BTreeMap::new(),
            unlinked: BTreeMap::new(),
            hits: Vec::new(),
            contest: None,
            change: None,
            counters: Counters::default(),
            deals: 0,
        }
    }
}

impl Jackpot {
    /// What the sign shows.
    #[must_use]
    pub fn displayed(&self) -> Money {
        self.meter.displayed()
    }

    /// The amount from which the pending round whose turn it is would be paid, if it draws from the meter.
    #[must_use]
    pub fn paid_next(&self) -> Option<Money> {
        first_turn(self).map(|from| from.meter.displayed())
    }

    /// The hit with this number, if it is on record.
    #[must_use]
    pub fn hit(&self, id: u64) -> Option<&Hit> {
        self.hits.binary_search_by_key(&id, |hit| hit.id).ok().map(|at| &self.hits[at])
    }

    pub(crate) fn hit_mut(&mut self, id: u64) -> Option<&mut Hit> {
        self.hits.binary_search_by_key(&id, |hit| hit.id).ok().map(|at| &mut self.hits[at])
    }

    /// The pending hits, in the order of entry.
    pub fn pending(&self) -> impl Iterator<Item = &Hit> {
        self.hits.iter().filter(|hit| hit.is_pending())
    }

    /// The last 25 hits, the latest first.
    pub fn last_hits(&self) -> impl Iterator<Item = &Hit> {
        self.hits.iter().rev().take(LAST_HITS)
    }

    /// The open rounds at other tables with a jackpot wager on a hand that was, or may have been, dealt before this pending one:
    /// it cannot be paid before them (RH 4.5, RS 4.5.2).
    pub fn waits_for(&self, table: &str, turn: u64) -> impl Iterator<Item = (&str, u64)> {
        let dealt_first = self.tables.get(table).is_some_and(|table| table.link.dealt_first());
        self.tables.iter().filter(move |(name, _)| dealt_first && name.as_str() != table).filter_map(
            move |(name, other)| {
                let open = other.open.as_ref()?;
                let mut hands = open.contributions.iter().map(|made| open.dealt_at(made.seat));
                let earlier = hands.any(|dealt| dealt.map_or(self.deals < turn, |dealt| dealt < turn));
                earlier.then_some((name.as_str(), open.round))
            },
        )
    }

    /// Checks that the pools add up to what went through them.
    ///
    /// # Errors
    /// They do not: jackpot play must stop.
    pub fn reconcile(&self) -> Result<(), Imbalance> {
        let counters = &self.counters;
        let came_in =
            Exact::from(counters.base) + counters.amount_in + counters.from_house + counters.received;
        let accounted = self.meter.pools().total() + counters.paid_from_meter + counters.moved_out;
        if came_in == accounted { Ok(()) } else { Err(Imbalance { came_in, accounted }) }
    }

    /// Additions while hits are pending count for hits entered after them.
    pub(crate) fn note_added(&mut self, pools: Pools) {
        if let Some(contest) = &mut self.contest {
            contest.added = contest.added.plus(pools);
        }
    }

    /// Removes settled hits that are no longer among the last ones.
    pub(crate) fn forget_old_hits(&mut self) {
        let surplus = self.hits.len().saturating_sub(LAST_HITS);
        let (contest, tables) = (self.contest.as_ref(), &self.tables);
        let mut at = 0;
        self.hits.retain(|hit| {
            at += 1;
            let needed = contest.is_some_and(|contest| {
                contest.rounds.iter().any(|round| round.table == hit.table && round.round == hit.round)
            });
            let held = tables.get(&hit.table).and_then(|table| table.held.as_ref());
            let undoable = held.is_some_and(|held| held.played.round == hit.round);
            at > surplus || needed || undoable || hit.is_pending()
        });
    }
}
