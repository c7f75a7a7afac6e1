//! Pictures of an analysis: plain SVG without scripts or foreign fonts, readable in light and dark.

mod axis;
mod canvas;
mod heat_map;
mod meter_plot;

use crate::analysis::GameAnalysis;
use canvas::Canvas;

/// The starting hands of a hold'em game as a map. Nothing for a stud game.
#[must_use]
pub fn heat_map(game: &GameAnalysis) -> Option<String> {
    if game.starting_hands.is_empty() {
        return None;
    }
    let mut canvas = Canvas::new(&format!("{}: what each starting hand is worth", game.name));
    heat_map::draw(&mut canvas, game);
    Some(canvas.finish())
}

/// The return of the jackpot wager against the meter.
#[must_use]
pub fn meter_plot(game: &GameAnalysis) -> String {
    let mut canvas = Canvas::new(&format!("{}: return of the jackpot wager against the meter", game.name));
    meter_plot::draw(&mut canvas, game);
    canvas.finish()
}

/// Both pictures of a game on one sheet.
#[must_use]
pub fn sheet(game: &GameAnalysis) -> String {
    let mut canvas = Canvas::new(&format!("{}: exact figures", game.name));
    if !game.starting_hands.is_empty() {
        heat_map::draw(&mut canvas, game);
    }
    meter_plot::draw(&mut canvas, game);
    canvas.finish()
}
