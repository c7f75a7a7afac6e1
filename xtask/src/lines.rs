//! Rust source as lines: the code, its comment, and whether it is compiled for tests only.
//!
//! Works for sources formatted by rustfmt: it finds the end of a test module by its indentation.

use std::collections::BTreeSet;

use crate::workspace::File;

/// One line of a Rust file.
pub(crate) struct Line<'a> {
    /// Counted from 1.
    pub(crate) number: usize,
    /// The line without its comment.
    pub(crate) code: &'a str,
    /// The text of its comment, without the slashes; empty if there is none.
    pub(crate) comment: &'a str,
    /// Whether it belongs to an item under `#[cfg(test)]`.
    pub(crate) is_test: bool,
}

/// The lines of a file.
pub(crate) fn of(text: &str) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    let mut test_item: Option<TestItem> = None;
    for (index, whole) in text.lines().enumerate() {
        let code = without_comment(whole);
        if test_item.is_none() && code.trim() == "#[cfg(test)]" {
            test_item = Some(TestItem { indent: indent(code), opened: false });
        }
        let comment = whole[code.len()..].trim_start_matches(['/', '!']).trim();
        lines.push(Line { number: index + 1, code, comment, is_test: test_item.is_some() });
        if let Some(item) = &mut test_item
            && item.ends_at(code)
        {
            test_item = None;
        }
    }
    lines
}

/// An item under `#[cfg(test)]` whose end has not been found yet.
struct TestItem {
    indent: usize,
    opened: bool,
}

impl TestItem {
    fn ends_at(&mut self, code: &str) -> bool {
        let trimmed = code.trim();
        if self.opened {
            return indent(code) == self.indent && trimmed.starts_with('}');
        }
        if trimmed.ends_with('{') {
            self.opened = true;
            return false;
        }
        // `mod fixtures;`, `use …;` or a body on one line
        !trimmed.starts_with('#') && (trimmed.ends_with(';') || trimmed.ends_with('}'))
    }
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The files that are compiled for tests only: those named by a `mod` under `#[cfg(test)]`, and integration
/// tests and benchmarks.
pub(crate) fn test_only_files(files: &[File]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for file in files.iter().filter(|file| file.is("rs")) {
        if file.path.contains("/tests/")
            || file.path.contains("/benches/")
            || file.path.ends_with("/tests.rs")
        {
            found.insert(file.path.clone());
        }
        let Some((folder, name)) = file.path.rsplit_once('/') else { continue };
        let modules = match name {
            "lib.rs" | "main.rs" | "mod.rs" => folder.to_owned(),
            _ => file.path.trim_end_matches(".rs").to_owned(),
        };
        for line in of(&file.text).iter().filter(|line| line.is_test) {
            let declaration = line.code.trim().trim_start_matches("pub(crate) ").trim_start_matches("pub ");
            if let Some(module) = declaration.strip_prefix("mod ").and_then(|rest| rest.strip_suffix(';')) {
                found.insert(format!("{modules}/{module}.rs"));
                found.insert(format!("{modules}/{module}/mod.rs"));
            }
        }
    }
    found
}

/// The line up to a comment that starts outside a string.
fn without_comment(line: &str) -> &str {
    let bytes = line.as_bytes();
    let mut in_string = false;
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if in_string => at += 1,
            // The character literal '"' opens no string.
            b'"' if !in_string && at > 0 && bytes[at - 1] == b'\'' && bytes.get(at + 1) == Some(&b'\'') => {}
            b'"' => in_string = !in_string,
            b'/' if !in_string && bytes.get(at + 1) == Some(&b'/') => return &line[..at],
            _ => {}
        }
        at += 1;
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_cut_outside_strings_only() {
        for (line, code) in [
            ("let x = 1; // one", "let x = 1; "),
            ("let x = \"http://a\"; // one", "let x = \"http://a\"; "),
            ("let x = '\"'; // one", "let x = '\"'; "),
            ("let x = \"\\\"//\";", "let x = \"\\\"//\";"),
            ("//! header", ""),
        ] {
            assert_eq!(without_comment(line), code, "{line}");
        }
    }

    #[test]
    fn comments_are_read_without_their_slashes() {
        for line in ["/// MH 3.8", "//! MH 3.8", "let x = 1; // MH 3.8", "    // MH 3.8  "] {
            assert_eq!(of(line)[0].comment, "MH 3.8", "{line}");
        }
        assert_eq!(of("let x = \"// MH 3.8\";")[0].comment, "");
    }

    #[test]
    fn test_items_end_where_they_close() {
        let text = "fn a() {}\n#[cfg(test)]\nmod fixtures;\nfn b() {}\n#[cfg(test)]\nmod tests {\n    fn c() {\n    }\n}\nfn d() {}\n";
        let tests: Vec<usize> = of(text).iter().filter(|line| line.is_test).map(|line| line.number).collect();
        assert_eq!(tests, [2, 3, 5, 6, 7, 8, 9]);
    }

    #[test]
    fn a_module_under_cfg_test_is_a_test_file() {
        let files = [
            File::new("crates/a/src/lib.rs", "#[cfg(test)]\nmod fixtures;\nmod real;\n"),
            File::new("crates/a/src/deal.rs", "#[cfg(test)]\nmod naive;\n"),
        ];
        let found = test_only_files(&files);
        assert!(found.contains("crates/a/src/fixtures.rs"));
        assert!(found.contains("crates/a/src/deal/naive.rs"));
        assert!(!found.contains("crates/a/src/real.rs"));
    }
}
