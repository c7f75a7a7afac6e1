//! The manual pages: one for each command, from the command line's definition, with its environment and exit codes.

use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use crate::config;
use crate::failure::EXIT_CODES;

/// The pages by their file names.
pub(super) fn pages() -> Vec<(String, String)> {
    let mut command = config::command();
    command.build();
    let mut pages = Vec::new();
    add(&command, true, &mut pages);
    pages
}

fn add(command: &Command, first: bool, pages: &mut Vec<(String, String)>) {
    for inner in command.get_subcommands().filter(|inner| !inner.is_hide_set()) {
        add(inner, false, pages);
    }
    let man = Man::new(command.clone()).source(concat!("baize ", env!("CARGO_PKG_VERSION")));
    let mut text = Vec::new();
    // Writing to memory does not fail.
    let _ = man.render(&mut text);
    let ending = ending(&environment(command, first)).to_roff();
    pages.push((man.get_filename(), String::from_utf8_lossy(&text).into_owned() + &ending));
}

/// The variables of a command's options, then those that only the environment has.
fn environment(command: &Command, first: bool) -> Vec<(String, String)> {
    let of_options = command.get_arguments().filter_map(|option| {
        let name = option.get_env()?.to_string_lossy().into_owned();
        Some((name, format!("The same as --{}, which overrides it.", option.get_long()?)))
    });
    let mut variables: Vec<(String, String)> = of_options.collect();
    let takes = |option: &str| command.get_arguments().any(|taken| taken.get_long() == Some(option));
    for (name, option, meaning) in config::OTHER_VARIABLES {
        if first || option.is_none_or(takes) {
            variables.push((name.to_owned(), meaning.to_owned()));
        }
    }
    variables
}

fn ending(variables: &[(String, String)]) -> Roff {
    let codes = EXIT_CODES.map(|(code, meaning)| (code.to_string(), meaning.to_owned()));
    let mut roff = Roff::new();
    for (title, lines) in [("ENVIRONMENT", variables), ("EXIT STATUS", &codes)] {
        roff.control("SH", [title]);
        for (term, meaning) in lines {
            roff.control("TP", []);
            roff.text([bold(term)]);
            roff.text([roman(meaning)]);
        }
    }
    roff
}
