//! The last 24 hours of a player, as they see them.

use std::collections::BTreeMap;

use baize_rules::{Area, Money};
use serde::Serialize;

use crate::{Instant, OwnRules, RoundId};

/// A round that a player took part in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlayedRound {
    /// Which.
    pub id: RoundId,
    /// When the purse last moved in it.
    pub at: Instant,
    /// What the player staked, by area.
    pub staked: BTreeMap<Area, Money>,
    /// What it brought; while it is played, what it has cost so far.
    pub net: Money,
    /// It is over.
    pub over: bool,
}

impl PlayedRound {
    pub(crate) const fn begun(id: RoundId, at: Instant) -> PlayedRound {
        PlayedRound { id, at, staked: BTreeMap::new(), net: Money::ZERO, over: false }
    }

    /// What was staked on an area.
    #[must_use]
    pub fn on(&self, area: Area) -> Money {
        self.staked.get(&area).copied().unwrap_or_default()
    }
}

/// The last 24 hours of a player, oldest round first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SessionView {
    /// Since when.
    pub from: Instant,
    /// Until when: now.
    pub now: Instant,
    /// The rounds.
    pub rounds: Vec<PlayedRound>,
    /// What they brought together, chips on the table counted as lost.
    pub net: Money,
    /// Minutes of play, pauses of more than ten minutes cut short.
    pub minutes: u32,
    /// What is in the purse.
    pub purse: Money,
    /// What the player has set for themself.
    pub rules: OwnRules,
}
