//! Holds answers strictly against the description, and makes values that fit it or do not.

use serde_json::{Map, Value, json};

/// Follows a reference.
pub(crate) fn resolved<'a>(description: &'a Value, schema: &'a Value) -> &'a Value {
    match schema.get("$ref").and_then(Value::as_str).filter(|_| schema.get("properties").is_none()) {
        Some(path) => description
            .pointer(path.trim_start_matches('#'))
            .unwrap_or_else(|| panic!("{path} is not described")),
        None => schema,
    }
}

/// Why a value does not fit, if it does not. Strictly: a field that is not described does not fit.
pub(crate) fn misfit(description: &Value, schema: &Value, value: &Value, at: &str) -> Option<String> {
    let mut root = strict(schema.clone());
    root["components"] = components(&description["components"]);
    let validator = jsonschema::validator_for(&root).unwrap_or_else(|error| panic!("{at}: {error}"));
    let faults: Vec<String> =
        validator.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect();
    (!faults.is_empty()).then(|| format!("{at}: {}", faults.join("; ")))
}

/// The shapes, each made strict where a value of its own stands: its fields, items and values.
fn components(of: &Value) -> Value {
    let shapes = of["schemas"].as_object().unwrap();
    json!({ "schemas": shapes.iter().map(|(name, shape)| (name.clone(), inside(shape.clone()))).collect::<Map<_, _>>() })
}

/// A place where a value stands: whatever the shape there does not speak of is wrong. A reference beside other words stays open, and
/// so do the parts of a choice: the whole closes them.
fn strict(schema: Value) -> Value {
    let mut schema = inside(schema);
    let speaks =
        ["$ref", "properties", "oneOf", "anyOf", "allOf"].iter().any(|word| schema.get(word).is_some());
    if speaks && schema.get("additionalProperties").is_none() {
        schema["unevaluatedProperties"] = json!(false);
    }
    schema
}

fn inside(mut schema: Value) -> Value {
    let Some(words) = schema.as_object_mut() else { return schema };
    for (word, of) in words.iter_mut() {
        *of = match (word.as_str(), of.take()) {
            ("properties", Value::Object(fields)) => {
                fields.into_iter().map(|(name, of)| (name, strict(of))).collect::<Map<_, _>>().into()
            }
            ("items" | "additionalProperties", of @ Value::Object(_)) => strict(of),
            ("prefixItems", Value::Array(items)) => items.into_iter().map(strict).collect(),
            ("oneOf" | "anyOf" | "allOf", Value::Array(parts)) => parts.into_iter().map(inside).collect(),
            (_, other) => other,
        };
    }
    schema
}

/// Numbers that repeat from a seed.
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Chance {
        Chance(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % most.max(1)
    }

    pub(crate) fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

/// Texts that have broken programs before.
pub(crate) const HOSTILE: [&str; 16] = [
    "",
    " ",
    "0",
    "-1",
    "99999999999999999999",
    "1e400",
    "NaN",
    "null",
    "../../etc/passwd",
    "'; DROP TABLE journal; --",
    "<script>alert(1)</script>",
    "a\u{0}b",
    "\u{202e}evil",
    "💣💣💣",
    "%s%n%x",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
];

/// A value that fits the schema, or with some chance one that does not.
pub(crate) fn made(description: &Value, schema: &Value, chance: &mut Chance, hostile: usize) -> Value {
    let schema = resolved(description, schema);
    if hostile > 0 && chance.below(hostile) == 0 {
        return match chance.below(8) {
            0 => Value::Null,
            1 => json!(-1),
            2 => json!(1e300),
            3 => json!([[[[[[[[]]]]]]]]),
            4 => json!({ "order": { "order": {} } }),
            5 => json!(true),
            _ => json!(*chance.pick(&HOSTILE)),
        };
    }
    for choice in ["anyOf", "oneOf"] {
        if let Some(choices) = schema.get(choice).and_then(Value::as_array) {
            return made(description, chance.pick(choices), chance, hostile);
        }
    }
    // A reference beside fields of its own: a variant with its tag.
    if let (Some(path), Some(_)) = (schema.get("$ref").and_then(Value::as_str), schema.get("properties")) {
        let mut whole = made(description, &json!({ "$ref": path }), chance, 0);
        let mut own = schema.clone();
        own.as_object_mut().unwrap().remove("$ref");
        if let (Some(whole), Value::Object(own)) = (whole.as_object_mut(), made(description, &own, chance, 0))
        {
            whole.extend(own);
        }
        return whole;
    }
    if let Some(of) = schema.get("const") {
        return of.clone();
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return chance.pick(values).clone();
    }
    let kind = match schema.get("type") {
        Some(Value::Array(kinds)) => kinds[0].as_str(),
        other => other.and_then(Value::as_str),
    };
    match kind {
        Some("object") => {
            let fields = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
            Value::Object(
                fields
                    .map(|(name, of)| (name.clone(), made(description, of, chance, hostile)))
                    .collect::<Map<_, _>>(),
            )
        }
        Some("array") => {
            let items = schema.get("items").cloned().unwrap_or_else(|| json!({ "type": "string" }));
            (0..chance.below(4)).map(|_| made(description, &items, chance, hostile)).collect()
        }
        Some("integer") => json!(chance.below(9) + 1),
        Some("boolean") => json!(chance.below(2) == 0),
        _ if schema.get("examples").is_some() => schema["examples"][0].clone(),
        _ => json!(*chance.pick(&["ann", "bob", "rh-1", "As", "10d", "x1", "10.00"])),
    }
}
