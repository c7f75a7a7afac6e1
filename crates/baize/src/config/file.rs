//! The configuration file: TOML with one key for each option of `serve`, named as the option is.
//!
//! The keys, their types and their limits are those of the command line's own definition: each value is judged by the parser of its option.
//! The `toml` crate gives a span for every key and value, so that a fault has its line and column.

use std::path::{Path, PathBuf};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::layers::{option_named, options, serve_alone};
use crate::{Failure, marked};

/// The default place of the file.
pub(crate) const USUAL: &str = "/etc/baize/baize.toml";

/// One key and its values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Setting {
    pub(crate) key: String,
    pub(crate) values: Vec<String>,
    /// Line and column of the key.
    pub(crate) place: (usize, usize),
}

/// A file without a fault.
#[derive(Debug, Clone)]
pub(crate) struct ConfigFile {
    pub(crate) path: PathBuf,
    pub(crate) settings: Vec<Setting>,
}

impl ConfigFile {
    /// The file that is named, or the usual one where there is one.
    pub(crate) fn find(named: Option<&Path>) -> Result<Option<ConfigFile>, Failure> {
        let path = named.unwrap_or(Path::new(USUAL));
        match std::fs::read_to_string(path) {
            Ok(text) => ConfigFile::parse(path, &text).map(Some),
            Err(error) if named.is_none() && error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Failure::File { path: path.to_owned(), error }),
        }
    }

    fn parse(path: &Path, text: &str) -> Result<ConfigFile, Failure> {
        let name = path.display().to_string();
        let mut faults = Vec::new();
        let mut fault = |at: usize, what: &str| faults.push((at, what.to_owned()));
        let (table, errors) = DeTable::parse_recoverable(text);
        for error in &errors {
            fault(error.span().map_or(0, |span| span.start), error.message());
        }
        let mut settings = Vec::new();
        // What the parser made of broken text is not worth judging.
        for (key, value) in table.get_ref().iter().filter(|_| errors.is_empty()) {
            match setting(key.get_ref(), value) {
                Ok(values) => settings.push(Setting {
                    key: key.get_ref().to_string(),
                    values,
                    place: marked::line_and_column(text, key.span().start),
                }),
                Err(Wrong::Key(what)) => fault(key.span().start, &what),
                Err(Wrong::Value(at, what)) => fault(at, &what),
            }
        }
        settings.sort_by_key(|setting: &Setting| setting.place);
        if faults.is_empty() {
            return Ok(ConfigFile { path: path.to_owned(), settings });
        }
        faults.sort();
        let shown = faults
            .iter()
            .map(|(at, what)| marked::shown(&name, text, marked::line_and_column(text, *at), what));
        Err(Failure::Config(shown.collect()))
    }

    /// The setting of this key.
    pub(crate) fn setting(&self, key: &str) -> Option<&Setting> {
        self.settings.iter().find(|setting| setting.key == key)
    }

    /// The only value of this key.
    pub(crate) fn value(&self, key: &str) -> Option<&str> {
        self.setting(key)?.values.first().map(String::as_str)
    }
}

enum Wrong {
    Key(String),
    /// Where it begins.
    Value(usize, String),
}

/// The values of a key, if it is one and its option takes them.
fn setting(key: &str, value: &Spanned<DeValue<'_>>) -> Result<Vec<String>, Wrong> {
    let Some(option) = option_named(key) else {
        let far = |known: &String| strsim::damerau_levenshtein(known, key);
        let nearest = options().min_by_key(far).filter(|known| far(known) <= 3);
        let hint = nearest.map(|known| format!("; did you mean `{known}`?")).unwrap_or_default();
        return Err(Wrong::Key(format!("there is no setting `{key}`{hint}")));
    };
    let many = matches!(option.get_action(), clap::ArgAction::Append);
    let at = value.span().start;
    let list =
        if let DeValue::Array(values) = value.get_ref() { Some(values).filter(|_| many) } else { None };
    let parts: Vec<(usize, String)> = match list {
        Some(values) => values
            .iter()
            .map(|value| Ok((value.span().start, scalar(value)?)))
            .collect::<Result<_, Wrong>>()?,
        None => vec![(at, scalar(value)?)],
    };
    for (at, text) in &parts {
        judge(key, text).map_err(|what| Wrong::Value(*at, what))?;
    }
    Ok(parts.into_iter().map(|(_, text)| text).collect())
}

/// A value as it would be written on the command line.
fn scalar(value: &Spanned<DeValue<'_>>) -> Result<String, Wrong> {
    match value.get_ref() {
        DeValue::String(text) => Ok(text.to_string()),
        DeValue::Integer(number) => Ok(number.as_str().to_owned()),
        DeValue::Float(number) => Ok(number.as_str().to_owned()),
        DeValue::Boolean(is) => Ok(is.to_string()),
        DeValue::Datetime(_) => {
            Err(Wrong::Value(value.span().start, "a time is written in quotes, like \"06:00\"".to_owned()))
        }
        DeValue::Array(_) => {
            Err(Wrong::Value(value.span().start, "one value is needed here, not a list".to_owned()))
        }
        DeValue::Table(_) => {
            Err(Wrong::Value(value.span().start, "a value is needed here, not a table".to_owned()))
        }
    }
}

/// What the option's own parser says about a value.
fn judge(key: &str, value: &str) -> Result<(), String> {
    let Err(error) = serve_alone().try_get_matches_from(["serve".to_owned(), format!("--{key}={value}")])
    else {
        return Ok(());
    };
    if error.kind() == ErrorKind::MissingRequiredArgument {
        return Ok(());
    }
    let why = match std::error::Error::source(&error) {
        Some(why) if why.is::<std::num::ParseIntError>() => "write a whole number".to_owned(),
        Some(why) => why.to_string(),
        None => match error.get(ContextKind::ValidValue) {
            Some(ContextValue::Strings(valid)) => format!("write {}", valid.join(" or ")),
            _ => error.kind().to_string(),
        },
    };
    Err(format!("`{value}` is not a value of `{key}`: {why}"))
}
