//! Runs every test of the workspace, and repeats a failed one.
//!
//! The executables run one after the other, as with `cargo test`. A failed test runs once more, alone, when all others are done.
//! If it then passes, it does not fail the run, because the machine's load or another test made it fail; it is listed at the end
//! as flaky. An executable that ends without naming a failed test (a crash) is run again as a whole.

mod output;
mod suite;

use std::fmt::Write;
use std::time::{Duration, Instant};

use crate::build::Build;
use output::Verdict;
use suite::Suite;

/// How many of the slowest executables are listed.
const SLOWEST: usize = 12;

/// The results of the tests, after the second attempt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Total {
    /// Tests that passed, in the first or the second attempt.
    pub passed: usize,
    /// Tests that failed twice, and executables that crashed twice.
    pub failed: Vec<String>,
    /// Tests that passed only in the second attempt.
    pub flaky: Vec<String>,
}

impl Total {
    /// The flaky tests and failures by name, one per line; empty if there are none.
    pub fn names(&self) -> String {
        let mut out = String::new();
        for name in &self.flaky {
            // Writing to a string cannot fail.
            let _ = writeln!(out, "flaky, passed when run again alone: {name}");
        }
        for name in &self.failed {
            let _ = writeln!(out, "FAILED: {name}");
        }
        out
    }
}

/// What must run again.
struct Again<'a> {
    suite: &'a Suite,
    /// One test; without it, all of them.
    test: Option<String>,
}

/// Runs the tests of a build, and the doc tests.
pub fn run(build: &Build) -> Total {
    let suites: Vec<Suite> = build.tests().map(Suite::of).chain([Suite::doc_tests()]).collect();
    run_suites(&suites)
}

fn run_suites(suites: &[Suite]) -> Total {
    let mut total = Total::default();
    let mut times = Vec::new();
    let mut again = Vec::new();
    for suite in suites {
        println!("\n     Running {}", suite.name);
        let started = Instant::now();
        let ran = suite.run(None);
        times.push((started.elapsed(), suite.name.as_str()));
        match ran.verdict {
            Verdict::Passed => total.passed += ran.passed,
            Verdict::Failed(names) if suite.takes_names => {
                total.passed += ran.passed;
                again.extend(names.into_iter().map(|name| Again { suite, test: Some(name) }));
            }
            Verdict::Failed(_) | Verdict::Crashed => again.push(Again { suite, test: None }),
        }
    }
    for Again { suite, test } in again {
        let name = match &test {
            Some(test) => format!("{} {test}", suite.name),
            None => suite.name.clone(),
        };
        println!("\n     Running again, alone: {name}");
        let ran = suite.run(test.as_deref());
        match ran.verdict {
            Verdict::Passed => {
                total.passed += ran.passed;
                total.flaky.push(name);
            }
            Verdict::Failed(tests) => {
                total.passed += ran.passed;
                total.failed.extend(tests.iter().map(|test| format!("{} {test}", suite.name)));
            }
            Verdict::Crashed => total.failed.push(name),
        }
    }
    print!("{}", slowest(times));
    total
}

/// The slowest executables and their times.
fn slowest(mut times: Vec<(Duration, &str)>) -> String {
    let all: Duration = times.iter().map(|(time, _)| *time).sum();
    times.sort_by(|a, b| b.cmp(a));
    let mut out =
        format!("\nThe slowest of {} test executables ({:.1} s in all):\n", times.len(), all.as_secs_f64());
    for (time, name) in times.into_iter().take(SLOWEST) {
        let _ = writeln!(out, "{:>8.1} s  {name}", time.as_secs_f64());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A suite that returns `first` on its first run and `second` afterwards.
    fn suite(name: &str, first: &str, second: &str) -> Suite {
        let folder = std::env::temp_dir().join(format!("baize-xtask-suite-{}-{name}", std::process::id()));
        let script =
            format!("if mkdir {0} 2>/dev/null; then {first}; else rmdir {0}; {second}; fi", folder.display());
        Suite::command(name, "sh", &["-c", &script, "sh"])
    }

    const PASSES: &str = "echo 'test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured'";
    const ONE_PASSES: &str =
        "echo 'test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 1 filtered out'";
    const ONE_FAILS: &str = "printf 'failures:\\n    deal::late\\n\\ntest result: FAILED. 1 passed; 1 failed; 0 ignored\\n'; exit 101";
    const CRASHES: &str = "echo 'running 2 tests'; exit 134";

    fn check(suites: &[Suite], passed: usize, failed: &[&str], flaky: &[&str]) {
        let total = run_suites(suites);
        let wanted = Total {
            passed,
            failed: failed.iter().map(ToString::to_string).collect(),
            flaky: flaky.iter().map(ToString::to_string).collect(),
        };
        assert_eq!(total, wanted);
    }

    #[test]
    fn all_pass() {
        let both = || Suite::command("twice", "sh", &["-c", PASSES, "sh"]);
        check(&[both(), both()], 4, &[], &[]);
    }

    #[test]
    fn a_test_that_passes_alone_is_flaky() {
        check(&[suite("flaw", ONE_FAILS, ONE_PASSES)], 2, &[], &["flaw deal::late"]);
    }

    #[test]
    fn a_test_that_fails_twice_fails() {
        let second =
            "printf 'failures:\\n    deal::late\\n\\ntest result: FAILED. 0 passed; 1 failed\\n'; exit 101";
        check(&[suite("bad", ONE_FAILS, second)], 1, &["bad deal::late"], &[]);
    }

    #[test]
    fn a_second_try_that_runs_nothing_fails() {
        let second = "echo 'test result: ok. 0 passed; 0 failed; 2 filtered out'";
        check(&[suite("lost", ONE_FAILS, second)], 1, &["lost deal::late"], &[]);
    }

    #[test]
    fn a_crash_is_run_again_whole() {
        check(&[suite("crash", CRASHES, PASSES)], 2, &[], &["crash"]);
        check(&[suite("dead", CRASHES, CRASHES)], 0, &["dead"], &[]);
    }

    #[test]
    fn flaky_tests_and_failures_are_named() {
        let total =
            Total { passed: 3, failed: vec!["play sits".to_owned()], flaky: vec!["http late".to_owned()] };
        let lines = "flaky, passed when run again alone: http late\nFAILED: play sits\n";
        assert_eq!(total.names(), lines);
    }

    #[test]
    fn the_slowest_come_first() {
        let times = vec![(Duration::from_secs(1), "quick"), (Duration::from_secs(3), "slow")];
        let shown = slowest(times);
        assert_eq!(
            shown,
            "\nThe slowest of 2 test executables (4.0 s in all):\n     3.0 s  slow\n     1.0 s  quick\n"
        );
    }
}
