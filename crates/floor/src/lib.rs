//! The floor: tables linked to jackpots.
//!
//! `table` and `jackpot` do not know each other. This is the only process between them: [`act`] carries out an order at one table, tells
//! the jackpot what it means (wagers that count, hands that are dealt, wagers that go back, claims, faults, restorations, rounds that are
//! undone) and hands over at the table what the jackpot pays. A script drives it in memory; a house drives it and writes the facts.
//!
//! Pure: the state comes in, the facts come out, and replaying them gives the state after them. What a caller decides comes in as values:
//! the order of deals across tables ([`LinkedTable::order`]) and who looks at winning hands ([`Verification`]). Most orders have nothing to
//! do with the jackpot: a caller may leave it out, and is told with [`Stop::NeedsJackpot`] when it matters.

mod act;
mod fact;
mod legal;
mod linked;
mod pay;
mod reach;
mod stop;
mod tell;
mod undo;

pub use act::{act, ask, pay, reopen};
pub use fact::{Award, Done, Fact, JackpotStep, Step};
pub use legal::{legal, legal_to_players, takes_wagers};
pub use linked::{Known, LinkedTable, Verification, wagered};
pub use pay::owes;
pub use reach::{HouseBar, SystemFault, house_bar, tell_fault};
pub use stop::{Away, Stop};
pub use undo::may_close;
