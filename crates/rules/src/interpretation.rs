//! What the texts leave open: the reading in force for every point, and the points that a rulebook names.
//!
//! The points themselves, with their readings and the reasons for the default, are in `open_points`.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use crate::{Cites, OpenPoint};

/// An open point that this rulebook names: its paragraphs and its default reading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Interpretation {
    /// `I-3`.
    pub id: OpenPoint,
    /// What is open.
    pub title: &'static str,
    /// The readings: name and words, from [`OpenPoint::readings`].
    pub readings: &'static [(&'static str, &'static str)],
    /// The name of the reading that this rulebook uses.
    pub reading: &'static str,
    /// The paragraphs that leave it open.
    pub cites: Cites,
}

/// Generates from one list of open points: [`OpenPoint`], an enum of the readings of each, and [`Readings`] with a field for
/// each.
macro_rules! open_points {
    ($(
        $id:literal $title:literal
        $field:ident: $name:ident {
            $($(#[$default:meta])? $variant:ident $code:literal $words:literal),+ $(,)?
        }
        why $why:literal
    )+) => {
        /// An open point of the rules: `I-3`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        #[serde(into = "String", try_from = "String")]
        pub enum OpenPoint {
            $(#[doc = concat!($id, ": ", $title, ".")] $name),+
        }

        $(
            #[doc = concat!($id, ": ", $title, ".")]
            #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
            #[serde(rename_all = "kebab-case")]
            pub enum $name {
                $(#[doc = $words] $(#[$default])? $variant),+
            }
        )+

        /// The reading in force for every open point.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
        #[serde(default)]
        pub struct Readings {
            $(#[doc = concat!($id, ".")] pub $field: $name),+
        }

        impl OpenPoint {
            /// Every open point, by number.
            pub const ALL: &[OpenPoint] = &[$(OpenPoint::$name),+];

            /// `I-3`.
            #[must_use]
            pub const fn code(self) -> &'static str {
                match self { $(OpenPoint::$name => $id),+ }
            }

            /// What is open.
            #[must_use]
            pub const fn title(self) -> &'static str {
                match self { $(OpenPoint::$name => $title),+ }
            }

            /// Its readings, the default first: name and words.
            #[must_use]
            pub const fn readings(self) -> &'static [(&'static str, &'static str)] {
                match self { $(OpenPoint::$name => &[$(($code, $words)),+]),+ }
            }

            /// Why the default reading is the default, with an example.
            #[must_use]
            pub const fn why(self) -> &'static str {
                match self { $(OpenPoint::$name => $why),+ }
            }
        }

        impl Readings {
            /// The name of the reading in force for this open point.
            #[must_use]
            pub const fn reading(&self, point: OpenPoint) -> &'static str {
                match point {
                    $(OpenPoint::$name => match self.$field { $($name::$variant => $code),+ }),+
                }
            }

            /// The same readings except for this open point.
            ///
            /// # Errors
            /// A reading that the point does not have; the message lists those that it has.
            pub fn with(mut self, point: OpenPoint, reading: &str) -> Result<Readings, String> {
                match (point, reading) {
                    $($((OpenPoint::$name, $code) => self.$field = $name::$variant,)+)+
                    _ => return Err(unknown(point, reading)),
                }
                Ok(self)
            }
        }
    };
}

pub(crate) use open_points;

/// What is wrong with the name of a reading.
pub(crate) fn unknown(point: OpenPoint, reading: &str) -> String {
    let names: Vec<&str> = point.readings().iter().map(|(name, _)| *name).collect();
    format!("`{reading}` is not a reading of {point}: it has {}", names.join(", "))
}

impl fmt::Display for OpenPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.code())
    }
}

impl FromStr for OpenPoint {
    type Err = String;

    fn from_str(text: &str) -> Result<OpenPoint, String> {
        let points = OpenPoint::ALL;
        let known = points.iter().copied().find(|point| point.code() == text);
        known.ok_or_else(|| format!("`{text}` is not an open point: they are I-1 to I-{}", points.len()))
    }
}

impl From<OpenPoint> for String {
    fn from(point: OpenPoint) -> String {
        point.code().to_owned()
    }
}

impl TryFrom<String> for OpenPoint {
    type Error = String;

    fn try_from(text: String) -> Result<OpenPoint, String> {
        text.parse()
    }
}
