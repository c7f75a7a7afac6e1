//! The project's own tasks: everything behind `cargo xtask`.
//!
//! The checks (`tidy`, `paragraphs`) take the workspace's files as values and return their findings, so that
//! they run the same on the real tree and on a few lines in a test. Only `workspace`, `build`, `steps`,
//! `test_run`, `packages`, `postgres` and `licences` touch the machine.

pub mod build;
pub mod licences;
mod lines;
pub mod package;
pub mod packages;
pub mod paragraphs;
pub mod postgres;
pub mod problem;
pub mod steps;
pub mod test_run;
pub mod tidy;
pub mod workspace;
