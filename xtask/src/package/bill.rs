//! The bill of materials: every crate in the program, in CycloneDX format.

use serde_json::{Value, json};

use super::crates::Crate;

/// The bill of the program.
pub(super) fn of(program: &Crate, crates: &[Crate]) -> String {
    let bill = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": { "type": "application", "bom-ref": "baize", "name": program.name, "version": program.version }
        },
        "components": crates.iter().map(component).collect::<Vec<_>>(),
    });
    format!("{bill:#}\n")
}

fn component(of: &Crate) -> Value {
    let Crate { name, version, .. } = of;
    let mut component = json!({
        "type": "library",
        "bom-ref": format!("pkg:cargo/{name}@{version}"),
        "name": name,
        "version": version,
        "purl": format!("pkg:cargo/{name}@{version}"),
    });
    if let Some(licence) = &of.licence {
        component["licenses"] = json!([{ "expression": licence }]);
    }
    if let Some(sum) = &of.checksum {
        component["hashes"] = json!([{ "alg": "SHA-256", "content": sum }]);
    }
    component
}
