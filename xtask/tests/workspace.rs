//! The checks on the workspace itself, so that a plain `cargo test` runs them too.

use xtask::paragraphs::{STRICT_BY_DEFAULT, Survey, report};
use xtask::{tidy, workspace};

#[test]
fn the_workspace_is_tidy() {
    let files = workspace::files(&workspace::root()).expect("the workspace can be read");
    let problems = tidy::check(&files);
    assert!(problems.is_empty(), "\n{}", tidy::report(&problems));
}

#[test]
fn the_paragraph_register_holds() {
    let files = workspace::files(&workspace::root()).expect("the workspace can be read");
    let survey = Survey::of(&files);
    let failures = survey.failures(STRICT_BY_DEFAULT);
    assert!(failures.is_empty(), "\n{}", report::text(&survey, &failures));
}
