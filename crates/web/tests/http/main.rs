//! The casino over HTTP, in one process: every page, every form, every endpoint, with friendly and with hostile clients.

mod api;
mod client;
mod doors;
mod events;
mod pages;
mod schema;
mod secrecy;
