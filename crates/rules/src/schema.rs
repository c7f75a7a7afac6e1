//! The JSON form of amounts, shares and paragraphs, for schemas: strings, so that no parser loses a cent.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::{Cites, Money, Paragraph, Percent};

impl JsonSchema for Money {
    fn schema_name() -> Cow<'static, str> {
        "Money".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "An amount in dollars and cents.",
            "type": "string",
            "pattern": "^-?[0-9]{1,3}([0-9]*|(,[0-9]{3})*)(\\.[0-9]{1,2})?$",
            "examples": ["25.00", "-1250.50"],
        })
    }
}

impl JsonSchema for Percent {
    fn schema_name() -> Cow<'static, str> {
        "Percent".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A share of 0 to 100 per cent, with at most two decimals.",
            "type": "string",
            "pattern": "^[0-9]{1,3}(\\.[0-9]{1,2})?%$",
            "examples": ["20%"],
        })
    }
}

impl JsonSchema for Paragraph {
    fn schema_name() -> Cow<'static, str> {
        "Paragraph".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A paragraph of the game's approved text.",
            "type": "string",
            "examples": ["5.18.2b"],
        })
    }
}

impl JsonSchema for Cites {
    fn schema_name() -> Cow<'static, str> {
        "Cites".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Vec::<Paragraph>::json_schema(generator)
    }
}
