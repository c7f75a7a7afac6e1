//! The round script: one plain-text format for everything that says what happened at a table.
//!
//! [`Script::parse`] reads a text, its `Display` writes one, [`run`] plays it and checks its expectations. This crate
//! neither reads files nor prints: texts and rulebooks come in as values, and a [`Transcript`] goes out. [`tell`] and
//! [`json`] show it; [`Script::export`] writes the record of a live table.
//!
//! ```
//! use baize_rules::Rulebook;
//! use baize_script::{Script, run};
//!
//! let script = Script::parse(
//!     "game rws-casino-stud
//!      open
//!      bet 1 ann ante 50
//!      close
//!      deal 1 2h 5h 9h Jh Kh
//!      deal dealer Ac Qs 9d 4c 3s
//!      bet 1 ann bet 100
//!      reveal dealer
//!      settle
//!      expect 1 bet returned 100 citing 3.13",
//! )
//! .map_err(|errors| errors[0].to_string())?;
//! let transcript = run(&script, &|id| Rulebook::builtin(id).cloned());
//! assert!(transcript.holds());
//! # Ok::<(), String>(())
//! ```

mod export;
mod format;
mod next;
mod parse;
mod print;
mod run;
mod statement;
mod tell;
mod transcript;
mod vocabulary;

pub use export::{ExportFault, JackpotStood, named_players};
pub use format::format;
pub use next::next_lines;
pub use parse::{Fault, ParseError};
pub use run::{Judge, Observed, departs_from, run};
pub use statement::{Expect, RuledName, Script, ScriptLine, SetUp, Stands, Statement};
pub use tell::{Look, json, tell, tell_settlement};
pub use transcript::{
    Failure, Happened, LineResult, LooseEnd, Refused, ScriptRound, TableRecord, Transcript, best_hand,
};
pub use vocabulary::{FACTS, RULINGS, VERBS, Verb};
