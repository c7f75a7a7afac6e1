//! Accounts as listed, sessions and one-time links.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Actor, Duty, Instant, MoneyKind, PlayerId, StaffId};

/// A session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Session {
    /// Who is logged in.
    pub actor: Actor,
    /// The secret, for a cookie or token. The database stores only its hash.
    #[serde(skip)]
    pub secret: String,
    /// When it ends at the latest. Without requests it ends earlier: see [`IdleLimits`].
    pub expires: Instant,
}

/// How long sessions last without a request, in seconds.
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

/// A one-time log-in link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OneTimeLink {
    /// Who logs in with it.
    pub actor: Actor,
    /// The secret in its URL. The database stores only its hash.
    pub secret: String,
    /// When it expires.
    pub expires: Instant,
}

/// A member of staff in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StaffLine {
    /// Their name.
    pub id: StaffId,
    /// Their duties.
    pub duties: BTreeSet<Duty>,
    /// Password log-ins are delayed after repeated failures.
    pub locked: bool,
    /// Has a password; otherwise they log in with links only.
    pub has_password: bool,
    /// Suspended by a Shift Manager.
    pub suspended: bool,
    /// The display name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// Why a member of staff is suspended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Suspension {
    /// The reason given.
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
    /// The balance of their purse.
    pub purse: baize_rules::Money,
    /// What they owe the house.
    pub owed: baize_rules::Money,
    /// Password log-ins are delayed after repeated failures.
    pub locked: bool,
    /// Practice or cash.
    pub money: MoneyKind,
    /// The display name.
    pub name: Option<String>,
}
