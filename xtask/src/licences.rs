//! `cargo xtask test --only licences`: checks that every dependency has a licence that we may ship under, and counts duplicate
//! versions.
//!
//! Works without a network: it uses what Cargo has already fetched for this platform. Known vulnerabilities are not looked up,
//! because their database is on the network (docs/decisions.md).

use std::collections::BTreeMap;
use std::io;
use std::process::Stdio;

use serde::Deserialize;

use crate::build;

/// Licences that require no more than the notices in the bill of materials.
const ALLOWED: [&str; 12] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// A package in Cargo's answer; other fields are left out.
#[derive(Clone, Debug, Deserialize)]
pub struct Package {
    name: String,
    version: String,
    license: Option<String>,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

/// Every package of the workspace and its dependencies on this platform.
///
/// # Errors
/// Cargo cannot be run, or its answer cannot be read.
pub fn packages() -> io::Result<Vec<Package>> {
    let host = build::host()?;
    let arguments = ["metadata", "--locked", "--format-version", "1", "--filter-platform", &host];
    let output = build::cargo(&arguments).stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(io::Error::other("`cargo metadata` failed"));
    }
    Ok(serde_json::from_slice::<Metadata>(&output.stdout)?.packages)
}

/// The packages whose licence is not in the list, one per line.
pub fn refused(packages: &[Package]) -> Vec<String> {
    let refused = packages.iter().filter(|package| !package.license.as_deref().is_some_and(allows));
    let line = |package: &Package| {
        let licence = package.license.as_deref().unwrap_or("no licence");
        format!("{} {}: {licence} is not in the list of xtask/src/licences.rs", package.name, package.version)
    };
    refused.map(line).collect()
}

/// Packages present in several versions, one per line.
pub fn several(packages: &[Package]) -> Vec<String> {
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for package in packages {
        versions.entry(&package.name).or_default().push(&package.version);
    }
    let several = versions.into_iter().filter(|(_, versions)| versions.len() > 1);
    several.map(|(name, versions)| format!("{name}: {}", versions.join(", "))).collect()
}

/// Whether a licence expression can be met with licences of the list. `A/B` is the old form of `A OR B`.
fn allows(expression: &str) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let mut words: Vec<String> = Vec::new();
    for word in spaced.split_whitespace() {
        match words.last_mut() {
            // An exception belongs to its licence.
            Some(last) if word == "WITH" || last.ends_with(" WITH") => *last = format!("{last} {word}"),
            _ => words.push(word.to_owned()),
        }
    }
    let mut rest: &[String] = &words;
    any(&mut rest) == Some(true) && rest.is_empty()
}

/// `A OR B OR …`; `None` if the expression is invalid.
fn any(words: &mut &[String]) -> Option<bool> {
    let mut allowed = all(words)?;
    while words.first().is_some_and(|word| word == "OR") {
        *words = &words[1..];
        allowed |= all(words)?;
    }
    Some(allowed)
}

/// `A AND B AND …`, which binds more tightly.
fn all(words: &mut &[String]) -> Option<bool> {
    let mut allowed = one(words)?;
    while words.first().is_some_and(|word| word == "AND") {
        *words = &words[1..];
        allowed &= one(words)?;
    }
    Some(allowed)
}

/// One licence, or an expression in brackets.
fn one(words: &mut &[String]) -> Option<bool> {
    let (first, rest) = words.split_first()?;
    *words = rest;
    if first != "(" {
        return Some(ALLOWED.contains(&first.as_str()));
    }
    let allowed = any(words)?;
    let (closing, rest) = words.split_first()?;
    *words = rest;
    (closing == ")").then_some(allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn licence_expressions() {
        for (expression, allowed) in [
            ("MIT", true),
            ("MIT OR Apache-2.0", true),
            ("MIT/Apache-2.0", true),
            ("Apache-2.0 / MIT", true),
            ("GPL-3.0", false),
            ("MIT OR LGPL-2.1-or-later", true),
            ("MIT AND LGPL-2.1-or-later", false),
            ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
            ("(MIT OR Apache-2.0) AND GPL-2.0", false),
            ("GPL-2.0 AND MIT OR ISC", true),
            ("Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT", true),
            ("Apache-2.0 WITH LLVM-exception", true),
            ("MIT WITH strange-exception", false),
            ("", false),
            ("(MIT", false),
            ("MIT)", false),
            ("MIT ISC", false),
            ("OR", false),
        ] {
            assert_eq!(allows(expression), allowed, "{expression}");
        }
    }

    #[test]
    fn packages_are_named_with_their_licence() {
        let package = |name: &str, version: &str, license: Option<&str>| Package {
            name: name.to_owned(),
            version: version.to_owned(),
            license: license.map(str::to_owned),
        };
        let all = [
            package("good", "1.0.0", Some("MIT")),
            package("good", "2.0.0", Some("MIT")),
            package("bad", "0.1.0", Some("SSPL-1.0")),
            package("bare", "0.1.0", None),
        ];
        assert_eq!(
            refused(&all),
            [
                "bad 0.1.0: SSPL-1.0 is not in the list of xtask/src/licences.rs",
                "bare 0.1.0: no licence is not in the list of xtask/src/licences.rs"
            ]
        );
        assert_eq!(several(&all), ["good: 1.0.0, 2.0.0"]);
    }
}
