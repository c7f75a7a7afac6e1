//! Which crate may depend on which. Dependencies point one way:
//! `cards <- rules <- table, jackpot <- floor <- script, odds, journal <- house <- report <- audit <- web, storm <- stage <- baize`.
//!
//! Development dependencies count too: a test that needs a crate further out belongs to that crate. One exception: the house's
//! tests audit what they played.

use toml::{Table, Value};

use crate::problem::Problem;
use crate::workspace::File;

/// From the inside out. A crate may use those of earlier layers, never its neighbours or those outside.
const LAYERS: [&[&str]; 11] = [
    &["cards"],
    &["rules"],
    &["table", "jackpot"],
    &["floor"],
    &["script", "odds", "journal"],
    &["house"],
    &["report"],
    &["audit"],
    &["web", "storm"],
    &["stage"],
    &["baize"],
];

/// What a crate's tests may use although it is further out.
const TESTED_WITH: [(&str, &[&str]); 1] = [("house", &["audit", "report"])];

const KINDS: [&str; 3] = ["dependencies", "build-dependencies", "dev-dependencies"];

pub(super) fn check(file: &File, problems: &mut Vec<Problem>) {
    let manifest: Table = match file.text.parse() {
        Ok(manifest) => manifest,
        Err(error) => {
            problems.push(Problem::in_file(&file.path, format!("not TOML: {error}")));
            return;
        }
    };
    let name = manifest.get("package").and_then(|package| package.get("name")).and_then(Value::as_str);
    let name = own_crate(name.unwrap_or_default()).unwrap_or_default();
    let Some(own_layer) = layer(name) else {
        let message = "the crate is not in the list of layers: add it to xtask/src/tidy/layers.rs";
        problems.push(Problem::in_file(&file.path, message));
        return;
    };
    for (kind, dependency) in dependencies(&manifest) {
        let Some(dependency) = own_crate(&dependency) else { continue };
        let excepted = |(of, with): &(&str, &[&str])| *of == name && with.contains(&dependency);
        if kind == "dev-dependencies" && TESTED_WITH.iter().any(excepted) {
            continue;
        }
        if layer(dependency).is_none_or(|layer| layer >= own_layer) {
            let allowed = LAYERS[..own_layer].concat().join(", ");
            let message = format!("`{name}` must not depend on `{dependency}`; allowed are: {allowed}");
            problems.push(Problem::in_file(&file.path, message));
        }
    }
}

fn layer(name: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&name))
}

/// The short name of one of our crates; `None` for any other.
fn own_crate(package: &str) -> Option<&str> {
    if package == "baize" { Some(package) } else { package.strip_prefix("baize-") }
}

/// The kind and the package of every dependency, including those for one platform.
fn dependencies(manifest: &Table) -> Vec<(&'static str, String)> {
    let platforms = manifest.get("target").and_then(Value::as_table).into_iter().flat_map(Table::values);
    std::iter::once(manifest)
        .chain(platforms.filter_map(Value::as_table))
        .flat_map(|table| KINDS.iter().filter_map(|kind| Some((*kind, table.get(*kind)?.as_table()?))))
        .flat_map(|(kind, table)| table.iter().map(move |(key, value)| (kind, key, value)))
        .map(|(kind, key, value)| {
            (kind, value.get("package").and_then(Value::as_str).unwrap_or(key).to_owned())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(manifest: &str) -> Vec<String> {
        let mut problems = Vec::new();
        check(&File::new("crates/x/Cargo.toml", manifest), &mut problems);
        problems.into_iter().map(|problem| problem.message).collect()
    }

    #[test]
    fn inward_is_allowed() {
        assert!(found("[package]\nname = \"baize-table\"\n[dependencies]\nbaize-cards.workspace = true\nserde = \"1\"\n").is_empty());
        assert!(
            found("[package]\nname = \"baize\"\n[dependencies]\nbaize-web.workspace = true\n").is_empty()
        );
    }

    #[test]
    fn outward_and_sideways_are_not() {
        for table in ["dependencies", "dev-dependencies", "target.'cfg(unix)'.dependencies"] {
            for dependency in ["baize-jackpot", "baize-script", "baize"] {
                let manifest = format!(
                    "[package]\nname = \"baize-table\"\n[{table}]\n{dependency} = {{ path = \"..\" }}\n"
                );
                assert_eq!(found(&manifest).len(), 1, "{manifest}");
            }
        }
        assert_eq!(
            found(
                "[package]\nname = \"baize-rules\"\n[dependencies]\nx = { package = \"baize-odds\", path = \"..\" }\n"
            ),
            ["`rules` must not depend on `odds`; allowed are: cards"]
        );
    }

    #[test]
    fn the_tests_of_the_house_audit_what_they_played() {
        let manifest = |table: &str| {
            format!("[package]\nname = \"baize-house\"\n[{table}]\nbaize-audit.workspace = true\n")
        };
        assert!(found(&manifest("dev-dependencies")).is_empty());
        assert_eq!(found(&manifest("dependencies")).len(), 1);
    }

    #[test]
    fn a_new_crate_needs_a_place() {
        assert_eq!(found("[package]\nname = \"baize-shoe\"\n").len(), 1);
    }
}
