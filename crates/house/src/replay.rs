//! What the journal is replayed with: the states that entries lead to, and what an entry is held against.

pub use crate::between::BetweenRounds;
pub use crate::house::{Lineage, Tie, follows};
pub use crate::live::LiveTable;
pub use crate::rulebooks::{Rulebooks, is_programs_own, read as read_rulebook};
pub use crate::shoe::{Shuffled, promised_by};
pub use crate::slots::Register;
