//! Stages a round script in a whole casino: a real house on its own database, real people in the roles, entered cards.
//!
//! Every line is an order of the person who does it, sent to the API as a program would send it. The script's expectations are
//! checked against what the house shows. After each step every reader's data is searched, and nobody may find a card that the
//! script has not shown them. At the end the audit must be clean, every purse must match the slips, and every finished round must
//! check again as the script that the house exports. [`stage`] runs one script; [`Places`] says where its database is.

mod casino;
mod client;
mod ending;
mod lines;
mod observing;
mod people;
mod places;
mod secrecy;

// Boxed, as the methods of the house: compiled once, and not in each crate that awaits it.
use async_recursion::async_recursion as boxed;
use std::sync::Arc;

use baize_rules::Rulebook;
use baize_script::{Failure, Script, Transcript};
use thiserror::Error;

pub use places::{Place, Places};

/// A rulebook with its source text.
pub type Book = (Rulebook, Arc<str>);

/// Why a script cannot be staged.
#[derive(Debug, Error)]
pub enum StageError {
    /// The house refused.
    #[error("{0}")]
    House(#[from] baize_house::HouseError),
    /// The database already exists.
    #[error("the database {0} is not empty: a script is staged on a fresh one")]
    NotEmpty(String),
    /// The folder for the databases.
    #[error("{path}: {error}")]
    Folder {
        /// The folder or file.
        path: String,
        /// Why.
        error: std::io::Error,
    },
    /// The casino's own web server does not answer as it should.
    #[error("{0}")]
    Answer(String),
}

/// The result of a script in the casino.
#[derive(Debug)]
pub struct StageResult {
    /// The failures, in the order of the lines.
    pub failures: Vec<Failure>,
    /// The same script in memory: it says what each line implies.
    pub rehearsed: Transcript,
}

/// The failure of a script for which there is no casino, at its first line.
#[must_use]
pub fn not_staged(script: &Script, why: &StageError) -> Failure {
    Failure {
        line: script.lines.first().map_or(1, |line| line.number),
        expected: "the house can stage this script".to_owned(),
        happened: why.to_string(),
        refusal: true,
    }
}

/// Stages a script at this place with the rulebooks that `lookup` finds by their id.
///
/// The script is rehearsed in memory first. The rehearsal reads the set-up and says what each line implies (a player who decides
/// has looked at their hand); it decides nothing: expectations are checked against the house.
#[boxed]
pub async fn stage(
    script: &Script,
    place: &Place,
    lookup: &(dyn Fn(&str) -> Option<Book> + Sync),
) -> StageResult {
    let rehearsed = baize_script::run(script, &|id| lookup(id).map(|(book, _)| book));
    let failures = match rehearsed.tables.first() {
        None => rehearsed.failures.clone(),
        Some(_) => lines::play(script, &rehearsed, place, lookup).await,
    };
    StageResult { failures, rehearsed }
}
