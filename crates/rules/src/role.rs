//! Who acts: the positions on the floor, in order of authority.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A position on the floor. A higher one may always act for a lower one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names are the positions")]
// RH 1.18; RS 1.11; MBS 6.2: the order of the positions is their authority.
pub enum Role {
    // RH 1.8; RS 1.6
    Dealer,
    PitSupervisor,
    PitManager,
    ShiftManager,
}

impl Role {
    /// All positions, lowest first.
    pub const ALL: [Role; 4] = [Role::Dealer, Role::PitSupervisor, Role::PitManager, Role::ShiftManager];

    /// The name in scripts and data.
    #[must_use]
    pub const fn code(self) -> &'static str {
        ["dealer", "pit-supervisor", "pit-manager", "shift-manager"][self as usize]
    }

    /// The name for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["Dealer", "Pit Supervisor", "Pit Manager", "Shift Manager"][self as usize]
    }
}
