//! The log: one line for each request and order on the standard error, as text or JSON. What is logged holds no secret and no card.

use std::io::{IsTerminal as _, Write};

use clap::ValueEnum;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{fmt, registry};

use crate::Failure;

/// How a line is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// The standard error. A line that it does not take is lost: a casino goes on when the reader of its log has gone or the log's disk is full.
struct Lines;

impl Write for Lines {
    fn write(&mut self, line: &[u8]) -> std::io::Result<usize> {
        // There is no other place to tell it.
        let _ = std::io::stderr().write_all(line);
        Ok(line.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// What is logged: `RUST_LOG`, else `named`, else as much as the place suggests.
pub(super) fn filter(named: Option<&str>) -> Result<Targets, Failure> {
    let terminal = std::io::stderr().is_terminal();
    let usual = if terminal { "warn" } else { "info" };
    let of_rust = std::env::var("RUST_LOG").ok().filter(|words| !words.is_empty());
    let words = of_rust.as_deref().or(named).unwrap_or(usual);
    words.parse::<Targets>().map_err(|error| match &of_rust {
        Some(_) => Failure::Usage(format!("RUST_LOG `{words}` is not a filter: {error}")),
        None => {
            Failure::of_setting("log")(Failure::Usage(format!("--log `{words}` is not a filter: {error}")))
        }
    })
}

/// Logs from now on what passes the filter.
pub(super) fn start(named: Option<&str>, format: Format) -> Result<(), Failure> {
    let filter = filter(named)?;
    let lines = fmt::layer().with_writer(|| Lines).with_ansi(false);
    let started = match format {
        Format::Text => registry().with(filter).with(lines).try_init(),
        Format::Json => registry().with(filter).with(lines.json().flatten_event(true)).try_init(),
    };
    started.map_err(|error| Failure::Usage(error.to_string()))
}
