//! The rulebooks that come with the program.

use std::sync::OnceLock;

use crate::Rulebook;

/// A built-in rulebook: the name of its file and its text.
pub(crate) struct Builtin {
    /// The name of the file.
    pub(crate) file: &'static str,
    /// Its text.
    pub(crate) text: &'static str,
}

macro_rules! builtins {
    ($($id:literal),* $(,)?) => {
        &[$(Builtin {
            file: concat!("rulebooks/", $id, ".toml"),
            text: include_str!(concat!("../../../rulebooks/", $id, ".toml")),
        }),*]
    };
}

/// Every built-in rulebook: the one list of them.
pub(crate) const BUILTINS: &[Builtin] = builtins![
    "rws-progressive-holdem",
    "mbs-megalink-holdem",
    "mbs-holdem-bonus",
    "mbs-megalink-stud",
    "rws-casino-stud",
];

impl Rulebook {
    /// The rulebooks that come with the program.
    #[must_use]
    pub fn builtins() -> &'static [Rulebook] {
        static READ: OnceLock<Vec<Rulebook>> = OnceLock::new();
        READ.get_or_init(|| {
            let read = |b: &Builtin| match Rulebook::parse(b.file, b.text) {
                Ok(rulebook) => rulebook,
                Err(faults) => unreachable!("a test reads every built-in rulebook: {faults}"),
            };
            BUILTINS.iter().map(read).collect()
        })
    }

    /// The built-in rulebook of this id.
    #[must_use]
    pub fn builtin(id: &str) -> Option<&'static Rulebook> {
        Rulebook::builtins().iter().find(|rulebook| rulebook.id == id)
    }

    /// The text of the built-in rulebook of this id, to copy and change.
    #[must_use]
    pub fn builtin_text(id: &str) -> Option<&'static str> {
        let at = Rulebook::builtins().iter().position(|rulebook| rulebook.id == id)?;
        BUILTINS.get(at).map(|b| b.text)
    }
}
