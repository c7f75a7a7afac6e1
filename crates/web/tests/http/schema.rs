//! Enough of JSON Schema to hold answers against the description, and to make values that fit it or do not.

use serde_json::{Map, Value, json};

/// Follows a reference.
pub(crate) fn resolved<'a>(description: &'a Value, schema: &'a Value) -> &'a Value {
    match schema.get("$ref").and_then(Value::as_str) {
        Some(path) => description
            .pointer(path.trim_start_matches('#'))
            .unwrap_or_else(|| panic!("{path} is not described")),
        None => schema,
    }
}

/// Why a value does not fit, if it does not.
pub(crate) fn misfit(description: &Value, schema: &Value, value: &Value, at: &str) -> Option<String> {
    let schema = resolved(description, schema);
    for choice in ["anyOf", "oneOf"] {
        if let Some(choices) = schema.get(choice).and_then(Value::as_array) {
            let fits = choices.iter().any(|choice| misfit(description, choice, value, at).is_none());
            return (!fits).then(|| format!("{at}: fits no choice: {value}"));
        }
    }
    if let Some(of) = schema.get("const") {
        return (of != value).then(|| format!("{at}: {value} is not {of}"));
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array)
        && !values.contains(value)
    {
        return Some(format!("{at}: {value} is none of {values:?}"));
    }
    let kinds: Vec<&str> = match schema.get("type") {
        Some(Value::String(kind)) => vec![kind],
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let is = |kind: &str| match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("the description uses {other}"),
    };
    if !kinds.is_empty() && !kinds.iter().any(|kind| is(kind)) {
        return Some(format!("{at}: {value} is not {kinds:?}"));
    }
    if let Some(fields) = value.as_object() {
        for name in
            schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
        {
            if !fields.contains_key(name) {
                return Some(format!("{at}: {name} is missing"));
            }
        }
        for (name, of) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            if let Some(value) = fields.get(name)
                && let Some(why) = misfit(description, of, value, &format!("{at}.{name}"))
            {
                return Some(why);
            }
        }
    }
    if let (Some(items), Some(values)) = (schema.get("items"), value.as_array()) {
        let each = values
            .iter()
            .enumerate()
            .find_map(|(n, value)| misfit(description, items, value, &format!("{at}[{n}]")));
        return each;
    }
    None
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
