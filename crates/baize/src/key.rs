//! `baize key`: the key that seals decks to come and binds sessions.

use std::sync::Arc;

use baize_house::{House, WallClock, new_key_file};
use clap::{Args, Subcommand};

use crate::audit::{database, wait};
use crate::{Failure, page};

/// Make or change the key that seals decks to come and binds sessions.
///
/// A casino in a file makes its key beside the file. Hosts that share a server share a key: make it once, and give it to each by
/// ?keyfile=FILE in the address of the database, BAIZE_KEY_FILE, BAIZE_KEY (64 hexadecimal digits) or the systemd credential baize-key.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Make a key file that only its owner can read.
    New {
        /// The file. One that is there is left alone.
        #[arg(value_name = "FILE")]
        file: String,
    },
    /// Change the key of a casino that is stopped, on record. All sessions and links end.
    Rotate {
        /// A file, sqlite:FILE or postgres://…; without it, a file in the user's data folder.
        #[arg(long, value_name = "DATABASE")]
        database: Option<String>,
        /// The present key is not there any more: decks to come are shuffled anew at the next start.
        #[arg(long)]
        lost: bool,
    },
}

/// Makes or changes a key.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.what {
        What::New { file } => {
            let id = new_key_file(file)?;
            page::print(&format!("{file} holds the key {id}\n"))
        }
        What::Rotate { database: named, lost } => {
            let clock = Arc::new(WallClock);
            let (before, now) =
                wait(async { Ok(House::rotate_key(&database(named.as_ref()), clock, *lost).await?) })?;
            let before = before.map_or_else(String::new, |before| format!(" (before: {before})"));
            page::print(&format!("the key is {now}{before}\n"))
        }
    }
}
