//! Renders pages as HTML.
//!
//! Every renderer is a pure function from a struct of [`model`] to markup: it reads no house, clock or request. Pages contain no inline script or
//! style. A card that the reader may not see cannot be on a page, because it is not in the view that the page is made from.
//!
//! Live regions have ids. The script replaces them when the event stream or the response to a form contains new ones.

pub mod actions;
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
pub mod round_log;
pub mod rulebook;
pub mod rulings;
pub mod session;
pub mod set_up;
pub mod shell;
pub mod sign;
pub mod slip;
pub mod staff;
mod staff_member;
pub mod surveillance;
pub mod table;
pub mod table_actions;
mod table_bets;
pub mod verdict;
pub mod words;
