//! The look of the text: its width and its colours.

use baize_rules::Money;
use baize_table::ResultKind;

/// The width of the page, and whether it has colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// Characters per line. Lines are broken between words to fit; a page narrower than 48 is treated as 48.
    pub width: usize,
    /// Whether terminal colours are used.
    pub colour: bool,
}

impl Look {
    /// The effective width.
    pub(super) fn page(self) -> usize {
        self.width.max(40)
    }

    fn paint(self, code: &str, text: &str) -> String {
        if self.colour && !text.is_empty() { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }

    /// In bold.
    #[must_use]
    pub fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }

    /// Less important.
    #[must_use]
    pub fn dim(self, text: &str) -> String {
        self.paint("2", text)
    }

    /// Something that went wrong.
    #[must_use]
    pub fn warning(self, text: &str) -> String {
        self.paint("33", text)
    }

    /// Hearts and diamonds are red.
    #[must_use]
    pub fn cards(self, text: &str) -> String {
        if !self.colour {
            return text.to_owned();
        }
        let paint = |word: &str| {
            let (bare, space) = word.strip_suffix(' ').map_or((word, ""), |bare| (bare, " "));
            let red = bare.contains(['♥', '♦']);
            if red { format!("{}{space}", self.paint("31", bare)) } else { word.to_owned() }
        };
        text.split_inclusive(' ').map(paint).collect()
    }

    /// The colour of a stake's outcome.
    #[must_use]
    pub fn result(self, result: ResultKind, text: &str) -> String {
        match result {
            ResultKind::Win => self.paint("32", text),
            ResultKind::Lose => self.paint("31", text),
            ResultKind::Push | ResultKind::Returned => self.paint("36", text),
            ResultKind::Pending => self.paint("33", text),
        }
    }

    /// The colour of a result: green won, red lost.
    #[must_use]
    pub fn net(self, net: Money, text: &str) -> String {
        match net.cmp(&Money::ZERO) {
            std::cmp::Ordering::Greater => self.paint("1;32", text),
            std::cmp::Ordering::Less => self.paint("1;31", text),
            std::cmp::Ordering::Equal => self.paint("1", text),
        }
    }
}

/// The text in lines of at most this many characters, broken between words. A word that is longer keeps its own line.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    if lines.is_empty() {
        lines.push(String::new());
    }
    lines
}

/// The text with spaces after it, up to this width.
pub(super) fn left(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.chars().count())))
}

/// The text with spaces before it, up to this width.
pub(super) fn right(text: &str, width: usize) -> String {
    format!("{}{text}", " ".repeat(width.saturating_sub(text.chars().count())))
}
