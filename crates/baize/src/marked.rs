//! Formats a fault with its place: file, line and column, then the line itself with a marker below the column.

/// The line and column of a byte, both from 1; columns count characters.
pub(crate) fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at.min(text.len())).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    (line, before.get(start..).unwrap_or_default().chars().count() + 1)
}

/// Maximum length in bytes of a line that is shown; a longer one would hide its marker.
const MAX_LINE: usize = 1_000;

/// ```text
/// casino.toml:3:16: what is wrong
///   address-rate = "many"
///                  ^
/// ```
pub(crate) fn shown(name: &str, text: &str, (line, column): (usize, usize), what: &str) -> String {
    let source = text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
    let indent = source.chars().take_while(|letter| letter.is_whitespace()).count();
    let mut marked = format!("{name}:{line}:{column}: {what}\n");
    if !source.trim().is_empty() && source.len() <= MAX_LINE {
        // A tab before the marker is as wide as the one above it.
        let before = source.chars().skip(indent).take(column.saturating_sub(indent + 1));
        let before: String = before.map(|letter| if letter == '\t' { '\t' } else { ' ' }).collect();
        marked.push_str(&format!("  {}\n  {before}^\n", source.trim()));
    }
    marked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_marker_stands_below_the_column() {
        let text = "a = 1\n  bé = 'x'\n";
        assert_eq!(line_and_column(text, text.find('\'').unwrap_or(0)), (2, 8));
        assert_eq!(shown("f", text, (2, 8), "no"), "f:2:8: no\n  bé = 'x'\n       ^\n");
        assert_eq!(shown("f", text, (9, 1), "no"), "f:9:1: no\n");
    }
}
