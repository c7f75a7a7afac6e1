//! Deterministic simulation of faults in the whole casino.
//!
//! Several real houses run on one simulated database, network and clock, on one thread, and everything that happens follows from a seed:
//! people of all roles with legal and illegal orders, processes that die at any await, writes that are lost, late or torn, clocks that
//! jump. Oracles that are worked out apart from the house say whether it all was right. [`Plan`] is a seed's casino, [`run`] plays it,
//! [`shrink`] makes a failure shorter.
//!
//! The database is simulated at the journal's own contract (`baize_journal::Store`): everything above it is the real code, and nothing below
//! it needs a network or a file. What lies below, the two databases, is put to the test by `cargo xtask storm --real`.

mod act;
mod casino;
mod cast;
mod clock;
mod database;
mod dice;
mod fault;
#[cfg(test)]
mod found;
mod going_on;
mod gone;
mod hosts;
mod oracle;
mod outcome;
mod people;
mod plan;
pub mod real;
pub mod report;
mod scripts;
mod seed;
pub mod self_test;
mod shoe;
mod shrink;
mod store;
mod storm;
mod world;

pub use casino::run;
pub use fault::Fault;
pub use outcome::{Covered, Failure, Outcome};
pub use plan::{Deed, Plan, Step, Wishes};
pub use seed::{Seed, program};
pub use shrink::shrink;
pub use storm::{Finding, Progress, Storm, Weathered};
