//! Small SVG charts, rendered on the server: bars, steps and confidence bands. They can be read without colour, and every chart has a table of its
//! figures.

use maud::{Markup, html};

/// The size of a chart; the page scales it.
const WIDTH: i64 = 360;
const HEIGHT: i64 = 132;
/// The height of one of several charts in a column.
const LOW_HEIGHT: i64 = 84;
/// Margins, with room for the figures on the left and the labels below.
const LEFT: i64 = 46;
const TOP: i64 = 10;
const BOTTOM: i64 = 20;

/// Formats a value.
pub(crate) type Format = fn(i64) -> String;

/// Maps values to coordinates: `low` to `from`, `high` to `to`.
#[derive(Debug, Clone, Copy)]
struct Scale {
    low: i64,
    high: i64,
    from: i64,
    to: i64,
}

impl Scale {
    fn of(values: impl Iterator<Item = i64> + Clone, zero: bool, from: i64, to: i64) -> Scale {
        let base = if zero { Some(0) } else { None };
        let low = values.clone().chain(base).min().unwrap_or(0);
        let high = values.chain(base).max().unwrap_or(1);
        // A constant value is drawn in the middle.
        let flat = i64::from(low == high);
        Scale {
            low: low.saturating_sub(if zero { 0 } else { flat }),
            high: high.saturating_add(flat),
            from,
            to,
        }
    }

    /// Adds a margin of 5% on both sides.
    fn with_margin(self) -> Scale {
        let margin = (self.high - self.low) / 20;
        Scale { low: self.low - margin, high: self.high + margin, ..self }
    }

    fn at(self, value: i64) -> i64 {
        let (span, length) = (i128::from(self.high) - i128::from(self.low), i128::from(self.to - self.from));
        let off = (i128::from(value) - i128::from(self.low)) * length / span.max(1);
        self.from + i64::try_from(off).unwrap_or(0)
    }
}

/// Grid lines with figures at the maximum, the minimum and zero.
fn grid(scale: Scale, format: Format) -> Markup {
    let mut marks = vec![scale.high, scale.low];
    if scale.high - scale.low <= 2 && scale.low > 0 {
        marks = vec![scale.low + 1];
    }
    if scale.low < 0 && scale.high > 0 {
        marks.push(0);
    }
    html! {
        @for value in marks {
            @let y = scale.at(value);
            line.grid x1=(LEFT) x2=(WIDTH) y1=(y) y2=(y) {}
            text.figure x=(LEFT - 4) y=(y + 3) text-anchor="end" { (format(value)) }
        }
    }
}

/// At most eight labels below the chart, so that they do not overlap.
fn x_labels(labels: &[String], height: i64, x: impl Fn(usize) -> i64) -> Markup {
    let every = labels.len().div_ceil(8).max(1);
    html! {
        @for (n, label) in labels.iter().enumerate().filter(|(n, _)| n % every == 0) {
            text.figure x=(x(n)) y=(height - 5) text-anchor="middle" { (label) }
        }
    }
}

/// A bar chart. Negative bars are below the zero line and outlined.
pub(crate) fn bars(said: &str, labels: &[String], values: &[i64], format: Format) -> Markup {
    columns(said, labels, values, format, HEIGHT)
}

/// As [`bars`], less high: for one of several charts.
pub(crate) fn low_bars(said: &str, labels: &[String], values: &[i64], format: Format) -> Markup {
    columns(said, labels, values, format, LOW_HEIGHT)
}

fn columns(said: &str, labels: &[String], values: &[i64], format: Format, height: i64) -> Markup {
    let scale = Scale::of(values.iter().copied(), true, height - BOTTOM, TOP);
    let step = (WIDTH - LEFT) * 100 / i64::try_from(values.len().max(1)).unwrap_or(1);
    let x = |n: usize| LEFT + step * i64::try_from(n).unwrap_or(0) / 100;
    let zero = scale.at(0);
    html! {
        svg.chart viewBox=(format!("0 0 {WIDTH} {height}")) role="img" aria-label=(said) {
            (grid(scale, format))
            @for (n, value) in values.iter().enumerate() {
                @let y = scale.at(*value);
                rect.pillar.minus[*value < 0] x=(x(n) + step * 15 / 10_000) y=(y.min(zero)) width=((step * 70 / 10_000).max(1)) height=((y - zero).abs()) {
                    title { (labels.get(n).map(String::as_str).unwrap_or_default()) ": " (format(*value)) }
                }
            }
            line.axis x1=(LEFT) x2=(WIDTH) y1=(zero) y2=(zero) {}
            (x_labels(labels, height, |n| x(n) + step / 200))
        }
    }
}

/// A step chart of a level, such as a meter.
pub(crate) fn steps(said: &str, labels: &[String], values: &[i64], format: Format) -> Markup {
    let scale = Scale::of(values.iter().copied(), false, HEIGHT - BOTTOM, TOP);
    let step = (WIDTH - LEFT) * 100 / i64::try_from(values.len().max(1)).unwrap_or(1);
    let x = |n: usize| LEFT + step * i64::try_from(n).unwrap_or(0) / 100;
    let mut path = String::new();
    for (n, value) in values.iter().enumerate() {
        let (y, begin) = (scale.at(*value), if n == 0 { 'M' } else { 'L' });
        path.push_str(&format!("{begin}{} {y} L{} {y} ", x(n), x(n + 1)));
    }
    html! {
        svg.chart viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" aria-label=(said) {
            (grid(scale, format))
            path.line d=(path.trim()) {}
            (x_labels(labels, HEIGHT, |n| x(n) + step / 200))
        }
    }
}

/// A result compared with its expectation and the band that luck explains. All amounts are in cents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Luck {
    /// What the result is of, such as a table.
    pub(crate) label: String,
    /// The result.
    pub(crate) actual: i64,
    /// The expected result.
    pub(crate) expected: i64,
    /// Two standard deviations.
    pub(crate) band: i64,
    /// The handle.
    pub(crate) handle: i64,
}

impl Luck {
    /// Whether the result is within the band.
    pub(crate) const fn is_luck(&self) -> bool {
        (self.actual - self.expected).abs() <= self.band
    }

    /// A win as a percentage of the handle: `12.34 %`.
    fn hold(&self, win: i64) -> String {
        let hundredths = i128::from(win) * 10_000 / i128::from(self.handle.max(1));
        let sign = if hundredths < 0 { "-" } else { "" };
        format!("{sign}{}.{:02} %", hundredths.abs() / 100, hundredths.abs() % 100)
    }
}

/// A row for each result, all on one scale: the band, a tick at the expectation, a block at the result.
pub(crate) fn bands(rows: &[Luck], format: Format) -> Markup {
    let ends = |row: &Luck| [row.actual, row.expected - row.band, row.expected + row.band];
    let all: Vec<i64> = rows.iter().flat_map(ends).collect();
    let scale = Scale::of(all.into_iter(), true, 0, WIDTH).with_margin();
    html! {
        ul.bands { @for row in rows {
            @let (low, high) = (scale.at(row.expected - row.band), scale.at(row.expected + row.band));
            li {
                div { b { (row.label) } span.n { (format(row.actual)) } }
                svg viewBox=(format!("0 0 {WIDTH} 18")) preserveAspectRatio="none" aria-hidden="true" {
                    line.grid x1=(scale.at(0)) x2=(scale.at(0)) y1="0" y2="18" {}
                    rect.band x=(low) y="5" width=((high - low).max(1)) height="8" {}
                    line.expected x1=(scale.at(row.expected)) x2=(scale.at(row.expected)) y1="2" y2="16" {}
                    rect.actual x=(scale.at(row.actual) - 2) y="3" width="4" height="12" {}
                }
                p.hint { "Hold " (row.hold(row.actual)) ", expected " (row.hold(row.expected)) ". Expected win " (format(row.expected)) ", by luck alone " (format(row.expected - row.band)) " to " (format(row.expected + row.band)) ". "
                    b { @if row.is_luck() { "Within luck." } @else { "Beyond luck: investigate." } } }
            }
        } }
    }
}

/// Cents as a short amount for an axis: `-3,400`, `12k`, `1.2M`.
pub(crate) fn short_money(cents: i64) -> String {
    let (sign, dollars) = (if cents < 0 { "-" } else { "" }, cents.unsigned_abs().div_ceil(100));
    let parts = |unit: u64, name: &str| {
        let tenths = dollars * 10 / unit;
        let rest = tenths % 10;
        if rest == 0 || tenths >= 1_000 {
            format!("{sign}{}{name}", tenths / 10)
        } else {
            format!("{sign}{}.{rest}{name}", tenths / 10)
        }
    };
    match dollars {
        0..=999 => format!("{sign}{dollars}"),
        1_000..=9_999 => format!("{sign}{},{:03}", dollars / 1_000, dollars % 1_000),
        10_000..=999_999 => parts(1_000, "k"),
        _ => parts(1_000_000, "M"),
    }
}

/// Cents as a full amount.
pub(crate) fn money(cents: i64) -> String {
    baize_rules::Money::from_cents(cents).grouped()
}

/// A count.
pub(crate) fn count(value: i64) -> String {
    value.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axis_amounts_are_short() {
        for (cents, wanted) in [
            (0, "0"),
            (12_345, "124"),
            (-999_900, "-9,999"),
            (1_234_500, "12.3k"),
            (15_000_000, "150k"),
            (120_000_000, "1.2M"),
            (-250_000_000, "-2.5M"),
        ] {
            assert_eq!(short_money(cents), wanted);
        }
    }

    #[test]
    fn a_scale_maps_its_ends() {
        let scale = Scale::of([-50, 100].into_iter(), true, 112, 10);
        assert_eq!((scale.at(-50), scale.at(100), scale.at(0)), (112, 10, 78));
        let flat = Scale::of([7].into_iter(), false, 0, 100);
        assert_eq!(flat.at(7), 50);
        let none = Scale::of(std::iter::empty(), true, 0, 100);
        assert_eq!(none.at(0), 0);
    }

    #[test]
    fn results_in_the_band_are_luck() {
        let luck = |actual| Luck { label: String::new(), actual, expected: 10, band: 5, handle: 300 };
        assert_eq!((luck(-10).hold(-10), luck(10).hold(10)), ("-3.33 %".to_owned(), "3.33 %".to_owned()));
        assert!(luck(5).is_luck() && luck(15).is_luck() && !luck(16).is_luck() && !luck(4).is_luck());
    }
}
