//! The return of the jackpot wager against the meter.

use super::axis::{Axis, short};
use super::canvas::{Canvas, MARGIN, WIDTH};
use crate::analysis::{GameAnalysis, JackpotReturn};

const HEIGHT: f64 = 320.0;
const LABELS: f64 = 44.0;

/// Maps values to coordinates.
struct Frame {
    left: f64,
    right: f64,
    top: f64,
    floor: f64,
    meter: Axis,
    back: Axis,
}

impl Frame {
    fn x(&self, meter: f64) -> f64 {
        self.left + meter / self.meter.most * (self.right - self.left)
    }

    fn y(&self, back: f64) -> f64 {
        self.floor - back / self.back.most * (self.floor - self.top)
    }
}

pub(super) fn draw(canvas: &mut Canvas, game: &GameAnalysis) {
    let jackpot = &game.jackpot;
    canvas.heading(
        &format!("{}: jackpot wager", game.name),
        &format!(
            "What comes back of a wager of {} on average, against the meter, with best play.",
            jackpot.single.wager.grouped()
        ),
    );
    let even = jackpot.single.break_even_meter.map_or(0.0, |even| even.to_f64());
    let now = jackpot
        .meter
        .map(|meter| (dollars(meter.cents()), jackpot.return_at_meter.map_or(0.0, |back| back.to_f64())));
    let widest = (even * 1.6).max(now.map_or(0.0, |(meter, _)| meter * 1.1)).max(1000.0);
    let meter = Axis::up_to(widest, 6.0);
    let highest = back_at(&jackpot.single, meter.most).max(1.0);
    let frame = Frame {
        left: MARGIN + LABELS,
        right: WIDTH - MARGIN - 40.0,
        top: canvas.bottom + 8.0,
        floor: canvas.bottom + HEIGHT,
        meter,
        back: Axis::up_to(highest, 5.0),
    };
    grid(canvas, &frame);
    for multiple in &jackpot.multiples {
        curve(canvas, &frame, multiple, "more");
        let end = back_at(multiple, frame.meter.most);
        canvas.text(
            (frame.right + 6.0, frame.y(end) + 4.0),
            "small dim",
            "start",
            &short(dollars(multiple.wager.cents())),
        );
    }
    curve(canvas, &frame, &jackpot.single, "line");
    if !jackpot.multiples.is_empty() {
        let (end, wager) =
            (back_at(&jackpot.single, frame.meter.most), dollars(jackpot.single.wager.cents()));
        canvas.text((frame.right + 6.0, frame.y(end) + 4.0), "small", "start", &short(wager));
        canvas.text((frame.right + 6.0, frame.y(end) - 10.0), "small dim", "start", "wager");
    }
    canvas.line("even", (frame.left, frame.y(1.0)), (frame.right, frame.y(1.0)));
    if even > 0.0 {
        let (x, y) = (frame.x(even), frame.y(1.0));
        canvas.line("even", (x, y), (x, frame.floor));
        canvas.push(&format!("<circle class=\"dot\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/>"));
        canvas.text(
            (x - 8.0, y - 10.0),
            "",
            "end",
            &format!("fair at {}", crate::grouped(&format!("{even:.0}"))),
        );
    }
    if let Some((meter, back)) = now {
        let (x, y) = (frame.x(meter), frame.y(back));
        canvas.line("now", (x, y), (x, frame.floor));
        canvas.push(&format!("<circle class=\"now-dot\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/>"));
        let words = format!("{:.1} % at {}", back * 100.0, crate::grouped(&format!("{meter:.0}")));
        canvas.text((x + 8.0, y + 18.0), "", "start", &words);
    }
    canvas.bottom = frame.floor + 56.0;
}

fn grid(canvas: &mut Canvas, frame: &Frame) {
    for mark in frame.back.marks() {
        let y = frame.y(mark);
        canvas.line("grid", (frame.left, y), (frame.right, y));
        canvas.text((frame.left - 8.0, y + 4.0), "small dim", "end", &format!("{:.0} %", mark * 100.0));
    }
    for mark in frame.meter.marks() {
        let x = frame.x(mark);
        canvas.line("grid", (x, frame.top), (x, frame.floor));
        canvas.text((x, frame.floor + 18.0), "small dim", "middle", &short(mark));
    }
    canvas.line("axis", (frame.left, frame.floor), (frame.right, frame.floor));
    canvas.text(
        ((frame.left + frame.right) / 2.0, frame.floor + 38.0),
        "dim",
        "middle",
        "jackpot meter (SGD)",
    );
}

/// The line of a wager, cut off where it leaves the frame.
fn curve(canvas: &mut Canvas, frame: &Frame, wager: &JackpotReturn, class: &str) {
    let (first, last) = (back_at(wager, 0.0), back_at(wager, frame.meter.most));
    let meter = if last > frame.back.most {
        frame.meter.most * (frame.back.most - first) / (last - first)
    } else {
        frame.meter.most
    };
    let (from, to) = ((frame.x(0.0), frame.y(first)), (frame.x(meter), frame.y(back_at(wager, meter))));
    canvas.line(class, from, to);
}

fn back_at(wager: &JackpotReturn, meter: f64) -> f64 {
    wager.fixed_return.to_f64() + wager.meter_coefficient.to_f64() * meter / dollars(wager.wager.cents())
}

#[expect(clippy::cast_precision_loss, reason = "a picture is no more exact than that")]
fn dollars(cents: i64) -> f64 {
    cents as f64 / 100.0
}
