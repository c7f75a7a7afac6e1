//! The JSON form of cards, for schemas: a string of rank and suit.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::{Card, CardSet};

impl JsonSchema for Card {
    fn schema_name() -> Cow<'static, str> {
        "Card".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A card: rank and suit. `10` is read as `T`.",
            "type": "string",
            "pattern": "^([2-9TJQKA]|10)[cdhs]$",
            "examples": ["As", "Td"],
        })
    }
}

impl JsonSchema for CardSet {
    fn schema_name() -> Cow<'static, str> {
        "CardSet".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Vec::<Card>::json_schema(generator)
    }
}
