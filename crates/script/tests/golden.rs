//! The exact output of `replay`: every script of `tests/golden` with its expected text beside it.
//!
//! To regenerate the expected texts after an intended change:
//! `BLESS=1 cargo test -p baize-script --test golden`.

use std::fs;
use std::path::Path;

use baize_rules::Rulebook;
use baize_script::{Look, Script, run, tell};

#[test]
fn descriptions_match_the_golden_files() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut seen = 0;
    for entry in fs::read_dir(directory).expect("the directory is there") {
        let path = entry.expect("it can be read").path();
        if path.extension().is_none_or(|extension| extension != "round") {
            continue;
        }
        seen += 1;
        let script = Script::parse(&fs::read_to_string(&path).expect("a script is text")).expect("a script");
        let transcript = run(&script, &|id| Rulebook::builtin(id).cloned());
        assert!(transcript.holds(), "{}: {:?}", path.display(), transcript.failures);
        // The narrowest page.
        for line in tell(&transcript, Look { width: 40, colour: false }, &[]).lines() {
            assert!(line.chars().count() <= 40, "{}: {line}", path.display());
        }
        for width in [80, 56] {
            // The hash of a rulebook changes with every word of its data.
            let told = tell(&transcript, Look { width, colour: false }, &[]);
            let told: String = told
                .lines()
                .filter(|line| !line.starts_with("rulebook "))
                .flat_map(|line| [line, "\n"])
                .collect();
            for line in told.lines() {
                assert!(line.chars().count() <= width, "{}: {line}", path.display());
            }
            let golden = path.with_extension(format!("{width}.txt"));
            if std::env::var_os("BLESS").is_some() {
                fs::write(&golden, &told).expect("it can be written");
            }
            let expected = fs::read_to_string(&golden).unwrap_or_default();
            assert_eq!(told, expected, "{}", golden.display());
        }
    }
    assert!(seen >= 5);
}
