//! `baize replay`: tells the rounds of a script.

use std::env;
use std::io::{IsTerminal, stdout};
use std::path::PathBuf;
use std::process::ExitCode;

use baize_script::{Look, json, tell};
use clap::Args;

use crate::scripts::{self, CANNOT, FAILS, HOLDS, Library};

/// Tell the rounds of a script to a person, or as data.
///
/// The deal, the decisions, the hands in words, and a settlement slip for each box with the paragraph behind every amount.
/// Exit 0 when the script holds, 1 when it does not, 2 when it cannot be read.
#[derive(Args)]
pub(crate) struct Replay {
    /// The script, or - for the standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Print the rounds as data.
    #[arg(long)]
    json: bool,
    /// A rulebook of your own that the script may name; may be given several times.
    #[arg(long, value_name = "FILE")]
    rulebook: Vec<PathBuf>,
}

/// The width of a page where nobody says otherwise.
const WIDTH: usize = 100;

impl Replay {
    pub(crate) fn run(self) -> ExitCode {
        let read =
            Library::with(&self.rulebook).and_then(|library| Ok((library, scripts::read(&self.file)?)));
        let (library, text) = match read {
            Ok(read) => read,
            Err(why) => {
                eprintln!("{why}");
                return ExitCode::from(CANNOT);
            }
        };
        let name = self.file.display().to_string();
        let transcript = match scripts::run(&name, &text, &library) {
            Ok(transcript) => transcript,
            Err(shown) => {
                eprint!("{shown}");
                return ExitCode::from(FAILS);
            }
        };
        if self.json {
            scripts::print(&format!("{}\n", json(&transcript)));
        } else {
            scripts::print(&tell(&transcript, look()));
        }
        if transcript.holds() {
            return ExitCode::from(HOLDS);
        }
        eprint!("\n{}", scripts::failures(&name, &text, &transcript, true));
        ExitCode::from(FAILS)
    }
}

/// As wide as the terminal, with colours where there is one that wants them.
fn look() -> Look {
    let terminal = stdout().is_terminal();
    let columns = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let measured = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    let width = columns.or_else(|| if terminal { measured() } else { None }).unwrap_or(WIDTH);
    let wanted = env::var_os("NO_COLOR").is_none_or(|set| set.is_empty());
    Look { width, colour: terminal && wanted && env::var_os("TERM").is_none_or(|term| term != "dumb") }
}
