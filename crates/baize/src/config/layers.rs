//! The layers of a setting: the command line, above the environment, above the configuration file, above the default.
//!
//! All of it is made from the command line's definition. The environment variable of `--address-rate` is `BAIZE_ADDRESS_RATE` and its key in
//! the file `address-rate`; a new option has both without another line.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args as _, CommandFactory as _};

use super::ConfigFile;
use crate::{CommandLine, Failure, serve};

/// Where commands that take the options of `serve` stand.
const PLACES: [&[&str]; 3] = [&["serve"], &["config", "show"], &["config", "check"]];

/// `serve` by itself, without the environment.
pub(super) fn serve_alone() -> clap::Command {
    plain(serve::Arguments::augment_args(clap::Command::new("serve")))
}

/// The options of `serve` that are settings: all but the one that names the file.
fn is_setting(option: &Arg) -> bool {
    option.get_long().is_some_and(|long| !matches!(long, "config" | "help"))
}

/// The names of all settings.
pub(super) fn options() -> impl Iterator<Item = String> {
    let options: Vec<Arg> =
        serve_alone().get_arguments().filter(|option| is_setting(option)).cloned().collect();
    options.into_iter().filter_map(|option| option.get_long().map(str::to_owned))
}

/// The option of this name.
pub(super) fn option_named(name: &str) -> Option<Arg> {
    serve_alone()
        .get_arguments()
        .find(|option| is_setting(option) && option.get_long() == Some(name))
        .cloned()
}

/// The environment variable of an option.
pub(crate) fn variable(option: &str) -> String {
    format!("BAIZE_{}", option.to_uppercase().replace('-', "_"))
}

/// A flag can be switched off again: `--links=false` holds against the file.
fn plain(command: clap::Command) -> clap::Command {
    command.mut_args(|option| {
        if !matches!(option.get_action(), ArgAction::SetTrue) || !is_setting(&option) {
            return option;
        }
        option
            .action(ArgAction::Set)
            .value_parser(clap::value_parser!(bool))
            .num_args(0..=1)
            .require_equals(true)
            .value_name("BOOL")
            .hide_possible_values(true)
            .default_missing_value("true")
            .default_value("false")
            .hide_default_value(true)
    })
}

fn with_environment(command: clap::Command) -> clap::Command {
    plain(command).mut_args(|option| match option.get_long().map(variable) {
        Some(name) if is_setting(&option) => option.env(name).hide_env_values(true),
        _ => option,
    })
}

/// Changes the command at this place.
fn at(
    command: clap::Command,
    place: &[&str],
    change: &dyn Fn(clap::Command) -> clap::Command,
) -> clap::Command {
    match place.split_first() {
        Some((first, rest)) => command.mut_subcommand(*first, |inner| at(inner, rest, change)),
        None => change(command),
    }
}

/// The whole command line, with environment variables.
pub(crate) fn command() -> clap::Command {
    PLACES.iter().fold(CommandLine::command(), |command, place| at(command, place, &with_environment))
}

/// What holds, and the file that it came from.
pub(crate) struct Read {
    pub(crate) matches: ArgMatches,
    pub(crate) file: Option<ConfigFile>,
}

/// Reads the command line, the environment and the configuration file. Ends the program where the command line is wrong.
pub(crate) fn read() -> Result<Read, Failure> {
    let mut words: Vec<OsString> = std::env::args_os().collect();
    if words.len() < 2 {
        words = vec!["baize".into(), "serve".into()];
    }
    let matches = parsed(command(), &words);
    let Some((place, options)) = PLACES.iter().find_map(|place| Some((*place, found(&matches, place)?)))
    else {
        return Ok(Read { matches, file: None });
    };
    let named = options.get_one::<std::path::PathBuf>("config");
    let Some(file) = ConfigFile::find(named.map(std::path::PathBuf::as_path))? else {
        return Ok(Read { matches, file: None });
    };
    // The file's values stand where the defaults stood: whatever else is given goes before them.
    let with_file = |command: clap::Command| {
        command.mut_args(|option| match option.get_long().and_then(|long| file.setting(long)) {
            Some(setting) if is_setting(&option) => option.default_values(setting.values.clone()),
            _ => option,
        })
    };
    let matches = parsed(at(command(), place, &with_file), &words);
    Ok(Read { matches, file: Some(file) })
}

fn found<'a>(matches: &'a ArgMatches, place: &[&str]) -> Option<&'a ArgMatches> {
    place.iter().try_fold(matches, |matches, name| matches.subcommand_matches(name))
}

fn parsed(command: clap::Command, words: &[OsString]) -> ArgMatches {
    command.try_get_matches_from(words).unwrap_or_else(|error| {
        // The option is named; that its value came from the environment is not.
        if let (Some(ContextValue::String(option)), Some(ContextValue::String(value))) =
            (error.get(ContextKind::InvalidArg), error.get(ContextKind::InvalidValue))
        {
            let long = option.trim_start_matches('-').split([' ', '=', '[']).next().unwrap_or_default();
            let name = variable(long);
            if std::env::var(&name).is_ok_and(|set| set == *value) {
                eprintln!("{name} is not right:");
            }
        }
        error.exit()
    })
}

/// Where the value of a setting came from.
pub(super) fn origin(matches: &ArgMatches, file: Option<&ConfigFile>, option: &Arg) -> String {
    let long = option.get_long().unwrap_or_default();
    match (
        matches.value_source(option.get_id().as_str()),
        file.and_then(|file| Some((file, file.setting(long)?))),
    ) {
        (Some(ValueSource::CommandLine), _) => "command line".to_owned(),
        (Some(ValueSource::EnvVariable), _) => variable(long),
        (_, Some((file, setting))) => {
            format!("{}:{}:{}", file.path.display(), setting.place.0, setting.place.1)
        }
        (_, None) => "default".to_owned(),
    }
}
