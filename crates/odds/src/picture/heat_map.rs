//! The 169 starting hands: suited above the diagonal of pairs, unsuited below.

use baize_cards::Rank;
use baize_rules::StartingHand;

use super::canvas::{Canvas, MARGIN, WIDTH};
use crate::advice::Action;
use crate::analysis::{GameAnalysis, StartingHandRow};

const CELL_WIDTH: f64 = 51.0;
const CELL_HEIGHT: f64 = 40.0;
const LABELS: f64 = 24.0;

/// The colours of a loss of an ante, of nothing, and of a win of two antes.
const LOSS: [f64; 3] = [166.0, 56.0, 38.0];
const NOTHING: [f64; 3] = [244.0, 236.0, 214.0];
const WIN: [f64; 3] = [22.0, 96.0, 62.0];

pub(super) fn draw(canvas: &mut Canvas, game: &GameAnalysis) {
    canvas.heading(
        &format!("{}: starting hands", game.name),
        "Expected net result of a round in antes with best play. Suited hands upper right, unsuited lower left.",
    );
    let (left, top) = (MARGIN + LABELS, canvas.bottom + 18.0);
    let ranks: Vec<Rank> = Rank::ALL.into_iter().rev().collect();
    let place = |n: usize| f64::from(u8::try_from(n).unwrap_or(0));
    for (row, high) in ranks.iter().enumerate() {
        let y = top + place(row) * CELL_HEIGHT;
        canvas.text((left - 10.0, y + 25.0), "dim", "end", high.short());
        let middle = left + (place(row) + 0.5) * CELL_WIDTH;
        canvas.text((middle, top - 8.0), "dim", "middle", high.short());
        for (column, low) in ranks.iter().enumerate() {
            let hand = StartingHand::new(*high, *low, high > low);
            if let Some(found) = game.starting_hands.get(hand.index()) {
                cell(canvas, (left + place(column) * CELL_WIDTH, y), found);
            }
        }
    }
    canvas.bottom = top + 13.0 * CELL_HEIGHT + 14.0;
    legend(canvas);
}

fn cell(canvas: &mut Canvas, (x, y): (f64, f64), found: &StartingHandRow) {
    let value = found.ev.to_f64();
    let folded = found.best == Action::Fold;
    let (width, height) = (CELL_WIDTH - 2.0, CELL_HEIGHT - 2.0);
    let fill = if folded {
        "class=\"folded\"".to_owned()
    } else {
        let [red, green, blue] = colour(value).map(|part| format!("{part:.0}"));
        format!("fill=\"rgb({red},{green},{blue})\"")
    };
    canvas.push(&format!(
        "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width}\" height=\"{height}\" rx=\"3\" {fill}><title>{}: {}</title></rect>",
        found.hand,
        found.flop.decimal(6)
    ));
    let ink = if !folded && is_dark(colour(value)) { "on-dark" } else { "on-light" };
    let middle = x + width / 2.0;
    canvas.text((middle, y + 16.0), &format!("hand {ink}"), "middle", &found.hand.to_string());
    let words = if folded { "fold".to_owned() } else { signed(value) };
    canvas.text((middle, y + 31.0), &format!("value {ink}"), "middle", &words);
}

fn legend(canvas: &mut Canvas) {
    let (left, top, width) = (MARGIN + LABELS, canvas.bottom, 300.0);
    let stops = [(-1.0, "−1"), (-0.5, "−0.5"), (0.0, "0"), (1.0, "+1"), (2.0, "+2")];
    let at = |value: f64| left + (value + 1.0) / 3.0 * width;
    let steps = 60;
    for n in 0..steps {
        let value = -1.0 + 3.0 * (f64::from(n) + 0.5) / f64::from(steps);
        let [red, green, blue] = colour(value).map(|part| format!("{part:.0}"));
        canvas.push(&format!(
            "<rect x=\"{:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"10\" fill=\"rgb({red},{green},{blue})\"/>",
            left + width * f64::from(n) / f64::from(steps),
            width / f64::from(steps) + 0.5
        ));
    }
    for (value, words) in stops {
        canvas.text((at(value), top + 24.0), "small dim", "middle", words);
    }
    let x = left + width + 36.0;
    canvas.push(&format!("<rect x=\"{x:.1}\" y=\"{top:.1}\" width=\"24\" height=\"10\" class=\"folded\"/>"));
    canvas.text((x + 32.0, top + 9.0), "small dim", "start", "fold");
    debug_assert!(x + 80.0 < WIDTH);
    canvas.bottom = top + 48.0;
}

/// Between the colours of loss, nothing and win.
fn colour(value: f64) -> [f64; 3] {
    // A root makes small differences around nothing visible.
    let (end, part) =
        if value < 0.0 { (LOSS, (-value).min(1.0).sqrt()) } else { (WIN, (value / 2.0).min(1.0).sqrt()) };
    std::array::from_fn(|n| NOTHING[n] + (end[n] - NOTHING[n]) * part)
}

fn is_dark([red, green, blue]: [f64; 3]) -> bool {
    0.299 * red + 0.587 * green + 0.114 * blue < 128.0
}

fn signed(value: f64) -> String {
    format!("{value:+.2}").replace('-', "−")
}
