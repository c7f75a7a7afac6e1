//! The web casino: HTTP API, pages, live updates.

pub mod pages;
