//! `cargo xtask tidy`: the layout rules that no compiler checks.
//!
//! Five kinds of rule: what every text file must look like (`text`), what Rust sources must look like and may not say (`source`),
//! which crate may depend on which (`layers`), which dependencies nothing uses (`dependencies`), and which public items nothing
//! uses (`unused`). The checks read text, not syntax trees: they catch slips, not deliberate evasion.

mod dependencies;
mod layers;
mod source;
mod text;
mod unused;

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::lines;
use crate::problem::Problem;
use crate::workspace::File;

/// Every breach in the files, in the order of their paths and lines.
pub fn check(files: &[File]) -> Vec<Problem> {
    let mut problems = Vec::new();
    let test_files: BTreeSet<String> = lines::test_only_files(files);
    for file in files {
        text::check(file, &mut problems);
        if file.is("rs") {
            source::check(file, test_files.contains(&file.path), &mut problems);
        }
        if is_crate_manifest(file) {
            layers::check(file, &mut problems);
        }
    }
    dependencies::check(files, &mut problems);
    unused::check(files, &test_files, &mut problems);
    problems.sort();
    problems
}

/// The breaches as printed.
pub fn report(problems: &[Problem]) -> String {
    if problems.is_empty() {
        return "tidy\n".to_owned();
    }
    let mut out = String::new();
    for problem in problems {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{problem}");
    }
    out
}

fn is_crate_manifest(file: &File) -> bool {
    file.under("crates").is_some_and(|path| path.split('/').count() == 2 && path.ends_with("/Cargo.toml"))
}
