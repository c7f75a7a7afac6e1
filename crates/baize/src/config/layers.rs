//! The layers of a setting: the command line, above the environment, above the configuration file, above the default.
//!
//! All of it is made from the command line's definition. The environment variable of `--address-rate` is `BAIZE_ADDRESS_RATE` and its key in
//! the file `address-rate`; a new option has both without another line.

use std::ffi::OsString;

use clap::builder::Resettable;
use clap::error::{ContextKind, ContextValue};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args as _, CommandFactory as _};

use super::ConfigFile;
use crate::{CommandLine, Failure, serve};

/// Variables without an option of the same name: the option whose commands read it (all commands without one), and what it is.
pub(crate) const OTHER_VARIABLES: [(&str, Option<&str>, &str); 7] = [
    (
        "BAIZE_DATABASE_PASSWORD",
        Some("database"),
        "The password of the PostgreSQL server. PGPASSWORD is read without it.",
    ),
    ("BAIZE_KEY_FILE", Some("database"), "The file of the house's key."),
    ("BAIZE_KEY", Some("database"), "The house's key: 64 hexadecimal digits."),
    ("BAIZE_ARCHIVE", Some("database"), "The folder of the archives of a casino on PostgreSQL."),
    (
        "CREDENTIALS_DIRECTORY",
        Some("database"),
        "Set by systemd: the folder of the credentials baize-key and baize-database-password.",
    ),
    ("RUST_LOG", Some("log"), "Overrides --log."),
    ("NO_COLOR", None, "No colour and no bold on a terminal, if it is not empty."),
];

/// The commands that take the options of `serve`.
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

/// Lets flags take a value, so that `--links=false` overrides the file.
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
    let with_all =
        PLACES.iter().fold(CommandLine::command(), |command, place| at(command, place, &with_environment));
    without_empty(with_all)
}

/// An empty variable counts as not set, as for the variables that are no options: containers pass on what nobody has filled in.
fn without_empty(command: clap::Command) -> clap::Command {
    let is_empty =
        |option: &Arg| option.get_env().and_then(std::env::var_os).is_some_and(|value| value.is_empty());
    let emptied = |option: Arg| if is_empty(&option) { option.env(Resettable::Reset) } else { option };
    command.mut_args(emptied).mut_subcommands(without_empty)
}

/// The parsed settings and the configuration file.
pub(crate) struct Read {
    pub(crate) matches: ArgMatches,
    pub(crate) file: Option<ConfigFile>,
}

/// Reads the command line, the environment and the configuration file. Exits the program if the command line is wrong.
///
/// # Errors
/// A fault in the environment or the file.
pub(crate) fn read() -> Result<Read, Failure> {
    let mut words: Vec<OsString> = std::env::args_os().collect();
    if words.len() < 2 {
        words = vec!["baize".into(), "serve".into()];
    }
    let matches = parsed(command(), &words)?;
    let Some((place, options)) = PLACES.iter().find_map(|place| Some((*place, found(&matches, place)?)))
    else {
        return Ok(Read { matches, file: None });
    };
    let named = options.get_one::<std::path::PathBuf>("config");
    let Some(file) = ConfigFile::find(named.map(std::path::PathBuf::as_path))? else {
        return Ok(Read { matches, file: None });
    };
    // The file's values become the defaults, so that everything else overrides them.
    let with_file = |command: clap::Command| {
        command.mut_args(|option| match option.get_long().and_then(|long| file.setting(long)) {
            Some(setting) if is_setting(&option) => option.default_values(setting.values.clone()),
            _ => option,
        })
    };
    let matches = parsed(at(command(), place, &with_file), &words)?;
    Ok(Read { matches, file: Some(file) })
}

fn found<'a>(matches: &'a ArgMatches, place: &[&str]) -> Option<&'a ArgMatches> {
    place.iter().try_fold(matches, |matches, name| matches.subcommand_matches(name))
}

/// Exits the program if the command line is wrong.
fn parsed(command: clap::Command, words: &[OsString]) -> Result<ArgMatches, Failure> {
    command.try_get_matches_from(words).or_else(|error| {
        // clap names the option, but not that its value came from the environment.
        if let (Some(ContextValue::String(option)), Some(ContextValue::String(value))) =
            (error.get(ContextKind::InvalidArg), error.get(ContextKind::InvalidValue))
        {
            let long = option.trim_start_matches('-').split([' ', '=', '[']).next().unwrap_or_default();
            let name = variable(long);
            if std::env::var(&name).is_ok_and(|set| set == *value) {
                return Err(Failure::Config(format!("{name}: {}", fault(long, value, &error))));
            }
        }
        error.exit()
    })
}

/// What an option's own parser says about a value.
pub(super) fn fault(option: &str, value: &str, error: &clap::Error) -> String {
    let why = match std::error::Error::source(error) {
        Some(why) => match (why.downcast_ref::<std::num::ParseIntError>(), range(&why.to_string())) {
            (Some(number), _) if *number.kind() == std::num::IntErrorKind::PosOverflow => {
                "it is too large".to_owned()
            }
            (Some(_), _) => "write a whole number".to_owned(),
            (None, Some(range)) => range,
            (None, None) => why.to_string(),
        },
        None => match error.get(ContextKind::ValidValue) {
            Some(ContextValue::Strings(valid)) if !valid.is_empty() => {
                format!("write {}", valid.join(" or "))
            }
            _ => error.kind().to_string(),
        },
    };
    format!("`{value}` is not a value of `{option}`: {why}")
}

/// clap's "7 is not in 1..=5" in words.
fn range(why: &str) -> Option<String> {
    let (least, most) = why.split_once(" is not in ")?.1.split_once("..=")?;
    Some(format!("write a number from {least} to {most}"))
}

/// The closest known name, if it is at most `far_max` letters away.
pub(super) fn nearest(name: &str, known: impl Iterator<Item = String>, far_max: usize) -> Option<String> {
    let far = |known: &String| strsim::damerau_levenshtein(known, name);
    known.min_by_key(far).filter(|known| far(known) <= far_max)
}

/// Environment variables that look like mistyped settings, each with what it should probably be. Others that begin with `BAIZE_` are not ours:
/// Kubernetes sets some for a service of this name.
pub(crate) fn mistyped_variables() -> Vec<String> {
    let others = OTHER_VARIABLES.map(|(name, ..)| name.to_owned());
    let known = options().map(|option| variable(&option)).chain(others).chain(["BAIZE_CONFIG".to_owned()]);
    let known: Vec<String> = known.collect();
    let set = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    set.filter(|name| name.starts_with("BAIZE_") && !known.contains(name))
        .filter_map(|name| {
            let meant = nearest(&name, known.iter().cloned(), 2)?;
            Some(format!("{name} is not a setting; did you mean {meant}?"))
        })
        .collect()
}

/// Where the value of a setting came from.
enum Origin<'a> {
    CommandLine,
    /// This variable.
    Environment(String),
    File(&'a ConfigFile, (usize, usize)),
    Default,
}

fn origin_of<'a>(matches: &ArgMatches, file: Option<&'a ConfigFile>, option: &Arg) -> Origin<'a> {
    let long = option.get_long().unwrap_or_default();
    match (
        matches.value_source(option.get_id().as_str()),
        file.and_then(|file| Some((file, file.setting(long)?))),
    ) {
        (Some(ValueSource::CommandLine), _) => Origin::CommandLine,
        (Some(ValueSource::EnvVariable), _) => Origin::Environment(variable(long)),
        (_, Some((file, setting))) => Origin::File(file, setting.place),
        (_, None) => Origin::Default,
    }
}

/// Where the value of a setting came from, in words.
pub(super) fn origin(matches: &ArgMatches, file: Option<&ConfigFile>, option: &Arg) -> String {
    match origin_of(matches, file, option) {
        Origin::CommandLine => "command line".to_owned(),
        Origin::Environment(variable) => variable,
        Origin::File(file, (line, column)) => format!("{}:{line}:{column}", file.path.display()),
        Origin::Default => "default".to_owned(),
    }
}

impl Read {
    /// A fault of a setting, with the place that the setting came from.
    pub(crate) fn locate(&self, failure: Failure) -> Failure {
        let Failure::Setting { name, why } = failure else { return failure };
        let given = PLACES.iter().find_map(|place| found(&self.matches, place)).zip(option_named(name));
        match given.map(|(matches, option)| origin_of(matches, self.file.as_ref(), &option)) {
            Some(Origin::Environment(variable)) => Failure::Config(format!("{variable}: {why}")),
            Some(Origin::File(file, place)) => Failure::Config(file.shown(place, &why.to_string())),
            Some(Origin::CommandLine | Origin::Default) | None => *why,
        }
    }
}
