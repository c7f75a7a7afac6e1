//! Contents of journal entries and snapshots, for the audit and the reports.

pub use crate::event_names::kinds;
pub use crate::facts::{Body, HouseFact, JackpotStep, PurseFact, Step, TableFact};
pub use crate::house::dealt_cards;
pub use crate::snapshots::State;
pub use crate::stored::{read, read_state};
