//! Shared by the commands on round scripts: files, rulebooks, and output of faults and failures.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use baize_rules::Rulebook;
use baize_script::{ParseError, Script, Transcript};
use baize_stage::Book;

use crate::{Failure, marked, page, rulebook};

/// Maximum size of a script in bytes. Ours have a few thousand; a longer file is something else.
const MAX_BYTES: u64 = 4 * 1024 * 1024;

/// Maximum number of faults shown per text.
const MAX_FAULTS: usize = 20;

/// The text of a script file; `-` is the standard input. A file that is not text, or far too long for a script, is reported in one line.
pub(crate) fn read(path: &Path) -> Result<String, Failure> {
    let wrong = Failure::of_file(path);
    let mut bytes = Vec::new();
    let read = if path == Path::new("-") {
        io::stdin().take(MAX_BYTES + 1).read_to_end(&mut bytes)
    } else {
        fs::File::open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes))
    };
    read.map_err(wrong)?;
    if bytes.len() as u64 > MAX_BYTES {
        let what = format!("more than {} MB: a round script is much shorter", MAX_BYTES / (1024 * 1024));
        return Err(wrong(io::Error::new(io::ErrorKind::FileTooLarge, what)));
    }
    let place = match std::str::from_utf8(&bytes) {
        Ok(text) => text.find('\0'),
        Err(error) => Some(error.valid_up_to()),
    };
    if let Some(at) = place {
        let line = bytes[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
        let what = format!("not UTF-8 text (invalid byte in line {line})");
        return Err(wrong(io::Error::new(io::ErrorKind::InvalidData, what)));
    }
    String::from_utf8(bytes).map_err(|error| wrong(io::Error::new(io::ErrorKind::InvalidData, error)))
}

/// The faults of a text, each with its line and a marker, and how many are not shown.
pub(crate) fn faults(name: &str, text: &str, errors: &[ParseError]) -> String {
    let mut shown = String::new();
    for error in errors.iter().take(MAX_FAULTS) {
        shown.push_str(&marked::shown(name, text, (error.line, error.column), &error.what()));
    }
    if errors.len() > MAX_FAULTS {
        let more = (errors.len() - MAX_FAULTS) as u64;
        let _ = writeln!(shown, "{name}: and {}", page::counted(more, "more fault", "more faults"));
    }
    shown
}

/// The script files that an argument names: the file itself, or every `*.round` of a directory and those below, by name.
pub(crate) fn files(argument: &Path) -> Result<Vec<PathBuf>, Failure> {
    if !argument.is_dir() {
        return Ok(vec![argument.to_owned()]);
    }
    let mut found = Vec::new();
    walk(argument, &mut found).map_err(|(path, error)| Failure::File { path, error })?;
    if found.is_empty() {
        return Err(Failure::NoScripts(argument.to_owned()));
    }
    found.sort();
    Ok(found)
}

fn walk(directory: &Path, found: &mut Vec<PathBuf>) -> Result<(), (PathBuf, io::Error)> {
    let wrong = |error: io::Error| (directory.to_owned(), error);
    for entry in fs::read_dir(directory).map_err(wrong)? {
        let entry = entry.map_err(wrong)?;
        let path = entry.path();
        // The entry's own type: links are not followed, so there are no cycles.
        if entry.file_type().map_err(wrong)?.is_dir() {
            walk(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "round") {
            found.push(path);
        }
    }
    Ok(())
}

/// The rulebooks that scripts may name: the user's first, then the built-in ones.
pub(crate) struct Library {
    own: Vec<Book>,
}

impl Library {
    /// Reads the user's rulebooks.
    pub(crate) fn with(files: &[PathBuf]) -> Result<Library, Failure> {
        let read = |file: &PathBuf| -> Result<Book, Failure> {
            let (text, book) = rulebook::text_and_rulebook(file)?;
            Ok((book, text.into()))
        };
        Ok(Library { own: files.iter().map(read).collect::<Result<_, _>>()? })
    }

    /// The rulebook of this id.
    pub(crate) fn find(&self, id: &str) -> Option<Rulebook> {
        self.own
            .iter()
            .map(|(book, _)| book)
            .find(|book| book.id == id)
            .or_else(|| Rulebook::builtin(id))
            .cloned()
    }

    /// The rulebook of this id with its text.
    pub(crate) fn book(&self, id: &str) -> Option<Book> {
        let own = self.own.iter().find(|(book, _)| book.id == id).cloned();
        own.or_else(|| Some((Rulebook::builtin(id)?.clone(), Rulebook::builtin_text(id)?.into())))
    }
}

/// The script of a text; or its faults, each with its line.
pub(crate) fn parse(name: &str, text: &str) -> Result<Script, Failure> {
    Script::parse(text).map_err(|errors| Failure::Script(faults(name, text, &errors)))
}

/// Parses and runs a script.
pub(crate) fn run(name: &str, text: &str, library: &Library) -> Result<Transcript, Failure> {
    Ok(baize_script::run(&parse(name, text)?, &|id| library.find(id)))
}

/// The failures of a script. After an unexpected refusal, later failures may only be consequences: they are omitted unless `all`.
pub(crate) fn failures(name: &str, text: &str, failures: &[baize_script::Failure], all: bool) -> String {
    let mut shown = String::new();
    let mut left_out = failures.len();
    for failure in failures {
        let _ = writeln!(shown, "{name}:{}: {}", failure.line, line(text, failure.line));
        let _ = writeln!(shown, "  expected: {}", failure.expected);
        let _ = writeln!(shown, "  happened: {}", failure.happened);
        left_out -= 1;
        if failure.refusal && !all {
            break;
        }
    }
    if left_out > 0 {
        let _ = writeln!(shown, "  and {left_out} more after that");
    }
    shown
}

/// A line of a text, trimmed.
pub(crate) fn line(text: &str, number: usize) -> &str {
    text.lines().nth(number.saturating_sub(1)).unwrap_or("").trim()
}
