//! The configuration file: TOML with one key for each option of `serve`, named as the option is.
//!
//! The keys, their types and their limits come from the command line's definition: the parser of each option checks its value.
//! The `toml` crate gives a span for every key and value, so each fault has a line and column.

use std::any::TypeId;
use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::layers::{fault, nearest, option_named, options, serve_alone};
use crate::database::without_password;
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
    text: String,
    pub(crate) settings: Vec<Setting>,
}

impl ConfigFile {
    /// The named file, or the default one if it exists.
    pub(crate) fn find(named: Option<&Path>) -> Result<Option<ConfigFile>, Failure> {
        let path = named.unwrap_or(Path::new(USUAL));
        match std::fs::read_to_string(path) {
            Ok(text) => ConfigFile::parse(path, text).map(Some),
            Err(error) if error.kind() == std::io::ErrorKind::InvalidData => {
                Err(Failure::Config(format!("{}: this is not text in UTF-8", path.display())))
            }
            Err(error) if named.is_none() && error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Failure::File { path: path.to_owned(), error }),
        }
    }

    fn parse(path: &Path, text: String) -> Result<ConfigFile, Failure> {
        let mut faults = Vec::new();
        let mut fault = |at: usize, what: &str| faults.push((at, what.to_owned()));
        let (table, errors) = DeTable::parse_recoverable(&text);
        for error in &errors {
            fault(error.span().map_or(0, |span| span.start), error.message());
        }
        let mut settings = Vec::new();
        // After a syntax error, the values are not worth checking.
        for (key, value) in table.get_ref().iter().filter(|_| errors.is_empty()) {
            match setting(key.get_ref(), value) {
                Ok(values) => settings.push(Setting {
                    key: key.get_ref().to_string(),
                    values,
                    place: marked::line_and_column(&text, key.span().start),
                }),
                Err(Wrong::Key(what)) => fault(key.span().start, &what),
                Err(Wrong::Value(at, what)) => fault(at, &what),
            }
        }
        settings.sort_by_key(|setting: &Setting| setting.place);
        faults.sort();
        let file = ConfigFile { path: path.to_owned(), text, settings };
        if faults.is_empty() {
            return Ok(file);
        }
        let shown =
            faults.iter().map(|(at, what)| file.shown(marked::line_and_column(&file.text, *at), what));
        Err(Failure::Config(shown.collect()))
    }

    /// A fault with the line that it is in. A line that may hold a password is not repeated: the log would keep it.
    pub(super) fn shown(&self, place: (usize, usize), what: &str) -> String {
        let line = self.text.lines().nth(place.0.saturating_sub(1)).unwrap_or_default().trim_end();
        let key = line.split('=').next().unwrap_or_default().trim();
        let secret = key.ends_with("password") || without_password(line) != line;
        let text = if secret { "" } else { &self.text };
        marked::shown(&self.path.display().to_string(), text, place, what)
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
        let longer = options().find(|known| known.starts_with(key));
        let hint = nearest(key, options(), 3).or(longer);
        let hint = hint.map(|known| format!("; did you mean `{known}`?")).unwrap_or_default();
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
    let parser = option.get_value_parser().type_id();
    let is_text = parser == TypeId::of::<String>() || parser == TypeId::of::<PathBuf>();
    if is_text && list.is_none() && !matches!(value.get_ref(), DeValue::String(_)) {
        return Err(Wrong::Value(at, format!("write the value of `{key}` in quotes")));
    }
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
    Err(fault(key, value, &error))
}
