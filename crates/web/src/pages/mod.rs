//! The pages: HTML from display data, nothing else.
//!
//! [`model`] says what each page shows; every renderer here is a pure function from such a struct to markup. No page asks the
//! house, the clock or the request for anything, no page holds an inline script or style, and a card that the reader may not
//! see cannot be on it because it is not in the view that the page is made of.
//!
//! Live regions have ids; `assets::SCRIPT` swaps them when the event stream or the answer to a form brings new ones.

pub mod alerts;
pub mod api;
pub mod assets;
pub mod audit;
pub mod cage;
pub mod calculator;
pub mod card;
pub mod cash;
pub mod charts;
pub mod coach;
pub mod dealer;
pub mod decisions;
pub mod deeds;
pub mod felt;
pub mod history;
pub mod hits;
pub mod house;
pub mod irregularity_desk;
pub mod lobby;
pub mod login;
pub mod meter;
pub mod model;
pub mod odds;
pub mod paint;
pub mod password;
mod pays;
pub mod pit;
pub mod rating;
pub mod remedies;
pub mod replay;
pub mod report;
pub mod rulebook;
pub mod rulings;
pub mod session;
pub mod set_up;
pub mod shell;
pub mod sign;
pub mod slip;
pub mod staff;
mod staff_member;
pub mod story;
pub mod surveillance;
pub mod table;
pub mod table_actions;
mod table_bets;
pub mod verdict;
pub mod words;
