//! The shapes of all that the API takes and gives, gathered from the types while its operations are listed.

use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

/// The shapes so far. What may be left out of a request is always there in an answer, so one type can have two.
pub(super) struct Shapes {
    /// Of requests.
    pub(super) taken: SchemaGenerator,
    /// Of answers.
    pub(super) given: SchemaGenerator,
}

const SHAPES: &str = "#/components/schemas/";

impl Shapes {
    pub(super) fn new() -> Shapes {
        let settings = || {
            SchemaSettings::draft2020_12().with(|settings| {
                settings.definitions_path = "/components/schemas".into();
                settings.meta_schema = None;
            })
        };
        Shapes {
            taken: settings().for_deserialize().into_generator(),
            given: settings().for_serialize().into_generator(),
        }
    }

    /// All shapes by name. A type with two shapes has its request shape under another name, which `paths` use.
    pub(super) fn finish(mut self, paths: &mut Map<String, Value>) -> Map<String, Value> {
        let mut all = self.given.take_definitions(true);
        let mut taken = self.taken.take_definitions(true);
        let other = |(name, shape): (&String, &Value)| all.get(name).is_some_and(|given| given != shape);
        let two: Vec<String> =
            taken.iter().filter(|both| other(*both)).map(|(name, _)| name.clone()).collect();
        let mut rename = |within: &mut Value| {
            for name in &two {
                point(within, &format!("{SHAPES}{name}"), &format!("{SHAPES}{name}Sent"));
            }
        };
        taken.values_mut().for_each(&mut rename);
        for operation in paths.values_mut().filter_map(Value::as_object_mut).flat_map(|all| all.values_mut())
        {
            for part in ["requestBody", "parameters"] {
                operation.get_mut(part).into_iter().for_each(&mut rename);
            }
        }
        for (name, shape) in taken {
            let name = if two.contains(&name) { format!("{name}Sent") } else { name };
            all.insert(name, shape);
        }
        all
    }
}

/// Makes every reference to one shape a reference to another.
fn point(within: &mut Value, from: &str, to: &str) {
    match within {
        Value::Object(fields) => {
            for (name, value) in fields {
                if name == "$ref" && value == from {
                    *value = to.into();
                } else {
                    point(value, from, to);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| point(item, from, to)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
