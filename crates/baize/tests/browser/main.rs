//! The casino in a real browser: Chromium, driven by WebDriver, against the real program on a real database.
//!
//! Where there is no `chromedriver` the tests say so and pass; with `BAIZE_BROWSER=required` they fail instead.

mod casino;
#[allow(dead_code)]
mod driver;
mod floor;
mod play;
mod trouble;
