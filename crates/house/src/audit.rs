//! The audit: everything replayed, everything checked.

use serde::Serialize;

/// What was checked and what is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct AuditReport {
    /// What was checked, with counts: `journal entries`, 1234.
    pub checked: Vec<(String, u64)>,
    /// What is wrong, the first bad entry first. Empty: all is well.
    pub faults: Vec<AuditFault>,
}

impl AuditReport {
    /// Whether all is well.
    #[must_use]
    pub const fn is_clean(&self) -> bool {
        self.faults.is_empty()
    }
}

/// Something that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AuditFault {
    /// Where: `table/rh-1 entry 17`.
    pub place: String,
    /// What.
    pub what: String,
}
