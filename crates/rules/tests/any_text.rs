//! No text makes the parser panic: built-in rulebooks, cut, spliced and scribbled over.

use baize_rules::Rulebook;
use proptest::prelude::*;
use proptest::sample::Index;

fn texts() -> Vec<&'static str> {
    Rulebook::builtins().iter().filter_map(|r| Rulebook::builtin_text(&r.id)).collect()
}

/// Parses the text and prints its faults: neither may panic, and the list of faults is never empty.
fn read(text: &str) {
    if let Err(faults) = Rulebook::parse("any.toml", text) {
        assert!(!faults.faults.is_empty());
        assert!(faults.to_string().starts_with("any.toml:"));
        let lines = text.matches('\n').count() + 1;
        for fault in &faults.faults {
            assert!((1..=lines).contains(&fault.line), "line {} of {lines}", fault.line);
        }
    }
}

/// The nearest place at or before `at` where a character starts.
fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|n| text.is_char_boundary(*n)).unwrap_or(0)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn cut_short(which in 0..5usize, at: Index) {
        let text = texts()[which];
        read(&text[..boundary(text, at.index(text.len()))]);
    }

    #[test]
    fn scribbled_over(which in 0..5usize, at: Index, length in 0..40usize, with in ".{0,12}") {
        let text = texts()[which];
        let from = boundary(text, at.index(text.len()));
        let to = boundary(text, from + length).max(from);
        read(&format!("{}{with}{}", &text[..from], &text[to..]));
    }

    #[test]
    fn lines_moved_dropped_and_doubled(which in 0..5usize, moves in prop::collection::vec((any::<Index>(), any::<Index>(), 0..3u8), 1..6)) {
        let mut lines: Vec<&str> = texts()[which].lines().collect();
        for (one, other, what) in moves {
            let (one, other) = (one.index(lines.len()), other.index(lines.len()));
            match what {
                0 => lines.swap(one, other),
                1 => drop(lines.remove(one)),
                _ => lines.insert(one, lines[other]),
            }
        }
        read(&lines.join("\n"));
    }

    #[test]
    fn values_exchanged(which in 0..5usize, at: Index, value in prop::sample::select(vec![
        "0", "-1", "99999999999999999999", "1.5", "true", "\"\"", "\"x\"", "[]", "{}", "[[]]", "2020-06-28",
        "\"royal-flush\"", "\"3.13\"", "[\"1\", \"2\", \"3\", \"4\", \"5\"]", "\"1000000 to 1000000\"", "\"100%\"", "nan",
    ])) {
        let lines: Vec<&str> = texts()[which].lines().collect();
        let changed: Vec<usize> = (0..lines.len()).filter(|n| lines[*n].contains(" = ")).collect();
        let at = changed[at.index(changed.len())];
        let line = format!("{} = {value}", lines[at].split(" = ").next().unwrap_or_default());
        let text: Vec<&str> = lines.iter().enumerate().map(|(n, l)| if n == at { line.as_str() } else { l }).collect();
        read(&text.join("\n"));
    }

    #[test]
    fn anything(text in "\\PC{0,200}") {
        read(&text);
    }
}

#[test]
fn the_empty_text_lacks_everything() {
    let faults = Rulebook::parse("empty.toml", "").unwrap_err();
    assert!(faults.faults.len() > 10);
    assert!(faults.to_string().starts_with("empty.toml:1:1: `id` is missing"), "{faults}");
}
