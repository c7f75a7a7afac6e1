//! Finds unused dependencies. A crate must name each of its dependencies somewhere in its sources; a development dependency, in
//! its tests.
//!
//! A dependency that is needed only for a feature says so with a comment `for its features` on its line.

use std::collections::BTreeMap;

use toml::{Table, Value};

use crate::lines;
use crate::problem::Problem;
use crate::workspace::File;

pub(super) fn check(files: &[File], problems: &mut Vec<Problem>) {
    let manifests =
        files.iter().filter(|file| file.path.ends_with("/Cargo.toml") || file.path == "Cargo.toml");
    let mut inherited: BTreeMap<String, bool> = BTreeMap::new();
    let mut root = None;
    for file in manifests {
        // Invalid TOML is reported with the layers.
        let Ok(manifest) = file.text.parse::<Table>() else { continue };
        if let Some(all) = manifest.get("workspace").and_then(|workspace| workspace.get("dependencies")) {
            root = Some(file);
            for name in all.as_table().into_iter().flat_map(Table::keys) {
                inherited.entry(name.clone()).or_default();
            }
            continue;
        }
        // A separate workspace is built in its own way.
        if manifest.contains_key("workspace") {
            continue;
        }
        let folder = file.path.strip_suffix("/Cargo.toml").unwrap_or_default();
        for kind in ["dependencies", "dev-dependencies", "build-dependencies"] {
            let Some(named) = manifest.get(kind).and_then(Value::as_table) else { continue };
            for (name, wanted) in named {
                if wanted.get("workspace").is_some() {
                    inherited.insert(name.clone(), true);
                }
                if !for_features(&file.text, name) && !used(files, folder, kind, &name.replace('-', "_")) {
                    let message = format!("nothing uses the dependency `{name}`: remove it");
                    problems.push(Problem::in_file(&file.path, message));
                }
            }
        }
    }
    if let Some(root) = root {
        for (name, _) in inherited.into_iter().filter(|(_, used)| !used) {
            let message = format!("no crate uses the dependency `{name}`: remove it");
            problems.push(Problem::in_file(&root.path, message));
        }
    }
}

fn for_features(manifest: &str, name: &str) -> bool {
    manifest.lines().any(|line| line.starts_with(name) && line.contains("# for its features"))
}

/// Whether a source of this package contains the name. The library's own sources count for every kind: they contain
/// tests too.
fn used(files: &[File], folder: &str, kind: &str, name: &str) -> bool {
    let of_package = files.iter().filter_map(|file| Some((file, file.under(folder)?)));
    let of_kind = of_package.filter(|(file, path)| {
        file.is("rs")
            && match kind {
                "dependencies" => path.starts_with("src/"),
                "build-dependencies" => *path == "build.rs",
                _ => true,
            }
    });
    of_kind.into_iter().any(|(file, _)| {
        lines::of(&file.text)
            .iter()
            .any(|line| line.code.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dependency_that_no_source_names_is_found() {
        let root = "[workspace.dependencies]\nserde = \"1\"\nold-one = \"1\"\n";
        let manifest = "[dependencies]\nserde.workspace = true\nsome-thing = \"1\"\nlost = \"1\"\n\
                        linked = \"1\" # for its features\n[dev-dependencies]\ncheck-it = \"1\"\n";
        let files = [
            File::new("Cargo.toml", root),
            File::new("crates/a/Cargo.toml", manifest),
            File::new("crates/a/src/lib.rs", "use serde::Serialize; // lost\nfn a() { some_thing::a() }\n"),
            File::new("crates/a/tests/a.rs", "use check_it::lost as other;\n"),
        ];
        let mut problems = Vec::new();
        check(&files, &mut problems);
        let found: Vec<String> = problems.iter().map(ToString::to_string).collect();
        assert_eq!(
            found,
            [
                "crates/a/Cargo.toml: nothing uses the dependency `lost`: remove it",
                "Cargo.toml: no crate uses the dependency `old-one`: remove it"
            ]
        );
    }
}
