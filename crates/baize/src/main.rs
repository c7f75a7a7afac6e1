//! The command line.

mod check;
mod replay;
mod scripts;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Singapore's approved casino poker games, exactly as approved.
#[derive(Parser)]
#[command(version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run round scripts and say which hold.
    Check(check::Check),
    /// Tell the rounds of a script to a person, or as data.
    Replay(replay::Replay),
}

fn main() -> ExitCode {
    match Arguments::parse().command {
        Command::Check(check) => check.run(),
        Command::Replay(replay) => replay.run(),
    }
}
