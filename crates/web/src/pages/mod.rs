//! Renders pages as HTML.
//!
//! Every renderer is a pure function from the house's views, and what the reader typed, to markup: it reads no house and no clock. A page has a
//! struct of its own only for what no view holds. Pages contain no inline script or style. A card that the reader may not see cannot be on a page,
//! because it is not in the view that the page is made from.
//!
//! Live regions have ids. The script replaces them when the event stream or the response to a form contains new ones.

pub(crate) mod actions;
pub(crate) mod alerts;
pub(crate) mod api;
pub(crate) mod assets;
pub(crate) mod audit;
pub(crate) mod cage;
pub(crate) mod calculator;
pub(crate) mod card;
pub(crate) mod cash;
pub(crate) mod charts;
pub(crate) mod coach;
pub(crate) mod dealer;
pub(crate) mod decisions;
pub(crate) mod expected;
pub(crate) mod felt;
pub(crate) mod history;
pub(crate) mod hits;
pub(crate) mod house;
pub(crate) mod lobby;
pub(crate) mod login;
pub(crate) mod meter;
pub(crate) mod names;
pub(crate) mod next_step;
pub(crate) mod odds;
pub(crate) mod paint;
pub(crate) mod password;
mod pays;
pub(crate) mod pit;
pub(crate) mod pit_desk;
pub(crate) mod play_session;
pub(crate) mod rating;
pub(crate) mod remedies;
pub(crate) mod replay;
pub(crate) mod report;
pub(crate) mod round_log;
pub(crate) mod rulebook;
pub(crate) mod rulings;
pub(crate) mod set_up;
pub(crate) mod shell;
pub(crate) mod sign;
pub(crate) mod slip;
pub(crate) mod staff;
mod staff_member;
pub(crate) mod surveillance;
pub(crate) mod table;
pub(crate) mod table_actions;
pub(crate) mod table_bets;
pub(crate) mod verdict;
pub(crate) mod words;
