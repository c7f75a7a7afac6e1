//! A player's own view of their last 24 hours.

use std::collections::BTreeMap;

use baize_rules::{Area, Money};
use serde::Serialize;

use crate::{Instant, OwnRules, RoundId};

/// A round that a player took part in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlayedRound {
    /// The round.
    pub id: RoundId,
    /// When the player's purse last changed in it.
    pub at: Instant,
    /// The player's stakes, by area.
    pub staked: BTreeMap<Area, Money>,
    /// The net result; during the round, what it has cost so far.
    pub net: Money,
    /// Whether the round is over.
    pub over: bool,
}

impl PlayedRound {
    pub(crate) const fn new(id: RoundId, at: Instant) -> PlayedRound {
        PlayedRound { id, at, staked: BTreeMap::new(), net: Money::ZERO, over: false }
    }

    /// The stake on an area.
    #[must_use]
    pub fn on(&self, area: Area) -> Money {
        self.staked.get(&area).copied().unwrap_or_default()
    }
}

/// The last 24 hours of a player, oldest round first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SessionView {
    /// Start of the period.
    pub from: Instant,
    /// End of the period: now.
    pub now: Instant,
    /// The rounds.
    pub rounds: Vec<PlayedRound>,
    /// The net result of all rounds, counting chips on the table as lost.
    pub net: Money,
    /// Minutes of play; of a longer pause only ten minutes count.
    pub minutes: u32,
    /// The balance of the purse.
    pub purse: Money,
    /// The player's own limits and break.
    pub rules: OwnRules,
}
