//! `cargo xtask test`: everything that must hold before a change is merged, step by step.
//!
//! The steps run in order, and all of them run even if one fails, so that one run names every failure. Each has a heading and a
//! time, so that a log read from the bottom shows what failed and where the time went. The workspace is built once for the tests,
//! the storm and the scenarios (`build`).

use std::cell::OnceCell;
use std::io;
use std::process::Command;
use std::time::{Duration, Instant};

use clap::ValueEnum;

use crate::build::{self, Build, BuildError};
use crate::packages::{self, PackagesError};
use crate::postgres::Server;
use crate::test_run::{self, Total};
use crate::{licences, paragraphs, tidy, workspace};

/// One step of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Step {
    /// Install the browser, its driver and PostgreSQL where they are missing
    Packages,
    /// cargo fmt --all --check
    Fmt,
    /// cargo clippy --workspace --all-targets -- -D warnings
    Clippy,
    /// every test of the workspace, a failed one a second time alone; then the examples in documentation
    Test,
    /// cargo xtask tidy
    Tidy,
    /// cargo xtask paragraphs
    Paragraphs,
    /// the licences of all dependencies are in our list
    Licences,
    /// cargo xtask storm: a short run from a fixed seed, in the build for tests
    Storm,
    /// baize fmt --check scenarios; baize check scenarios/**/*.round: by the rules alone, then in a casino on SQLite and on PostgreSQL
    Scenarios,
}

/// Why a step failed.
#[derive(Debug, thiserror::Error)]
pub enum StepError {
    /// A command failed; its own output says why.
    #[error("`{command}` failed")]
    CommandFailed {
        /// The command line.
        command: String,
    },
    /// A command could not be started.
    #[error("`{command}` could not be started: {source}")]
    Start {
        /// The command line.
        command: String,
        /// The system's error.
        source: io::Error,
    },
    /// One of our checks found something; it has been printed.
    #[error("{problems} to fix")]
    Problems {
        /// How many, in words.
        problems: String,
    },
    /// Tests failed twice.
    #[error("{failed} of {all} tests")]
    Tests {
        /// How many failed.
        failed: usize,
        /// How many there are.
        all: usize,
    },
    /// The workspace could not be built.
    #[error(transparent)]
    Build(#[from] BuildError),
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

    fn run(self, run: &mut Run) -> Result<(), StepError> {
        match self {
            Self::Packages => Ok(packages::ensure(|line| println!("{line}"))?),
            Self::Fmt => cargo(&["fmt", "--all", "--check"]),
            Self::Clippy => cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]),
            Self::Test => {
                run.tests = test_run::run(run.build()?);
                print!("{}", run.tests.names());
                match run.tests.failed.len() {
                    0 => Ok(()),
                    failed => Err(StepError::Tests { failed, all: run.tests.passed + failed }),
                }
            }
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
            Self::Licences => {
                let packages = licences::packages()?;
                let refused = licences::refused(&packages);
                refused.iter().for_each(|line| println!("{line}"));
                println!("{} packages; in several versions:", packages.len());
                licences::several(&packages).iter().for_each(|line| println!("    {line}"));
                verdict(refused.len())
            }
            Self::Storm => {
                let mut storm = run.program("baize-storm")?;
                storm.args(["--seed", STORM_SEED, "--rounds", "300", "--minutes", "1"]);
                finish(storm, "baize-storm")
            }
            Self::Scenarios => scenarios(run),
        }
    }
}

/// The seed of the short storm: every change is tested with the same casinos. `cargo xtask storm` draws its own.
const STORM_SEED: &str = "1";

/// What the steps of one run share.
#[derive(Default)]
struct Run {
    build: OnceCell<Build>,
    tests: Total,
}

impl Run {
    /// The build, made by the first step that needs it.
    fn build(&self) -> Result<&Build, BuildError> {
        if let Some(build) = self.build.get() {
            return Ok(build);
        }
        let started = Instant::now();
        let build = Build::make()?;
        println!("    built in {}", seconds(started.elapsed()));
        Ok(self.build.get_or_init(|| build))
    }

    /// A program of the build, to be run at the root.
    fn program(&self, name: &str) -> Result<Command, BuildError> {
        let mut command = Command::new(&self.build()?.program(name)?.path);
        command.current_dir(workspace::root());
        Ok(command)
    }
}

/// Runs the steps in order; false when at least one failed.
pub fn run(steps: &[Step]) -> bool {
    let started = Instant::now();
    let mut shared = Run::default();
    let mut times = Vec::new();
    let (mut passed, mut failed) = (0, 0);
    for &step in steps {
        println!("\n=== {}: {}", step.name(), step.about());
        let step_started = Instant::now();
        let result = step.run(&mut shared);
        let time = seconds(step_started.elapsed());
        let outcome = match &result {
            Ok(()) => format!("passed in {time}"),
            Err(error) => format!("FAILED after {time}: {error}"),
        };
        *(if result.is_ok() { &mut passed } else { &mut failed }) += 1;
        println!("--- {} {outcome}", step.name());
        times.push((step, outcome));
    }
    let verdict = if failed == 0 { "all passed".to_owned() } else { format!("{failed} FAILED") };
    println!("\n=== {verdict} in {}", seconds(started.elapsed()));
    for (step, outcome) in times {
        println!("    {:<12}{outcome}", step.name());
    }
    print!("{}", shared.tests.names());
    // Every step counts as one, and so does every test.
    let tests = &shared.tests;
    println!("{} passed, {} failed", passed + tests.passed, failed + tests.failed.len());
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

/// Runs `baize fmt --check` and `baize check` on every scenario: by the rules alone, and in a whole casino on both databases.
fn scenarios(run: &Run) -> Result<(), StepError> {
    let files = workspace::files(&workspace::root())?;
    let paths: Vec<&str> = files
        .iter()
        .filter(|file| file.under("scenarios").is_some() && file.is("round"))
        .map(|file| file.path.as_str())
        .collect();
    let check = |options: &[&str], on: &str| {
        let started = Instant::now();
        let mut baize = run.program("baize")?;
        baize.arg("check").args(options).args(&paths);
        let shown = format!("baize check{on} ({} scenarios)", paths.len());
        finish(baize, &shown)?;
        println!("    {shown}: {}", seconds(started.elapsed()));
        Ok::<(), StepError>(())
    };
    // A casino has clocks: it can fail on a busy machine where the rules alone cannot.
    let in_a_house = |options: &[&str], on: &str| {
        check(options, on).or_else(|_| {
            println!("    running again, in case the machine was busy (flaky if it passes now):{on}");
            check(options, on)
        })
    };
    let mut format = run.program("baize")?;
    format.args(["fmt", "--check", "scenarios"]);
    let formatted = finish(format, "baize fmt --check scenarios");
    let by_rules = check(&[], "");
    let on_sqlite = in_a_house(&["--house"], " --house, SQLite");
    let server = Server::start()?;
    let on_postgres = in_a_house(&["--house", "--database", &server.address()], " --house, PostgreSQL");
    formatted.and(by_rules).and(on_sqlite).and(on_postgres)
}

fn cargo(arguments: &[&str]) -> Result<(), StepError> {
    finish(build::cargo(arguments), &format!("cargo {}", arguments.join(" ")))
}

/// Runs the fault simulation with these options, in an optimised build; false if it found something.
///
/// # Errors
/// It could not be built or started, or the options are wrong.
pub fn storm(options: &[String]) -> Result<bool, StepError> {
    let mut build = build::cargo(&["run", "--quiet", "--profile", "storm", "-p", "baize-storm", "--"]);
    build.args(options);
    let command = || "cargo run --profile storm -p baize-storm".to_owned();
    // On Unix this process becomes the storm: Ctrl-C reaches it, and its exit code is the answer.
    #[cfg(unix)]
    let source = std::os::unix::process::CommandExt::exec(&mut build);
    #[cfg(not(unix))]
    let source = match build.status() {
        Ok(status) if status.success() => return Ok(true),
        Ok(status) if status.code() == Some(1) => return Ok(false),
        Ok(_) => return Err(StepError::CommandFailed { command: command() }),
        Err(source) => source,
    };
    Err(StepError::Start { command: command(), source })
}

fn finish(mut command: Command, shown: &str) -> Result<(), StepError> {
    let status = command.status().map_err(|source| StepError::Start { command: shown.to_owned(), source })?;
    if status.success() { Ok(()) } else { Err(StepError::CommandFailed { command: shown.to_owned() }) }
}
