//! Any text as a rulebook: read, or refused with faults that name their lines.

#![no_main]

use baize_rules::Rulebook;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match Rulebook::parse("any.toml", text) {
        Ok(book) => {
            assert_eq!(Rulebook::parse("again.toml", text).expect("read a moment ago").hash, book.hash)
        }
        Err(faults) => {
            assert!(!faults.faults.is_empty());
            let lines = text.matches('\n').count() + 1;
            for fault in &faults.faults {
                assert!((1..=lines).contains(&fault.line), "line {} of {lines}", fault.line);
            }
        }
    }
});
