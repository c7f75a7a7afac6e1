//! Exact game mathematics: solvers, adviser, simulation, jackpot economics.
//!
//! Every count here is a whole number and every probability a fraction of two; decimals appear only when something is printed.

mod bonus;
mod deck;
mod fraction;
pub mod holdem;
pub mod jackpot;
mod parallel;
mod pattern;
mod ranks;
mod stakes;
pub mod stud;
mod values;

pub use bonus::BonusSolution;
pub use deck::{DeckSpec, choose};
pub use fraction::Fraction;
pub use pattern::Pattern;
pub use stakes::GameError;

/// The variance of net results given with their numbers of rounds, in the unit `scale`.
fn variance(outcomes: impl Iterator<Item = (i64, i64)>, scale: i64) -> Fraction {
    let outcomes: Vec<(i64, i64)> = outcomes.filter(|(_, rounds)| *rounds > 0).collect();
    // The largest unit in which everything is whole keeps the squares small.
    let unit = outcomes.iter().fold(scale.unsigned_abs(), |unit, (net, _)| gcd(unit, net.unsigned_abs()));
    let unit = i64::try_from(unit).unwrap_or(1).max(1);
    let scale = scale / unit;
    let (mut rounds, mut sum, mut squares) = (0i128, 0i128, 0i128);
    for (net, n) in outcomes {
        let (net, n) = (i128::from(net / unit), i128::from(n));
        rounds += n;
        sum += net * n;
        squares += net * net * n;
    }
    let scale = i128::from(scale);
    let mean = Fraction::new(sum, rounds);
    (Fraction::new(squares, rounds) - mean * mean) * Fraction::new(1, scale * scale)
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
