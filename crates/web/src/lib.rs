//! The web casino: HTTP API, pages, live updates.

pub mod pages;
mod server;

pub use server::{
    Casino, Config, ConnectionLimits, Network, Rate, Reload, ServeError, Server, TlsFault, addresses, casino,
    check_certificate, description,
};
