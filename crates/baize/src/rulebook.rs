//! Finds the rulebook that a command is about: a built-in one by its id, or a house's own file.

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

use baize_rules::Rulebook;
use clap::Args;
use serde::Serialize;

use crate::Failure;

/// The game of a command that is about one.
#[derive(Args)]
pub(crate) struct Game {
    /// The game.
    #[arg(value_name = "ID", required_unless_present = "rulebook")]
    id: Option<String>,
    /// A rulebook file of your own, in place of ID.
    #[arg(long, value_name = "FILE")]
    pub(crate) rulebook: Option<PathBuf>,
}

impl Game {
    /// Its rulebook. An ID beside a file must be the file's own.
    pub(crate) fn read(&self) -> Result<Cow<'static, Rulebook>, Failure> {
        let id = self.id.as_deref();
        let Some(file) = &self.rulebook else { return built_in(id.unwrap_or_default()).map(Cow::Borrowed) };
        let own = from_file(file)?;
        match id.filter(|id| *id != own.id) {
            Some(id) => Err(Failure::Usage(format!("--rulebook is the game `{}`; omit `{id}`", own.id))),
            None => Ok(Cow::Owned(own)),
        }
    }
}

/// The built-in rulebook of this id.
pub(crate) fn built_in(id: &str) -> Result<&'static Rulebook, Failure> {
    Rulebook::builtin(id).ok_or_else(|| {
        if id.ends_with(".toml") || Path::new(id).exists() {
            return Failure::Usage(format!(
                "`{id}` is not the id of a game; name a file with --rulebook {id}"
            ));
        }
        let width = Rulebook::builtins().iter().map(|r| r.id.len()).max().unwrap_or_default();
        let games = Rulebook::builtins().iter().map(|r| format!("  {:width$}  {}", r.id, r.name));
        Failure::UnknownGame { id: id.to_owned(), games: games.collect::<Vec<_>>().join("\n") }
    })
}

/// The rulebook in this file.
pub(crate) fn from_file(path: &Path) -> Result<Rulebook, Failure> {
    text_and_rulebook(path).map(|(_, rulebook)| rulebook)
}

/// The text of this file and the rulebook that it is. Says so if that is no approved game: in the log of a server, otherwise on standard error,
/// because JSON output says so itself.
pub(crate) fn text_and_rulebook(path: &Path) -> Result<(String, Rulebook), Failure> {
    let (text, rulebook) = checked(path)?;
    let what = match rulebook.altered_from() {
        Some(approved) => Some(format!("altered from {approved}")),
        None => Some("not an approved game".to_owned()).filter(|_| !rulebook.is_approved()),
    };
    if let Some(what) = what {
        let file = path.display();
        if tracing::dispatcher::has_been_set() {
            tracing::warn!(target: "baize::server", "{file}: {what}");
        } else {
            eprintln!("{file}: {what}");
        }
    }
    Ok((text, rulebook))
}

/// The text of this rulebook file and the rulebook, after validation.
pub(crate) fn checked(path: &Path) -> Result<(String, Rulebook), Failure> {
    let bytes = fs::read(path).map_err(Failure::of_file(path))?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let rulebook = Rulebook::parse_own(&path.display().to_string(), &text).map_err(Failure::Rulebook)?;
    Ok((text, rulebook))
}

/// JSON output about a game, with the approved game that it was altered from, if any.
#[derive(Serialize)]
pub(crate) struct About<T> {
    #[serde(flatten)]
    answer: T,
    #[serde(skip_serializing_if = "Option::is_none")]
    altered_from: Option<String>,
}

impl<T> About<T> {
    pub(crate) fn new(rulebook: &Rulebook, answer: T) -> About<T> {
        About { answer, altered_from: rulebook.altered_from() }
    }
}
