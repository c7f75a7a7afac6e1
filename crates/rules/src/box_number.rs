//! The number of a box on a layout.

use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

/// The number of a box, counted clockwise from the dealer's left: also the order of the deal.
///
/// It is the number that a person or a program names, a plain number in data. Whether the table has that box is decided with
/// [`BoxNumber::is_on`], so that a box beyond the layout is refused with its paragraph instead of being unreadable. The default,
/// 0, is on no layout.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BoxNumber(pub u8);

impl BoxNumber {
    /// The boxes of a layout with this many, in the order of the deal.
    pub fn all(boxes: u8) -> impl DoubleEndedIterator<Item = BoxNumber> + Clone {
        (1..=boxes).map(BoxNumber)
    }

    /// Whether a layout with this many boxes has this one.
    #[must_use]
    pub fn is_on(self, boxes: u8) -> bool {
        (1..=boxes).contains(&self.0)
    }
}

/// The plain number: digests of commands use this form and are on record.
impl fmt::Debug for BoxNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for BoxNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for BoxNumber {
    type Err = ParseIntError;

    fn from_str(text: &str) -> Result<BoxNumber, ParseIntError> {
        text.parse().map(BoxNumber)
    }
}

/// Described as a plain number, its form in data.
impl JsonSchema for BoxNumber {
    fn inline_schema() -> bool {
        u8::inline_schema()
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        u8::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        u8::json_schema(generator)
    }
}
