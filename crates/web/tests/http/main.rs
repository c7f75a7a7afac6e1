//! Tests of the casino over HTTP, in one process: every page, form and API operation, with friendly and hostile clients.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod access;
mod accounts;
mod advantage;
mod api;
mod cage;
mod client;
mod events;
mod floor;
mod house;
mod html;
mod matrix;
mod pages;
mod rulebooks;
mod schema;
mod secrecy;
mod security;
#[path = "../../../house/tests/house/server.rs"]
#[allow(dead_code, reason = "the tests of the house use more of it")]
mod server;
mod sockets;
mod staff_accounts;
mod stale_forms;
mod two_deals;
