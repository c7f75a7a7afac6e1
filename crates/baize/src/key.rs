//! `baize key`: the key that seals future decks and binds sessions.

use std::sync::Arc;

use baize_house::{House, HouseError, WallClock, new_key_file};
use clap::{Args, Subcommand};

use crate::audit::wait;
use crate::database::{Database, check_folder};
use crate::{Failure, owner, page};

/// Create or change the key that seals prepared decks and binds sessions.
///
/// A casino in a file creates its key beside the file. Hosts that share a server share a key: make it once, and give it to each by
/// ?keyfile=FILE in the address of the database, BAIZE_KEY_FILE, BAIZE_KEY (64 hexadecimal digits) or the systemd credential baize-key.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Create a key file that only its owner can read.
    New {
        /// The file. An existing file is not overwritten.
        #[arg(value_name = "FILE")]
        file: String,
    },
    /// Change the key of a stopped casino. The change is recorded. All sessions and links end.
    Rotate {
        #[command(flatten)]
        database: Database,
        /// The current key is lost. Prepared decks are shuffled again at the next start. Rounds in progress end: the chips on
        /// the table go back to their players, the table stays halted, and a Shift Manager sets up another one.
        #[arg(long)]
        lost: bool,
    },
}

/// Makes or changes a key.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.what {
        What::New { file } => {
            let id = new_key_file(file).map_err(HouseError::from)?;
            page::print(&format!("{file} holds the key {id}\n"))
        }
        What::Rotate { database, lost } => {
            let clock = Arc::new(WallClock);
            let address = database.address()?;
            check_folder(&address)?;
            owner::check(&address)?;
            let (before, now) = wait(async { Ok(House::rotate_key(&address, clock, *lost).await?) })?;
            let before = before.map_or_else(String::new, |before| format!(" (before: {before})"));
            page::print(&format!("the key is {now}{before}\n"))
        }
    }
}
