//! `baize fmt`: round scripts in the usual form.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::{Failure, page, scripts};

/// Write round scripts in the usual form: one space between words, amounts and cards as they are usually written. Comments stay.
///
/// Files are rewritten in place; - reads the standard input and prints. A file that is no script is left alone, and the exit code is 2.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Scripts, directories that hold *.round files, or - for the standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Change nothing and name the files that are not in the usual form; exit 1 when there are any.
    #[arg(long)]
    check: bool,
}

/// Formats.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (mut unusual, mut unreadable) = (false, false);
    for argument in &arguments.files {
        for file in scripts::files(argument)? {
            let (name, text) = (file.display().to_string(), scripts::read(&file)?);
            let formatted = match baize_script::format(&text) {
                Ok(formatted) => formatted,
                Err(errors) => {
                    unreadable = true;
                    eprint!("{}", scripts::faults(&name, &text, &errors));
                    continue;
                }
            };
            if arguments.check {
                if formatted != text {
                    unusual = true;
                    page::print(&format!("{name}\n"))?;
                }
            } else if file == Path::new("-") {
                page::print(&formatted)?;
            } else if formatted != text {
                std::fs::write(&file, formatted)
                    .map_err(|error| Failure::File { path: file.clone(), error })?;
            }
        }
    }
    match (unreadable, unusual) {
        (true, _) => Err(Failure::FilesUnread),
        (false, true) => Err(Failure::ScriptsFailed),
        (false, false) => Ok(()),
    }
}
