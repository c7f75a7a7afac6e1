//! The program, run as a person or another program runs it.
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

pub(crate) fn baize(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_baize")).args(arguments).output().expect("baize runs")
}

pub(crate) fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

pub(crate) fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

/// Its output on success. No progress is shown without a terminal.
pub(crate) fn text(arguments: &[&str]) -> String {
    let output = baize(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    let progress = told.lines().find(|line| !line.contains(": altered from "));
    assert_eq!(progress, None, "no progress where nobody waits");
    String::from_utf8(output.stdout).expect("UTF-8")
}

pub(crate) fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&text(arguments)).expect("JSON")
}

/// The error of bad usage.
pub(crate) fn usage(arguments: &[&str]) -> String {
    let output = baize(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    assert!(output.stdout.is_empty());
    String::from_utf8(output.stderr).expect("UTF-8")
}

pub(crate) fn file(name: &str, text: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("a test can write its file");
    path.display().to_string()
}
