//! The distribution of the meter at the hit as a picture: plain SVG, readable in light and dark.

use std::fmt::Write as _;

use super::{Bin, Distribution, Economics};
use crate::picture::{escaped, short};

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 56.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 64.0;
const BOTTOM: f64 = 56.0;

const STYLE: &str = "text{font:12px system-ui,sans-serif;fill:#1d2b24}.title{font-size:15px;font-weight:600}.bar{fill:#2f7d57}\
.line{stroke:#1d2b24;stroke-width:1}.mean{stroke:#b4472e;stroke-width:1.5}.even{stroke:#3d5fa8;stroke-width:1.5;stroke-dasharray:5 3}\
.paper{fill:#fbfaf5}@media(prefers-color-scheme:dark){text{fill:#e6ece8}.paper{fill:#16201b}.line{stroke:#e6ece8}.bar{fill:#4aa577}}";

pub(super) fn draw(economics: &Economics, distribution: &Distribution) -> String {
    let bins = &distribution.histogram;
    let first = bins.first().map_or(0.0, |bin| bin.from);
    let width = bins.first().and_then(|bin| bin.to).map_or(1.0, |to| to - first);
    let last = bins.last().map_or(first, |bin| bin.from) + width;
    let tallest = bins.iter().map(|bin| bin.probability).fold(0.0, f64::max).max(1e-9);
    let x = |value: f64| LEFT + (value - first) / (last - first) * (WIDTH - LEFT - RIGHT);
    let y = |probability: f64| HEIGHT - BOTTOM - probability / tallest * (HEIGHT - TOP - BOTTOM);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\">\n<title>{title}</title>\n\
         <style>{STYLE}</style>\n<rect class=\"paper\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/>\n\
         <text class=\"title\" x=\"{LEFT}\" y=\"26\">{title}</text>\n",
        title = escaped(&format!("{}: the meter when the top award hits", economics.name)),
    );
    for Bin { from, to, probability } in bins.iter().copied() {
        let (left, right) = (x(from), x(to.unwrap_or(last)));
        let _ = writeln!(
            svg,
            "<rect class=\"bar\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\"><title>{}: {:.1} %</title></rect>",
            left + 1.0,
            y(probability),
            right - left - 2.0,
            HEIGHT - BOTTOM - y(probability),
            range(from, to),
            probability * 100.0,
        );
    }
    let floor = HEIGHT - BOTTOM;
    let _ = writeln!(
        svg,
        "<line class=\"line\" x1=\"{LEFT}\" y1=\"{floor}\" x2=\"{}\" y2=\"{floor}\"/>",
        WIDTH - RIGHT
    );
    for bin in bins.iter().step_by(3) {
        let (at, label) = (x(bin.from), short(bin.from));
        let _ =
            writeln!(svg, "<text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{label}</text>", floor + 18.0);
    }
    for share in [0.5, 1.0] {
        let at = y(tallest * share);
        let percent = tallest * share * 100.0;
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{percent:.1} %</text>",
            LEFT - 6.0,
            at + 4.0
        );
    }
    let marks = [
        ("mean", "mean", economics.meter.mean_at_next_hit),
        ("even", "break-even", economics.worth.break_even_meter),
    ];
    for (row, (class, name, value)) in marks.into_iter().enumerate() {
        let Some(value) = value.map(crate::Fraction::to_f64) else { continue };
        let label_at = if row == 0 { TOP - 20.0 } else { TOP - 6.0 };
        let label = format!("{name} {}", short(value));
        if value > last {
            let end = WIDTH - RIGHT;
            let _ = writeln!(svg, "<text x=\"{end}\" y=\"{label_at}\" text-anchor=\"end\">{label} →</text>");
        } else if value >= first {
            let at = x(value);
            let _ = writeln!(
                svg,
                "<line class=\"{class}\" x1=\"{at:.1}\" y1=\"{:.1}\" x2=\"{at:.1}\" y2=\"{floor}\"/>\n<text x=\"{:.1}\" y=\"{label_at}\">{label}</text>",
                label_at + 2.0,
                at + 4.0,
            );
        }
    }
    let _ =
        writeln!(svg, "<text x=\"{LEFT}\" y=\"{}\">meter at the hit, dollars</text>\n</svg>", HEIGHT - 14.0);
    svg
}

fn range(from: f64, to: Option<f64>) -> String {
    match to {
        Some(to) => format!("{} to {}", short(from), short(to)),
        None => format!("{} and more", short(from)),
    }
}
