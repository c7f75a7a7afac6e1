//! `baize generate`: man pages, completions, editor grammars and an API client, generated from their definitions. For packages.

mod client;
mod grammar;
mod manual;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use clap_complete::{Generator as _, Shell};

use crate::{Failure, config, page};

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

/// Writes all of it, or nothing.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let folder = &arguments.folder;
    let files: Vec<(PathBuf, String)> =
        arguments.what.files().into_iter().map(|(name, text)| (folder.join(name), text)).collect();
    let mut made = Vec::new();
    let written = write(&files, &mut made);
    if written.is_err() {
        // A folder with a file in it is not removed: another program may have written that file meanwhile.
        made.iter().rev().for_each(|folder| drop(std::fs::remove_dir(folder)));
    }
    written?;
    page::print(&format!("{}\n", folder.display()))
}

impl What {
    /// The files by their paths in the folder. They are complete before the first one is written: the generators panic on a full disk.
    fn files(self) -> Vec<(String, String)> {
        match self {
            What::Man => manual::pages(),
            What::Completions => [Shell::Bash, Shell::Zsh, Shell::Fish].map(completions).into(),
            What::Client => vec![("baize_client.py".to_owned(), client::text(&baize_web::description()))],
            What::Editors => {
                grammar::files().into_iter().map(|(path, text)| (path.to_owned(), text)).collect()
            }
        }
    }
}

fn completions(shell: Shell) -> (String, String) {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut config::command(), "baize", &mut text);
    (shell.file_name("baize"), String::from_utf8_lossy(&text).into_owned())
}

/// Writes the files, and notes the folders that are made for them.
fn write(files: &[(PathBuf, String)], made: &mut Vec<PathBuf>) -> Result<(), Failure> {
    for (file, _) in files {
        let missing =
            file.ancestors().skip(1).take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists());
        let missing: Vec<PathBuf> = missing.map(Path::to_owned).collect();
        for folder in missing.into_iter().rev() {
            std::fs::create_dir(&folder).map_err(Failure::of_file(&folder))?;
            made.push(folder);
        }
    }
    let files: Vec<(&Path, &str)> =
        files.iter().map(|(file, text)| (file.as_path(), text.as_str())).collect();
    page::replace_all(&files)
}
