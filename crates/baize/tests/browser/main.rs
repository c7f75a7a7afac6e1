//! The casino in a real browser: Chromium, driven by WebDriver, against the real program on a real database.
//!
//! Where there is no `chromedriver` the tests say so and pass; with `BAIZE_BROWSER=required` they fail instead.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod casino;
#[allow(dead_code, reason = "the pictures use the rest")]
mod driver;
mod floor;
mod play;
mod shoe;
mod trouble;
mod windows;
