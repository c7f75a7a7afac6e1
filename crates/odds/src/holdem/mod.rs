//! Hold'em: two hole cards each, five community cards, three decisions.
//!
//! [`HoldemGame`] says what the outcomes pay. [`HoldemTables`] holds, for every flop and every four community cards, how often
//! each pair of hole cards wins and loses; [`HoldemSolution`] adds them up under best play or any other way to play.
//! [`flop_position`] and [`turn_position`] count a single position by looking at every deal that is left.

mod boards;
mod from_rulebook;
mod game;
mod joint;
mod knowing;
mod layers;
mod pairs;
mod position;
mod showdown;
mod solution;
mod spot;
mod spot_tables;
#[cfg(test)]
mod spot_tests;
mod tables;
mod totals;
mod types;

pub use game::{HoldemGame, RaisePays};
pub use joint::FlopFrom;
pub use knowing::Early;
pub(crate) use knowing::{KnownBoard, Paths, Played, Prices};
pub use position::{FlopValues, TurnValues, flop_position, turn_position};
pub(crate) use showdown::Groups;
pub use solution::{HandTotals, HoldemSolution, PathTotals};
pub use spot::DealerKnown;
pub(crate) use spot::{Cache, Spot};
pub(crate) use spot_tables::SpotTables;
pub use tables::{HoldemTables, RaisePosition, RaiseSums};
