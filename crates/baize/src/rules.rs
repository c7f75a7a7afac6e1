//! `baize rules`: a game in our own words, with the paragraph behind everything.

use std::path::PathBuf;

use baize_rules::Rulebook;
use clap::Args;
use serde::Serialize;

use crate::page::{self, Page, Style};
use crate::{Failure, differences, rulebook};

/// A game in our own words: how it is played and settled, and what happens when something goes wrong.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The game; without it, a list of the games.
    #[arg(value_name = "ID", conflicts_with = "rulebook")]
    id: Option<String>,
    /// A rulebook file of your own.
    #[arg(long, value_name = "FILE")]
    rulebook: Option<PathBuf>,
    /// Show what a rulebook file of your own changes in the approved game that it is based on.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["id", "rulebook", "toml"])]
    diff: Option<PathBuf>,
    /// Print the rulebook as JSON.
    #[arg(long)]
    json: bool,
    /// Print the game's rulebook file, to copy and change.
    #[arg(long, requires = "id", conflicts_with_all = ["json", "rulebook"])]
    toml: bool,
}

/// Prints the list of games, or one of them.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    if let Some(file) = &arguments.diff {
        return differences::run(file, arguments.json);
    }
    let own = arguments.rulebook.as_deref().map(rulebook::from_file).transpose()?;
    let rulebook = match (&own, &arguments.id) {
        (Some(own), _) => own,
        (None, Some(id)) => rulebook::built_in(id)?,
        (None, None) => return page::print(&list(Rulebook::builtins(), arguments.json)?),
    };
    if arguments.json {
        return page::print(&page::json(rulebook)?);
    }
    if let Some(text) = Rulebook::builtin_text(&rulebook.id).filter(|_| arguments.toml) {
        return page::print(text);
    }
    let mut page = Page::for_stdout();
    page.guide(&rulebook.guide());
    page.gap();
    let hash = format!("Rulebook data: SHA-256 {}…", rulebook.hash.get(..16).unwrap_or(&rulebook.hash));
    page.fill("", &hash.split(' ').map(|word| (word, Style::Dim)).collect::<Vec<_>>());
    page::print(&page.finish())
}

/// A line of the list of games.
#[derive(Serialize)]
struct Listed<'r> {
    id: &'r str,
    short: &'r str,
    name: &'r str,
    operator: &'r str,
    version: Option<&'r str>,
    effective: Option<&'r str>,
    hash: &'r str,
}

fn list(rulebooks: &[Rulebook], as_json: bool) -> Result<String, Failure> {
    if as_json {
        let listed: Vec<_> = rulebooks
            .iter()
            .map(|r| Listed {
                id: &r.id,
                short: &r.short,
                name: &r.name,
                operator: &r.operator,
                version: r.version.as_deref(),
                effective: r.effective.as_deref(),
                hash: &r.hash,
            })
            .collect();
        return page::json(&listed);
    }
    let mut page = Page::for_stdout();
    for rulebook in rulebooks {
        page.heading(&rulebook.id);
        let words = format!("{}, {}, {}", rulebook.name, rulebook.operator, rulebook.edition());
        page.fill("    ", &words.split(' ').map(|word| (word, Style::Plain)).collect::<Vec<_>>());
    }
    page.gap();
    let hint = "`baize rules ID` explains a game; `baize rules --rulebook FILE` one of your own.";
    page.fill("", &hint.split(' ').map(|word| (word, Style::Plain)).collect::<Vec<_>>());
    Ok(page.finish())
}
