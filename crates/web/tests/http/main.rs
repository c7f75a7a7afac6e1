//! The casino over HTTP, in one process: every page, every form, every endpoint, with friendly and with hostile clients.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod access;
mod accounts;
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
mod sockets;
mod steps;
