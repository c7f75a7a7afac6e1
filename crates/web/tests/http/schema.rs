//! Validates responses strictly against the OpenAPI description, and generates valid and invalid values.

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

/// Why a value violates the schema, if it does. Strict: undescribed fields are violations.
pub(crate) fn violation(description: &Value, schema: &Value, value: &Value, at: &str) -> Option<String> {
    let mut root = strict(schema.clone());
    root["components"] = components(&description["components"]);
    let validator = jsonschema::validator_for(&root).unwrap_or_else(|error| panic!("{at}: {error}"));
    let faults: Vec<String> =
        validator.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect();
    (!faults.is_empty()).then(|| format!("{at}: {}", faults.join("; ")))
}

/// The component schemas, made strict.
fn components(of: &Value) -> Value {
    let shapes = of["schemas"].as_object().unwrap();
    json!({ "schemas": shapes.iter().map(|(name, shape)| (name.clone(), inside(shape.clone()))).collect::<Map<_, _>>() })
}

/// Forbids undescribed fields in a schema for a value. The parts of a choice stay open, because the whole is closed.
fn strict(schema: Value) -> Value {
    let mut schema = inside(schema);
    let has_fields =
        ["$ref", "properties", "oneOf", "anyOf", "allOf"].iter().any(|keyword| schema.get(keyword).is_some());
    if has_fields && schema.get("additionalProperties").is_none() {
        schema["unevaluatedProperties"] = json!(false);
    }
    schema
}

fn inside(mut schema: Value) -> Value {
    let Some(keywords) = schema.as_object_mut() else { return schema };
    for (keyword, of) in keywords.iter_mut() {
        *of = match (keyword.as_str(), of.take()) {
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

/// Pseudo-random numbers from a seed.
pub(crate) struct Rng(u64);

impl Rng {
    pub(crate) fn new(seed: u64) -> Rng {
        Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % bound.max(1)
    }

    pub(crate) fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

/// Texts that often break programs.
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

/// A value that matches the schema, or with a probability of one in `hostile`, one that does not.
pub(crate) fn generate(description: &Value, schema: &Value, rng: &mut Rng, hostile: usize) -> Value {
    let schema = resolved(description, schema);
    if hostile > 0 && rng.below(hostile) == 0 {
        return match rng.below(8) {
            0 => Value::Null,
            1 => json!(-1),
            2 => json!(1e300),
            3 => json!([[[[[[[[]]]]]]]]),
            4 => json!({ "order": { "order": {} } }),
            5 => json!(true),
            _ => json!(*rng.pick(&HOSTILE)),
        };
    }
    for choice in ["anyOf", "oneOf"] {
        if let Some(choices) = schema.get(choice).and_then(Value::as_array) {
            return generate(description, rng.pick(choices), rng, hostile);
        }
    }
    // A reference with additional fields: a variant with its tag.
    if let (Some(path), Some(_)) = (schema.get("$ref").and_then(Value::as_str), schema.get("properties")) {
        let mut whole = generate(description, &json!({ "$ref": path }), rng, 0);
        let mut own = schema.clone();
        own.as_object_mut().unwrap().remove("$ref");
        if let (Some(whole), Value::Object(own)) =
            (whole.as_object_mut(), generate(description, &own, rng, 0))
        {
            whole.extend(own);
        }
        return whole;
    }
    if let Some(of) = schema.get("const") {
        return of.clone();
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return rng.pick(values).clone();
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
                    .map(|(name, of)| (name.clone(), generate(description, of, rng, hostile)))
                    .collect::<Map<_, _>>(),
            )
        }
        Some("array") => {
            let items = schema.get("items").cloned().unwrap_or_else(|| json!({ "type": "string" }));
            (0..rng.below(4)).map(|_| generate(description, &items, rng, hostile)).collect()
        }
        Some("integer") => json!(rng.below(9) + 1),
        Some("boolean") => json!(rng.below(2) == 0),
        _ if schema.get("examples").is_some() => schema["examples"][0].clone(),
        _ => json!(*rng.pick(&["ann", "bob", "rh-1", "As", "10d", "x1", "10.00"])),
    }
}
