//! Errors of commands, and their exit codes: 1 if a check failed, 2 if the command could not be carried out.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use baize_house::HouseError;
use baize_odds::GameError;
use baize_odds::advice::AdviceError;
use baize_odds::economics::SetupFault;
use baize_odds::exposure::ExposureError;
use baize_odds::simulation::SimulationError;
use baize_odds::strategy::StrategyError;
use baize_report::ReportError;
use baize_rules::Faults;
use baize_stage::StageError;
use baize_web::ServeError;
use thiserror::Error;

/// The exit codes of all commands, for the manual pages. `baize --help` has the first three.
pub(crate) const EXIT_CODES: [(u8, &str); 4] = [
    (
        0,
        "Success. A simulation, a load test or an analysis that Ctrl-C ended early has printed its results so far.",
    ),
    (1, "A check failed: a script, an audit, a proof, a health check."),
    (
        2,
        "The command could not be carried out: its options, settings, a file, a database, an address in use; or Ctrl-C ended it before it was complete.",
    ),
    (130, "Ended at once, by a second Ctrl-C or in a command that has nothing to print before its end."),
];

/// Why a command failed.
#[derive(Debug, Error)]
pub(crate) enum Failure {
    /// No built-in rulebook has this id.
    #[error("there is no game `{id}`; the games are:\n{games}")]
    UnknownGame {
        /// What was asked for.
        id: String,
        /// The ids and names that exist, one a line.
        games: String,
    },
    /// A file that cannot be read.
    #[error("{path}: {why}", path = path.display(), why = why(error))]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A rulebook with faults.
    #[error("{0}\n{count} found; nothing was done", count = count(.0.faults.len()))]
    Rulebook(Faults),
    /// A rulebook that is based on no approved game.
    #[error("{}: nothing to compare with: name the approved game with `based_on = \"ID\"`", .0.display())]
    BasedOnNothing(PathBuf),
    /// A directory without scripts.
    #[error("{}: no *.round files found", .0.display())]
    NoScripts(PathBuf),
    /// A text that is not a valid script: its faults, each with its line.
    #[error("{0}")]
    Script(String),
    /// Scripts failed; the output named them.
    #[error("")]
    ScriptsFailed,
    /// Files could not be read; the output named them.
    #[error("")]
    FilesUnread,
    /// Invalid jackpot parameters.
    #[error("{0}")]
    Jackpot(SetupFault),
    /// There is nothing to draw.
    #[error(
        "there is no picture: without a top award, or when wagers add nothing, the meter at the hit has no distribution"
    )]
    NoPicture,
    /// The server does not take orders.
    #[error("{0}")]
    Unhealthy(String),
    /// A configuration file with faults: each with its line and column.
    #[error("{0}")]
    Config(String),
    /// A setting with a fault that shows only outside its own parser. [`crate::config::Read::locate`] adds where the setting came from.
    #[error("{why}")]
    Setting {
        /// The setting.
        name: &'static str,
        /// What is wrong with it.
        why: Box<Failure>,
    },
    /// An error that is already in the log.
    #[error("")]
    Noted(Box<Failure>),
    /// The casino does not open.
    #[error("{0}")]
    House(#[from] HouseError),
    /// A report that cannot be made.
    #[error("{0}")]
    Report(#[from] ReportError),
    /// The audit found faults; the output named them.
    #[error("")]
    AuditFailed,
    /// Ctrl-C ended the command early; the output has said how far it came.
    #[error("")]
    Interrupted,
    /// A deck is not the promised one.
    #[error("{0}")]
    ShuffleBroken(String),
    /// Not the name of a round, or of something else in a casino.
    #[error("{0}")]
    Name(#[from] baize_house::NameFault),
    /// The server does not run.
    #[error("{0}")]
    Serve(#[from] ServeError),
    /// A game, position or strategy that cannot be analysed.
    #[error("{0}")]
    Mathematics(Box<dyn std::error::Error + Send + Sync>),
    /// Cards that cannot be read.
    #[error("{what}: {error}")]
    Cards {
        /// Which cards.
        what: &'static str,
        /// Why.
        error: baize_cards::CardSetError,
    },
    /// Scripts cannot be staged.
    #[error("{0}")]
    Stage(#[from] StageError),
    /// The command was not understood.
    #[error("{0}")]
    Usage(String),
    /// The answer could not be written.
    #[error("the answer could not be written: {0}")]
    Output(io::Error),
}

/// The error in words: the standard library's for a file that is not text is about a stream.
fn why(error: &io::Error) -> String {
    let of_the_library = error.to_string() == "stream did not contain valid UTF-8";
    if of_the_library { "this is not text in UTF-8".to_owned() } else { error.to_string() }
}

/// "1 fault", "3 faults".
fn count(faults: usize) -> String {
    format!("{faults} fault{}", if faults == 1 { "" } else { "s" })
}

macro_rules! mathematics {
    ($($error:ty),+) => {$(
        impl From<$error> for Failure {
            fn from(error: $error) -> Failure {
                Failure::Mathematics(Box::new(error))
            }
        }
    )+};
}

mathematics!(GameError, AdviceError, ExposureError, SimulationError, StrategyError);

impl Failure {
    /// Adds the file to an error.
    pub(crate) fn of_file(path: &Path) -> impl Fn(io::Error) -> Failure + Copy + use<'_> {
        move |error| Failure::File { path: path.to_owned(), error }
    }

    /// Adds the setting to an error.
    pub(crate) fn of_setting(name: &'static str) -> impl Fn(Failure) -> Failure {
        move |why| Failure::Setting { name, why: Box::new(why) }
    }

    /// Prints the error to standard error, unless the output already contains it.
    pub(crate) fn tell(&self) {
        let words = self.to_string();
        if !words.is_empty() {
            // If standard error is closed, there is nowhere left to report.
            let _ = writeln!(io::stderr(), "{}", words.trim_end());
        }
    }

    /// A warning: in the log of a server, otherwise on standard error.
    pub(crate) fn warn(words: &str) {
        if tracing::dispatcher::has_been_set() {
            tracing::warn!(target: "baize::server", "{words}");
        } else {
            eprintln!("warning: {words}");
        }
    }

    /// 1 if a check failed (a script, an audit, a proof, the journal itself), 2 if the command could not be carried out.
    pub(crate) fn exit_code(&self) -> ExitCode {
        let check_failed = match self {
            Failure::Noted(failure) => return failure.exit_code(),
            Failure::ScriptsFailed
            | Failure::AuditFailed
            | Failure::ShuffleBroken(_)
            | Failure::Unhealthy(_) => true,
            Failure::House(error)
            | Failure::Report(ReportError::House(error))
            | Failure::Stage(StageError::House(error))
            | Failure::Serve(ServeError::House(error)) => matches!(error, HouseError::Corrupt(_)),
            Failure::Stage(_)
            | Failure::Serve(_)
            | Failure::Report(ReportError::Asked(_))
            | Failure::UnknownGame { .. }
            | Failure::File { .. }
            | Failure::Rulebook(_)
            | Failure::BasedOnNothing(_)
            | Failure::NoScripts(_)
            | Failure::Script(_)
            | Failure::FilesUnread
            | Failure::Interrupted
            | Failure::Jackpot(_)
            | Failure::NoPicture
            | Failure::Config(_)
            | Failure::Setting { .. }
            | Failure::Name(_)
            | Failure::Mathematics(_)
            | Failure::Cards { .. }
            | Failure::Usage(_)
            | Failure::Output(_) => false,
        };
        ExitCode::from(if check_failed { 1 } else { 2 })
    }
}
