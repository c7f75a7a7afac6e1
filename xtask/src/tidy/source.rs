//! What Rust sources must look like and may not say.

use crate::lines::{self, Line};
use crate::problem::Problem;
use crate::workspace::File;

/// A longer file should be split along a noun.
const LINES_MAX: usize = 500;

/// Markers of unfinished work. Split so that this file does not contain them itself.
const UNFINISHED: [&str; 3] = [concat!("to", "do!"), concat!("unimple", "mented!"), concat!("db", "g!")];

/// Crates in which every amount and every count is an integer.
const EXACT: [&str; 5] = ["cards", "rules", "table", "jackpot", "floor"];

/// Crates that take values and return values: cards, times and names come in from outside.
const PURE: [&str; 6] = ["cards", "rules", "table", "jackpot", "floor", "script"];

/// What a pure crate must not use.
const IMPURE: [&str; 8] =
    ["std::env", "std::fs", "std::io", "std::net", "std::process", "std::thread", "std::time", "println!"];

/// Operators' names, with which the ids of the games begin.
const GAME_ID_PREFIXES: [&str; 2] = [concat!("rw", "s-"), concat!("mb", "s-")];

pub(super) fn check(file: &File, is_test: bool, problems: &mut Vec<Problem>) {
    let count = file.text.lines().count();
    if count > LINES_MAX {
        let message = format!("{count} lines: split it along a noun; the maximum is {LINES_MAX}");
        problems.push(Problem::in_file(&file.path, message));
    }
    if !file.text.trim_start().starts_with("//!") {
        let message = "no `//!` at the top: say what the file is for, what it guarantees, what it does not";
        problems.push(Problem::at(&file.path, 1, message));
    }
    for (index, line) in file.text.lines().enumerate() {
        if let Some(word) = UNFINISHED.into_iter().find(|word| has_word(line, word)) {
            problems.push(Problem::at(&file.path, index + 1, format!("`{word}` is unfinished work")));
        }
    }
    let Some((name, _)) = file.under("crates").and_then(|path| path.split_once("/src/")) else { return };
    let lines = lines::of(&file.text);
    for (at, line) in lines.iter().enumerate() {
        let is_test = is_test || line.is_test;
        check_crate_line(file, name, line, is_test, problems);
        if !is_test && drops_unexplained(&lines[..at], line, lines.get(at + 1)) {
            let message = "a result is ignored: handle it, or say in a comment above why it does not matter";
            problems.push(Problem::at(&file.path, line.number, message));
        }
    }
}

/// Whether a line drops a result without a comment above. Writing into a string cannot fail.
fn drops_unexplained(before: &[Line<'_>], line: &Line<'_>, next: Option<&Line<'_>>) -> bool {
    let drops = |code: &str| {
        let code = code.trim();
        code.starts_with("let _ =")
            || (code.ends_with(".ok();") && !code.starts_with('.') && !code.contains('='))
    };
    let writes = |line: &Line<'_>| line.code.contains("write!(") || line.code.contains("writeln!(");
    if !drops(line.code) || writes(line) || next.is_some_and(writes) {
        return false;
    }
    // One comment may explain several lines.
    let above = before.iter().rev().find(|line| !drops(line.code));
    above.is_none_or(|line| line.comment.is_empty())
}

fn check_crate_line(file: &File, name: &str, line: &Line<'_>, is_test: bool, problems: &mut Vec<Problem>) {
    let mut problem = |message: String| problems.push(Problem::at(&file.path, line.number, message));
    if EXACT.contains(&name)
        && let Some(float) = ["f32", "f64"].into_iter().find(|float| has_word(line.code, float))
    {
        problem(format!("`{float}`: `{name}` must not use floating point for amounts and counts"));
    }
    if is_test {
        return;
    }
    if PURE.contains(&name)
        && let Some(reach) = IMPURE.into_iter().find(|reach| has_word(line.code, reach))
    {
        problem(format!("`{reach}`: `{name}` must be pure; leave this to its caller"));
    }
    if let Some(id) = game_id(line.code) {
        problem(format!("the game id `{id}`: make differences between games entries in the rulebook"));
    }
}

/// A game id that is not the name of a rulebook file being embedded.
fn game_id(code: &str) -> Option<&str> {
    GAME_ID_PREFIXES.into_iter().find_map(|prefix| {
        code.match_indices(prefix).find_map(|(at, _)| {
            let id = &code[at..];
            let end = id.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(id.len());
            let begins_word = !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '-');
            (begins_word && end > prefix.len() && !id[end..].starts_with(".toml")).then_some(&id[..end])
        })
    })
}

/// Whether `word` is in the line with no letter, digit or underscore right before or after it.
fn has_word(line: &str, word: &str) -> bool {
    let joins = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word)
        .any(|(at, _)| !line[..at].ends_with(joins) && !line[at + word.len()..].starts_with(joins))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "//! What it is for.\n\n";

    fn found(path: &str, body: &str) -> Vec<Problem> {
        let mut problems = Vec::new();
        check(&File::new(path, format!("{HEADER}{body}")), false, &mut problems);
        problems
    }

    #[test]
    fn a_file_needs_a_header_and_a_bounded_length() {
        let mut problems = Vec::new();
        check(&File::new("xtask/src/a.rs", "fn a() {}\n"), false, &mut problems);
        assert_eq!(problems.len(), 1);
        assert!(found("xtask/src/a.rs", &"fn a() {}\n".repeat(LINES_MAX - 2)).is_empty());
        assert_eq!(found("xtask/src/a.rs", &"fn a() {}\n".repeat(LINES_MAX - 1)).len(), 1);
    }

    #[test]
    fn unfinished_work_is_found_anywhere() {
        for word in UNFINISHED {
            assert_eq!(found("xtask/src/a.rs", &format!("fn a() {{ {word}() }}\n")).len(), 1, "{word}");
        }
    }

    #[test]
    fn exact_crates_have_no_floating_point() {
        let body = "fn a() -> f64 { 0.0 } // f64\n";
        assert_eq!(found("crates/jackpot/src/a.rs", body).len(), 1);
        assert!(found("crates/odds/src/a.rs", body).is_empty());
        assert!(found("crates/jackpot/src/a.rs", "// no f64 here\nfn hf64() {}\n").is_empty());
    }

    #[test]
    fn pure_crates_reach_for_nothing() {
        let body = "use std::time::Instant;\n";
        assert_eq!(found("crates/table/src/a.rs", body).len(), 1);
        assert!(found("crates/baize/src/a.rs", body).is_empty());
        let test = "#[cfg(test)]\nmod tests {\n    use std::fs;\n}\n";
        assert!(found("crates/table/src/a.rs", test).is_empty());
    }

    #[test]
    fn a_dropped_result_needs_a_reason() {
        let of = |body: &str| found("crates/web/src/a.rs", &format!("fn a() {{\n{body}}}\n")).len();
        assert_eq!(of("    let _ = send();\n"), 1);
        assert_eq!(of("    send().ok();\n"), 1);
        assert_eq!(of("    // Nobody may be listening.\n    let _ = send();\n    let _ = send();\n"), 0);
        assert_eq!(of("    let _ =\n        writeln!(text, \"x\");\n"), 0);
        assert_eq!(of("    let sent = send().ok();\n"), 0);
    }

    #[test]
    fn game_ids_stay_in_the_data() {
        for prefix in GAME_ID_PREFIXES {
            let id = format!("{prefix}stud");
            assert_eq!(found("crates/odds/src/a.rs", &format!("let id = \"{id}\";\n")).len(), 1);
            assert!(found("crates/odds/src/a.rs", &format!("/// For `{id}`.\nfn a() {{}}\n")).is_empty());
            let embedded = format!("include_str!(\"../../rulebooks/{id}.toml\")\n");
            assert!(found("crates/rules/src/a.rs", &embedded).is_empty());
            let test = format!("#[cfg(test)]\nmod tests {{\n    const ID: &str = \"{id}\";\n}}\n");
            assert!(found("crates/odds/src/a.rs", &test).is_empty());
            assert!(found("crates/odds/tests/a.rs", &format!("let id = \"{id}\";\n")).is_empty());
        }
    }
}
