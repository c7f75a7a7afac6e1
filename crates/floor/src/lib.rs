//! The floor: tables linked to jackpots.
//!
//! `table` and `jackpot` do not know each other; only this crate connects them. [`act`] carries out an order at one table,
//! reports to the jackpot what concerns it (wagers that count, dealt hands, returned wagers, claims, faults, restorations, undone
//! rounds) and hands over at the table what the jackpot pays. A script drives it in memory; a house drives it and journals the
//! facts.
//!
//! Pure: the state comes in, the facts come out, and replaying them gives the resulting state. The caller's decisions come in as
//! values: the order of deals across tables ([`LinkedTable::order`]) and who verifies winning hands ([`Verification`]). Most
//! orders do not concern the jackpot: a caller may leave it out, and gets [`Stop::NeedsJackpot`] when it matters.

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
pub use fact::{AwardTransfer, Fact, JackpotStep, OrderResults, Step};
pub use legal::{legal, legal_to_players, takes_wagers};
pub use linked::{KnownJackpot, LinkedTable, Verification, wagered};
pub use pay::owes;
pub use reach::{HouseBar, SystemFault, house_bar, tell_fault};
pub use stop::{Away, Stop};
pub use undo::may_close;
