//! Formats text for the terminal: wrapped to its width; bold and dim only on a terminal.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use baize_rules::{Block, Cites, Guide, Row, Said};
use serde::Serialize;

use crate::Failure;
use crate::odds::grouped;

/// Lines longer than this are hard to read.
const WIDTH_MAX: usize = 100;
/// Narrower than this, words would break.
const WIDTH_MIN: usize = 40;
/// Width for files and pipes.
const WIDTH_PIPED: usize = 80;

/// Prints output. A closed pipe is not an error. In pipes and files, typographic minus signs become ASCII.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let plain = if out.is_terminal() { text.into() } else { piped(text) };
    match out.write_all(plain.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::Output(error)),
        _ => Ok(()),
    }
}

/// A value as JSON for `--json`.
pub(crate) fn json(value: &impl Serialize) -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(value).map_err(|error| Failure::Output(error.into()))?;
    Ok(text + "\n")
}

/// Creates an empty file that only its owner can read.
pub(crate) fn private_file(file: &Path) -> Result<(), Failure> {
    let mut options = std::fs::File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(file).map(drop).map_err(Failure::of_file(file))
}

/// Writes a file atomically, keeping its permissions. A link stays a link, and devices and pipes are written to directly.
pub(crate) fn replace(file: &Path, text: &str) -> Result<(), Failure> {
    replace_all(&[(file, text)])
}

/// Writes files atomically: none is replaced before all are on the disk.
pub(crate) fn replace_all(files: &[(&Path, &str)]) -> Result<(), Failure> {
    let mut partials: Vec<(PathBuf, PathBuf)> = Vec::new();
    let mut prepare = |file: &Path, text: &str| {
        let file = file.canonicalize().unwrap_or_else(|_| file.to_owned());
        if file.exists() && !file.is_file() {
            return std::fs::write(&file, text).map_err(Failure::of_file(&file));
        }
        let mut partial = file.as_os_str().to_owned();
        partial.push(".part");
        let partial = PathBuf::from(partial);
        partials.push((partial.clone(), file.clone()));
        let written = (|| {
            let mut part = std::fs::File::create(&partial)?;
            part.write_all(text.as_bytes())?;
            part.sync_all()?;
            if let Ok(before) = std::fs::metadata(&file) {
                part.set_permissions(before.permissions())?;
            }
            Ok(())
        })();
        written.map_err(Failure::of_file(&file))
    };
    let prepared = files.iter().try_for_each(|(file, text)| prepare(file, text));
    let renamed =
        |(partial, file): &(PathBuf, PathBuf)| std::fs::rename(partial, file).map_err(Failure::of_file(file));
    prepared.and_then(|()| partials.iter().try_for_each(renamed)).inspect_err(|_| {
        partials.iter().for_each(|(partial, _)| remove_partial(partial));
    })
}

/// Removes an incomplete file, and warns if that fails.
pub(crate) fn remove_partial(file: &Path) {
    match std::fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            eprintln!("{} is incomplete and could not be removed: {error}", file.display());
        }
        _ => {}
    }
}

/// The text with ASCII minus signs.
fn piped(text: &str) -> Cow<'_, str> {
    if text.contains('−') { text.replace('−', "-").into() } else { text.into() }
}

/// "1 round", "1,000 rounds".
pub(crate) fn counted(count: u64, one: &str, many: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{} {many}", grouped(&count.to_string())) }
}

/// Width of standard output, and whether styles may be used: not in pipes, with `NO_COLOR`, or on a dumb terminal.
pub(crate) fn stdout() -> (usize, bool) {
    let terminal = io::stdout().is_terminal();
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    let width = terminal_size::terminal_size().filter(|_| terminal).map(|(width, _)| usize::from(width.0));
    (width.unwrap_or(WIDTH_PIPED), terminal && !set("NO_COLOR") && !dumb)
}

/// Maximum width of tables: the terminal's width, or unlimited in a pipe.
pub(crate) fn table_width() -> usize {
    if io::stdout().is_terminal() { stdout().0.max(WIDTH_MIN) } else { usize::MAX }
}

/// Style of a word.
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

/// A page being built.
pub(crate) struct Page {
    width: usize,
    styled: bool,
    /// A section has just begun, so no gap is needed.
    begun: bool,
    text: String,
}

impl Page {
    /// A page for standard output as it is now.
    pub(crate) fn for_stdout() -> Page {
        let (width, styled) = stdout();
        Page::new(width, styled)
    }

    /// A page of this width.
    pub(crate) fn new(width: usize, styled: bool) -> Page {
        Page { width: width.clamp(WIDTH_MIN, WIDTH_MAX), styled, begun: false, text: String::new() }
    }

    /// The page so far.
    pub(crate) fn finish(self) -> String {
        self.text
    }

    /// An empty line, but never two and none at the top.
    pub(crate) fn gap(&mut self) {
        if !self.begun && !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    /// Adds words after `mark`, wrapped; further lines are indented to the first word.
    pub(crate) fn fill(&mut self, mark: &str, words: &[(&str, Style)]) {
        self.begun = false;
        let indent = mark.chars().count();
        self.text.push_str(mark);
        let mut column = indent;
        // Items with spaces, such as paragraphs in brackets, are broken only if they do not fit on one line.
        let room = self.width.saturating_sub(indent);
        let parts = words.iter().flat_map(|(word, style)| {
            let whole = word.chars().count() <= room;
            word.split(move |c| c == ' ' && !whole).map(|part| (part, *style))
        });
        for (word, style) in parts.filter(|(word, _)| !word.is_empty()) {
            let length = word.chars().count();
            if column > indent && column + 1 + length > self.width {
                self.text.push('\n');
                self.text.push_str(&" ".repeat(indent));
                column = indent;
            } else if column > indent {
                self.text.push(' ');
                column += 1;
            }
            self.text.push_str(&if self.styled { style.set(word) } else { word.to_owned() });
            column += length;
        }
        self.text.push('\n');
    }

    /// Maximum line length in characters.
    pub(crate) const fn width(&self) -> usize {
        self.width
    }

    /// Whether colours and weights may be used.
    pub(crate) const fn styled(&self) -> bool {
        self.styled
    }

    /// Adds words after `mark`, wrapped, in one style.
    pub(crate) fn words(&mut self, mark: &str, words: &str, style: Style) {
        let words: Vec<_> = words.split(' ').map(|word| (word, style)).collect();
        self.fill(mark, &words);
    }

    /// Adds a formatted line.
    pub(crate) fn line(&mut self, line: &str) {
        self.begun = false;
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    /// Adds a formatted line in this style.
    pub(crate) fn styled_line(&mut self, line: &str, style: Style) {
        let line = line.trim_end();
        let line = if self.styled { style.set(line) } else { line.to_owned() };
        self.line(&line);
    }

    /// A line in bold.
    pub(crate) fn heading(&mut self, words: &str) {
        let words: Vec<_> = words.split(' ').map(|word| (word, Style::Bold)).collect();
        self.fill("", &words);
    }

    /// Adds words in this style with their paragraphs.
    fn said(&mut self, mark: &str, said: &Said, style: Style) {
        let cites = bracketed(said.cites);
        let mut words: Vec<_> = said.words.split_whitespace().map(|word| (word, style)).collect();
        words.push((&cites, Style::Dim));
        self.fill(mark, &words);
    }

    /// Adds the guide to a game.
    pub(crate) fn guide(&mut self, guide: &Guide) {
        self.heading(&guide.title.to_uppercase());
        let words: Vec<_> = guide.subtitle.split_whitespace().map(|word| (word, Style::Plain)).collect();
        self.fill("", &words);
        for section in &guide.sections {
            self.gap();
            self.heading(&section.title.to_uppercase());
            self.begun = true;
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
                self.rows(rows);
            }
            Block::Entry { code, title, points } => {
                self.gap();
                let cites = bracketed(title.cites);
                let code = if code.is_empty() { String::new() } else { format!("{code}:") };
                let style = if code.is_empty() { Style::Bold } else { Style::Plain };
                let mut words = vec![(code.as_str(), Style::Bold)];
                words.extend(title.words.split_whitespace().map(|word| (word, style)));
                words.push((&cites, Style::Dim));
                self.fill("  ", &words);
                points.iter().for_each(|said| self.said("    • ", said, Style::Plain));
            }
        }
    }

    /// Table rows with dot leaders. If they do not fit, each row is wrapped like a sentence.
    fn rows(&mut self, rows: &[Row]) {
        let indent = "    ";
        let widest = |of: fn(&Row) -> &str| rows.iter().map(|row| of(row).chars().count()).max();
        let left = widest(|row| &row.left).unwrap_or_default();
        let right = widest(|row| &row.right).unwrap_or_default();
        let fits = indent.len() + left + " .. ".len() + right <= self.width;
        for row in rows {
            let cites = bracketed(row.cites);
            let dots = ".".repeat(left + 2 - row.left.chars().count());
            let line = if fits { format!("{} {dots} {}", row.left, row.right) } else { String::new() };
            let sentence = if fits { String::new() } else { format!("{}: {}", row.left, row.right) };
            let mut words = vec![(line.as_str(), Style::Plain)];
            words.extend(sentence.split_whitespace().map(|word| (word, Style::Plain)));
            words.push((&cites, Style::Dim));
            self.fill(indent, &words);
            if let Some(note) = &row.note {
                let words: Vec<_> = note.split_whitespace().map(|word| (word, Style::Dim)).collect();
                self.fill("      ", &words);
            }
        }
    }
}

/// `[3.13, 4.1]`, kept on one line; empty without citations.
fn bracketed(cites: Cites) -> String {
    if cites.is_empty() { String::new() } else { format!("[{cites}]") }
}

#[cfg(test)]
mod tests {
    use baize_rules::Rulebook;

    use super::*;

    fn guide(width: usize, styled: bool) -> String {
        let mut page = Page::new(width, styled);
        Rulebook::builtins().iter().for_each(|rulebook| page.guide(&rulebook.guide()));
        page.finish()
    }

    #[test]
    fn no_line_is_wider_than_the_page() {
        for width in [40, 50, 60, 72, 80, 100] {
            let text = guide(width, false);
            let wide: Vec<&str> = text.lines().filter(|line| line.chars().count() > width).collect();
            assert!(wide.is_empty(), "at {width}: {wide:#?}");
            assert!(!text.lines().any(|line| line.ends_with(' ')), "no spaces at the end of a line");
            assert!(!text.contains("\n\n\n"), "no two empty lines");
        }
    }

    #[test]
    fn a_page_is_never_narrower_than_words_or_wider_than_readable() {
        assert_eq!(guide(10, false), guide(WIDTH_MIN, false));
        assert_eq!(guide(500, false), guide(WIDTH_MAX, false));
    }

    #[test]
    fn styles_only_add_escapes() {
        let styled = guide(80, true);
        assert!(styled.contains("\x1b[1m"));
        let bare =
            ["\x1b[0m", "\x1b[1m", "\x1b[2m"].iter().fold(styled, |text, escape| text.replace(escape, ""));
        assert_eq!(bare, guide(80, false));
        assert!(!bare.contains('\x1b'));
    }

    #[test]
    fn a_pipe_gets_plain_minus_signs_and_counts_have_their_plural() {
        assert_eq!(piped("net −1.50"), "net -1.50");
        assert_eq!([counted(1, "box", "boxes"), counted(0, "box", "boxes")], ["1 box", "0 boxes"]);
        assert_eq!(counted(1_000, "round", "rounds"), "1,000 rounds");
    }

    #[cfg(unix)]
    #[test]
    fn only_files_are_replaced() {
        use std::os::unix::fs::FileTypeExt as _;
        let folder = std::env::temp_dir().join(format!("baize-page-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let (file, link, socket) = (folder.join("file"), folder.join("link"), folder.join("socket"));
        std::fs::write(&file, "before").expect("a file");
        std::os::unix::fs::symlink(&file, &link).expect("a link");
        let _listens = std::os::unix::net::UnixListener::bind(&socket).expect("a socket");
        assert!(replace(&link, "after").is_ok());
        assert_eq!(std::fs::read_to_string(&file).ok().as_deref(), Some("after"));
        assert!(link.is_symlink());
        assert!(replace(&socket, "after").is_err());
        assert!(std::fs::metadata(&socket).is_ok_and(|there| there.file_type().is_socket()));
        let _ = std::fs::remove_dir_all(&folder);
    }

    #[test]
    fn words_wrap_under_the_first_one() {
        let mut page = Page::new(40, false);
        let words = ["The", "quick", "brown", "fox", "jumps", "over", "the", "lazy", "dog."];
        page.fill("  • ", &words.map(|word| (word, Style::Plain)));
        assert_eq!(page.finish(), "  • The quick brown fox jumps over the\n    lazy dog.\n");
    }
}
