//! The command line: dispatches to the commands. Each command is a module with its arguments and a `run` function.

mod advise;
mod archive;
mod audit;
mod backup;
mod check;
mod coach;
mod config;
mod database;
mod differences;
mod export;
mod exposure;
mod failure;
mod fmt;
mod generate;
mod health;
mod interrupt;
mod jackpot;
mod journal;
mod key;
mod load;
mod made;
mod marked;
mod odds;
mod owner;
mod page;
mod partial_file;
mod play;
mod progress;
mod rate;
mod replay;
mod report;
mod restore;
mod rulebook;
mod rules;
mod scripts;
mod serve;
mod simulate;
mod staff;
mod temporary_casino;
mod upgrade;
mod verify;
mod version;

use std::process::ExitCode;

use clap::{FromArgMatches as _, Parser, Subcommand};

use crate::failure::Failure;

/// A casino makes many small values on several threads; under `baize load` this allocator takes half the time of the system's.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Singapore's approved casino poker games, exactly as approved.
///
/// `baize COMMAND --help` lists the options of a command. Exit codes: 0 success, 1 a check failed, 2 the command could not be carried out. Without a
/// command, baize opens the casino.
#[derive(Parser)]
#[command(name = "baize", version, max_term_width = 100, disable_help_subcommand = true)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Serve(Box<serve::Arguments>),
    Config(Box<config::Arguments>),
    Backup(backup::Arguments),
    Restore(restore::Arguments),
    Upgrade(upgrade::Arguments),
    Play(play::Arguments),
    Rules(rules::Arguments),
    Check(check::Arguments),
    Fmt(fmt::Arguments),
    Replay(replay::Arguments),
    Jackpot(jackpot::Arguments),
    Key(key::Arguments),
    Audit(audit::Arguments),
    Archive(archive::Arguments),
    Journal(journal::Arguments),
    Export(export::Arguments),
    Verify(verify::Arguments),
    Report(report::Arguments),
    Load(load::Arguments),
    Odds(odds::Arguments),
    Advise(advise::Arguments),
    Exposure(exposure::Arguments),
    Rate(rate::Arguments),
    Coach(coach::Arguments),
    Simulate(simulate::Arguments),
    Staff(staff::Arguments),
    Version(version::Arguments),
    Health(health::Arguments),
    #[command(hide = true)]
    Generate(generate::Arguments),
}

fn main() -> ExitCode {
    let outcome = config::read().and_then(|read| run(&read).map_err(|failure| read.locate(failure)));
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            failure.tell();
            failure.exit_code()
        }
    }
}

/// Carries out the command.
fn run(read: &config::Read) -> Result<(), Failure> {
    // The matches come from this definition, so they fit.
    let line = CommandLine::from_arg_matches(&read.matches).unwrap_or_else(|error| error.exit());
    match &line.command {
        Command::Serve(arguments) => serve::run(arguments, read),
        Command::Config(arguments) => config::run(arguments, read),
        Command::Backup(arguments) => backup::run(arguments),
        Command::Restore(arguments) => restore::run(arguments),
        Command::Upgrade(arguments) => upgrade::run(arguments),
        Command::Play(arguments) => play::run(arguments),
        Command::Rules(arguments) => rules::run(arguments),
        Command::Check(arguments) => check::run(arguments),
        Command::Fmt(arguments) => fmt::run(arguments),
        Command::Replay(arguments) => replay::run(arguments),
        Command::Jackpot(arguments) => jackpot::run(arguments),
        Command::Key(arguments) => key::run(arguments),
        Command::Audit(arguments) => audit::run(arguments),
        Command::Archive(arguments) => archive::run(arguments),
        Command::Journal(arguments) => journal::run(arguments),
        Command::Export(arguments) => export::run(arguments),
        Command::Verify(arguments) => verify::run(arguments),
        Command::Report(arguments) => report::run(arguments),
        Command::Load(arguments) => load::run(arguments),
        Command::Odds(arguments) => odds::run(arguments),
        Command::Advise(arguments) => advise::run(arguments),
        Command::Rate(arguments) => rate::run(arguments),
        Command::Coach(arguments) => coach::run(arguments),
        Command::Exposure(arguments) => exposure::run(arguments),
        Command::Simulate(arguments) => simulate::run(arguments),
        Command::Staff(arguments) => staff::run(arguments),
        Command::Version(arguments) => version::run(arguments),
        Command::Health(arguments) => health::run(arguments),
        Command::Generate(arguments) => generate::run(arguments),
    }
}
