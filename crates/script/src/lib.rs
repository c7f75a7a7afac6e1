//! The round script: one plain-text format for everything that says what happened at a table.
//!
//! [`Script::parse`] reads a text, its `Display` writes one, [`run`] plays it and looks at what must hold. Nothing here
//! reads files or prints: texts and rulebooks come in as values, and a [`Transcript`] goes out.

mod export;
mod parse;
mod print;
mod run;
mod statement;
mod tell;
mod transcript;
mod vocabulary;

pub use export::{ExportFault, JackpotStood};
pub use parse::{Fault, ParseError};
pub use run::run;
pub use statement::{Expect, Line, RuledName, Script, SetUp, Statement};
pub use tell::{Look, json, tell};
pub use transcript::{
    Entry, Failure, Happened, Refused, RoundRecord, TableRecord, Transcript, best_hand, dealer_hand,
};
pub use vocabulary::{VERBS, Verb};
