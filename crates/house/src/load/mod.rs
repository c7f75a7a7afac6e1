//! Simulated players that play full rounds through the house, for load and kill tests.

mod floor;
mod measure;
mod robot;

pub use floor::floor;
pub use measure::{Floor, LoadOptions, LoadReport, created, run, run_on, set_up};
pub use robot::Robot;

/// Connections of a house to PostgreSQL, and clients of the baseline.
pub const CLIENTS: u32 = 16;
