//! The log: one line per request and order on standard error, as text or JSON. It contains no secrets and no cards.

use std::io::{IsTerminal as _, Write};

use clap::ValueEnum;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{fmt, registry};

use crate::Failure;

/// The target of what concerns the server as a whole.
const TARGET: &str = "baize::server";

/// Format of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// Standard error, ignoring write errors: the casino continues if the reader of its log is gone or the log's disk is full.
struct Lines;

impl Write for Lines {
    fn write(&mut self, line: &[u8]) -> std::io::Result<usize> {
        // There is nowhere else to report it.
        let _ = std::io::stderr().write_all(line);
        Ok(line.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The filter: `RUST_LOG`, else `named`, else `warn` on a terminal and `info` otherwise.
pub(super) fn filter(named: Option<&str>) -> Result<Targets, Failure> {
    let terminal = std::io::stderr().is_terminal();
    let usual = if terminal { "warn" } else { "info" };
    let of_rust = std::env::var("RUST_LOG").ok().filter(|words| !words.is_empty());
    let words = of_rust.as_deref().or(named).unwrap_or(usual);
    parsed(words).map_err(|why| match &of_rust {
        Some(_) => Failure::Usage(format!("RUST_LOG `{words}` is not a filter: {why}")),
        None => Failure::of_setting("log")(Failure::Usage(format!("--log `{words}` is not a filter: {why}"))),
    })
}

/// A word that is no level would be the name of a target that nothing logs to: then nothing at all would be logged.
fn parsed(words: &str) -> Result<Targets, String> {
    let is_word = |word: &&str| !word.contains(['=', ':']) && *word != "off";
    let no_level = words
        .split(',')
        .map(str::trim)
        .filter(is_word)
        .find(|word| !word.starts_with("baize") && word.parse::<tracing::Level>().is_err());
    match no_level {
        Some(word) => Err(format!("`{word}` is not a level; write error, warn, info, debug, trace or off")),
        None => words.parse::<Targets>().map_err(|error| error.to_string()),
    }
}

/// Starts logging.
pub(super) fn start(named: Option<&str>, format: Format) -> Result<(), Failure> {
    let filter = filter(named)?;
    let lines = fmt::layer().with_writer(|| Lines).with_ansi(false);
    let started = match format {
        Format::Text => registry().with(filter).with(lines).try_init(),
        Format::Json => registry().with(filter).with(lines.json().flatten_event(true)).try_init(),
    };
    started.map_err(|error| Failure::Usage(error.to_string()))?;
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        let why = panic.payload_as_str().unwrap_or_default();
        tracing::error!(target: TARGET, place, why, "panic");
    }));
    Ok(())
}

/// The failure of the server: in the log, except for a person at a terminal, or if the filter keeps it out.
pub(super) fn noted(failure: Failure) -> Failure {
    if std::io::stderr().is_terminal() || !tracing::enabled!(target: TARGET, tracing::Level::ERROR) {
        return failure;
    }
    tracing::error!(target: TARGET, "{}", failure.to_string().trim_end());
    Failure::Noted(Box::new(failure))
}
