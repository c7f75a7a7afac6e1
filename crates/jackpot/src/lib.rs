//! The progressive jackpot: contributions, awards, order of payment, resets.
//!
//! [`pay`] pays the claims of one round at one table; the script and the simulator need no more. [`Jackpot`] links tables.
//! Nothing here knows time, files or randomness, and nothing is a floating-point number.

mod draw;
mod exact;
mod meter;
mod order;
mod pay;

pub use draw::value_of;
pub use exact::Exact;
pub use meter::{Contribution, Meter, Reset};
pub use pay::{PayFault, Payment, pay, pay_registered};
