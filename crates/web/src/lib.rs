//! The web casino: HTTP API, pages, live updates.

// The description of the API is one large `json!`.
#![recursion_limit = "256"]

pub mod pages;
mod server;

pub use server::{Casino, Config, Connections, Network, Rate, ServeError, addresses, casino, serve};
