//! Oracles: properties that must hold despite all faults, computed independently of the house.

mod books;
mod jackpots;
mod orders;
mod secrets;

pub(crate) use books::Books;
pub(crate) use orders::{Ended, Orders};
pub(crate) use secrets::SeenCards;
