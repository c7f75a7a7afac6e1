//! People of the house as others see them, and what lets them in.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Actor, Duty, Instant, MoneyKind, PlayerId, StaffId};

/// A session after log-in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Session {
    /// Who they are and what they may do.
    pub actor: Actor,
    /// The session's secret, for a cookie. Only its hash is kept.
    #[serde(skip)]
    pub secret: String,
    /// When it ends at the latest; earlier without requests for as long as [`IdleLimits`] says.
    pub expires: Instant,
}

/// How long sessions hold without a request, in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IdleLimits {
    /// Of players.
    pub players: u32,
    /// Of dealers and the pit.
    pub floor: u32,
    /// Of the cage.
    pub cage: u32,
    /// Of auditors.
    pub auditors: u32,
}

impl Default for IdleLimits {
    fn default() -> IdleLimits {
        let minutes = |minutes: u32| minutes * 60;
        IdleLimits { players: minutes(12 * 60), floor: minutes(60), cage: minutes(30), auditors: minutes(60) }
    }
}

impl IdleLimits {
    pub(crate) fn of(&self, actor: &Actor) -> u32 {
        if actor.may(Duty::Cage) {
            self.cage
        } else if actor.may(Duty::Auditor) {
            self.auditors
        } else if actor.role().is_some() {
            self.floor
        } else {
            self.players
        }
    }
}

/// A one-time link: its secret logs in once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OneTimeLink {
    /// Whom it lets in.
    pub actor: Actor,
    /// The secret for the address. Only its hash is kept.
    pub secret: String,
    /// Until when it holds.
    pub expires: Instant,
}

/// A member of staff in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StaffLine {
    /// Their name.
    pub id: StaffId,
    /// Their duties.
    pub duties: BTreeSet<Duty>,
    /// Log-ins by password wait after repeated failures.
    pub locked: bool,
    /// Has a password; otherwise only links let in.
    pub has_password: bool,
    /// Suspended by a Shift Manager.
    pub suspended: bool,
    /// The name as people write it, beside the one that they log in with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// Why a member of staff is suspended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Suspension {
    /// The reason that was given.
    pub reason: String,
    /// Who suspended them: `staff:sue`.
    pub by: String,
    /// When.
    pub at: Instant,
}

/// A player in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PlayerLine {
    /// Their name.
    pub id: PlayerId,
    /// What is in their purse.
    pub purse: baize_rules::Money,
    /// What they owe the house.
    pub owed: baize_rules::Money,
    /// Log-ins by password wait after repeated failures.
    pub locked: bool,
    /// What is played with out of the purse.
    pub money: MoneyKind,
    /// The name as people write it, beside the one that they log in with.
    pub name: Option<String>,
}
