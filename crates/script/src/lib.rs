//! The round script: one plain-text format for everything that says what happened at a table.
//!
//! [`Script::parse`] reads a text, `Display` writes it.

mod parse;
mod print;
mod statement;
mod vocabulary;

pub use parse::{Fault, ParseError};
pub use statement::{Expect, Line, RuledName, Script, SetUp, Statement};
pub use vocabulary::{VERBS, Verb};
