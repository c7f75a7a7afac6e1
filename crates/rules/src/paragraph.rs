//! Paragraph numbers of the rule texts, and values that carry them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

/// A paragraph of a rule text: `3.13`, `3.11.2a`, or an appendix: `Appendix A`. Small and `Copy`, so that settlement
/// lines carry their citations without allocating.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Paragraph {
    /// Up to four numbers; zeros at the end are absent. All zero: an appendix.
    numbers: [u8; 4],
    /// A lower-case letter of a lettered item, an upper-case one of an appendix, or 0.
    letter: u8,
}

impl Paragraph {
    /// No paragraph: no text parses as it.
    const NONE: Paragraph = Paragraph { numbers: [0; 4], letter: 0 };

    /// Whether this paragraph is `cited` or contains it: 3.11 covers 3.11.2 and 3.11.2a.
    #[must_use]
    pub fn covers(self, cited: Paragraph) -> bool {
        if self == cited {
            return true;
        }
        let depth = self.numbers.iter().take_while(|&&n| n != 0).count();
        self.letter == 0 && depth > 0 && self.numbers[..depth] == cited.numbers[..depth]
    }
}

impl Paragraph {
    /// How many numbers and letters it has: 3 for 3.11.2, 4 for 3.11.2a.
    pub(crate) fn depth(self) -> usize {
        self.numbers.iter().filter(|&&n| n != 0).count() + usize::from(self.letter != 0)
    }
}

impl fmt::Display for Paragraph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = char::from(self.letter);
        if self.numbers[0] == 0 {
            return f.pad(&format!("Appendix {letter}"));
        }
        let numbers: Vec<String> =
            self.numbers.iter().take_while(|&&n| n != 0).map(ToString::to_string).collect();
        let mut text = numbers.join(".");
        if self.letter != 0 {
            text.push(letter);
        }
        f.pad(&text)
    }
}

/// A text that is not a paragraph number.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is not a paragraph number: write it like 3.13, 3.11.2a or Appendix A")]
pub struct ParagraphError(pub String);

/// Parses `3.11.2a`, `3.11.2.a`, `3.11.2 a` and `Appendix A`.
impl FromStr for Paragraph {
    type Err = ParagraphError;

    fn from_str(text: &str) -> Result<Paragraph, ParagraphError> {
        let wrong = || ParagraphError(text.to_owned());
        if let Some(letter) = text.strip_prefix("Appendix ") {
            return match letter.as_bytes() {
                [letter @ b'A'..=b'Z'] => Ok(Paragraph { numbers: [0; 4], letter: *letter }),
                _ => Err(wrong()),
            };
        }
        let (body, letter) = match text.as_bytes().last() {
            Some(letter @ b'a'..=b'z') => (text[..text.len() - 1].trim_end_matches(['.', ' ']), *letter),
            _ => (text, 0),
        };
        let mut numbers = [0; 4];
        let parts: Vec<&str> = body.split('.').collect();
        if parts.len() > numbers.len() {
            return Err(wrong());
        }
        for (slot, part) in numbers.iter_mut().zip(parts) {
            *slot = part.parse::<u8>().ok().filter(|&n| n > 0).ok_or_else(wrong)?;
        }
        Ok(Paragraph { numbers, letter })
    }
}

impl Serialize for Paragraph {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Paragraph {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Paragraph, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// The paragraphs behind a value, the most important first. Empty only if nothing is cited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cites {
    /// Those after the last one are [`Paragraph::NONE`].
    paragraphs: [Paragraph; Cites::MOST],
}

impl Default for Cites {
    fn default() -> Cites {
        Cites::NONE
    }
}

impl Cites {
    /// The maximum number of paragraphs behind one value. A rulebook entry names up to four, and no value comes from more than six
    /// entries: an award also cites its pool, its place in the order, a fault, and whether the dealer had a hand.
    pub const MOST: usize = 24;

    /// No paragraph.
    pub const NONE: Cites = Cites { paragraphs: [Paragraph::NONE; Cites::MOST] };

    /// One paragraph.
    #[must_use]
    pub const fn one(paragraph: Paragraph) -> Cites {
        let mut cites = Cites::NONE;
        cites.paragraphs[0] = paragraph;
        cites
    }

    /// The paragraphs, the most important first.
    pub fn iter(&self) -> impl Iterator<Item = Paragraph> + '_ {
        self.paragraphs.iter().copied().take_while(|paragraph| *paragraph != Paragraph::NONE)
    }

    /// The most important paragraph.
    #[must_use]
    pub fn first(&self) -> Option<Paragraph> {
        self.iter().next()
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        let Paragraph { numbers, letter } = self.paragraphs[0];
        numbers[0] == 0 && letter == 0
    }

    /// Whether `paragraph` is one of them or contains one of them.
    #[must_use]
    pub fn includes(&self, paragraph: Paragraph) -> bool {
        self.iter().any(|cited| paragraph.covers(cited))
    }

    /// These paragraphs, then the others that are not already among them.
    ///
    /// # Panics
    /// With more than [`Cites::MOST`]: no rule adds that many, and none may be lost.
    #[must_use]
    #[inline]
    pub fn and(self, others: Cites) -> Cites {
        // Most lines have nothing to add.
        if others.is_empty() { self } else { self.and_more(others) }
    }

    fn and_more(mut self, others: Cites) -> Cites {
        for other in others.iter() {
            if !self.iter().any(|p| p == other) {
                let count = self.iter().count();
                assert!(count < Cites::MOST, "{other} beside {self}: no value has so many paragraphs");
                self.paragraphs[count] = other;
            }
        }
        self
    }
}

impl From<Paragraph> for Cites {
    fn from(paragraph: Paragraph) -> Cites {
        Cites::one(paragraph)
    }
}

impl FromIterator<Paragraph> for Cites {
    fn from_iter<I: IntoIterator<Item = Paragraph>>(paragraphs: I) -> Cites {
        paragraphs.into_iter().fold(Cites::NONE, |all, p| all.and(Cites::one(p)))
    }
}

/// `3.13, 4.1`.
impl fmt::Display for Cites {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all: Vec<String> = self.iter().map(|p| p.to_string()).collect();
        f.pad(&all.join(", "))
    }
}

impl Serialize for Cites {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Cites {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Cites, D::Error> {
        let paragraphs = Vec::<Paragraph>::deserialize(deserializer)?;
        if paragraphs.len() > Cites::MOST {
            let most = Cites::MOST;
            return Err(serde::de::Error::custom(format!(
                "{} paragraphs: a value has at most {most}",
                paragraphs.len()
            )));
        }
        Ok(paragraphs.into_iter().collect())
    }
}

/// A value from the rules and the paragraphs that say so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cited<T> {
    /// The value.
    pub value: T,
    /// The paragraphs.
    pub cites: Cites,
}
