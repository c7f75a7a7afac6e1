//! People of the house as others see them, and what lets them in.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::{Actor, Duty, Instant, PlayerId, StaffId};

/// Somebody who logged in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Session {
    /// Who he is and what he may do.
    pub actor: Actor,
    /// The session's secret, for a cookie. Only its hash is kept.
    #[serde(skip)]
    pub secret: String,
    /// Until when it holds.
    pub expires: Instant,
}

/// A one-time link: whoever brings its secret first is let in.
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StaffLine {
    /// His name.
    pub id: StaffId,
    /// His duties.
    pub duties: BTreeSet<Duty>,
    /// Locked after three failures.
    pub locked: bool,
    /// Suspended by a Shift Manager.
    pub suspended: bool,
}

/// Why a member of staff is let in no more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Suspension {
    /// The reason that was given.
    pub reason: String,
    /// Who suspended him: `staff:sue`.
    pub by: String,
    /// When.
    pub at: Instant,
}

/// A player in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlayerLine {
    /// His name.
    pub id: PlayerId,
    /// What is in his purse.
    pub purse: baize_rules::Money,
    /// What he owes the house.
    pub owed: baize_rules::Money,
    /// Locked after three failures.
    pub locked: bool,
}
