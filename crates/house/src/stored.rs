//! Serialisation of bodies and states: the program's own types as JSON, with a version.
//!
//! If older bodies do not fit a changed type, either the field gets a default or this file gets a new version and a step that upgrades
//! bodies of the previous one. Tests keep fixtures of every version.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::facts::{Body, TableFact};
use crate::journal::StoreError;
use crate::snapshots::State;

/// A body or state with its version.
#[derive(Deserialize)]
struct Versioned<T> {
    #[expect(dead_code, reason = "parsed separately before")]
    v: u32,
    #[serde(flatten)]
    what: T,
}

/// The version alone.
#[derive(Deserialize)]
struct Version {
    v: u32,
}

/// The version written by this program.
const NEWEST: u32 = 2;

/// Initial buffer size: most bodies of a table fit.
const USUAL_LENGTH: usize = 2_048;

/// Serialises a body.
pub(crate) fn write(body: &Body) -> String {
    written(body)
}

/// Parses a body of any known version. `place` is for error messages.
pub fn read(text: &str, place: &str) -> Result<Body, StoreError> {
    if let Some(why) = crate::journal::archive::missing_reason(text) {
        return Err(StoreError::Corrupt(format!("{place}: {why}")));
    }
    read_any(text, place)
}

/// A table's entry, of which only the facts are parsed.
#[derive(Deserialize)]
struct OnlyFacts {
    v: u32,
    table: Option<StepsOfTable>,
}

#[derive(Deserialize)]
struct StepsOfTable {
    steps: Vec<FactsOfStep>,
}

#[derive(Deserialize)]
struct FactsOfStep {
    facts: Vec<TableFact>,
}

/// The facts of a table's entry; empty for other chains. Skips actors and commands, which take most of the time of [`read`].
pub(crate) fn table_facts(text: &str, place: &str) -> Result<Vec<TableFact>, StoreError> {
    match serde_json::from_str(text) {
        Ok(OnlyFacts { v: NEWEST, table: Some(table) }) => {
            Ok(table.steps.into_iter().flat_map(|step| step.facts).collect())
        }
        // Another version or chain, or damaged.
        Ok(_) | Err(_) => match read(text, place)? {
            Body::Table { steps, .. } => Ok(steps.into_iter().flat_map(|step| step.facts).collect()),
            Body::Jackpot(_) | Body::House(_) | Body::Purse(_) => Ok(Vec::new()),
        },
    }
}

/// Serialises a state.
pub(crate) fn write_state(state: &State) -> String {
    written(state)
}

/// Parses a state of any known version. `place` is for error messages.
pub fn read_state(text: &str, place: &str) -> Result<State, StoreError> {
    read_any(text, place)
}

/// Writes what serde's `flatten` would write for [`Versioned`], without buffering all fields. Bodies and states are objects: their opening
/// brace becomes the comma after the version.
fn written(what: &impl Serialize) -> String {
    let mut text = Vec::with_capacity(USUAL_LENGTH);
    text.extend_from_slice(format!("{{\"v\":{NEWEST}").as_bytes());
    let from = text.len();
    serde_json::to_writer(&mut text, what)
        .unwrap_or_else(|error| unreachable!("stored types are plain data: {error}"));
    text[from] = b',';
    String::from_utf8(text).unwrap_or_else(|error| unreachable!("JSON is text: {error}"))
}

fn read_any<T: DeserializeOwned>(text: &str, place: &str) -> Result<T, StoreError> {
    let wrong = |error: serde_json::Error| StoreError::Corrupt(format!("{place}: {error}"));
    let Version { v } = serde_json::from_str(text).map_err(wrong)?;
    match v {
        NEWEST => Ok(serde_json::from_str::<Versioned<T>>(text).map_err(wrong)?.what),
        1 => {
            let mut value: Value = serde_json::from_str(text).map_err(wrong)?;
            upgrade_from_1(&mut value);
            Ok(serde_json::from_value::<Versioned<T>>(value).map_err(wrong)?.what)
        }
        other => Err(StoreError::Corrupt(format!("{place}: version {other} of the journal is not known"))),
    }
}

/// Version 1 wrote a ruling's kind as `{"ruling":"bar-box","of":3}`, or `{"ruling":"void"}` without details.
fn upgrade_from_1(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(upgrade_from_1),
        Value::Object(fields) => {
            if let Some(Value::String(kind)) = fields.get("ruling") {
                let kind = kind.clone();
                *value = match fields.remove("of") {
                    Some(of) => Value::Object([(kind, of)].into_iter().collect()),
                    None => Value::String(kind),
                };
            } else {
                fields.values_mut().for_each(upgrade_from_1);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::{vouched, vouching};

    /// Bodies and states of each version, written by a casino. These files only grow.
    const BODIES_1: &str = include_str!("../tests/fixtures/journal-v1.jsonl");
    const STATES_1: &str = include_str!("../tests/fixtures/snapshots-v1.jsonl");
    const BODIES_2: &str = include_str!("../tests/fixtures/journal-v2.jsonl");
    const STATES_2: &str = include_str!("../tests/fixtures/snapshots-v2.jsonl");

    fn body(text: &str) -> Body {
        read(text, "fixture").unwrap_or_else(|error| panic!("{error}\n{text}"))
    }

    fn state(text: &str) -> State {
        read_state(text, "fixture").unwrap_or_else(|error| panic!("{error}\n{text}"))
    }

    /// Parses and serialises a body again, with the digest that it vouches for.
    fn rewritten(text: &str) -> String {
        let written = write(&body(text));
        vouched(text).map_or(written.clone(), |digest| vouching(&written, &digest))
    }

    /// Whether `whole` contains everything in `part`; it may have fields that were added later.
    fn covers(whole: &Value, part: &Value) -> bool {
        match (whole, part) {
            (Value::Object(whole), Value::Object(part)) => {
                part.iter().all(|(name, value)| whole.get(name).is_some_and(|found| covers(found, value)))
            }
            (Value::Array(whole), Value::Array(part)) => {
                whole.len() == part.len() && whole.iter().zip(part).all(|(whole, part)| covers(whole, part))
            }
            (whole, part) => whole == part,
        }
    }

    #[test]
    fn stored_bodies_survive_a_round_trip() {
        assert!(BODIES_2.lines().count() > 30 && STATES_2.lines().count() > 3);
        assert!(BODIES_2.lines().any(|text| vouched(text).is_some()));
        let bodies = BODIES_2.lines().map(|text| (text, rewritten(text)));
        for (text, again) in bodies.chain(STATES_2.lines().map(|text| (text, write_state(&state(text))))) {
            let [whole, part] = [again.as_str(), text].map(|text| serde_json::from_str(text).unwrap());
            assert!(covers(&whole, &part), "{text}\nbecame\n{again}");
        }
    }

    #[test]
    fn table_facts_equal_the_facts_of_the_whole_body() {
        let mut found = 0;
        for text in BODIES_1.lines().chain(BODIES_2.lines()) {
            let facts = table_facts(text, "fixture").unwrap();
            let whole = match body(text) {
                Body::Table { steps, .. } => steps.into_iter().flat_map(|step| step.facts).collect(),
                Body::Jackpot(_) | Body::House(_) | Body::Purse(_) => Vec::new(),
            };
            assert_eq!(facts, whole);
            found += facts.len();
        }
        assert!(found > 50, "{found}");
        assert!(table_facts("{\"v\":2}", "here").is_err() && table_facts("[1]", "here").is_err());
    }

    #[test]
    fn version_1_reads_like_version_2() {
        for (older, newer) in BODIES_1.lines().zip(BODIES_2.lines()) {
            assert_eq!(body(older), body(newer));
        }
        for (older, newer) in STATES_1.lines().zip(STATES_2.lines()) {
            assert_eq!(state(older), state(newer));
        }
    }

    #[test]
    fn a_ruling_of_version_1_is_upgraded() {
        let check = |older: &str, newer: &str| {
            let mut value: Value = serde_json::from_str(older).unwrap();
            upgrade_from_1(&mut value);
            assert_eq!(value.to_string(), newer);
        };
        check(r#"{"kind":{"ruling":"void"},"n":[1]}"#, r#"{"kind":"void","n":[1]}"#);
        check(r#"[{"kind":{"ruling":"bar-box","of":3}}]"#, r#"[{"kind":{"bar-box":3}}]"#);
    }

    #[test]
    fn invalid_bodies_are_errors() {
        for text in [
            "",
            "{}",
            "{\"v\":3,\"house\":[]}",
            "{\"v\":2}",
            "{\"v\":2,\"house\":[{\"fact\":\"made-up\"}]}",
            "[1]",
        ] {
            assert!(read(text, "here").is_err(), "{text}");
        }
    }
}
