//! The rulebooks that come with the program.

use std::sync::OnceLock;

use crate::Rulebook;

/// A built-in rulebook: its text, and the register of the approved text's paragraphs.
pub(crate) struct Builtin {
    /// The name of the file: the id and `.toml`.
    file: &'static str,
    /// Its text.
    text: &'static str,
    /// The register of the approved text's paragraphs.
    pub(crate) paragraphs: &'static str,
}

impl Builtin {
    /// The id.
    pub(crate) fn id(&self) -> &'static str {
        self.file.strip_suffix(".toml").unwrap_or(self.file)
    }
}

macro_rules! builtins {
    ($($file:literal),* $(,)?) => {
        &[$(Builtin {
            file: $file,
            text: include_str!(concat!("../../../rulebooks/", $file)),
            paragraphs: include_str!(concat!("../../../rulebooks/paragraphs/", $file)),
        }),*]
    };
}

/// Every built-in rulebook: the one list of them.
pub(crate) const BUILTINS: &[Builtin] = builtins![
    "rws-progressive-holdem.toml",
    "mbs-megalink-holdem.toml",
    "mbs-holdem-bonus.toml",
    "mbs-megalink-stud.toml",
    "rws-casino-stud.toml",
];

impl Rulebook {
    /// The rulebooks that come with the program.
    #[must_use]
    pub fn builtins() -> &'static [Rulebook] {
        static READ: OnceLock<Vec<Rulebook>> = OnceLock::new();
        READ.get_or_init(|| {
            let read = |builtin: &Builtin| match Rulebook::parse(builtin.file, builtin.text) {
                Ok(rulebook) => rulebook,
                Err(faults) => unreachable!("a test reads every built-in rulebook: {faults}"),
            };
            BUILTINS.iter().map(read).collect()
        })
    }

    /// The built-in rulebook with this id.
    #[must_use]
    pub fn builtin(id: &str) -> Option<&'static Rulebook> {
        Rulebook::builtins().iter().find(|rulebook| rulebook.id == id)
    }

    /// The text of the built-in rulebook with this id, to copy and modify.
    #[must_use]
    pub fn builtin_text(id: &str) -> Option<&'static str> {
        BUILTINS.iter().find(|builtin| builtin.id() == id).map(|builtin| builtin.text)
    }
}
