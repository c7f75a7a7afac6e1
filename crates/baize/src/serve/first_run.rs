//! Whether a new casino may be made: a mistyped database must not become one.

use std::io::{BufRead as _, IsTerminal as _, Write as _};

use baize_house::{House, Upgrade};

use super::Arguments;
use crate::Failure;
use crate::database::without_password;

/// Accepts a database that holds a casino already, the default one of this user, or one that `--create` asked for.
pub(super) async fn allowed(database: &str, arguments: &Arguments) -> Result<(), Failure> {
    let usual = database == House::default_database();
    if House::upgrade_of(database).await? != Upgrade::New || arguments.create || usual {
        return Ok(());
    }
    let shown = without_password(database);
    if std::io::stdin().is_terminal() && std::io::stderr().is_terminal() && asked(&shown) {
        return Ok(());
    }
    Err(Failure::Usage(format!("no casino at {shown}; check --database, or add --create to make a new one")))
}

/// Asks whoever sits at the terminal.
fn asked(shown: &str) -> bool {
    eprint!("There is no casino at {shown}. Make a new one? [y/N] ");
    // A question that nobody can read is not answered with yes.
    if std::io::stderr().flush().is_err() {
        return false;
    }
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer).is_ok() && matches!(answer.trim(), "y" | "Y" | "yes")
}
