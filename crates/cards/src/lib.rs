//! Cards, sets of cards, and the ranking of five- to seven-card hands.
//!
//! Everything here is a plain value: nothing reads a clock, a file or a random source. The only state is the evaluator's table,
//! which is derived on first use and is always the same.
//!
//! ```
//! use baize_cards::{CardSet, HandValue};
//!
//! let player: CardSet = "Kc Kh Kd Ac Ah 7s 2d".parse()?;
//! let dealer: CardSet = "9c 8d 7c 6h 5c 2s 2h".parse()?;
//! assert!(HandValue::of(player)? > HandValue::of(dealer)?);
//! assert_eq!(HandValue::describe(player)?, "Full House, Kings over Aces");
//! assert_eq!(HandValue::describe(dealer)?, "Straight, Nine high");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod card;
mod deck;
mod evaluator;
mod hand;
mod hand_class;
mod hand_key;
mod hand_value;
mod naming;
mod ranking;
mod rows;
mod schema;
mod set;

pub use card::{Card, CardError, Rank, Suit};
pub use deck::{Deck, DeckError};
pub use evaluator::Evaluator;
pub use hand::Hand;
pub use hand_class::HandClass;
pub use hand_value::{HandSizeError, HandValue};
pub use set::{CardSet, CardSetError};
