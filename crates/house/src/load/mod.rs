//! Players made of code: they play full rounds through the house, for load and kill tests.

mod floor;
mod measure;
mod robot;

pub use floor::floor;
pub use measure::{Floor, LoadOptions, LoadReport, run, run_on, set_up};
pub use robot::Robot;

/// Connections with which a house works on PostgreSQL: as many clients has the floor.
pub const CLIENTS: u32 = 16;
