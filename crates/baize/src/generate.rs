//! `baize generate`: man pages, completions, editor grammars and an API client, generated from their definitions. For packages.

mod client;
mod grammar;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use clap_complete::Shell;

use crate::{Failure, config, page, partial_file};

/// Write man pages, shell completions, editor grammars or a client of the API.
#[derive(Args)]
pub(crate) struct Arguments {
    /// What to write.
    #[arg(value_enum)]
    what: What,
    /// The folder to write to; it is created if missing.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

#[derive(Clone, Copy, ValueEnum)]
enum What {
    /// baize.1 and a page for each command.
    Man,
    /// For bash, zsh and fish.
    Completions,
    /// Grammars of the round script: VS Code (TextMate) and Vim.
    Editors,
    /// A client of the API for Python.
    Client,
}

/// Writes. A folder that was made for it does not stay behind incomplete.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let folder = &arguments.folder;
    let existed = folder.exists();
    std::fs::create_dir_all(folder).map_err(Failure::of_file(folder))?;
    fill(folder, arguments.what).inspect_err(|_| {
        if !existed {
            partial_file::remove(folder);
        }
    })?;
    page::print(&format!("{}\n", folder.display()))
}

fn fill(folder: &Path, what: What) -> Result<(), Failure> {
    let wrong = Failure::of_file(folder);
    match what {
        What::Man => clap_mangen::generate_to(config::command(), folder).map_err(wrong)?,
        What::Completions => {
            for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
                clap_complete::generate_to(shell, &mut config::command(), "baize", folder).map_err(wrong)?;
            }
        }
        What::Client => {
            write(&folder.join("baize_client.py"), &client::text(&baize_web::description()))?;
        }
        What::Editors => {
            for (path, text) in grammar::files() {
                write(&folder.join(path), &text)?;
            }
        }
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(Failure::of_file(folder))?;
    }
    page::replace(path, text)
}
