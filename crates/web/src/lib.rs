//! The web casino: HTTP API, pages, live updates.

mod pages;
mod server;

pub use pages::card::file as strategy_card;
pub use server::{
    Casino, Config, ConnectionLimits, Network, Rate, Reload, ServeError, Server, TlsFault, addresses, casino,
    check_certificate, description,
};
