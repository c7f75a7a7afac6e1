//! Why a command did not succeed, and the exit code that says so: 2 when the command or a file could not be understood,
//! 1 when a check has failed.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use baize_odds::GameError;
use baize_odds::advice::AdviceError;
use baize_odds::economics::SetupFault;
use baize_odds::exposure::ExposureError;
use baize_odds::simulation::SimulationError;
use baize_odds::strategy::StrategyError;
use baize_rules::Faults;
use baize_stage::StageError;
use thiserror::Error;

/// Why a command did not succeed.
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
    #[error("{path}: {error}", path = path.display())]
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
    #[error("{}: nothing to compare with: write `based_on = \"rws-casino-stud\"`, or the id of another approved game", .0.display())]
    BasedOnNothing(PathBuf),
    /// A directory without scripts.
    #[error("{}: there is no *.round file in it", .0.display())]
    NoScripts(PathBuf),
    /// A script that cannot be read as one: its faults, each with its line.
    #[error("{0}")]
    Script(String),
    /// Scripts did not hold; the answer has said which.
    #[error("")]
    ScriptsFailed,
    /// Files could not be read; it was said which.
    #[error("")]
    FilesUnread,
    /// A jackpot that cannot be.
    #[error("{0}")]
    Jackpot(SetupFault),
    /// Nothing to draw.
    #[error(
        "there is no picture: without a top award, or when wagers add nothing, the meter at the hit has no distribution"
    )]
    NoPicture,
    /// An address that cannot be listened on.
    #[error("`{0}` is not an address to listen on: write it like 127.0.0.1:8080")]
    Listen(String),
    /// The casino does not open.
    #[error("{0}")]
    House(#[from] baize_house::HouseError),
    /// The record of a casino is not in order; the answer has said where.
    #[error("")]
    AuditFailed,
    /// A shuffle is not what was promised.
    #[error("{0}")]
    ShuffleBroken(String),
    /// Not the name of a round, or of something else in a casino.
    #[error("{0}")]
    Name(#[from] baize_house::NameFault),
    /// The server does not run.
    #[error("{0}")]
    Serve(#[from] baize_web::ServeError),
    /// A game that cannot be analysed, a position that cannot be, or a strategy that makes no sense.
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
    Stage(#[from] baize_stage::StageError),
    /// The command was not understood.
    #[error("{0}")]
    Usage(String),
    /// The answer could not be written.
    #[error("the answer could not be written: {0}")]
    Output(io::Error),
}

/// "1 fault", "3 faults".
fn count(faults: usize) -> String {
    format!("{faults} fault{}", if faults == 1 { "" } else { "s" })
}

/// 2 where something was asked for that does not exist, 1 where the casino cannot answer.
fn exit_of(error: &baize_house::HouseError) -> u8 {
    match error.code() {
        "unknown" | "name" | "report" | "database-address" => 2,
        _ => 1,
    }
}

impl From<GameError> for Failure {
    fn from(error: GameError) -> Failure {
        Failure::Mathematics(Box::new(error))
    }
}

impl From<AdviceError> for Failure {
    fn from(error: AdviceError) -> Failure {
        Failure::Mathematics(Box::new(error))
    }
}

impl From<ExposureError> for Failure {
    fn from(error: ExposureError) -> Failure {
        Failure::Mathematics(Box::new(error))
    }
}

impl From<SimulationError> for Failure {
    fn from(error: SimulationError) -> Failure {
        Failure::Mathematics(Box::new(error))
    }
}

impl From<StrategyError> for Failure {
    fn from(error: StrategyError) -> Failure {
        Failure::Mathematics(Box::new(error))
    }
}

impl Failure {
    /// Says it on the error output, unless it was said already.
    pub(crate) fn tell(&self) {
        let words = self.to_string();
        if !words.is_empty() {
            eprintln!("{}", words.trim_end());
        }
    }

    /// 2 when the command or a file could not be understood, 1 when a check or the answer has failed.
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Failure::UnknownGame { .. }
            | Failure::File { .. }
            | Failure::Rulebook(_)
            | Failure::BasedOnNothing(_)
            | Failure::NoScripts(_)
            | Failure::Mathematics(_)
            | Failure::Cards { .. }
            | Failure::Usage(_)
            | Failure::FilesUnread
            | Failure::Jackpot(_)
            | Failure::NoPicture
            | Failure::Listen(_) => ExitCode::from(2),
            Failure::Name(_) => ExitCode::from(2),
            Failure::House(error) | Failure::Stage(StageError::House(error)) => {
                ExitCode::from(exit_of(error))
            }
            Failure::Stage(_) => ExitCode::from(1),
            Failure::Serve(_) | Failure::AuditFailed | Failure::ShuffleBroken(_) => ExitCode::from(1),
            Failure::Script(_) | Failure::ScriptsFailed | Failure::Output(_) => ExitCode::from(1),
        }
    }
}
