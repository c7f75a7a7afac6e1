//! `baize check`: runs round scripts and says which hold.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use crate::scripts::{self, CANNOT, FAILS, HOLDS, Library};

/// Run round scripts and say which hold.
///
/// For each script that fails: the file and line, what was expected and what happened. The last line is
/// `N passed, M failed`. Exit 0 when all hold, 1 when one fails, 2 when a file cannot be read.
#[derive(Args)]
pub(crate) struct Check {
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

impl Check {
    pub(crate) fn run(self) -> ExitCode {
        let library = match Library::with(&self.rulebook) {
            Ok(library) => library,
            Err(why) => {
                eprintln!("{why}");
                return ExitCode::from(CANNOT);
            }
        };
        let (mut passed, mut failed, mut unreadable) = (0, 0, false);
        let mut texts = Vec::new();
        for argument in &self.files {
            let read = scripts::files(argument)
                .map(|files| files.into_iter().map(|file| (scripts::read(&file), file)));
            match read {
                Ok(read) => texts.extend(read),
                Err(why) => {
                    eprintln!("{why}");
                    unreadable = true;
                }
            }
        }
        for (text, file) in texts {
            match text {
                Ok(text) if self.holds(&file.display().to_string(), &text, &library) => passed += 1,
                Ok(_) => failed += 1,
                Err(why) => {
                    eprintln!("{why}");
                    unreadable = true;
                }
            }
        }
        scripts::print(&format!("{passed} passed, {failed} failed\n"));
        ExitCode::from(if unreadable {
            CANNOT
        } else if failed > 0 {
            FAILS
        } else {
            HOLDS
        })
    }

    fn holds(&self, name: &str, text: &str, library: &Library) -> bool {
        let shown = match scripts::run(name, text, library) {
            Ok(transcript) if transcript.holds() => {
                if self.verbose {
                    scripts::print(&format!("{name}: holds\n"));
                }
                return true;
            }
            Ok(transcript) => scripts::failures(name, text, &transcript, self.verbose),
            Err(shown) => shown,
        };
        if !self.quiet {
            scripts::print(&shown);
        }
        false
    }
}
