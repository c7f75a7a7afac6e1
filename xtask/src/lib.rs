//! The project's own tasks: everything behind `cargo xtask`.
//!
//! The checks (`tidy`, `paragraphs`) take the workspace's files as values and give their findings back, so
//! that they run the same on the real tree and on a few lines in a test. Only `workspace`, `steps`, `packages`
//! and `postgres` touch the machine.

mod lines;
pub mod package;
pub mod packages;
pub mod paragraphs;
pub mod postgres;
pub mod problem;
pub mod steps;
pub mod tidy;
pub mod workspace;
