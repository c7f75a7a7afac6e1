//! The progressive jackpot: contributions, awards, order of payment, resets.
//!
//! [`pay`] pays the claims of one round at one table; the script and the simulator need no more. [`Jackpot`] links tables.
//! This crate has no clock, files, randomness or floating-point numbers.

mod command;
mod configuration;
mod contest;
mod decide;
mod draw;
mod event;
mod evolve;
mod exact;
mod hit;
mod jackpot;
mod link;
mod meter;
mod order;
mod pay;
mod refusal;

pub use command::{Command, Person, Wager};
pub use configuration::{AmountName, Configuration, ConfigurationFault, Parameters};
pub use contest::{Contest, PendingRound, Registered, Resolution};
pub use decide::decide;
pub use draw::value_of;
pub use event::{Change, Event, MadeContribution, NewHit, Price};
pub use evolve::evolve;
pub use exact::Exact;
pub use hit::{Hit, HitState};
pub use jackpot::{Counters, HeldRound, Imbalance, Jackpot, LinkState, OpenRound, PaidFrom, Status};
pub use link::TableLink;
pub use meter::{Meter, Pools, Reset};
pub use pay::{PayFault, Payment, pay, pay_registered};
pub use refusal::Refusal;
