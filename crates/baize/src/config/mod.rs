//! `baize config`: what holds, and where it came from.

mod file;
mod layers;

use std::collections::BTreeMap;
use std::ffi::OsString;

use clap::{ArgMatches, Args, Subcommand};

pub(crate) use file::ConfigFile;
pub(crate) use layers::{Read, command, read};

use crate::database::without_password;
use crate::{Failure, page, serve};

/// Show or check the settings of `baize serve`.
///
/// A setting is given on the command line (--address-rate 50), in the environment (BAIZE_ADDRESS_RATE=50) or in the configuration file
/// (address-rate = 50). The command line goes before the environment, and the environment before the file.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Print every setting and where it came from. What is printed is a configuration file.
    Show(serve::Arguments),
    /// Check the file and everything that it names: certificates, rulebooks, the database's address, the log's filter. Nothing is opened. Exit 2 on
    /// a fault.
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
            let told = match &read.file {
                Some(file) => {
                    let count = page::counted(file.settings.len() as u64, "setting", "settings");
                    format!("{}: {count}, no fault\n", file.path.display())
                }
                None => format!("there is no {}; the settings have no fault\n", file::USUAL),
            };
            page::print(&told)
        }
        (What::Show(_), None) => Ok(()),
    }
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
