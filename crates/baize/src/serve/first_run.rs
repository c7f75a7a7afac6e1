//! Whether a new casino may be created: a mistyped database must not become one.

use std::io::{BufRead as _, IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use baize_house::{House, HouseError, Upgrade};

use super::Arguments;
use crate::Failure;
use crate::database::without_password;

/// Delay between attempts to reach the server.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// The files that a start creates: those of a casino that do not exist yet.
pub(super) struct Made(Vec<PathBuf>);

impl Made {
    const NOTHING: Made = Made(Vec::new());

    /// The files of this database that are not there yet.
    fn at(database: &str) -> Made {
        if database.contains("://") {
            return Made::NOTHING;
        }
        let path = database.strip_prefix("sqlite:").unwrap_or(database);
        let path = path.split_once('?').map_or(path, |(path, _)| path);
        let files = ["", "-wal", "-shm", ".key", ".console", ".lock"].map(|end| format!("{path}{end}"));
        Made(files.into_iter().map(PathBuf::from).filter(|file| !file.exists()).collect())
    }

    /// Removes the files of a start that failed, unless another process is creating the casino.
    pub(super) fn undo_after(&self, failure: &Failure) {
        if matches!(failure, Failure::House(HouseError::InUse(_))) {
            return;
        }
        for file in &self.0 {
            match std::fs::remove_file(file) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    tracing::warn!(target: "baize::server", file = %file.display(), %error, "a file of the casino that failed to start could not be removed");
                }
                _ => {}
            }
        }
    }
}

/// Accepts a database that contains a casino, the user's default one, or a new one if requested with `--create`. Returns the files that a
/// start creates.
pub(super) async fn allowed(database: &str, arguments: &Arguments) -> Result<Made, Failure> {
    if found(database, Duration::from_secs(arguments.database_wait)).await? != Upgrade::New {
        return Ok(Made::NOTHING);
    }
    if arguments.create || database == House::default_database() {
        return Ok(Made::at(database));
    }
    let shown = without_password(database);
    if std::io::stdin().is_terminal() && std::io::stderr().is_terminal() && asked(&shown) {
        return Ok(Made::at(database));
    }
    Err(Failure::Usage(format!("no casino at {shown}; check --database, or add --create to create one")))
}

/// What the database contains. A server that cannot be reached may still be starting: retry until the timeout.
async fn found(database: &str, timeout: Duration) -> Result<Upgrade, Failure> {
    let until = Instant::now() + timeout;
    let mut told = false;
    loop {
        match House::upgrade_of(database).await {
            Err(HouseError::Unavailable(why)) if database.contains("://") && Instant::now() < until => {
                if !told {
                    tracing::warn!(target: "baize::server", why, "waiting for the database");
                    told = true;
                }
                tokio::time::sleep(RETRY_DELAY).await;
            }
            answer => return Ok(answer?),
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
