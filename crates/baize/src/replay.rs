//! `baize replay`: tells the rounds of a script.

use std::path::PathBuf;

use baize_script::{Look, json, tell};
use clap::Args;

use crate::scripts::{self, Library};
use crate::{Failure, page};

/// Tell the rounds of a script to a person, or as data.
///
/// The deal, the decisions, the hands in words, and a settlement slip for each box with the paragraph behind every amount.
/// Exit 0 when the script holds, 1 when it does not, 2 when it cannot be read.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The script, or - for the standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// A rulebook of your own that the script may name; may be given several times.
    #[arg(long, value_name = "FILE")]
    rulebook: Vec<PathBuf>,
    /// Print the rounds as data.
    #[arg(long)]
    json: bool,
}

/// Tells what came of the script, then where it does not hold.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let library = Library::with(&arguments.rulebook)?;
    let text = scripts::read(&arguments.file)?;
    let name = arguments.file.display().to_string();
    let transcript = scripts::run(&name, &text, &library)?;
    if arguments.json {
        page::print(&format!("{}\n", json(&transcript)))?;
    } else {
        let (width, colour) = page::stdout();
        page::print(&tell(&transcript, Look { width, colour }))?;
    }
    if transcript.holds() {
        return Ok(());
    }
    Err(Failure::Script(format!("\n{}", scripts::failures(&name, &text, &transcript.failures, true))))
}
