//! `baize version`: the program's version and hashes.

use std::fmt::Write as _;

use baize_house::Program;
use baize_rules::Rulebook;
use clap::Args;
use serde_json::json;

use crate::failure::Failure;
use crate::page;

/// Print the version of this program, and the SHA-256 of its file and of its rulebooks.
///
/// The same hash is in the journal whenever a house is opened, and in the answer of `GET /api/v1/version`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// As JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let program = Program::this();
    if arguments.json {
        let book = |book: &Rulebook| json!({ "id": book.id, "version": book.version, "hash": book.hash });
        let rulebooks: Vec<_> = Rulebook::builtins().iter().map(book).collect();
        let all = json!({ "version": program.version, "hash": program.hash, "rulebooks": rulebooks });
        return page::print(&format!("{all:#}\n"));
    }
    let mut text = format!("{program}\n");
    let hash = program.hash.as_deref().unwrap_or("its file cannot be read");
    let _ = writeln!(text, "  program {hash}");
    for book in Rulebook::builtins() {
        let version = book.version.as_deref().map(|version| format!(" {version}")).unwrap_or_default();
        let _ = writeln!(text, "  rules   {} {}{version}", book.hash, book.id);
    }
    page::print(&text)
}
