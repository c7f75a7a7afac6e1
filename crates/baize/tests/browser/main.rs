//! The casino in a real browser: Chromium, driven by WebDriver, against the real program on a real database.
//!
//! They need `chromium` and `chromedriver`; `cargo xtask test` installs them.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod access;
mod cage;
mod casino;
mod dealing;
#[allow(dead_code, reason = "the pictures use the rest")]
mod driver;
mod floor;
mod looks;
mod lost;
mod manual;
mod news;
mod office;
mod people;
mod play;
#[path = "../../../house/tests/house/server.rs"]
#[allow(dead_code, reason = "the tests of the house use more of it")]
mod server;
mod shoe;
mod table_page;
mod trouble;
mod windows;
