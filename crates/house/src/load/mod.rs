//! Players made of code: they play full rounds through the house, for load and kill tests.

mod measure;
mod robot;

pub use measure::{Floor, LoadOptions, LoadReport, run, set_up};
pub use robot::Robot;
