//! All exact figures of a game as one value: the command line prints it, the pages show it, and it serializes to JSON.

mod bonus_wager;
mod changes;
mod figures;
mod game;
mod jackpot_wager;
mod joint;
mod main_wager;
mod strategy_cost;
mod what_if;

pub use bonus_wager::{BonusAnalysis, BonusLineRow};
pub use figures::PLACES;
pub(crate) use figures::decimal;
pub use game::{GameAnalysis, Question, StartingHandRow};
pub use jackpot_wager::{
    AwardRow, ExactReturn, JackpotAnalysis, JackpotReturn, JackpotTerms, USUAL_JACKPOT_WAGER,
};
pub use joint::{JointAnalysis, JointHand, JointTerms};
pub use main_wager::{Expectation, Happening, MainAnalysis, OutcomeRow};
pub use strategy_cost::StrategyCost;
pub use what_if::Effect;
