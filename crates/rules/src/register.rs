//! The registers of the approved texts' paragraphs, to check citations against.
//!
//! A register lists every paragraph of one text. Only the numbers are used here; the descriptions are for the
//! coverage table.

use std::sync::OnceLock;

use serde::Deserialize;

use crate::Paragraph;
use crate::builtin::{BUILTINS, Builtin};

/// The paragraphs of one text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Register {
    /// The id of the rulebook whose text it is.
    pub(crate) id: &'static str,
    /// Its paragraphs, in order.
    paragraphs: Vec<Paragraph>,
}

/// The part of a register's file that is used here.
#[derive(Deserialize)]
struct RegisterFile {
    paragraph: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    number: Paragraph,
}

impl Register {
    /// Every register, in the order of the built-in rulebooks.
    fn all() -> &'static [Register] {
        static READ: OnceLock<Vec<Register>> = OnceLock::new();
        READ.get_or_init(|| BUILTINS.iter().map(Register::read).collect())
    }

    fn read(builtin: &Builtin) -> Register {
        let file: RegisterFile = match toml::from_str(builtin.paragraphs) {
            Ok(file) => file,
            Err(error) => unreachable!("a test reads every register: {error}"),
        };
        let paragraphs = file.paragraph.into_iter().map(|entry| entry.number).collect();
        Register { id: builtin.id(), paragraphs }
    }

    /// Every register by the id of its rulebook.
    pub(crate) fn names() -> impl Iterator<Item = (&'static str, &'static Register)> {
        Register::all().iter().map(|register| (register.id, register))
    }

    /// The register of the built-in rulebook with this id.
    pub(crate) fn of(id: &str) -> Option<&'static Register> {
        Register::all().iter().find(|register| register.id == id)
    }

    /// Whether the text has this paragraph.
    pub(crate) fn has(&self, paragraph: Paragraph) -> bool {
        self.paragraphs.contains(&paragraph)
    }

    /// The paragraph above this one and those below that, as a hint.
    pub(crate) fn near(&self, paragraph: Paragraph) -> String {
        let above = self.paragraphs.iter().filter(|p| p.covers(paragraph)).max_by_key(|p| p.depth());
        let Some(above) = above else { return String::new() };
        let below: Vec<String> = self
            .paragraphs
            .iter()
            .filter(|p| above.covers(**p) && p.depth() == above.depth() + 1)
            .map(ToString::to_string)
            .collect();
        if below.is_empty() {
            format!("{above} has no paragraphs below it")
        } else {
            format!("{above} has {}", below.join(", "))
        }
    }
}
