//! Operations as an operator meets them: a real server process, real signals, real databases.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod backup;
mod casino;
mod client;
mod command_line;
mod failover;
mod package;
mod players;
mod reload;
mod settings;
mod starting;
mod stopping;
mod tutorials;
mod upgrade;
mod watching;

#[path = "../../../house/tests/house/server.rs"]
#[expect(dead_code, reason = "the tests of the house use more of it")]
mod server;
