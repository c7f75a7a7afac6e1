//! Finds public items that nothing uses outside tests. The compiler reports unused private items, but not `pub` ones.
//!
//! An item counts as used if its name occurs in non-test code, other than at its definition and in re-exports. Two items with the
//! same name hide each other: the check finds what was forgotten, and never reports an item in use. An item whose comment says
//! that it is for tests is ignored.
//!
//! A function or a constant that a crate exports must be named outside it. If it is kept private, the compiler reports it when
//! nothing uses it any more. Types may be exported because a public function takes or returns them.

use std::collections::{BTreeMap, BTreeSet};

use crate::lines;
use crate::problem::Problem;
use crate::workspace::File;

/// What begins the definition of a public item.
const BEGINS: [&str; 8] = [
    "pub fn ",
    "pub const fn ",
    "pub async fn ",
    "pub struct ",
    "pub enum ",
    "pub type ",
    "pub trait ",
    "pub const ",
];

pub(super) fn check(files: &[File], test_files: &BTreeSet<String>, problems: &mut Vec<Problem>) {
    let mut defined: BTreeMap<&str, (&File, usize)> = BTreeMap::new();
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for file in files.iter().filter(|file| file.is("rs") && !test_files.contains(&file.path)) {
        let is_crate = file.under("crates").is_some_and(|path| path.contains("/src/"));
        let (mut re_export, mut for_tests) = (false, false);
        for line in lines::of(&file.text).into_iter().filter(|line| !line.is_test) {
            let code = line.code.trim_start();
            re_export |= code.starts_with("pub use ");
            if !re_export {
                words(code).for_each(|word| *seen.entry(word).or_default() += 1);
            }
            re_export &= !code.ends_with(';');
            for_tests |= line.comment.contains("for tests");
            let name = BEGINS.iter().find_map(|begins| words(code.strip_prefix(begins)?).next());
            if let Some(name) = name.filter(|_| is_crate && !for_tests) {
                defined.entry(name).or_insert((file, line.number));
            }
            for_tests &= code.is_empty() || code.starts_with('#');
        }
    }
    exports(files, problems);
    for (name, (file, number)) in defined {
        if seen.get(name) == Some(&1) {
            let message = format!("only tests use `{name}`: delete it, or move it to the tests");
            problems.push(Problem::at(&file.path, number, message));
        }
    }
}

/// Functions and constants that a crate exports and nothing outside it names.
fn exports(files: &[File], problems: &mut Vec<Problem>) {
    for library in
        files.iter().filter(|file| file.path.ends_with("/src/lib.rs") && file.under("crates").is_some())
    {
        let own = library.path.trim_end_matches("lib.rs");
        let is_outside = |file: &&File| {
            file.is("rs") && (!file.path.starts_with(own) || file.path.strip_prefix(own) == Some("main.rs"))
        };
        let mut exported = exported(&library.text);
        for line in files.iter().filter(is_outside).flat_map(|file| lines::of(&file.text)) {
            words(line.code).for_each(|word| {
                exported.remove(word);
            });
        }
        for (name, number) in exported {
            let message = format!("nothing outside the crate uses `{name}`: do not export it");
            problems.push(Problem::at(&library.path, number, message));
        }
    }
}

/// The functions and constants in the `pub use` of a library, with their lines. Modules in their paths do not count.
fn exported(library: &str) -> BTreeMap<&str, usize> {
    let mut exported = BTreeMap::new();
    let mut inside = false;
    for line in lines::of(library) {
        let code = line.code.trim();
        inside |= code.starts_with("pub use ");
        if inside {
            let names = code.trim_start_matches("pub use ").split([',', '{', '}', ';']).map(str::trim);
            let names = names.filter(|name| !name.ends_with("::")).filter_map(|name| words(name).last());
            let plain = |name: &&str| {
                name.chars().all(|c| !c.is_uppercase()) || name.chars().all(|c| !c.is_lowercase())
            };
            exported.extend(names.filter(plain).map(|name| (name, line.number)));
        }
        inside &= !code.ends_with(';');
    }
    exported
}

/// The names and keywords of a line.
fn words(code: &str) -> impl Iterator<Item = &str> {
    code.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[File]) -> Vec<String> {
        let mut problems = Vec::new();
        check(files, &lines::test_only_files(files), &mut problems);
        problems.into_iter().map(|problem| problem.message).collect()
    }

    #[test]
    fn an_item_that_only_tests_use_is_found() {
        let library = "pub use inner::{\n    lost,\n};\npub fn lost() {}\npub fn kept() {}\n#[cfg(test)]\nmod tests {\n    fn t() { lost() }\n}\n";
        let files = [
            File::new("crates/a/src/lib.rs", library),
            File::new("crates/b/src/lib.rs", "fn b() { a::kept() }\n"),
            File::new("crates/a/tests/a.rs", "fn t() { a::lost() }\n"),
        ];
        assert_eq!(found(&files), ["only tests use `lost`: delete it, or move it to the tests"]);
    }

    #[test]
    fn an_export_that_nothing_outside_uses_is_found() {
        let library = "pub use deep::{Shape, lost, MOST, used};\npub use other::alone;\nfn f() { lost(); used(); alone() }\n";
        let files = [
            File::new("crates/a/src/lib.rs", library),
            File::new("crates/a/src/main.rs", "fn main() { a::alone() }\n"),
            File::new("crates/a/src/inner.rs", "fn f() { lost(MOST) }\n"),
            File::new("crates/b/src/lib.rs", "fn b() { a::used() } // lost\n"),
        ];
        let message = |name: &str| format!("nothing outside the crate uses `{name}`: do not export it");
        assert_eq!(found(&files), [message("MOST"), message("lost")]);
    }
}
