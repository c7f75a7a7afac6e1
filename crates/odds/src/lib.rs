//! Exact game mathematics: solvers, adviser, simulation, jackpot economics.
//!
//! Every count here is a whole number and every probability a fraction of two; decimals appear only when something is printed.

pub mod advice;
pub mod analysis;
mod bonus;
pub mod coach;
mod deck;
pub mod economics;
pub mod exposure;
mod fraction;
pub mod holdem;
pub mod incident;
pub mod jackpot;
mod parallel;
mod pattern;
pub mod picture;
mod ranks;
pub mod rating;
pub mod simulation;
mod solver;
mod stakes;
pub mod strategy;
pub mod stud;
mod values;
mod variance;

pub use bonus::BonusSolution;
pub use deck::{DeckSpec, choose};
pub use fraction::{Fraction, grouped};
pub use pattern::Pattern;
pub use solver::Solver;
pub use stakes::GameError;
pub use variance::Variance;
