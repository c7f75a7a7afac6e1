//! The data of each page. The server's view models create them; the renderers turn them into HTML.
//!
//! Everything about a round is a [`baize_table::RoundView`], so a page cannot show a card that its reader may not see. Nothing here reads a clock, a
//! database or a request.

mod odds;

pub(crate) use odds::{
    Calculator, Exact, HeatCell, JackpotReturn, OddsIndex, OddsPage, OutcomeLine, SolveProgress,
    StrategyLine, WagerOdds,
};
