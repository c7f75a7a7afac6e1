//! Who acts in the house, and what they may do.

use std::collections::BTreeSet;
use std::fmt;

use baize_rules::Role;
use baize_table::{Staff, Viewer};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{HouseError, PlayerId, StaffId};

/// What a member of staff is there for. The first four are positions on the floor, in order of authority; the cage and the
/// auditor stand apart: people who handle cash or check the books do not deal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names are the positions")]
pub enum Duty {
    Dealer,
    PitSupervisor,
    PitManager,
    ShiftManager,
    Cage,
    Auditor,
}

impl Duty {
    /// All duties.
    pub const ALL: [Duty; 6] =
        [Duty::Dealer, Duty::PitSupervisor, Duty::PitManager, Duty::ShiftManager, Duty::Cage, Duty::Auditor];

    /// The name in addresses and data.
    #[must_use]
    pub const fn code(self) -> &'static str {
        ["dealer", "pit-supervisor", "pit-manager", "shift-manager", "cage", "auditor"][self as usize]
    }

    /// The name for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["Dealer", "Pit Supervisor", "Pit Manager", "Shift Manager", "Cage", "Auditor"][self as usize]
    }

    /// The duty of this name.
    #[must_use]
    pub fn from_code(code: &str) -> Option<Duty> {
        Duty::ALL.into_iter().find(|duty| duty.code() == code)
    }

    /// The position on the floor, for those who have one.
    #[must_use]
    pub const fn role(self) -> Option<Role> {
        match self {
            Duty::Dealer => Some(Role::Dealer),
            Duty::PitSupervisor => Some(Role::PitSupervisor),
            Duty::PitManager => Some(Role::PitManager),
            Duty::ShiftManager => Some(Role::ShiftManager),
            Duty::Cage | Duty::Auditor => None,
        }
    }

    /// The duties of one person, if they can be one person's.
    ///
    /// # Errors
    /// None at all; the cage or the auditor beside anything else.
    pub fn together(duties: &[Duty]) -> Result<BTreeSet<Duty>, HouseError> {
        let duties: BTreeSet<Duty> = duties.iter().copied().collect();
        let floor = duties.iter().any(|duty| duty.role().is_some());
        let apart = duties.iter().filter(|duty| duty.role().is_none()).count();
        if duties.is_empty() {
            return Err(HouseError::NotNow("name at least one duty"));
        }
        if apart > 1 || (apart == 1 && floor) {
            return Err(HouseError::NotNow("cage and auditor stand apart: each is a person's only duty"));
        }
        Ok(duties)
    }
}

/// A person, the house or the public, acting or viewing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", tag = "as")]
pub enum Actor {
    /// A player.
    Player {
        /// Their name.
        id: PlayerId,
    },
    /// A member of staff with their duties.
    Staff {
        /// Their name.
        id: StaffId,
        /// What they are there for.
        duties: BTreeSet<Duty>,
    },
    /// The house itself: the computer's shoe, clocks, recovery.
    House,
    /// Anybody who only looks.
    Public,
}

impl Actor {
    /// A player.
    #[must_use]
    pub const fn player(id: PlayerId) -> Actor {
        Actor::Player { id }
    }

    /// A member of staff.
    #[must_use]
    pub fn staff(id: StaffId, duties: impl IntoIterator<Item = Duty>) -> Actor {
        Actor::Staff { id, duties: duties.into_iter().collect() }
    }

    /// The player, if they are one.
    #[must_use]
    pub const fn as_player(&self) -> Option<&PlayerId> {
        match self {
            Actor::Player { id } => Some(id),
            Actor::Staff { .. } | Actor::House | Actor::Public => None,
        }
    }

    /// The highest position on the floor that they have.
    #[must_use]
    pub fn role(&self) -> Option<Role> {
        match self {
            Actor::Staff { duties, .. } => duties.iter().filter_map(|duty| duty.role()).max(),
            Actor::House => Some(Role::ShiftManager),
            Actor::Player { .. } | Actor::Public => None,
        }
    }

    /// Whether they are there for this, or stand above it.
    #[must_use]
    pub fn may(&self, duty: Duty) -> bool {
        match self {
            Actor::House => true,
            Actor::Staff { duties, .. } => match duty.role() {
                Some(needed) => self.role().is_some_and(|role| role >= needed),
                None => duties.contains(&duty),
            },
            Actor::Player { .. } | Actor::Public => false,
        }
    }

    /// The staff member as the table records them.
    #[must_use]
    pub fn as_staff(&self) -> Option<Staff> {
        let role = self.role()?;
        let name = match self {
            Actor::Staff { id, .. } => id.to_string(),
            Actor::House | Actor::Player { .. } | Actor::Public => "house".to_owned(),
        };
        Some(Staff { role, name: Some(name) })
    }

    /// The viewer whose view of a table they get.
    #[must_use]
    pub fn viewer(&self) -> Viewer {
        match self {
            Actor::Player { id } => Viewer::Player(id.into()),
            Actor::Staff { duties, .. } => match self.role() {
                Some(Role::Dealer) => Viewer::Dealer,
                Some(Role::PitSupervisor | Role::PitManager | Role::ShiftManager) => Viewer::Pit,
                None if duties.contains(&Duty::Auditor) => Viewer::Auditor,
                None => Viewer::Public,
            },
            Actor::House | Actor::Public => Viewer::Public,
        }
    }

    /// The name in records: `player:ann`, `staff:dora`, `house`, `public`.
    #[must_use]
    pub fn label(&self) -> String {
        match self {
            Actor::Player { id } => format!("player:{id}"),
            Actor::Staff { id, .. } => format!("staff:{id}"),
            Actor::House => "house".to_owned(),
            Actor::Public => "public".to_owned(),
        }
    }
}

impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.label())
    }
}
