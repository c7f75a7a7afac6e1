//! The bill of materials: every crate in the program, in CycloneDX format.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::{fs, io};

use serde_json::{Value, json};

use super::said;

/// The bill of the program, from Cargo's metadata.
pub(super) fn of(root: &Path) -> io::Result<String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut asked = Command::new(cargo);
    asked.args(["metadata", "--locked", "--format-version", "1"]).current_dir(root);
    let metadata: Value = serde_json::from_str(&said(&mut asked)?)?;
    let sums = checksums(&fs::read_to_string(root.join("Cargo.lock"))?)?;
    let none = Vec::new();
    let all = |value: &Value| value.as_array().cloned().unwrap_or_else(|| none.clone());
    let nodes: BTreeMap<String, Value> = all(&metadata["resolve"]["nodes"])
        .into_iter()
        .map(|node| (node["id"].as_str().unwrap_or_default().to_owned(), node))
        .collect();
    let packages: BTreeMap<String, Value> = all(&metadata["packages"])
        .into_iter()
        .map(|package| (package["id"].as_str().unwrap_or_default().to_owned(), package))
        .collect();
    let program = packages.iter().find(|(_, package)| package["name"] == "baize").map(|(id, _)| id.clone());
    // Dependencies that only tests need are not in the program.
    let mut reached: Vec<String> = program.clone().into_iter().collect();
    let mut at = 0;
    while let Some(node) = reached.get(at).and_then(|id| nodes.get(id)) {
        for dependency in all(&node["deps"]) {
            let kept = all(&dependency["dep_kinds"]).iter().any(|kind| kind["kind"] != "dev");
            let id = dependency["pkg"].as_str().unwrap_or_default().to_owned();
            if kept && !reached.contains(&id) {
                reached.push(id);
            }
        }
        at += 1;
    }
    reached.sort();
    let component = |id: &String| {
        let package = &packages[id];
        let (name, version) =
            (package["name"].as_str().unwrap_or_default(), package["version"].as_str().unwrap_or_default());
        let mut component = json!({
            "type": "library",
            "bom-ref": format!("pkg:cargo/{name}@{version}"),
            "name": name,
            "version": version,
            "purl": format!("pkg:cargo/{name}@{version}"),
        });
        if let Some(licence) = package["license"].as_str() {
            component["licenses"] = json!([{ "expression": licence.replace('/', " OR ") }]);
        }
        if let Some(sum) = sums.get(&(name.to_owned(), version.to_owned())) {
            component["hashes"] = json!([{ "alg": "SHA-256", "content": sum }]);
        }
        component
    };
    let version = program.as_ref().and_then(|id| packages[id]["version"].as_str()).unwrap_or_default();
    let bill = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": { "type": "application", "bom-ref": "baize", "name": "baize", "version": version } },
        "components": reached.iter().filter(|id| Some(*id) != program.as_ref()).map(component).collect::<Vec<_>>(),
    });
    Ok(format!("{bill:#}\n"))
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
