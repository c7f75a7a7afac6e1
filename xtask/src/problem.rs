//! A finding of one of the checks: where it is and what is wrong.

use std::fmt;

use crate::workspace::File;

/// A finding that must be fixed before the build passes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// The file, relative to the root of the workspace.
    pub path: String,
    /// The line, counted from 1, if there is one.
    pub line: Option<usize>,
    /// What is wrong, and what would be right.
    pub message: String,
}

impl Problem {
    /// A finding about a whole file.
    pub fn in_file(path: &str, message: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line: None, message: message.into() }
    }

    /// A finding at a line, counted from 1.
    pub fn at(path: &str, line: usize, message: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line: Some(line), message: message.into() }
    }

    /// A finding at a byte offset of a file, as parsers report them.
    pub fn at_offset(file: &File, offset: usize, message: impl Into<String>) -> Self {
        Self::at(&file.path, line_of(&file.text, offset), message)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(out, "{}:{line}: {}", self.path, self.message),
            None => write!(out, "{}: {}", self.path, self.message),
        }
    }
}

/// The line, counted from 1, that contains the byte at `offset`.
fn line_of(text: &str, offset: usize) -> usize {
    1 + text.bytes().take(offset).filter(|&byte| byte == b'\n').count()
}
