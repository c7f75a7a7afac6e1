//! Actors (players, staff, the house, the public) and their duties.

use std::collections::BTreeSet;
use std::fmt;

use baize_rules::{Cites, Role};
use baize_table::{Staff, Viewer};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{HouseError, PlayerId, StaffId};

/// A duty of a member of staff. The first four are positions on the floor, in order of authority. Cage and auditor cannot be combined with
/// any other duty.
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

    /// The name used in URLs and JSON.
    #[must_use]
    pub const fn code(self) -> &'static str {
        ["dealer", "pit-supervisor", "pit-manager", "shift-manager", "cage", "auditor"][self as usize]
    }

    /// The name as displayed.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["Dealer", "Pit Supervisor", "Pit Manager", "Shift Manager", "Cage", "Auditor"][self as usize]
    }

    /// Parses [`Duty::code`].
    #[must_use]
    pub fn from_code(code: &str) -> Option<Duty> {
        Duty::ALL.into_iter().find(|duty| duty.code() == code)
    }

    /// The position on the floor; `None` for cage and auditor.
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

    /// Checks that one person can hold all of these duties.
    ///
    /// # Errors
    /// No duty, or cage or auditor together with another duty.
    pub fn together(duties: &[Duty]) -> Result<BTreeSet<Duty>, HouseError> {
        let duties: BTreeSet<Duty> = duties.iter().copied().collect();
        let floor = duties.iter().any(|duty| duty.role().is_some());
        let apart = duties.iter().filter(|duty| duty.role().is_none()).count();
        if duties.is_empty() {
            return Err(HouseError::NotNow("name at least one duty"));
        }
        if apart > 1 || (apart == 1 && floor) {
            return Err(HouseError::NotNow("cage and auditor cannot be combined with any other duty"));
        }
        Ok(duties)
    }
}

/// Who acts or looks: a person, the house itself or the public.
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
        /// Their duties.
        duties: BTreeSet<Duty>,
    },
    /// The house itself: the computer's shoe, clocks, recovery, the console.
    House,
    /// Anyone who is not logged in.
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

    /// The player id, if this is a player.
    #[must_use]
    pub const fn as_player(&self) -> Option<&PlayerId> {
        match self {
            Actor::Player { id } => Some(id),
            Actor::Staff { .. } | Actor::House | Actor::Public => None,
        }
    }

    /// The highest position on the floor. The house acts as a Shift Manager.
    #[must_use]
    pub fn role(&self) -> Option<Role> {
        match self {
            Actor::Staff { duties, .. } => duties.iter().filter_map(|duty| duty.role()).max(),
            Actor::House => Some(Role::ShiftManager),
            Actor::Player { .. } | Actor::Public => None,
        }
    }

    /// Whether they have this duty or, for positions on the floor, a higher one. The house has every duty.
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

    /// The member of staff as the table records them, if they have a position on the floor.
    #[must_use]
    pub fn as_staff(&self) -> Option<Staff> {
        let role = self.role()?;
        let name = match self {
            Actor::Staff { id, .. } => id.to_string(),
            Actor::House | Actor::Player { .. } | Actor::Public => "house".to_owned(),
        };
        Some(Staff { role, name: Some(name) })
    }

    /// The viewer that determines which cards they see.
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

    /// Refuses actors without this duty.
    pub(crate) fn require(&self, duty: Duty) -> Result<(), HouseError> {
        if self.may(duty) { Ok(()) } else { Err(HouseError::Forbidden { needs: duty, cites: Cites::NONE }) }
    }

    /// Refuses actors who have neither this duty nor the auditor's.
    pub(crate) fn require_or_auditor(&self, duty: Duty) -> Result<(), HouseError> {
        if self.may(Duty::Auditor) { Ok(()) } else { self.require(duty) }
    }

    /// The log-in name of a person.
    pub(crate) fn login(&self) -> Option<&str> {
        match self {
            Actor::Player { id } => Some(id.as_str()),
            Actor::Staff { id, .. } => Some(id.as_str()),
            Actor::House | Actor::Public => None,
        }
    }

    /// The name in the journal: `player:ann`, `staff:dora`, `house`, `public`.
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
