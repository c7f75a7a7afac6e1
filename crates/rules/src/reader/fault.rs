//! The faults of a rulebook's text, each with its position and what would be right.

use std::fmt;

use thiserror::Error;

/// One fault of a rulebook.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Problem {
    /// The text is not TOML.
    #[error("this is not TOML: {0}")]
    Syntax(String),
    /// A key that is not valid here.
    #[error("`{key}` is not a key here")]
    UnknownKey {
        /// The key.
        key: String,
        /// The nearest valid key, if one is near, or else all valid keys.
        hint: String,
    },
    /// A required key.
    #[error("`{0}` is missing")]
    MissingKey(&'static str),
    /// A value of a different type is required.
    #[error("{expected} is needed here, not {found}")]
    WrongType {
        /// The required type.
        expected: &'static str,
        /// The actual type.
        found: &'static str,
    },
    /// A word that is not one of the choices.
    #[error("`{found}` is not {what}")]
    NotAChoice {
        /// The word.
        found: String,
        /// What it should name.
        what: &'static str,
        /// The nearest choice, or all of them.
        hint: String,
    },
    /// A text or number that cannot be parsed as required. The words say what would be right.
    #[error("{0}")]
    BadValue(String),
    /// A paragraph that the text does not have.
    #[error("the text of {text} has no paragraph {paragraph}")]
    UnknownParagraph {
        /// The paragraph.
        paragraph: String,
        /// The id of the text.
        text: String,
        /// Paragraphs nearby.
        hint: String,
    },
    /// Inconsistent values. The words say which, and what would be right.
    #[error("{what}")]
    Inconsistent {
        /// What is inconsistent.
        what: String,
        /// What would be right.
        hint: String,
    },
}

impl Problem {
    /// What would be right, if the message itself does not say it.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        match self {
            Problem::UnknownKey { hint, .. }
            | Problem::NotAChoice { hint, .. }
            | Problem::UnknownParagraph { hint, .. }
            | Problem::Inconsistent { hint, .. } => Some(hint).filter(|h| !h.is_empty()).map(String::as_str),
            Problem::Syntax(_)
            | Problem::MissingKey(_)
            | Problem::WrongType { .. }
            | Problem::BadValue(_) => None,
        }
    }
}

/// A problem and its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// The path to the value through the tables: `settlement.higher.bet.lines[2].odds`.
    pub path: String,
    /// What is wrong.
    pub problem: Problem,
}

/// Everything that is wrong with a rulebook, in the order of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Faults {
    /// The file name, as given.
    pub file: String,
    /// The faults: never empty.
    pub faults: Vec<Fault>,
}

/// Each fault as `file:line:column: message`, and the hint on a separate line.
impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, fault) in self.faults.iter().enumerate() {
            if n > 0 {
                writeln!(f)?;
            }
            write!(f, "{}:{}:{}: ", self.file, fault.line, fault.column)?;
            if !fault.path.is_empty() {
                write!(f, "{}: ", fault.path)?;
            }
            write!(f, "{}", fault.problem)?;
            if let Some(hint) = fault.problem.hint() {
                write!(f, "\n    {hint}")?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for Faults {}

/// The nearest of the names, as a hint; all of them if none is near.
pub(crate) fn nearest<'n>(word: &str, names: impl IntoIterator<Item = &'n str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    let near = names
        .iter()
        .map(|name| (strsim::osa_distance(word, name), name))
        .filter(|(distance, name)| *distance <= 1 + name.len() / 4)
        .min();
    match near {
        Some((_, name)) => format!("did you mean `{name}`?"),
        None if names.is_empty() => String::new(),
        None => {
            format!("it may be {}", names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", "))
        }
    }
}
