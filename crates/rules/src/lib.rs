//! The approved games as validated data: every value with its paragraph.
//!
//! A [`Rulebook`] is parsed from TOML, validated as a whole, and immutable from then on. Differences between the
//! games are in that data; the engine holds only procedure. This crate reads no files: texts come in as values.

mod area;
mod betting;
mod bonus;
mod box_number;
mod builtin;
mod guide;
mod interpretation;
mod irregularity;
mod jackpot;
mod money;
mod open_points;
mod paragraph;
mod procedure;
mod reader;
mod register;
mod role;
mod rulebook;
mod schedule;
mod schema;
mod settlement;
mod starting_hand;

pub use area::{Area, AreaRule};
pub use betting::{Betting, BoxRange, WhoMayBet};
pub use bonus::{BonusLine, BonusTable};
pub use box_number::BoxNumber;
pub use guide::{Block, Guide, Row, Said, Section};
pub use interpretation::Interpretation;
pub use irregularity::{
    Absent, Case, Conditions, FactKind, FaultScope, Irregularities, Irregularity, IrregularityKind,
    JackpotFaultRules, Remedy, Whose,
};
pub use jackpot::{
    AcrossTables, AfterFold, Award, AwardCards, AwardPay, Claim, JackpotRules, Percent, WithinTable,
};
pub use money::{Money, MoneyError};
pub use open_points::{
    AllFold, AwardChoice, BarReach, BonusAfterLoss, BonusOfInvalid, CapOn, Contribution, ForOne,
    FoundSettled, HouseActs, NotShown, OneTimeOnly, OpenPoint, PaidBy, PoolRounding, PooledStraightFlush,
    PutRight, RaisesOfAbsent, Readings, Rounding, SeveralWinners, SharedExcess, Silence,
};
pub use paragraph::{Cited, Cites, Paragraph, ParagraphError};
pub use procedure::{Procedure, ProcedureName, Reveal};
pub use reader::{Fault, Faults, Problem};
pub use role::Role;
pub use rulebook::{Family, Rulebook};
pub use schedule::{Act, Dealt, Place, Scheduled};
pub use settlement::{
    DecisionRule, Fate, HandOdds, Odds, Otherwise, OutcomeRule, Qualification, SettlementRules,
};
pub use starting_hand::{StartingHand, StartingHands};
