//! Stored shapes: what the journal's bodies look like, version by version.
//!
//! These types are the journal's own. The rest of the program may change its types; a conversion here is changed with them, or a new
//! version is added beside the old one, and old journals still open. Fixtures of every version are kept in the tests.

#[macro_use]
mod shape;
mod command_v1;
mod event_v1;
mod house_v1;
mod jackpot_v1;
mod set_up_v1;
mod state_v1;

use serde::{Deserialize, Serialize};

use house_v1::BodyV1;
pub(crate) use shape::Shape;
use state_v1::StateV1;

use crate::facts::Body;
use crate::journal::StoreError;
use crate::snapshots::State;

/// A body with its version.
#[derive(Debug, Deserialize)]
struct Versioned<T> {
    #[expect(dead_code, reason = "read before, by itself")]
    v: u32,
    #[serde(flatten)]
    body: T,
}

/// Only the version.
#[derive(Deserialize)]
struct Version {
    v: u32,
}

/// The newest version, which is written.
const NEWEST: u32 = 1;

/// Bytes of most bodies of a table.
const USUAL_LENGTH: usize = 2_048;

/// What serde's `flatten` would write of [`Versioned`], without gathering all fields in memory first. A shape is an object: its opening
/// brace becomes the comma after the version.
fn versioned(shape: &impl Serialize) -> String {
    let mut text = Vec::with_capacity(USUAL_LENGTH);
    text.extend_from_slice(format!("{{\"v\":{NEWEST}").as_bytes());
    let shape_from = text.len();
    serde_json::to_writer(&mut text, shape)
        .unwrap_or_else(|error| unreachable!("stored shapes are plain data: {error}"));
    text[shape_from] = b',';
    String::from_utf8(text).unwrap_or_else(|error| unreachable!("JSON is text: {error}"))
}

/// The text of a body.
pub(crate) fn write(body: &Body) -> String {
    versioned(&BodyV1::store(body))
}

/// The body of a text of any known version.
pub(crate) fn read(text: &str, place: &str) -> Result<Body, StoreError> {
    let wrong = |error: serde_json::Error| StoreError::Corrupt(format!("{place}: {error}"));
    let Version { v } = serde_json::from_str(text).map_err(wrong)?;
    match v {
        1 => Ok(serde_json::from_str::<Versioned<BodyV1>>(text).map_err(wrong)?.body.load()),
        other => {
            Err(StoreError::Corrupt(format!("{place}: version {other} of the stored shapes is not known")))
        }
    }
}

/// The field of a body that vouches for a snapshot.
#[derive(Deserialize)]
struct Vouching {
    #[serde(default)]
    kept: Option<String>,
}

/// The text of a body that vouches for a snapshot by the digest of its state.
pub(crate) fn vouching(text: &str, digest: &str) -> String {
    format!("{},\"kept\":\"{digest}\"}}", text.strip_suffix('}').unwrap_or(text))
}

/// The digest of the state that a body vouches for. Bodies of older programs vouch for none.
pub(crate) fn vouched(text: &str) -> Option<String> {
    serde_json::from_str::<Vouching>(text).ok()?.kept
}

/// The text of a snapshot's state.
pub(crate) fn write_state(state: &State) -> String {
    versioned(&StateV1::store(state))
}

/// The state of a text of any known version.
pub(crate) fn read_state(text: &str, place: &str) -> Result<State, StoreError> {
    let wrong = |error: serde_json::Error| StoreError::Corrupt(format!("{place}: {error}"));
    let Version { v } = serde_json::from_str(text).map_err(wrong)?;
    match v {
        1 => Ok(serde_json::from_str::<Versioned<StateV1>>(text).map_err(wrong)?.body.load()),
        other => {
            Err(StoreError::Corrupt(format!("{place}: version {other} of the stored states is not known")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bodies of the first version as a casino wrote them. This file only ever grows.
    const VERSION_1: &str = include_str!("../../../tests/fixtures/journal-v1.jsonl");

    #[test]
    fn bodies_of_the_first_version_are_read_and_written_as_they_were() {
        assert!(VERSION_1.lines().count() > 30);
        for (number, text) in (1..).zip(VERSION_1.lines()) {
            let body =
                read(text, &format!("line {number}")).unwrap_or_else(|error| panic!("{error}\n{text}"));
            let written = write(&body);
            let written = vouched(text).map_or(written.clone(), |digest| vouching(&written, &digest));
            assert_eq!(written, text, "line {number}");
        }
        assert!(VERSION_1.lines().any(|text| vouched(text).is_some()));
    }

    /// States of the first version as a casino wrote them. This file only ever grows.
    const STATES_1: &str = include_str!("../../../tests/fixtures/snapshots-v1.jsonl");

    #[test]
    fn states_of_the_first_version_are_read_and_written_as_they_were() {
        assert!(STATES_1.lines().count() > 3);
        for (number, text) in (1..).zip(STATES_1.lines()) {
            let state =
                read_state(text, &format!("line {number}")).unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert_eq!(write_state(&state), text, "line {number}");
        }
    }

    #[test]
    fn a_body_that_is_not_one_is_an_error() {
        for text in [
            "",
            "{}",
            "{\"v\":2,\"house\":[]}",
            "{\"v\":1}",
            "{\"v\":1,\"house\":[{\"fact\":\"made-up\"}]}",
            "[1]",
        ] {
            assert!(read(text, "here").is_err(), "{text}");
        }
    }
}
