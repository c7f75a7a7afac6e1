//! The paragraph register: for every paragraph of the approved texts, where it is implemented and which scenario
//! shows it.
//!
//! Four kinds of file are compared:
//!
//! - `rulebooks/paragraphs/GAME.toml`, the register: the paragraphs that a text has, in our own words;
//! - `scenarios/GAME/NUMBER-slug.round`, which shows paragraph NUMBER and those that a comment
//!   `# Also shows: …` lists, and cites others in `citing P`;
//! - `rulebooks/GAME.toml`, whose `cites` name the paragraph behind each value;
//! - the code, whose marks (`// MH 3.8`) name the paragraphs that it implements.
//!
//! A fault (a number that the text does not have, a register out of order) always fails. A gap (a paragraph that is
//! implemented nowhere, or that nothing shows, and that nothing excuses) fails when strict. Whether a scenario passes is not
//! checked here: `baize check` does that.

pub mod citations;
pub mod coverage;
pub mod marks;
pub mod number;
pub mod page;
pub mod register;
pub mod report;
pub mod scenario;

use std::collections::{BTreeMap, BTreeSet};

use self::coverage::Game;
use self::register::Register;
use self::scenario::Scenario;
use crate::problem::Problem;
use crate::workspace::File;

/// Whether gaps fail if the command line does not say.
pub const STRICT_BY_DEFAULT: bool = true;

const CODE: &str = "crates";
const REGISTERS: &str = "rulebooks/paragraphs";
const RULEBOOKS: &str = "rulebooks";
const SCENARIOS: &str = "scenarios";

/// A game without a register was requested.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no paragraph register for `{asked}`; there is one for: {known}")]
pub struct UnknownGame {
    asked: String,
    known: String,
}

/// What the register, the scenarios and the rulebooks say together.
pub struct Survey {
    /// The games that have a register, in the order of their ids.
    pub games: Vec<Game>,
    /// Findings that belong to no game with a register.
    stray_faults: Vec<Problem>,
    /// The current generated page, when the whole workspace is surveyed.
    page: Option<String>,
    whole: bool,
}

impl Survey {
    /// Surveys the workspace's files.
    pub fn of(files: &[File]) -> Self {
        let mut stray_faults = Vec::new();
        let mut games: BTreeMap<String, Game> = BTreeMap::new();
        for file in files {
            if let Some(id) = toml_in(file, REGISTERS) {
                games.insert(id.to_owned(), Game::new(id, Register::read(file)));
            }
        }
        let mut unregistered = BTreeSet::new();
        for file in files {
            let rulebook = toml_in(file, RULEBOOKS);
            let scenario = game_of_scenario(file);
            let Some(id) = rulebook.or(scenario) else { continue };
            let Some(game) = games.get_mut(id) else {
                // Once per game, not once per scenario.
                if unregistered.insert(id) {
                    let message = format!("there is no register {REGISTERS}/{id}.toml to check it against");
                    stray_faults.push(Problem::in_file(&file.path, message));
                }
                continue;
            };
            if rulebook.is_some() {
                game.add_rulebook(file);
            } else {
                game.add_scenario(Scenario::read(file));
            }
        }
        add_marks(files, &mut games);
        let page = files.iter().find(|file| file.path == page::PATH).map(|file| file.text.clone());
        Self { games: games.into_values().collect(), stray_faults, page, whole: true }
    }

    /// Keeps only the named games; all if none is named.
    pub fn select(&mut self, ids: &[String]) -> Result<(), UnknownGame> {
        if ids.is_empty() {
            return Ok(());
        }
        if let Some(asked) = ids.iter().find(|id| self.games.iter().all(|game| game.id != **id)) {
            let known: Vec<&str> = self.games.iter().map(|game| game.id.as_str()).collect();
            let known = if known.is_empty() { "no game yet".to_owned() } else { known.join(", ") };
            return Err(UnknownGame { asked: asked.clone(), known });
        }
        self.games.retain(|game| ids.contains(&game.id));
        self.stray_faults.clear();
        self.whole = false;
        Ok(())
    }

    /// Everything that fails the check, in the order of files and lines.
    pub fn failures(&self, strict: bool) -> Vec<Problem> {
        let mut problems = self.stray_faults.clone();
        problems.extend(self.games.iter().flat_map(|game| game.faults.iter().cloned()));
        if strict {
            problems.extend(self.games.iter().flat_map(Game::gaps));
            problems.extend(self.page_problem());
        }
        problems.sort();
        problems
    }

    fn page_problem(&self) -> Option<Problem> {
        let message = "not up to date: run `cargo xtask paragraphs --write`";
        let outdated = self.whole && self.page.as_deref() != Some(page::markdown(self).as_str());
        outdated.then(|| Problem::in_file(page::PATH, message))
    }
}

/// Checks what the code and the documentation say about paragraphs against the registers.
fn add_marks(files: &[File], games: &mut BTreeMap<String, Game>) {
    let names = games.values().flat_map(|game| [&game.rulebook.short, &game.rulebook.operator]);
    let names: BTreeSet<String> = names.filter(|name| !name.is_empty()).cloned().collect();
    for file in files {
        let code = file.under(CODE).is_some() && file.is("rs");
        if code || (file.is("md") && file.path != page::PATH) {
            for mark in marks::read(file, &names) {
                games.values_mut().for_each(|game| game.add_mark(file, &mark));
            }
        }
    }
}

/// The stem of a TOML file directly in `folder`.
fn toml_in<'a>(file: &'a File, folder: &str) -> Option<&'a str> {
    file.under(folder)?.strip_suffix(".toml").filter(|stem| !stem.contains('/'))
}

/// The folder under `scenarios` that contains a round script: its game.
fn game_of_scenario(file: &File) -> Option<&str> {
    let (game, _) = file.under(SCENARIOS)?.split_once('/')?;
    file.is("round").then_some(game)
}
