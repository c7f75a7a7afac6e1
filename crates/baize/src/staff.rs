//! `baize staff`: staff accounts from the command line, for when nobody can log in.

use baize_house::{ConsoleAnswer, ConsoleCommand, StaffId, StaffLine, console};
use clap::{Args, Subcommand};

use crate::audit::wait;
use crate::database::Database;
use crate::{Failure, config, page, serve};

/// List, unlock, suspend or reinstate staff, or create a login link; the casino may be running or stopped.
///
/// Every user of this machine who can read the database can do this. Changes are recorded.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    database: Database,
}

#[derive(Subcommand)]
enum Command {
    /// All staff: duties, and who is locked or suspended.
    List,
    /// End the delay of password log-ins under a name.
    Unlock {
        /// Of staff or of a player.
        name: String,
    },
    /// Create a one-time login link for a member of staff.
    Link {
        /// Who.
        name: StaffId,
        /// How many minutes it is valid.
        #[arg(long, value_name = "MINUTES", default_value_t = baize_house::LINK_MINUTES, value_parser = clap::value_parser!(u32).range(1..=1440))]
        link_minutes: u32,
        /// The address that people use to open the casino, like https://casino.example; without it, the one that the settings listen on.
        #[arg(long, value_name = "ADDRESS")]
        origin: Option<String>,
    },
    /// Suspend a member of staff and end their sessions.
    Suspend {
        /// Who.
        name: StaffId,
        /// Why, for the record.
        #[arg(long, value_parser = reason)]
        reason: String,
    },
    /// Reinstate a suspended member of staff.
    Reinstate {
        /// Who.
        name: StaffId,
    },
}

fn reason(text: &str) -> Result<String, &'static str> {
    if text.trim().is_empty() { Err("write why, for the record") } else { Ok(text.to_owned()) }
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let command = match &arguments.command {
        Command::List => ConsoleCommand::List,
        Command::Unlock { name } => ConsoleCommand::Unlock { name: name.clone() },
        Command::Link { name, link_minutes, .. } => {
            ConsoleCommand::Link { name: name.clone(), minutes: Some(*link_minutes) }
        }
        Command::Suspend { name, reason } => {
            ConsoleCommand::Suspend { name: name.clone(), reason: reason.clone() }
        }
        Command::Reinstate { name } => ConsoleCommand::Reinstate { name: name.clone() },
    };
    let database = arguments.database.address()?;
    let answer = wait(async { Ok(console(&database, user(), command).await?) })?;
    page::print(&match (&arguments.command, answer) {
        (_, ConsoleAnswer::Staff(lines)) => listed(&lines),
        (Command::Link { origin, .. }, ConsoleAnswer::Link { secret, expires }) => {
            let origin = origin.clone().map_or_else(|| served_at(&arguments.database), Ok)?;
            format!("{}/in/{secret}\nThe link works once, until {expires}.\n", origin.trim_end_matches('/'))
        }
        (_, ConsoleAnswer::Link { .. } | ConsoleAnswer::Done) => "Done.\n".to_owned(),
    })
}

/// Where the casino of these settings is, for a browser on this machine.
fn served_at(database: &Database) -> Result<String, Failure> {
    let named = database.config.as_deref();
    let scheme = if config::value_of("tls-cert", named)?.is_some() { "https" } else { "http" };
    let listen = config::listens(named)?;
    Ok(format!("{scheme}://{}", serve::reachable(listen)))
}

/// The name that the system knows the user by, behind sudo too.
pub(crate) fn user() -> Option<String> {
    ["SUDO_USER", "USER", "LOGNAME", "USERNAME"].iter().find_map(|name| std::env::var(name).ok())
}

fn listed(lines: &[StaffLine]) -> String {
    if lines.is_empty() {
        return "There are no staff yet.\n".to_owned();
    }
    let width = lines.iter().map(|line| line.id.as_str().len()).max().unwrap_or(0);
    let mut text = String::new();
    for line in lines {
        let duties: Vec<&str> = line.duties.iter().map(|duty| duty.name()).collect();
        let states = [
            (line.suspended, "suspended"),
            (line.locked, "password login locked"),
            (!line.has_password, "no password: links only"),
        ];
        let states: Vec<&str> = states.iter().filter(|(is, _)| *is).map(|(_, words)| *words).collect();
        let states = if states.is_empty() { String::new() } else { format!(" ({})", states.join(", ")) };
        text.push_str(&format!("{:width$}  {}{states}\n", line.id, duties.join(", ")));
    }
    text
}
