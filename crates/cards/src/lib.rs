//! Cards, sets of cards, and the ranking of five- to seven-card hands.
//!
//! Everything here is a plain value: nothing reads a clock, a file or a random source.

mod card;
mod deck;
mod hand;
mod set;

pub use card::{Card, CardError, Rank, Suit};
pub use deck::{Deck, DeckError};
pub use hand::{Hand, HandClass, HandSizeError, HandValue};
pub use set::{CardSet, CardSetError};
