//! Parses what a test executable prints. The format is that of Rust's own test harness.

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Every test passed.
    Passed,
    /// These failed.
    Failed(Vec<String>),
    /// It ended without saying which test failed.
    Crashed,
}

/// The result of one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ran {
    /// How many tests passed.
    pub(super) passed: usize,
    /// How it ended.
    pub(super) verdict: Verdict,
}

/// Parses the output of a run that succeeded or failed. An executable has one result, after the output of its failed tests; the
/// doc tests have one for each crate.
pub(super) fn read(output: &str, success: bool, is_executable: bool) -> Ran {
    let lines: Vec<&str> = output.lines().collect();
    let mut results: Vec<Counts> = lines.iter().filter_map(|line| counts(line)).collect();
    if is_executable {
        results = results.pop().into_iter().collect();
    }
    let passed = results.iter().map(|counts| counts.passed).sum();
    let failed: usize = results.iter().map(|counts| counts.failed).sum();
    let verdict = match (success, results.is_empty()) {
        (true, false) if failed == 0 => Verdict::Passed,
        (false, false) => match failures(&lines) {
            names if names.len() == failed && failed > 0 => Verdict::Failed(names),
            _ => Verdict::Crashed,
        },
        _ => Verdict::Crashed,
    };
    Ran { passed, verdict }
}

struct Counts {
    passed: usize,
    failed: usize,
}

/// The counts of a closing line: `test result: ok. 12 passed; 0 failed; 1 ignored; …`.
fn counts(line: &str) -> Option<Counts> {
    let (_, counts) = line.strip_prefix("test result: ")?.split_once(". ")?;
    let of = |what: &str| {
        counts.split(';').find_map(|part| part.trim().strip_suffix(what)?.trim_end().parse().ok())
    };
    Some(Counts { passed: of("passed")?, failed: of("failed")? })
}

/// The names under the last `failures:`; the first such heading is followed by what the failed tests printed.
fn failures(lines: &[&str]) -> Vec<String> {
    let Some(heading) = lines.iter().rposition(|line| *line == "failures:") else { return Vec::new() };
    let names = lines[heading + 1..].iter().map_while(|line| line.strip_prefix("    "));
    names.map(|name| name.trim_end().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_good_run() {
        let output = "\nrunning 3 tests\ntest a ... ok\ntest b ... ok\ntest c ... ignored\n\n\
                      test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s\n\n";
        assert_eq!(read(output, true, true), Ran { passed: 2, verdict: Verdict::Passed });
    }

    #[test]
    fn failed_tests_are_named_by_the_last_list() {
        let output = "test a ... ok\ntest deal::b ... FAILED\ntest deal::c ... FAILED\n\nfailures:\n\n\
                      ---- deal::b stdout ----\nfailures:\n    not this one\ntest result: ok. 9 passed; 9 failed\n\n\n\
                      failures:\n    deal::b\n    deal::c\n\n\
                      test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out\n";
        let names = vec!["deal::b".to_owned(), "deal::c".to_owned()];
        assert_eq!(read(output, false, true), Ran { passed: 1, verdict: Verdict::Failed(names) });
    }

    #[test]
    fn a_run_that_names_no_test_crashed() {
        let crash = "running 2 tests\ntest a ... ok\nthread 'b' has overflowed its stack\n";
        assert_eq!(read(crash, false, true), Ran { passed: 0, verdict: Verdict::Crashed });
        // A test that ends the process with success hides those after it.
        assert_eq!(read("running 2 tests\n", true, true), Ran { passed: 0, verdict: Verdict::Crashed });
        // All tests passed, and then it crashed.
        let late = "test result: ok. 2 passed; 0 failed; 0 ignored\nSegmentation fault\n";
        assert_eq!(read(late, false, true), Ran { passed: 2, verdict: Verdict::Crashed });
    }

    #[test]
    fn doc_tests_of_many_crates_are_added_up() {
        let output = "   Doc-tests a\ntest result: ok. 1 passed; 0 failed; 3 ignored\n   Doc-tests b\n\
                      test result: ok. 4 passed; 0 failed; 0 ignored\n";
        assert_eq!(read(output, true, false), Ran { passed: 5, verdict: Verdict::Passed });
    }
}
