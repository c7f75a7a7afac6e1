//! `cargo xtask test`: everything that must hold before a change is merged, step by step.
//!
//! The steps run in order, and all of them run whatever fails, so that one run names every failure. Each has a
//! heading and a time, so that a log read from the bottom says what failed and where the minutes went.

use std::process::Command;
use std::time::{Duration, Instant};
use std::{env, io};

use clap::ValueEnum;

use crate::packages::{self, PackagesError};
use crate::postgres::Server;
use crate::{paragraphs, tidy, workspace};

/// One step of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Step {
    /// Install the browser, its driver and PostgreSQL where they are missing
    Packages,
    /// cargo fmt --all --check
    Fmt,
    /// cargo clippy --workspace --all-targets -- -D warnings
    Clippy,
    /// cargo test --workspace --no-fail-fast
    Test,
    /// cargo xtask tidy
    Tidy,
    /// cargo xtask paragraphs
    Paragraphs,
    /// cargo xtask storm: a short run, in a build for tests
    Storm,
    /// baize check scenarios/**/*.round: by the rules alone, then in a casino on SQLite and on PostgreSQL
    Scenarios,
}

/// Why a step failed.
#[derive(Debug, thiserror::Error)]
pub enum StepError {
    /// A command said no; its own output says why.
    #[error("`{command}` failed")]
    CommandFailed {
        /// The command as it was run.
        command: String,
    },
    /// A command could not be started.
    #[error("`{command}` could not be started: {source}")]
    Start {
        /// The command as it was run.
        command: String,
        /// What the system said.
        source: io::Error,
    },
    /// A check of ours found something; it has been printed.
    #[error("{problems} to put right")]
    Problems {
        /// How many, in words.
        problems: String,
    },
    /// The programs that the tests need are missing.
    #[error(transparent)]
    Packages(#[from] PackagesError),
    /// The workspace could not be read.
    #[error("the workspace could not be read: {0}")]
    Read(#[from] io::Error),
}

impl Step {
    /// The name on the command line.
    pub fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }

    /// What the step runs.
    pub fn about(self) -> String {
        let value = self.to_possible_value();
        value.and_then(|value| value.get_help().map(ToString::to_string)).unwrap_or_default()
    }

    fn run(self) -> Result<(), StepError> {
        match self {
            Self::Packages => Ok(packages::ensure(|line| println!("{line}"))?),
            Self::Fmt => cargo(&["fmt", "--all", "--check"]),
            Self::Clippy => cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]),
            Self::Test => cargo(&["test", "--workspace", "--no-fail-fast"]),
            Self::Tidy => {
                let problems = tidy::check(&workspace::files(&workspace::root())?);
                print!("{}", tidy::report(&problems));
                verdict(problems.len())
            }
            Self::Paragraphs => {
                let survey = paragraphs::Survey::of(&workspace::files(&workspace::root())?);
                let failures = survey.failures(paragraphs::STRICT_BY_DEFAULT);
                print!("{}", paragraphs::report::text(&survey, &failures));
                verdict(failures.len())
            }
            Self::Storm => {
                cargo(&["run", "--quiet", "-p", "baize-storm", "--", "--rounds", "300", "--minutes", "1"])
            }
            Self::Scenarios => scenarios(),
        }
    }
}

/// Runs the steps in order; false when at least one failed.
pub fn run(steps: &[Step]) -> bool {
    let started = Instant::now();
    let mut times = Vec::new();
    let mut failed = 0;
    for &step in steps {
        println!("\n=== {}: {}", step.name(), step.about());
        let step_started = Instant::now();
        let result = step.run();
        let time = seconds(step_started.elapsed());
        let outcome = match result {
            Ok(()) => format!("passed in {time}"),
            Err(error) => {
                failed += 1;
                format!("FAILED after {time}: {error}")
            }
        };
        println!("--- {} {outcome}", step.name());
        times.push((step, outcome));
    }
    let verdict = if failed == 0 { "all passed".to_owned() } else { format!("{failed} FAILED") };
    println!("\n=== {verdict} in {}", seconds(started.elapsed()));
    for (step, outcome) in times {
        println!("    {:<12}{outcome}", step.name());
    }
    failed == 0
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

fn verdict(problems: usize) -> Result<(), StepError> {
    match problems {
        0 => Ok(()),
        1 => Err(StepError::Problems { problems: "1 problem".to_owned() }),
        many => Err(StepError::Problems { problems: format!("{many} problems") }),
    }
}

/// Runs `baize check` on every scenario: by the rules alone, and in a whole casino on either database.
fn scenarios() -> Result<(), StepError> {
    let files = workspace::files(&workspace::root())?;
    let paths: Vec<&str> = files
        .iter()
        .filter(|file| file.under("scenarios").is_some() && file.is("round"))
        .map(|file| file.path.as_str())
        .collect();
    let check = |options: &[&str], on: &str| {
        let started = Instant::now();
        let mut arguments = vec!["run", "--quiet", "--package", "baize", "--", "check"];
        arguments.extend(options);
        arguments.extend(&paths);
        let shown = format!("baize check{on} ({} scenarios)", paths.len());
        finish(cargo_command(&arguments), &shown)?;
        println!("    {shown}: {}", seconds(started.elapsed()));
        Ok::<(), StepError>(())
    };
    let by_rules = check(&[], "");
    let on_sqlite = check(&["--house"], " --house, SQLite");
    let server = Server::start()?;
    let on_postgres = check(&["--house", "--database", &server.address()], " --house, PostgreSQL");
    by_rules.and(on_sqlite).and(on_postgres)
}

fn cargo(arguments: &[&str]) -> Result<(), StepError> {
    finish(cargo_command(arguments), &format!("cargo {}", arguments.join(" ")))
}

/// Runs the simulation of faults with these options, in an optimised build; false when it found something.
///
/// # Errors
/// It could not be built or started, or the options are wrong.
pub fn storm(options: &[String]) -> Result<bool, StepError> {
    let mut build = cargo_command(&["run", "--quiet", "--profile", "storm", "-p", "baize-storm", "--"]);
    let shown = "cargo run --profile storm -p baize-storm";
    let status = build
        .args(options)
        .status()
        .map_err(|source| StepError::Start { command: shown.to_owned(), source })?;
    match status.code() {
        Some(0) => Ok(true),
        Some(1) => Ok(false),
        _ => Err(StepError::CommandFailed { command: shown.to_owned() }),
    }
}

fn cargo_command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(workspace::root());
    command
}

fn finish(mut command: Command, shown: &str) -> Result<(), StepError> {
    let status = command.status().map_err(|source| StepError::Start { command: shown.to_owned(), source })?;
    if status.success() { Ok(()) } else { Err(StepError::CommandFailed { command: shown.to_owned() }) }
}
