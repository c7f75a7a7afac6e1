//! What the entries and snapshots of the journal say, for the audit and the reports.

pub use crate::facts::{Body, HouseFact, JackpotStep, PurseFact, Step, TableFact};
pub use crate::house::dealt_cards;
pub use crate::kinds::kinds;
pub use crate::snapshots::State;
pub use crate::stored::{read, read_state};
