//! `baize fmt`: formats round scripts.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::{Failure, page, scripts};

/// Format round scripts: one space between words, amounts and cards in their standard form. Comments stay.
///
/// Files are rewritten in place; - reads standard input and prints. A file with faults is not changed, and the exit code is 2.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Scripts, folders with *.round files, or - for standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Change nothing and list the files that are not formatted; exit 1 if there are any.
    #[arg(long)]
    check: bool,
}

/// Formats.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (mut unusual, mut unreadable) = (false, false);
    for argument in &arguments.files {
        // One that cannot be read does not keep the others from being formatted.
        let files = scripts::files(argument).unwrap_or_else(|failure| {
            failure.tell();
            unreadable = true;
            Vec::new()
        });
        for file in files {
            let name = file.display().to_string();
            let text = match scripts::read(&file) {
                Ok(text) => text,
                Err(failure) => {
                    failure.tell();
                    unreadable = true;
                    continue;
                }
            };
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
                page::replace(&file, &formatted)?;
            }
        }
    }
    match (unreadable, unusual) {
        (true, _) => Err(Failure::FilesUnread),
        (false, true) => Err(Failure::ScriptsFailed),
        (false, false) => Ok(()),
    }
}
