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
        match std::fs::read(path) {
            Ok(bytes) => ConfigFile::parse(path, text_of(path, bytes)?).map(Some),
            Err(error) if named.is_none() && error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Failure::File { path: path.to_owned(), error }),
        }
    }

    fn parse(path: &Path, text: String) -> Result<ConfigFile, Failure> {
        let mut faults = Vec::new();
        let mut fault = |at: usize, what: &str| faults.push((at, what.to_owned()));
        let (table, errors) = DeTable::parse_recoverable(&text);
        for error in &errors {
            let at = error.span().map_or(0, |span| span.start);
            fault(at, &syntax(&text, table.get_ref(), at, error.message()));
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
                Err(Wrong::Key(_)) if matches!(value.get_ref(), DeValue::Table(_)) => {
                    let what = format!("`{}` is a table; settings are not in tables", key.get_ref());
                    fault(key.span().start, &what);
                }
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

fn text_of(path: &Path, bytes: Vec<u8>) -> Result<String, Failure> {
    String::from_utf8(bytes).map_err(|error| {
        let good = String::from_utf8_lossy(
            error.as_bytes().get(..error.utf8_error().valid_up_to()).unwrap_or_default(),
        );
        let (line, column) = marked::line_and_column(&good, good.len());
        Failure::Config(format!("{}:{line}:{column}: this is not text in UTF-8", path.display()))
    })
}

/// A syntax error in terms of the setting that it is in, if that says more than the parser does.
fn syntax(text: &str, table: &DeTable<'_>, at: usize, message: &str) -> String {
    let (line, _) = marked::line_and_column(text, at);
    let written = text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
    let Some((key, value)) = written.split_once('=') else { return message.to_owned() };
    let (key, value) = (key.trim().trim_matches('"'), value.split('#').next().unwrap_or_default().trim());
    let Some(option) = option_named(key) else { return message.to_owned() };
    if message == "duplicate key" {
        let first =
            table.iter().find(|(known, _)| known.get_ref() == key).map_or(0, |(known, _)| known.span().start);
        return format!("`{key}` is already set in line {}", marked::line_and_column(text, first).0);
    }
    if value.is_empty() || value.starts_with(['"', '\'', '[', '{']) {
        return message.to_owned();
    }
    let parser = option.get_value_parser().type_id();
    if parser == TypeId::of::<bool>() {
        format!("`{value}` is not a value of `{key}`: write true or false")
    } else if [TypeId::of::<u32>(), TypeId::of::<u64>(), TypeId::of::<usize>()]
        .iter()
        .any(|number| parser == *number)
    {
        format!("`{value}` is not a value of `{key}`: write a whole number")
    } else {
        format!("write the value of `{key}` in quotes")
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
        let longer = options().find(|known| key.len() > 2 && known.starts_with(key));
        // Of a short name, most letters must be right.
        let hint = nearest(key, options(), 3.min(key.len() / 2)).or(longer);
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
        // 0x10 is 16.
        DeValue::Integer(number) => Ok(match i128::from_str_radix(number.as_str(), number.radix()) {
            Ok(number) => number.to_string(),
            Err(_) => number.as_str().to_owned(),
        }),
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
