//! The casino over HTTP, in one process: every page, every form, every endpoint, with friendly and with hostile clients.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod access;
mod accounts;
mod advantage;
mod api;
mod cage;
mod client;
mod doors;
mod events;
mod floor;
mod house;
mod matrix;
mod pages;
mod people;
mod rulebooks;
mod schema;
mod secrecy;
#[path = "../../../house/tests/house/server.rs"]
#[allow(dead_code, reason = "the tests of the house use more of it")]
mod server;
mod sockets;
mod steps;
mod two_deals;
