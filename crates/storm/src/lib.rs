//! Deterministic simulation of faults in the whole casino.
//!
//! Several real houses run on a simulated database, network and clock, on one thread, and everything follows from a seed: people of all
//! roles giving legal and illegal orders, processes that die at any await, writes that are lost, delayed or torn, clocks that jump.
//! Independent oracles check the results. [`Plan`] is a seed's casino, [`run`] executes it, [`shrink`] shortens a failure.
//!
//! The simulation replaces `baize_journal::Store`: everything above it is the real code, and nothing needs a network or a file. The two
//! real databases are tested by `cargo xtask storm --real`.

mod act;
mod cancel;
mod casino;
mod cast;
mod clock;
mod database;
mod dice;
mod fault;
mod finish;
mod hosts;
mod oracle;
mod outcome;
mod people;
mod plan;
pub mod real;
#[cfg(test)]
mod regressions;
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
pub use plan::{Deed, Plan, PlanOptions, Step};
pub use seed::{Seed, program};
pub use shrink::shrink;
pub use storm::{Finding, Progress, Storm, StormResult};
