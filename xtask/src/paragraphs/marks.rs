//! Marks in the code: a comment that begins with a paragraph, such as `// MH 3.8` or `// RH 3.7; MBS 3.4.1: why`,
//! says that the code below it, or the item around it, implements that paragraph.
//!
//! A name is the short name of a game (`RH`) or an operator (`MBS`), which stands for all games of that operator.
//! Paragraphs are separated by commas, names by commas or semicolons: `// MH, MS 3.15.1; RS 4.5.1`. The same comment in a
//! test says that the test shows the paragraph: for what a script cannot express, such as what a page tells a player. A
//! paragraph named elsewhere in a comment, or in the documentation, is a mention: it must exist, but nothing is
//! implemented there.

use std::collections::BTreeSet;

use super::number::Number;
use crate::lines::{self, Line};
use crate::workspace::File;

/// Paragraphs that a comment names.
#[derive(Debug, PartialEq, Eq)]
pub struct Mark {
    /// The line, counted from 1.
    pub line: usize,
    /// Short names of games or operators.
    pub names: Vec<String>,
    /// The paragraphs.
    pub numbers: Vec<Number>,
    /// What the comment says about them.
    pub says: Says,
}

/// What a comment says about a paragraph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Says {
    /// This item implements it, such as `table::settle::judge`.
    LivesIn(String),
    /// This test shows it.
    ShownBy(String),
    /// It is only mentioned.
    Mentioned,
}

/// The marks and mentions of a file: Rust source, or a page of documentation. `names` are those that a mark may use.
pub fn read(file: &File, names: &BTreeSet<String>) -> Vec<Mark> {
    let mut found = Vec::new();
    if !file.is("rs") {
        for (index, line) in file.text.lines().enumerate() {
            mentions(line, names, |groups| found.extend(marks(index + 1, &Says::Mentioned, groups)));
        }
        return found;
    }
    let lines = lines::of(&file.text);
    let module = module(&file.path);
    for (index, line) in lines.iter().enumerate().filter(|(_, line)| !line.comment.is_empty()) {
        let (groups, rest) = leading(line.comment, names);
        let says = match &module {
            Some((module, is_test)) => {
                let whole = file.text.lines().nth(index).unwrap_or_default();
                let of_module = whole.trim_start().starts_with("//!");
                let item = if of_module { None } else { item(&lines, index, whole) };
                let item = item.map_or_else(|| module.clone(), |item| format!("{module}::{item}"));
                if *is_test || line.is_test { Says::ShownBy(item) } else { Says::LivesIn(item) }
            }
            None => Says::Mentioned,
        };
        found.extend(marks(line.number, &says, groups));
        mentions(rest, names, |groups| found.extend(marks(line.number, &Says::Mentioned, groups)));
    }
    found
}

type Group = (Vec<String>, Vec<Number>);

fn marks(line: usize, says: &Says, groups: Vec<Group>) -> impl Iterator<Item = Mark> {
    groups.into_iter().map(move |(names, numbers)| Mark { line, names, numbers, says: says.clone() })
}

/// The groups `NAME, NAME NUMBER, NUMBER` that the text begins with, and the rest.
fn leading<'a>(text: &'a str, names: &BTreeSet<String>) -> (Vec<Group>, &'a str) {
    let mut groups = Vec::new();
    let mut rest = text;
    while let Some((group, after)) = group(rest, names) {
        groups.push(group);
        rest = after;
        match after.strip_prefix([',', ';']) {
            Some(next) => rest = next.trim_start(),
            None => break,
        }
    }
    (groups, rest)
}

/// Every group in the text.
fn mentions(text: &str, names: &BTreeSet<String>, mut found: impl FnMut(Vec<Group>)) {
    let mut rest = text;
    loop {
        let (groups, after) = leading(rest, names);
        if groups.is_empty() {
            // Skip to the next word.
            let word = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
            rest = rest[word..].trim_start_matches(|c: char| !c.is_alphanumeric());
            if rest.is_empty() {
                return;
            }
        } else {
            found(groups);
            rest = after;
        }
    }
}

fn group<'a>(text: &'a str, names: &BTreeSet<String>) -> Option<(Group, &'a str)> {
    let (mut found, mut rest) = (Vec::new(), text);
    loop {
        let (name, after) = rest.split_at(rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len()));
        names.contains(name).then(|| found.push(name.to_owned()))?;
        match after.strip_prefix(", ") {
            Some(next) => rest = next,
            None => break rest = after.strip_prefix(' ')?,
        }
    }
    let (first, mut rest) = number(rest)?;
    let mut numbers = vec![first];
    while let Some((next, after)) =
        rest.strip_prefix(", ").or_else(|| rest.strip_prefix(" and ")).and_then(number)
    {
        numbers.push(next);
        rest = after;
    }
    Some(((found, numbers), rest))
}

/// A paragraph of at least two parts (`3.8`, not `3`), or an appendix.
fn number(text: &str) -> Option<(Number, &str)> {
    let start = if text.starts_with("Appendix ") { "Appendix ".len() } else { 0 };
    let belongs = |c: char| {
        c.is_ascii_digit() || c.is_ascii_lowercase() || c == '.' || start > 0 && c.is_ascii_uppercase()
    };
    let end = text[start..].find(|c| !belongs(c)).map_or(text.len(), |end| start + end);
    let word = text[..end].trim_end_matches('.');
    let known = word.contains('.') || start > 0;
    Some((known.then(|| word.parse().ok()).flatten()?, &text[word.len()..]))
}

/// `table::decide::betting` for `crates/table/src/decide/betting.rs`, and whether it is a test; `None` for benchmarks
/// and examples.
fn module(path: &str) -> Option<(String, bool)> {
    let (name, rest) = path.strip_prefix("crates/")?.split_once('/')?;
    let (folder, rest) = rest.split_once('/')?;
    let is_test = folder == "tests";
    if !is_test && folder != "src" {
        return None;
    }
    let rest = rest.trim_end_matches(".rs").trim_end_matches("/mod");
    let rest = if matches!(rest, "lib" | "main" | "mod") { "" } else { rest };
    let parts = [name].into_iter().chain(rest.split('/')).filter(|part| !part.is_empty());
    Some((parts.collect::<Vec<_>>().join("::"), is_test))
}

/// The item below the comment or, failing that, around it.
fn item(lines: &[Line<'_>], index: usize, whole: &str) -> Option<String> {
    if lines[index].code.trim().is_empty() {
        let below = lines[index..].iter().map(|line| line.code.trim());
        let mut below = below.filter(|code| !code.is_empty() && !code.starts_with("#["));
        if let Some(name) = below.next().and_then(declared) {
            return Some(name);
        }
    }
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut least = indent(whole);
    // A line that begins with a bracket ends a list of parameters: its item is above it.
    let above = lines[..index].iter().rev().filter(|line| !line.code.trim().is_empty());
    for line in above.filter(|line| !line.code.trim_start().starts_with(')')) {
        if indent(line.code) < least {
            least = indent(line.code);
            if let Some(name) = declared(line.code.trim()) {
                return Some(name);
            }
        }
    }
    None
}

/// The name that a line declares: a function, a type, a constant.
fn declared(code: &str) -> Option<String> {
    const QUALIFIERS: [&str; 5] = ["pub", "pub(crate)", "pub(super)", "async", "unsafe"];
    let mut words = code.split_whitespace().skip_while(|word| QUALIFIERS.contains(word)).peekable();
    let keyword = words.next()?;
    let name = match keyword {
        "const" => words.next().filter(|word| *word != "fn").or_else(|| words.next()),
        "fn" | "struct" | "enum" | "trait" | "static" | "type" | "mod" => words.next(),
        _ if keyword == "impl" || keyword.starts_with("impl<") => {
            let whole: Vec<&str> = words.collect();
            let of = whole.iter().position(|word| *word == "for").map_or(0, |at| at + 1);
            whole.get(of).copied()
        }
        _ => None,
    }?;
    let name = name.split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
    (!name.is_empty()).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> Vec<String> {
        let names = ["RH", "MH", "MBS"].map(str::to_owned).into();
        read(&File::new(path, text), &names)
            .iter()
            .map(|mark| {
                let numbers: Vec<String> = mark.numbers.iter().map(ToString::to_string).collect();
                let says = match &mark.says {
                    Says::LivesIn(item) => item.clone(),
                    Says::ShownBy(item) => format!("shown by {item}"),
                    Says::Mentioned => "–".to_owned(),
                };
                format!("{} {} {} {says}", mark.line, mark.names.join("+"), numbers.join("+"))
            })
            .collect()
    }

    #[test]
    fn a_mark_names_the_item_below_or_around_it() {
        let text = "//! RH 1.1: all of it.\n// RH 3.7, 3.8; MBS 3.4.1: why\n#[must_use]\npub(crate) const fn deal(\n) {\n    \
                    match x {\n        // MH, RH 5.17.2a\n        1 => {}\n        2 => {} // MBS Appendix B\n    }\n}\n\
                    impl<T> Act for Deal<T> {\n    // RH 9.9.\n    Variant,\n}\n";
        assert_eq!(
            found("crates/table/src/decide/mod.rs", text),
            [
                "1 RH 1.1 table::decide",
                "2 RH 3.7+3.8 table::decide::deal",
                "2 MBS 3.4.1 table::decide::deal",
                "7 MH+RH 5.17.2a table::decide::deal",
                "9 MBS Appendix B table::decide::deal",
                "13 RH 9.9 table::decide::Deal",
            ]
        );
    }

    #[test]
    fn a_mention_implements_nothing() {
        let text = "// Not as in MBS 3.10.1 and 3.10.2, nor MH 3.8.\nfn a() {}\n#[cfg(test)]\nmod tests {\n    // RH 3.7\n    fn b() {}\n}\n";
        assert_eq!(
            found("crates/table/src/lib.rs", text),
            ["1 MBS 3.10.1+3.10.2 –", "1 MH 3.8 –", "5 RH 3.7 shown by table::b"]
        );
        assert_eq!(
            found("crates/table/tests/x.rs", "// RH 3.7\n#[test]\nfn a() {}\n"),
            ["1 RH 3.7 shown by table::x::a"]
        );
        assert_eq!(found("crates/table/benches/x.rs", "// RH 3.7\n"), ["1 RH 3.7 –"]);
        assert_eq!(found("docs/jackpot.md", "As RH 3.7 says.\n"), ["1 RH 3.7 –"]);
        assert!(found("crates/a/src/lib.rs", "// 64 MH 3 times, RHX 3.7, RH: 3.7, XRH 3.7\n").is_empty());
    }

    #[test]
    fn modules_are_named_by_their_file() {
        for (path, name) in [
            ("crates/table/src/lib.rs", "table"),
            ("crates/table/src/decide.rs", "table::decide"),
            ("crates/table/src/decide/betting.rs", "table::decide::betting"),
            ("crates/script/src/tell/mod.rs", "script::tell"),
        ] {
            assert_eq!(module(path), Some((name.to_owned(), false)));
        }
    }
}
