//! Oracles: what must hold whatever went wrong, worked out apart from the house.

mod books;
mod jackpots;
mod orders;
mod secrets;

pub(crate) use books::Books;
pub(crate) use orders::{Ended, Orders};
pub(crate) use secrets::Seen;
