//! Whether a new casino may be created: a mistyped database must not become one.

use std::io::{BufRead as _, IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

use baize_house::{House, HouseError, Upgrade};

use super::Arguments;
use crate::database::{file_of, without_password};
use crate::interrupt::Signals;
use crate::made::Made;
use crate::{Failure, owner};

/// Delay between attempts to reach the server.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// Accepts a database that contains a casino, one that `--create` asked for, or none that was named: then it is the default one of this user, where
/// no file is yet. Returns
/// the files that a start creates, and nothing where the start was stopped while it waited for the server.
pub(super) async fn allowed(database: &str, arguments: &Arguments) -> Result<Option<Made>, Failure> {
    let Some(found) = found(database, Duration::from_secs(arguments.database_wait)).await? else {
        tracing::info!(target: "baize::server", "stopped while waiting for the database");
        return Ok(None);
    };
    if found != Upgrade::New {
        return Ok(Some(Made::NOTHING));
    }
    // An empty file was something once: it is not taken for a place where nothing is yet.
    let unnamed = arguments.database.database.is_none() && !file_of(database).exists();
    if arguments.create || unnamed {
        owner::warn_of_new(database);
        return Ok(Some(Made::at(database)));
    }
    let shown = without_password(database);
    if std::io::stdin().is_terminal() && std::io::stderr().is_terminal() && asked(&shown) {
        owner::warn_of_new(database);
        return Ok(Some(Made::at(database)));
    }
    Err(Failure::Usage(format!("no casino at {shown}; check --database, or add --create to create one")))
}

/// What the database contains. A server that cannot be reached may still be starting: retry until the timeout, or until a signal.
async fn found(database: &str, timeout: Duration) -> Result<Option<Upgrade>, Failure> {
    let until = Instant::now() + timeout;
    let mut told = false;
    let mut signals = None;
    loop {
        match House::upgrade_of(database).await {
            Err(HouseError::Unavailable(why)) if database.contains("://") && Instant::now() < until => {
                if !told {
                    tracing::warn!(target: "baize::server", why, "waiting for the database");
                    told = true;
                }
                // Not before: at the question on the terminal, Ctrl-C ends the program as usual.
                if signals.is_none() {
                    signals = Signals::follow();
                }
                let again = tokio::time::sleep(RETRY_DELAY);
                match &mut signals {
                    Some(signals) => tokio::select! {
                        () = again => {}
                        () = signals.next() => return Ok(None),
                    },
                    None => again.await,
                }
            }
            answer => return Ok(Some(answer?)),
        }
    }
}

/// Asks on the terminal.
fn asked(shown: &str) -> bool {
    eprint!("There is no casino at {shown}. Create a new one? [y/N] ");
    // If the question cannot be shown, the answer is no.
    if std::io::stderr().flush().is_err() {
        return false;
    }
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer).is_ok() && matches!(answer.trim(), "y" | "Y" | "yes")
}
