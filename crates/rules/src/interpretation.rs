//! What the texts leave open: the reading in force of every point, and the points that a rulebook names.
//!
//! The points themselves, with their readings and the reasons for the default, are in `open_points`.

use serde::Serialize;

use crate::{Cites, Readings};

/// An open point that this rulebook names: its paragraphs and its default reading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Interpretation {
    /// `I-3`.
    pub id: &'static str,
    /// What is open.
    pub title: &'static str,
    /// The readings: name and words, those of [`Readings::choices`].
    pub readings: &'static [(&'static str, &'static str)],
    /// The name of the reading that this rulebook uses.
    pub reading: &'static str,
    /// The paragraphs that leave it open.
    pub cites: Cites,
}

/// An open point: its id, its title and its readings (name and words).
pub(crate) type Point = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

/// Makes of one list of open points: an enum for each, [`Readings`] with a field for each, and what is said about them.
macro_rules! open_points {
    ($(
        $id:literal $title:literal
        $field:ident: $name:ident {
            $($(#[$default:meta])? $variant:ident $code:literal $words:literal),+ $(,)?
        }
        why $why:literal
    )+) => {
        $(
            #[doc = concat!($id, ": ", $title, ".")]
            #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
            #[serde(rename_all = "kebab-case")]
            pub enum $name {
                $(#[doc = $words] $(#[$default])? $variant),+
            }
        )+

        /// The reading in force of every open point.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
        #[serde(default)]
        pub struct Readings {
            $(#[doc = concat!($id, ".")] pub $field: $name),+
        }

        /// Every open point.
        const POINTS: &[Point] = &[$(($id, $title, &[$(($code, $words)),+])),+];

        impl Readings {
            /// Every open point: its id, its title and its readings (name and words).
            #[must_use]
            pub const fn choices() -> &'static [Point] {
                POINTS
            }

            /// Why the default reading of this open point is the default, with an example.
            #[must_use]
            pub fn why(id: &str) -> Option<&'static str> {
                match id {
                    $($id => Some($why),)+
                    _ => None,
                }
            }

            /// The name of the reading in force of this open point.
            #[must_use]
            pub fn reading(&self, id: &str) -> Option<&'static str> {
                match id {
                    $($id => Some(match self.$field { $($name::$variant => $code),+ }),)+
                    _ => None,
                }
            }

            /// The same readings but for this open point.
            ///
            /// # Errors
            /// An open point or a reading that does not exist; the text names those that do.
            pub fn with(mut self, id: &str, reading: &str) -> Result<Readings, String> {
                match (id, reading) {
                    $($(($id, $code) => self.$field = $name::$variant,)+)+
                    _ => return Err(unknown(id, reading)),
                }
                Ok(self)
            }
        }
    };
}

pub(crate) use open_points;

/// What is wrong with the name of an open point or of a reading.
pub(crate) fn unknown(id: &str, reading: &str) -> String {
    match Readings::choices().iter().find(|(point, ..)| *point == id) {
        None => format!("`{id}` is not an open point: they are I-1 to I-{}", Readings::choices().len()),
        Some((_, _, readings)) => {
            let names: Vec<&str> = readings.iter().map(|(name, _)| *name).collect();
            format!("`{reading}` is not a reading of {id}: it has {}", names.join(", "))
        }
    }
}
