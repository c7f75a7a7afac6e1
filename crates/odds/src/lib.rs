//! Exact game mathematics: solvers, adviser, simulation, jackpot economics.
//!
//! Every count here is a whole number and every probability a fraction of two; decimals appear only when something is printed.

mod deck;
mod fraction;
pub mod holdem;
mod parallel;
mod pattern;
mod ranks;
pub mod stud;
mod values;

pub use deck::{DeckSpec, choose};
pub use fraction::Fraction;
pub use pattern::Pattern;

/// The variance of net results given with their numbers of rounds, in the unit `scale`.
fn variance(outcomes: impl Iterator<Item = (i64, i64)>, scale: i64) -> Fraction {
    let (mut rounds, mut sum, mut squares) = (0i128, 0i128, 0i128);
    for (net, n) in outcomes {
        let (net, n) = (i128::from(net), i128::from(n));
        rounds += n;
        sum += net * n;
        squares += net * net * n;
    }
    let scale = i128::from(scale);
    let mean = Fraction::new(sum, rounds);
    (Fraction::new(squares, rounds) - mean * mean) * Fraction::new(1, scale * scale)
}
