//! `baize config`: the settings in effect and where they came from.

mod file;
mod layers;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::Path;

use clap::{ArgMatches, Args, Subcommand};

pub(crate) use file::ConfigFile;
pub(crate) use layers::{OTHER_VARIABLES, Read, command, mistyped_variables, read, variable};

use crate::database::without_password;
use crate::{Failure, page, serve};

/// Show or check the settings of `baize serve`.
///
/// A setting is given on the command line (--address-rate 50), in the environment (BAIZE_ADDRESS_RATE=50) or in the configuration file
/// (address-rate = 50). The command line overrides the environment, and the environment overrides the file.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Print every setting and where it came from. The output is a valid configuration file.
    Show(serve::Arguments),
    /// Check the settings and the files that they name: certificates, rulebooks, the database's address, the log filter. The database is not
    /// opened. Exit 2 on a fault.
    Check(serve::Arguments),
}

/// Shows or checks.
pub(crate) fn run(arguments: &Arguments, read: &Read) -> Result<(), Failure> {
    let options =
        read.matches.subcommand_matches("config").and_then(ArgMatches::subcommand).map(|(_, found)| found);
    match (&arguments.what, options) {
        (What::Show(_), Some(options)) => page::print(&shown(options, read.file.as_ref())),
        (What::Check(serve), _) => {
            serve.check_all()?;
            if let Some(fault) = mistyped_variables().into_iter().next() {
                return Err(Failure::Config(fault));
            }
            let told = match &read.file {
                Some(file) => {
                    let count = page::counted(file.settings.len() as u64, "setting", "settings");
                    format!("{}: {count}, no fault\n", file.path.display())
                }
                None => format!("no {}; the other settings have no fault\n", file::USUAL),
            };
            page::print(&told)
        }
        (What::Show(_), None) => Ok(()),
    }
}

/// The value of a setting for commands other than `serve`: from the environment, or from the file.
pub(crate) fn value_of(setting: &str, named: Option<&Path>) -> Result<Option<String>, Failure> {
    match std::env::var(variable(setting)).ok().filter(|value| !value.is_empty()) {
        Some(value) => Ok(Some(value)),
        None => Ok(ConfigFile::find(named)?.and_then(|file| file.value(setting).map(str::to_owned))),
    }
}

/// The address that the server of these settings listens on.
pub(crate) fn listens(named: Option<&Path>) -> Result<SocketAddr, Failure> {
    let listen = value_of("listen", named)?.unwrap_or_else(|| serve::LISTEN.to_owned());
    serve::listen_address(&listen)
        .map_err(|why| Failure::Usage(format!("`{listen}` is not a value of `listen`: {why}")))
}

/// Every setting of `serve` as it was given, by its name.
pub(crate) fn settings(options: &ArgMatches) -> BTreeMap<String, Vec<OsString>> {
    let given = |name: String| {
        let id = layers::option_named(&name)?.get_id().to_string();
        Some((name, options.get_raw(&id).into_iter().flatten().map(OsString::from).collect()))
    };
    layers::options().filter_map(given).collect()
}

fn shown(options: &ArgMatches, file: Option<&ConfigFile>) -> String {
    let mut lines = Vec::new();
    for name in layers::options() {
        let Some(option) = layers::option_named(&name) else { continue };
        let id = option.get_id().as_str();
        let values: Vec<String> = options
            .get_raw(id)
            .into_iter()
            .flatten()
            .map(|value| written(&without_password(&value.to_string_lossy())))
            .collect();
        let line = match (values.as_slice(), option.get_action()) {
            ([], _) => format!("# {name} ="),
            (values, clap::ArgAction::Append) => format!("{name} = [{}]", values.join(", ")),
            (values, _) => format!("{name} = {}", values.join(", ")),
        };
        lines.push((line, layers::origin(options, file, &option)));
    }
    let width = lines.iter().map(|(line, _)| line.chars().count()).max().unwrap_or(0).min(48);
    lines.iter().map(|(line, origin)| format!("{line:width$}  # {origin}\n")).collect()
}

/// A value as TOML has it.
fn written(value: &str) -> String {
    if value.parse::<i64>().is_ok() || matches!(value, "true" | "false") {
        value.to_owned()
    } else {
        toml::Value::from(value).to_string()
    }
}
