//! Progress bars on standard error, shown only on a terminal.

use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar with this many steps and the time left.
pub(crate) fn bar(steps: u64, what: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(steps), target());
    let style = ProgressStyle::with_template("{msg} {wide_bar} {percent:>3} %, {eta} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.set_message(what.to_owned());
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}

/// A spinner for something short.
pub(crate) fn note(what: &str) -> ProgressBar {
    let note = ProgressBar::with_draw_target(None, target());
    let style = ProgressStyle::with_template("{spinner} {msg}");
    note.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    note.set_message(what.to_owned());
    note.enable_steady_tick(Duration::from_millis(100));
    note
}

fn target() -> ProgressDrawTarget {
    if io::stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() }
}
