//! Stored shapes: what the journal's bodies look like, version by version.
//!
//! These types are the journal's own. The rest of the program may change its types; a conversion here is changed with them, or a new
//! version is added beside the old one, and old journals still open. Fixtures of every version are kept in the tests.

#[macro_use]
mod shape;
mod command_v1;
mod event_v1;
mod house_v1;

use serde::{Deserialize, Serialize};

use house_v1::BodyV1;
pub(crate) use shape::Shape;

use crate::facts::Body;
use crate::journal::StoreError;

/// A body with its version.
#[derive(Debug, Serialize, Deserialize)]
struct Versioned<T> {
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

/// The text of a body.
pub(crate) fn write(body: &Body) -> String {
    let versioned = Versioned { v: NEWEST, body: BodyV1::store(body) };
    serde_json::to_string(&versioned)
        .unwrap_or_else(|error| unreachable!("stored shapes are plain data: {error}"))
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
