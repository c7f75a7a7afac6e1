//! The crates that are in the program, from Cargo's metadata: those of this platform, without what only tests need.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::Deserialize;

use super::said;
use crate::build;

/// One crate.
#[derive(Clone, Debug)]
pub(super) struct Crate {
    pub(super) name: String,
    pub(super) version: String,
    /// Its licence as an SPDX expression.
    pub(super) licence: Option<String>,
    /// The SHA-256 of its archive; the crates of this workspace have none.
    pub(super) checksum: Option<String>,
    /// Where its source is.
    pub(super) folder: PathBuf,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    resolve: Resolve,
}

#[derive(Deserialize)]
struct Package {
    id: String,
    name: String,
    version: String,
    license: Option<String>,
    manifest_path: PathBuf,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    pkg: String,
    dep_kinds: Vec<DependencyKind>,
}

#[derive(Deserialize)]
struct DependencyKind {
    kind: Option<String>,
}

/// The program itself, and the crates that it is built of, by name. Works without a network once the program is built.
pub(super) fn of(root: &Path) -> io::Result<(Crate, Vec<Crate>)> {
    let host = build::host()?;
    let asked = ["metadata", "--locked", "--format-version", "1", "--filter-platform", &host];
    let metadata: Metadata = serde_json::from_str(&said(&mut build::cargo(&asked))?)?;
    let sums = checksums(&fs::read_to_string(root.join("Cargo.lock"))?)?;
    let program = metadata.packages.iter().find(|package| package.name == "baize");
    let program = program.ok_or_else(|| io::Error::other("the workspace has no package `baize`"))?;
    let nodes: BTreeMap<&str, &Node> =
        metadata.resolve.nodes.iter().map(|node| (node.id.as_str(), node)).collect();
    let mut reached = BTreeSet::new();
    let mut next = vec![program.id.as_str()];
    while let Some(id) = next.pop() {
        if !reached.insert(id) {
            continue;
        }
        let dependencies = nodes.get(id).into_iter().flat_map(|node| &node.deps);
        // Dependencies that only tests need are not in the program.
        let kept = dependencies
            .filter(|dependency| dependency.dep_kinds.iter().any(|kind| kind.kind.as_deref() != Some("dev")));
        next.extend(kept.map(|dependency| dependency.pkg.as_str()));
    }
    let read = |package: &Package| Crate {
        name: package.name.clone(),
        version: package.version.clone(),
        licence: package.license.as_deref().map(expression),
        checksum: sums.get(&(package.name.clone(), package.version.clone())).cloned(),
        folder: package.manifest_path.parent().unwrap_or(root).to_owned(),
    };
    let others = metadata.packages.iter().filter(|package| package.id != program.id);
    let mut crates: Vec<Crate> =
        others.filter(|package| reached.contains(package.id.as_str())).map(read).collect();
    crates.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    Ok((read(program), crates))
}

/// Where Cargo builds.
pub(super) fn target() -> io::Result<PathBuf> {
    #[derive(Deserialize)]
    struct Workspace {
        target_directory: PathBuf,
    }
    let asked = ["metadata", "--locked", "--format-version", "1", "--no-deps"];
    Ok(serde_json::from_str::<Workspace>(&said(&mut build::cargo(&asked))?)?.target_directory)
}

/// `A/B` is the old form of `A OR B`.
fn expression(licence: &str) -> String {
    licence.split('/').map(str::trim).collect::<Vec<_>>().join(" OR ")
}

/// The checksum of each crate, by name and version.
fn checksums(lock: &str) -> io::Result<BTreeMap<(String, String), String>> {
    let table: toml::Table = lock.parse().map_err(io::Error::other)?;
    let packages = table.get("package").and_then(toml::Value::as_array).cloned().unwrap_or_default();
    let text =
        |package: &toml::Value, key: &str| package.get(key).and_then(toml::Value::as_str).map(str::to_owned);
    Ok(packages
        .iter()
        .filter_map(|package| {
            Some(((text(package, "name")?, text(package, "version")?), text(package, "checksum")?))
        })
        .collect())
}
