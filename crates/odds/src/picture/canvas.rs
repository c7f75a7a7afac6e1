//! A sheet of fixed width that grows downwards.

use std::fmt::Write as _;

/// The width of a sheet.
pub(super) const WIDTH: f64 = 760.0;
/// The space at both sides.
pub(super) const MARGIN: f64 = 32.0;

const STYLE: &str = "text{font:13px system-ui,-apple-system,'Segoe UI',sans-serif;fill:#1d2b24}\
.title{font-size:17px;font-weight:600}.small{font-size:11px}.dim{fill:#5c6b63}.hand{font-size:12px;font-weight:600}\
.value{font-size:11px}.on-dark{fill:#fff}.on-light{fill:#1d2b24}.paper{fill:#fbfaf5}.grid{stroke:#1d2b24;stroke-opacity:.13}\
.axis{stroke:#1d2b24;stroke-width:1}.even{stroke:#3d5fa8;stroke-width:1.5;stroke-dasharray:5 4}.line{fill:none;stroke:#2f7d57;\
stroke-width:2.5}.more{fill:none;stroke:#2f7d57;stroke-width:1.25;stroke-opacity:.55}.now{stroke:#b4472e;stroke-width:1.5}\
.dot{fill:#3d5fa8}.now-dot{fill:#b4472e}.folded{fill:url(#folded)}@media(prefers-color-scheme:dark){text{fill:#e6ece8}.dim{fill:#a3b2aa}\
.paper{fill:#16201b}.grid,.axis{stroke:#e6ece8}.line,.more{stroke:#5cc08c}.even{stroke:#8fb0ff}.dot{fill:#8fb0ff}.now{stroke:#ff8f73}\
.now-dot{fill:#ff8f73}.on-dark{fill:#fff}.on-light{fill:#1d2b24}}";

/// A sheet being drawn.
pub(super) struct Canvas {
    title: String,
    body: String,
    /// The y coordinate below everything drawn so far.
    pub bottom: f64,
}

impl Canvas {
    pub(super) fn new(title: &str) -> Canvas {
        Canvas { title: escaped(title), body: String::new(), bottom: 24.0 }
    }

    /// Appends an element.
    pub(super) fn push(&mut self, element: &str) {
        self.body.push_str(element);
        self.body.push('\n');
    }

    /// A text anchored here: `start`, `middle` or `end`.
    pub(super) fn text(&mut self, (x, y): (f64, f64), class: &str, anchor: &str, words: &str) {
        let words = escaped(words);
        let _ = writeln!(
            self.body,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" class=\"{class}\" text-anchor=\"{anchor}\">{words}</text>"
        );
    }

    /// A straight line.
    pub(super) fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let ((x1, y1), (x2, y2)) = (from, to);
        let _ = writeln!(
            self.body,
            "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"
        );
    }

    /// The heading of a picture and a line under it; moves down past both.
    pub(super) fn heading(&mut self, title: &str, under: &str) {
        self.text((MARGIN, self.bottom + 18.0), "title", "start", title);
        self.text((MARGIN, self.bottom + 38.0), "dim", "start", under);
        self.bottom += 56.0;
    }

    pub(super) fn finish(self) -> String {
        let height = self.bottom + 20.0;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height:.0}\" width=\"{WIDTH}\" height=\"{height:.0}\" \
             role=\"img\">\n<title>{}</title>\n<style>{STYLE}</style>\n<defs><pattern id=\"folded\" width=\"6\" height=\"6\" \
             patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\"><rect width=\"6\" height=\"6\" fill=\"#d9d6cc\"/><rect \
             width=\"2\" height=\"6\" fill=\"#c3bfb2\"/></pattern></defs>\n<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n{}</svg>\n",
            self.title, self.body
        )
    }
}

/// A text with the characters escaped that have a meaning in SVG.
pub(crate) fn escaped(words: &str) -> String {
    words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
