//! The log: one line for each request and order on the standard error, as text or JSON. What is logged holds no secret and no card.

use std::io::IsTerminal as _;

use clap::ValueEnum;
use tracing_subscriber::EnvFilter;

use crate::Failure;

/// How a line is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// Logs from now on what passes the filter: `RUST_LOG`, else `named`, else as much as the place suggests.
pub(super) fn start(named: Option<&str>, format: Format) -> Result<(), Failure> {
    let terminal = std::io::stderr().is_terminal();
    let usual = if terminal { "warn" } else { "info" };
    let (whence, words) = match std::env::var("RUST_LOG").ok().filter(|words| !words.is_empty()) {
        Some(words) => ("RUST_LOG", words),
        None => ("--log", named.unwrap_or(usual).to_owned()),
    };
    let filter = EnvFilter::try_new(&words)
        .map_err(|error| Failure::Usage(format!("{whence} `{words}` is not a filter: {error}")))?;
    let lines =
        tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_ansi(false);
    let started = match format {
        Format::Text => lines.try_init(),
        Format::Json => lines.json().flatten_event(true).try_init(),
    };
    started.map_err(|error| Failure::Usage(error.to_string()))
}
