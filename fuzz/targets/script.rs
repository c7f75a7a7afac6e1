//! Any text as a `.round` script: read or refused with a place, printed and read back as itself, and run without a panic.

#![no_main]

use baize_rules::Rulebook;
use baize_script::{Script, run};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match Script::parse(text) {
        Ok(script) => {
            let printed = script.to_string();
            let again = Script::parse(&printed).expect("a printed script can be read");
            assert_eq!(again.to_string(), printed);
            drop(run(&script, &|id| Rulebook::builtin(id).cloned()));
        }
        Err(errors) => {
            assert!(!errors.is_empty());
            let lines = text.lines().count().max(1);
            for error in errors {
                assert!((1..=lines).contains(&error.line), "line {} of {lines}", error.line);
                assert!(error.column >= 1 && !error.to_string().is_empty());
            }
        }
    }
});
