//! The casino in a real browser: Chromium, driven by WebDriver, against the real program on a real database.
//!
//! They need `chromium` and `chromedriver`; `cargo xtask test` installs them.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod cage;
mod casino;
#[allow(dead_code, reason = "the pictures use the rest")]
mod driver;
mod floor;
mod people;
mod play;
mod shoe;
mod trouble;
mod windows;
