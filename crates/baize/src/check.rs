//! `baize check`: runs round scripts and says which hold.

use std::path::PathBuf;

use clap::Args;

use crate::scripts::{self, Library};
use crate::{Failure, page};

/// Run round scripts and say which hold.
///
/// For each script that fails: the file and line, what was expected and what happened. The last line is
/// `N passed, M failed`. Exit 0 when all hold, 1 when one fails, 2 when a file cannot be read.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Scripts, directories that hold *.round files, or - for the standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// A rulebook of your own that scripts may name; may be given several times.
    #[arg(long, value_name = "FILE")]
    rulebook: Vec<PathBuf>,
    /// Print the last line only.
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,
    /// Print every failure of a script, and the scripts that hold.
    #[arg(short, long)]
    verbose: bool,
}

/// Runs every script that the arguments name.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let library = Library::with(&arguments.rulebook)?;
    let (mut passed, mut failed, mut unread) = (0, 0, false);
    for argument in &arguments.files {
        let files = scripts::files(argument).unwrap_or_else(|failure| {
            failure.tell();
            unread = true;
            Vec::new()
        });
        for file in files {
            match scripts::read(&file) {
                Ok(text) if holds(arguments, &file.display().to_string(), &text, &library)? => passed += 1,
                Ok(_) => failed += 1,
                Err(failure) => {
                    failure.tell();
                    unread = true;
                }
            }
        }
    }
    page::print(&format!("{passed} passed, {failed} failed\n"))?;
    match (unread, failed) {
        (true, _) => Err(Failure::FilesUnread),
        (false, 0) => Ok(()),
        (false, _) => Err(Failure::ScriptsFailed),
    }
}

fn holds(arguments: &Arguments, name: &str, text: &str, library: &Library) -> Result<bool, Failure> {
    let (holds, shown) = match scripts::run(name, text, library) {
        Ok(transcript) if transcript.holds() => (true, format!("{name}: holds\n")),
        Ok(transcript) => (false, scripts::failures(name, text, &transcript, arguments.verbose)),
        Err(failure) => (false, failure.to_string()),
    };
    if if holds { arguments.verbose } else { !arguments.quiet } {
        page::print(&shown)?;
    }
    Ok(holds)
}
