//! Pictures of an analysis: plain SVG without scripts or foreign fonts, readable in light and dark.

mod axis;
mod canvas;
mod heat_map;
mod meter_plot;

use crate::analysis::GameAnalysis;
pub(crate) use axis::short;
use canvas::Canvas;
pub(crate) use canvas::escaped;

/// The pictures of a game on one sheet: the map of starting hands, for hold'em, and the return of the jackpot wager against the meter.
#[must_use]
pub fn sheet(game: &GameAnalysis) -> String {
    let mut canvas = Canvas::new(&format!("{}: exact figures", game.name));
    if !game.starting_hands.is_empty() {
        heat_map::draw(&mut canvas, game);
    }
    meter_plot::draw(&mut canvas, game);
    canvas.finish()
}
