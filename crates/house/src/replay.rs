//! States and checks with which the audit replays the journal.

pub use crate::between_rounds::BetweenRounds;
pub use crate::house::{Lineage, Tie, follows};
pub use crate::live_table::LiveTable;
pub use crate::register::Register;
pub use crate::rulebooks::{Rulebooks, is_programs_own, read as read_rulebook};
pub use crate::shoe::{Shuffled, promised_by};
