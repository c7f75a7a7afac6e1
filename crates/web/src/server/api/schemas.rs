//! The JSON schemas of the API's requests and responses, collected while operations are declared.

use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

/// The schemas so far. A field may be optional in a request and always present in a response, so one type can have two schemas.
pub(super) struct Schemas {
    pub(super) requests: SchemaGenerator,
    pub(super) responses: SchemaGenerator,
}

const REFERENCE_PREFIX: &str = "#/components/schemas/";

impl Schemas {
    pub(super) fn new() -> Schemas {
        let settings = || {
            SchemaSettings::draft2020_12().with(|settings| {
                settings.definitions_path = "/components/schemas".into();
                settings.meta_schema = None;
            })
        };
        Schemas {
            requests: settings().for_deserialize().into_generator(),
            responses: settings().for_serialize().into_generator(),
        }
    }

    /// All schemas by name. If a type has two, its request schema is named `…Sent`, and `paths` is changed to refer to it.
    pub(super) fn finish(mut self, paths: &mut Map<String, Value>) -> Map<String, Value> {
        let mut all = self.responses.take_definitions(true);
        let mut requests = self.requests.take_definitions(true);
        let differs = |(name, schema): (&String, &Value)| all.get(name).is_some_and(|other| other != schema);
        let renamed: Vec<String> =
            requests.iter().filter(|both| differs(*both)).map(|(name, _)| name.clone()).collect();
        let mut rename = |within: &mut Value| {
            for name in &renamed {
                let from = format!("{REFERENCE_PREFIX}{name}");
                replace_references(within, &from, &format!("{from}Sent"));
            }
        };
        requests.values_mut().for_each(&mut rename);
        for operation in paths.values_mut().filter_map(Value::as_object_mut).flat_map(|all| all.values_mut())
        {
            for part in ["requestBody", "parameters"] {
                operation.get_mut(part).into_iter().for_each(&mut rename);
            }
        }
        for (name, schema) in requests {
            let name = if renamed.contains(&name) { format!("{name}Sent") } else { name };
            all.insert(name, schema);
        }
        all
    }
}

/// Replaces every `$ref` to `from` by one to `to`.
fn replace_references(within: &mut Value, from: &str, to: &str) {
    match within {
        Value::Object(fields) => {
            for (name, value) in fields {
                if name == "$ref" && value == from {
                    *value = to.into();
                } else {
                    replace_references(value, from, to);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| replace_references(item, from, to)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
