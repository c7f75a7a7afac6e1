//! Ids: tables, players, staff, rounds, commands, jackpots.
//!
//! Names are validated once, when they are parsed; a value of these types is a valid name. A player's name is also their name on slips and
//! in round scripts, so it has no spaces.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use baize_table::Player;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize};
use thiserror::Error;

/// Why a text is not a name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NameFault {
    /// Empty, too long or with invalid characters.
    #[error(
        "`{text}` is not {what}: 1 to {most} letters, digits, `-`, `_` and `.`, beginning with a letter or a digit"
    )]
    Name {
        /// The kind of name.
        what: &'static str,
        /// The invalid text, shortened.
        text: String,
        /// The maximum length.
        most: usize,
    },
    /// Not in the form `table/number`.
    #[error("`{0}` is not a round: write the table and the number, like rh-1/17")]
    Round(String),
}

fn checked(what: &'static str, text: &str, most: usize) -> Result<String, NameFault> {
    let good = text.len() <= most
        && text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'));
    if good {
        Ok(text.to_owned())
    } else {
        Err(NameFault::Name { what, text: text.chars().take(most).collect(), most })
    }
}

macro_rules! name {
    ($(#[$doc:meta])* $name:ident, $what:literal, $most:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// The name as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.0)
            }
        }

        impl FromStr for $name {
            type Err = NameFault;
            fn from_str(text: &str) -> Result<$name, NameFault> {
                checked($what, text, $most).map($name)
            }
        }

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({
                    "description": concat!("The name of ", $what, "."),
                    "type": "string",
                    "pattern": "^[A-Za-z0-9][A-Za-z0-9._-]*$",
                    "maxLength": $most,
                })
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

name!(/// A table: `rh-1`.
    TableId, "a table", 32);
name!(/// A player: their name on slips and in scripts.
    PlayerId, "a player's name", 32);
name!(/// A member of staff.
    StaffId, "a name of staff", 32);
name!(/// A jackpot: `MBS`.
    JackpotId, "a jackpot", 32);
name!(/// A command's id, chosen by its sender. A command sent twice under one id acts once and gets the same answer.
    CommandId, "a command id", 64);

impl From<&PlayerId> for Player {
    fn from(id: &PlayerId) -> Player {
        Player(id.0.clone())
    }
}

impl CommandId {
    /// A new unique id. It begins with the time, so ids created together are close together in the databases' indexes.
    #[must_use]
    pub fn random() -> CommandId {
        let since = std::time::UNIX_EPOCH.elapsed().unwrap_or_default();
        CommandId(format!("{:012x}{}", since.as_millis(), crate::secret::token(10)))
    }
}

/// A round: a table and a number. Written `rh-1/17`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(into = "String", try_from = "String")]
pub struct RoundId {
    /// The table.
    pub table: TableId,
    /// The round's number at that table, from 1.
    pub number: u32,
}

impl fmt::Display for RoundId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.table, self.number)
    }
}

impl FromStr for RoundId {
    type Err = NameFault;

    fn from_str(text: &str) -> Result<RoundId, NameFault> {
        let wrong = || NameFault::Round(text.chars().take(64).collect());
        let (table, number) = text.split_once('/').ok_or_else(wrong)?;
        let number = number.parse().ok().filter(|&n| n > 0).ok_or_else(wrong)?;
        Ok(RoundId { table: table.parse().map_err(|_| wrong())?, number })
    }
}

impl From<RoundId> for String {
    fn from(round: RoundId) -> String {
        round.to_string()
    }
}

impl TryFrom<String> for RoundId {
    type Error = NameFault;
    fn try_from(text: String) -> Result<RoundId, NameFault> {
        text.parse()
    }
}
