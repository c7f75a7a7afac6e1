//! Formats the text of a script and keeps its comments.

use crate::{ParseError, Script};

/// The same script with every line as [`Script`]'s `Display` writes it. Comments stay where they are; consecutive blank lines
/// become one, and blank lines at the beginning and the end are removed.
///
/// # Errors
/// Every fault of the text: what cannot be parsed is not rewritten.
pub fn format(text: &str) -> Result<String, Vec<ParseError>> {
    let script = Script::parse(text)?;
    let mut said = script.lines.iter().peekable();
    let mut formatted = String::new();
    let mut blank = false;
    for (number, line) in (1..).zip(text.strip_prefix('\u{feff}').unwrap_or(text).lines()) {
        let statement = said.next_if(|said| said.number == number).map(|said| said.statement.to_string());
        let comment =
            line.find('#').and_then(|at| line.get(at + 1..)).map(|words| format!("# {}", words.trim()));
        let written = match (statement, comment) {
            (Some(statement), Some(comment)) => format!("{statement}  {comment}"),
            (Some(only), None) | (None, Some(only)) => only,
            (None, None) => String::new(),
        };
        if written.is_empty() {
            blank = !formatted.is_empty();
            continue;
        }
        if std::mem::take(&mut blank) {
            formatted.push('\n');
        }
        formatted.push_str(written.trim_end());
        formatted.push('\n');
    }
    Ok(formatted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_written_in_the_usual_way_and_comments_stay() {
        let text =
            "\n\n#  RS 3.13:  why \ngame   rws-casino-stud\n\n\n open\nbet 1  ann ante 50.00 #chips\n\n";
        let expected = "# RS 3.13:  why\ngame rws-casino-stud\n\nopen\nbet 1 ann ante 50  # chips\n";
        assert_eq!(format(text).unwrap(), expected);
        assert_eq!(format(expected).unwrap(), expected, "twice is once");
        assert!(format("game x\nfrob\n").is_err());
    }
}
