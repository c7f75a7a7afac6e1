//! Sets text for the terminal: wrapped to its width, with bold and dim only where somebody looks at it.

use std::io::{self, IsTerminal, Write};

use baize_rules::{Block, Cites, Guide, Row, Said};

use crate::Failure;

/// Lines longer than this are hard to read.
const WIDTH_MAX: usize = 100;
/// Narrower than this, words would break.
const WIDTH_MIN: usize = 40;
/// When the answer goes to a file or a pipe.
const WIDTH_PIPED: usize = 80;

/// Writes the answer. A reader who has seen enough and closes the pipe is no failure.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::Output(error)),
        _ => Ok(()),
    }
}

/// How a word looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    Plain,
    Bold,
    Dim,
}

impl Style {
    fn set(self, word: &str) -> String {
        match self {
            Style::Plain => word.to_owned(),
            Style::Bold => format!("\x1b[1m{word}\x1b[0m"),
            Style::Dim => format!("\x1b[2m{word}\x1b[0m"),
        }
    }
}

/// A page under way.
pub(crate) struct Page {
    width: usize,
    styled: bool,
    text: String,
}

impl Page {
    /// A page for standard output as it is now: the width of the terminal, and no styles when piped, when `NO_COLOR` is
    /// set or on a terminal that knows none.
    pub(crate) fn for_stdout() -> Page {
        let terminal = io::stdout().is_terminal();
        let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let width =
            terminal_size::terminal_size().filter(|_| terminal).map(|(width, _)| usize::from(width.0));
        Page::new(width.unwrap_or(WIDTH_PIPED), terminal && !set("NO_COLOR") && !dumb)
    }

    /// A page of this width.
    pub(crate) fn new(width: usize, styled: bool) -> Page {
        Page { width: width.clamp(WIDTH_MIN, WIDTH_MAX), styled, text: String::new() }
    }

    /// The page so far.
    pub(crate) fn finish(self) -> String {
        self.text
    }

    /// An empty line, but never two and none at the top.
    pub(crate) fn gap(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    /// Words set after `mark` and wrapped; later lines are indented as far as the first word.
    pub(crate) fn fill(&mut self, mark: &str, words: &[(&str, Style)]) {
        let indent = mark.chars().count();
        self.text.push_str(mark);
        let mut column = indent;
        for (word, style) in words.iter().filter(|(word, _)| !word.is_empty()) {
            let length = word.chars().count();
            if column > indent && column + 1 + length > self.width {
                self.text.push('\n');
                self.text.push_str(&" ".repeat(indent));
                column = indent;
            } else if column > indent {
                self.text.push(' ');
                column += 1;
            }
            self.text.push_str(&if self.styled { style.set(word) } else { (*word).to_owned() });
            column += length;
        }
        self.text.push('\n');
    }

    /// A line in bold.
    pub(crate) fn heading(&mut self, words: &str) {
        let words: Vec<_> = words.split(' ').map(|word| (word, Style::Bold)).collect();
        self.fill("", &words);
    }

    /// Words in this style and their paragraphs.
    fn said(&mut self, mark: &str, said: &Said, style: Style) {
        let cites = bracketed(said.cites);
        let mut words: Vec<_> = said.words.split_whitespace().map(|word| (word, style)).collect();
        words.push((&cites, Style::Dim));
        self.fill(mark, &words);
    }

    /// A game explained.
    pub(crate) fn guide(&mut self, guide: &Guide) {
        self.heading(&guide.title.to_uppercase());
        let words: Vec<_> = guide.subtitle.split_whitespace().map(|word| (word, Style::Plain)).collect();
        self.fill("", &words);
        for section in &guide.sections {
            self.gap();
            self.heading(&section.title.to_uppercase());
            section.blocks.iter().for_each(|block| self.block(block));
        }
    }

    fn block(&mut self, block: &Block) {
        match block {
            Block::Text(said) => self.said("  ", said, Style::Plain),
            Block::Points(points) => {
                self.gap();
                points.iter().for_each(|said| self.said("  • ", said, Style::Plain));
            }
            Block::Steps { title, steps } => {
                self.gap();
                self.said("  ", title, Style::Bold);
                for (n, step) in steps.iter().enumerate() {
                    self.said(&format!("  {:>2}. ", n + 1), step, Style::Plain);
                }
            }
            Block::Table { title, rows } => {
                self.gap();
                self.said("  ", title, Style::Bold);
                let left = rows.iter().map(|row| row.left.chars().count()).max().unwrap_or_default();
                rows.iter().for_each(|row| self.row(row, left));
            }
            Block::Entry { code, title, points } => {
                self.gap();
                let cites = bracketed(title.cites);
                let mut words = vec![(code.as_str(), Style::Bold)];
                words.extend(title.words.split_whitespace().map(|word| (word, Style::Plain)));
                words.push((&cites, Style::Dim));
                self.fill("  ", &words);
                points.iter().for_each(|said| self.said("    • ", said, Style::Plain));
            }
        }
    }

    /// A line of a table: what, dots, how much, and what else must hold below it.
    fn row(&mut self, row: &Row, left: usize) {
        let cites = bracketed(row.cites);
        let indent = "    ";
        let widest = self.width.saturating_sub(indent.len() + row.right.chars().count() + 4);
        let dots = format!(
            " {} ",
            ".".repeat((left.min(widest) + 2).saturating_sub(row.left.chars().count()).max(2))
        );
        let fits = row.left.chars().count() <= widest;
        let first = if fits { format!("{}{dots}{}", row.left, row.right) } else { row.left.clone() };
        let mut words: Vec<(&str, Style)> = if fits {
            vec![(first.as_str(), Style::Plain)]
        } else {
            first.split_whitespace().map(|word| (word, Style::Plain)).collect()
        };
        if !fits {
            words.push((row.right.as_str(), Style::Plain));
        }
        words.push((&cites, Style::Dim));
        self.fill(indent, &words);
        if let Some(note) = &row.note {
            let words: Vec<_> = note.split_whitespace().map(|word| (word, Style::Dim)).collect();
            self.fill("      ", &words);
        }
    }
}

/// `[3.13, 4.1]`, kept on one line; nothing where nothing is cited.
fn bracketed(cites: Cites) -> String {
    if cites.is_empty() { String::new() } else { format!("[{cites}]") }
}
