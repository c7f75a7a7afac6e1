//! `cargo xtask`: the command line of the project's own tasks.
//!
//! Exit codes: 0 all well, 1 a check failed, 2 bad usage or the workspace could not be read.

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand, ValueEnum};
use xtask::paragraphs::{self, Survey, page, report};
use xtask::steps::{self, Step};
use xtask::{package, tidy, workspace};

#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", about = "The project's own tasks")]
struct Arguments {
    #[command(subcommand)]
    task: Option<Task>,
}

#[derive(Subcommand)]
enum Task {
    /// Everything that must hold before a change is merged
    Test {
        /// Run only this step; may be given several times
        #[arg(long, value_name = "STEP")]
        only: Vec<Step>,
        /// Print the steps and run nothing
        #[arg(long)]
        list: bool,
    },
    /// The paragraph register: which paragraph of the approved texts is shown by which scenario
    Paragraphs {
        /// Only these games, by their id; all when none is named
        game: Vec<String>,
        /// Print the coverage as JSON
        #[arg(long)]
        json: bool,
        /// Write docs/paragraphs.md
        #[arg(long, conflicts_with = "game")]
        write: bool,
        /// Fail also on uncovered paragraphs and on an outdated docs/paragraphs.md
        #[arg(long, overrides_with = "lenient")]
        strict: bool,
        /// Fail only on faults: unknown citations, duplicate or disordered numbers
        #[arg(long)]
        lenient: bool,
    },
    /// Packages: a Debian package, or everything for a release with checksums and a bill of materials
    Package {
        /// What to make
        #[arg(value_enum)]
        what: Made,
        /// The program to package; without it, one is built
        #[arg(long, value_name = "FILE")]
        binary: Option<PathBuf>,
        /// The profile to build it with
        #[arg(long, default_value = "dist")]
        profile: String,
        /// Where the packages go
        #[arg(long, value_name = "FOLDER", default_value = "target/package")]
        out: PathBuf,
    },
    /// Simulates faults in the whole casino: `cargo xtask storm --help` tells the options
    #[command(disable_help_flag = true)]
    Storm {
        /// Options of the storm
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        options: Vec<String>,
    },
    /// Layout rules that no compiler checks: file lengths, headers, layers, forbidden words
    Tidy,
}

#[derive(Clone, Copy, ValueEnum)]
enum Made {
    /// The Debian package
    Deb,
    /// Archive, Debian package, bill of materials (CycloneDX) and SHA256SUMS
    Dist,
}

fn main() -> ExitCode {
    let result = match Arguments::parse().task {
        Some(task) => run(task),
        None => Arguments::command().print_help().map(|()| true),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        // The reader of our output has gone (`| head`): this is not an error.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(task: Task) -> io::Result<bool> {
    let mut out = io::stdout().lock();
    match task {
        Task::Test { list: true, .. } => {
            for step in Step::value_variants() {
                writeln!(out, "{:<12}{}", step.name(), step.about())?;
            }
            Ok(true)
        }
        Task::Test { only, .. } => {
            drop(out);
            let wanted = |step: &&Step| only.is_empty() || only.contains(step);
            let steps: Vec<Step> = Step::value_variants().iter().filter(wanted).copied().collect();
            Ok(steps::run(&steps))
        }
        Task::Package { what, binary, profile, out: folder } => {
            let order = package::Order { binary, profile, out: std::path::absolute(folder)? };
            let made = match what {
                Made::Deb => vec![package::deb(&order)?],
                Made::Dist => package::dist(&order)?,
            };
            for file in made {
                writeln!(out, "{}", file.display())?;
            }
            Ok(true)
        }
        Task::Storm { options } => {
            drop(out);
            steps::storm(&options).map_err(io::Error::other)
        }
        Task::Tidy => {
            let problems = tidy::check(&workspace::files(&workspace::root())?);
            write!(out, "{}", tidy::report(&problems))?;
            Ok(problems.is_empty())
        }
        Task::Paragraphs { game, json, write, strict, lenient } => {
            let root = workspace::root();
            if write {
                let survey = Survey::of(&workspace::files(&root)?);
                fs::create_dir_all(root.join("docs"))?;
                fs::write(root.join(page::PATH), page::markdown(&survey))?;
            }
            let mut survey = Survey::of(&workspace::files(&root)?);
            survey.select(&game).map_err(io::Error::other)?;
            let failures = survey.failures(strict || (paragraphs::STRICT_BY_DEFAULT && !lenient));
            let shown =
                if json { report::json(&survey, &failures) } else { report::text(&survey, &failures) };
            write!(out, "{shown}")?;
            Ok(failures.is_empty())
        }
    }
}
