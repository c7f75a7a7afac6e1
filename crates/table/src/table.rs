//! A table: its set-up, what carries over from round to round, and the round.

use baize_rules::BoxNumber;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Round, Settings};

/// A player's name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
// RH 1.19; RS 1.12: a person who places a bet.
pub struct Player(pub String);

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl From<&str> for Player {
    fn from(name: &str) -> Player {
        Player(name.to_owned())
    }
}

/// What carries over from one round to the next.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Standing {
    /// The table is closed: no further round opens.
    pub closed: bool,
    /// The jackpot does not work, and nobody has decided yet how later rounds continue.
    pub jackpot_fault: bool,
    /// The notice that no jackpot wagers are accepted is displayed.
    pub no_jackpot: bool,
    /// Boxes whose jackpot betting device does not work and that are not decided yet.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub faulty_boxes: BTreeSet<BoxNumber>,
    /// The jackpot fault reaches every box of the table.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fault_everywhere: bool,
    /// The whole jackpot system failed and has not been restored at this table.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub system_fault: bool,
    /// Boxes on which no bets are taken.
    pub barred_boxes: BTreeSet<BoxNumber>,
    /// Players restricted to one position.
    pub restricted: BTreeSet<Player>,
    /// Players barred from further play.
    pub barred: BTreeSet<Player>,
    /// Players whose action was stopped because they attempted to control several hands.
    pub stopped: BTreeSet<Player>,
    /// Players who once had a wager under the minimum settled, where the rules allow this only once.
    pub under_minimum: BTreeSet<Player>,
}

impl Standing {
    /// The whole jackpot system does not work: a person must decide how this table continues.
    pub fn system_failed(&mut self) {
        self.jackpot_fault = true;
        self.fault_everywhere = true;
        self.system_fault = true;
    }

    /// A person has decided how later rounds continue after a jackpot fault.
    pub(crate) fn fault_decided(&mut self) {
        self.jackpot_fault = false;
        self.faulty_boxes.clear();
        self.fault_everywhere = false;
    }
}

/// The whole state of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    /// The set-up.
    pub settings: Settings,
    /// What carries over from round to round.
    pub standing: Standing,
    /// The current or last round.
    pub round: Round,
}

impl Table {
    /// A table before its first round.
    #[must_use]
    pub fn new(settings: Settings) -> Table {
        Table { settings, standing: Standing::default(), round: Round::default() }
    }

    /// Everybody with a wager in the current or last round, and everybody with a standing restriction.
    #[must_use]
    pub fn known_players(&self) -> BTreeSet<Player> {
        let standing = &self.standing;
        let stands = [&standing.restricted, &standing.barred, &standing.stopped, &standing.under_minimum];
        self.round.players().into_iter().chain(stands.into_iter().flatten().cloned()).collect()
    }

    /// The current seated player of each box that has one.
    #[must_use]
    pub fn seated(&self) -> BTreeMap<BoxNumber, Player> {
        self.round.seated()
    }
}
