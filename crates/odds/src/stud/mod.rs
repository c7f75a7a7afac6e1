//! Stud: five cards each, one of the dealer's face up, one decision.
//!
//! [`StudGame`] says what the outcomes pay, [`survey`] visits every position once with exact counts of the dealer's hands, and
//! [`StudSolution`] sums them under best play or any other strategy. [`position`] evaluates a single position by brute force: slower, but
//! an independent check of the survey.

mod counters;
mod from_rulebook;
mod game;
mod lookup;
mod many;
mod position;
mod raising_rule;
mod second_card;
mod solution;
mod survey;
mod table;
mod values;

pub use game::{StudGame, StudOutcome};
pub use lookup::StudPositions;
pub use many::optimal_nets;
pub(crate) use position::{complete, outcome_of};
pub use position::{position, position_seen};
pub use raising_rule::{BetFrom, ClassRule, RaisingRule, UpCardRule};
pub(crate) use second_card::SecondCard;
pub use solution::{ClassTotals, StudSolution};
pub(crate) use survey::Survey;
pub use survey::{DealerCounts, StudPosition, survey, survey_seen};
pub use table::StudTable;
pub use values::hands_by_value;
