//! Tests of the house through its public API, on SQLite and PostgreSQL.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod access;
mod archive;
mod assigned;
mod cage;
mod cash;
mod changing;
mod dealer;
mod everyone;
mod evidence;
mod export;
mod failing;
mod forgery;
mod format;
mod hosts;
mod jackpot;
mod orders;
mod own;
mod pace;
mod past_rounds;
mod people;
mod playing;
mod proof;
mod recovery;
mod report;
mod restored;
mod rulebooks;
mod secrecy;
mod server;
mod shuffle;
mod silence;
mod since;
mod support;
mod tamper;
mod tls;
mod undoing;
mod vault;
