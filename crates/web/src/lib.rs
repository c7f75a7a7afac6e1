//! The web casino: HTTP API, pages, live updates.

pub mod pages;
mod server;

pub use server::{Casino, Config, Rate, ServeError, addresses, casino, serve};
