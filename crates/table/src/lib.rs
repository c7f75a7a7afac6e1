//! A round of play: commands become events, events become state.
//!
//! Four functions run a table: [`decide`] (a command becomes events or a [`Refusal`]), [`evolve`] (events become
//! state; it records and never re-judges), [`legal`] (what could be done now) and [`view`] (what a viewer may know).
//! [`settle_box`] is the one settlement for live tables, scripts and simulation. This crate has no clock, files or
//! random numbers: cards, amounts and names arrive inside commands.

mod award;
mod command;
mod decide;
pub mod describe;
mod established;
mod event;
mod evolve;
mod exposed;
mod foreseen;
mod legal;
mod refusal;
mod round;
mod schedule;
mod settings;
mod settle;
mod settlement;
mod table;
mod view;

pub use award::award;
pub(crate) use award::awards_made;
pub use baize_rules::Place;
pub use command::{Choice, Command, Facts, JackpotPayment, Report, Ruling, RulingKind, Staff};
pub use decide::decide;
pub use describe::{Sentence, describe, recap};
pub(crate) use established::outcome_established;
pub use event::{Allowed, Decided, Event, Remedied, TellsOf};
pub use evolve::{evolve, record, replay, take_back_draw};
pub use exposed::{ExposedCard, exposed_card};
pub use foreseen::{BoxFate, BoxForeseen, foreseen};
pub use legal::{
    Amounts, Deals, Legal, Players, Question, Reportable, WagerChoice, legal, legal_to_players, reportable,
};
pub use refusal::{Refusal, Why};
pub use round::{
    Awaiting, Betting, BettingBox, Draw, Finished, HandInPlay, HandStatus, Outcome, Phase, PhaseName, Play,
    PutBack, Round, Stake,
};
pub use schedule::{Due, DueCards, due, next_cards, ready_to_turn};
pub use settings::{Limits, Settings, SettingsFault};
pub use settle::{
    BoxLines, BoxStanding, BoxWagers, DealerResult, SettlementFault, Terms, judge, maximum_payout,
    settle_box, settle_box_into,
};
pub use settlement::{BoxSettlement, Line, PlayerShare, ResultKind};
pub use table::{Player, Standing, Table};
pub use view::{BoxView, CardView, HandedBack, RoundView, Viewer, view, view_open};
