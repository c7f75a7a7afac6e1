//! The value of a jackpot wager, and its effect on best play.
//!
//! [`AwardCounts`] says, for each starting hand (hold'em) or class of hand (stud), in how many deals each set of awards is made: whole
//! numbers that depend on neither the meter nor the wager. [`JackpotStakes`] puts a price on them: a fixed part and a part
//! that grows with the meter, for those who stay and for those who fold.

mod counts;
mod made;
mod worth;

pub use counts::{AwardCounts, AwardSet, HandKind, KindCounts};
pub use made::{made_by_hand, made_on_board};
pub use worth::{AwardValue, JackpotStakes, JackpotWorth, paid_awards, worth_of_made};
