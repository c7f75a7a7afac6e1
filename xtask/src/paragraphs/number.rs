//! A paragraph's number: `3.13`, `3.11.2a`, `Appendix A`.
//!
//! Parsed leniently, since the texts write list letters in several ways (`3.11.2a`, `3.11.2.a`, `3.11.2 a`,
//! `3.11.2(a)` are one paragraph), and ordered as the texts count: 3.9 before 3.10, 3.11.2 before 3.11.2a.
//!
//! The product has its own type for this. The tasks do not use it: they must run while the product does not
//! compile, and the register is an independent check of its citations.

use std::fmt;
use std::str::FromStr;

/// The number of a paragraph in one text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Number(Vec<Part>);

/// Numbered parts sort before lettered ones, and appendices come last, as in the texts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Part {
    Count(u32),
    Letter(String),
    Appendix(String),
}

/// A string that is not a paragraph number.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a paragraph number such as 3.13, 3.11.2a or Appendix A")]
pub struct NumberError(String);

impl Number {
    /// The paragraph that this one is a part of.
    pub fn parent(&self) -> Option<Self> {
        let (_, rest) = self.0.split_last()?;
        (!rest.is_empty()).then(|| Self(rest.to_vec()))
    }

    /// Whether this paragraph is below the other: 3.11.2a is part of 3.11.
    pub fn is_part_of(&self, other: &Self) -> bool {
        self.0.len() > other.0.len() && self.0.starts_with(&other.0)
    }

    /// The section: `3` for `3.11.2a`, `Appendix` for an appendix.
    pub fn section(&self) -> String {
        match self.0.first() {
            Some(Part::Count(count)) => count.to_string(),
            Some(Part::Appendix(_)) => "Appendix".to_owned(),
            Some(Part::Letter(letter)) => letter.clone(),
            None => String::new(),
        }
    }
}

impl FromStr for Number {
    type Err = NumberError;

    fn from_str(text: &str) -> Result<Self, NumberError> {
        let error = || NumberError(text.to_owned());
        let lower = text.trim().to_ascii_lowercase();
        let (mut parts, mut rest) = match lower.strip_prefix("appendix") {
            Some(rest) => {
                let rest = rest.trim_start_matches([' ', '-']);
                let (letter, rest) = split_run(rest, |c| c.is_ascii_alphabetic());
                if letter.len() != 1 {
                    return Err(error());
                }
                (vec![Part::Appendix(letter.to_ascii_uppercase())], rest)
            }
            None => {
                let (count, rest) = split_run(&lower, |c| c.is_ascii_digit());
                (vec![Part::Count(count_from(count).ok_or_else(error)?)], rest)
            }
        };
        while !rest.is_empty() {
            let next = rest.strip_prefix('.').unwrap_or(rest).trim_start();
            let bracketed = next.strip_prefix('(');
            let next = bracketed.unwrap_or(next);
            let (part, mut after) = match split_run(next, |c| c.is_ascii_digit()) {
                ("", _) => {
                    let (letter, after) = split_run(next, |c| c.is_ascii_alphabetic());
                    if letter.is_empty() || letter.len() > LETTERS_MAX {
                        return Err(error());
                    }
                    (Part::Letter(letter.to_owned()), after)
                }
                (count, after) => (Part::Count(count_from(count).ok_or_else(error)?), after),
            };
            if bracketed.is_some() {
                after = after.strip_prefix(')').ok_or_else(error)?;
            }
            parts.push(part);
            rest = after;
        }
        Ok(Self(parts))
    }
}

/// List letters are single, or small Roman numerals up to viii.
const LETTERS_MAX: usize = 4;

fn split_run(text: &str, belongs: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|c| !belongs(c)).unwrap_or(text.len()))
}

fn count_from(digits: &str) -> Option<u32> {
    if digits.starts_with('0') { None } else { digits.parse().ok() }
}

impl fmt::Display for Number {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut before: Option<&Part> = None;
        for part in &self.0 {
            match (before, part) {
                (None, Part::Count(count)) => write!(out, "{count}")?,
                (Some(_), Part::Count(count)) => write!(out, ".{count}")?,
                (Some(Part::Letter(_)), Part::Letter(letter)) => write!(out, ".{letter}")?,
                (_, Part::Letter(letter)) => write!(out, "{letter}")?,
                (_, Part::Appendix(letter)) => write!(out, "Appendix {letter}")?,
            }
            before = Some(part);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Number {
        text.parse().expect("a number")
    }

    #[test]
    fn one_paragraph_has_many_spellings() {
        for text in ["3.11.2a", "3.11.2.a", "3.11.2 a", "3.11.2(a)", "3.11.2 (a)", "3.11.2A", " 3.11.2a "] {
            assert_eq!(number(text).to_string(), "3.11.2a", "{text}");
        }
        for text in ["Appendix A", "appendix-a", "APPENDIX a"] {
            assert_eq!(number(text).to_string(), "Appendix A", "{text}");
        }
        assert_eq!(number("3.11.2 a ii").to_string(), "3.11.2a.ii");
    }

    #[test]
    fn what_is_no_number_is_named() {
        for text in [
            "",
            "I-3",
            "a",
            "3.",
            "3..1",
            ".3",
            "3.13,",
            "RH 3.13",
            "3.01",
            "appendix",
            "3.1(a",
            "99999999999",
        ] {
            let error = text.parse::<Number>().expect_err(text);
            assert!(error.to_string().contains(&format!("`{text}`")));
        }
    }

    #[test]
    fn the_order_is_that_of_the_texts() {
        let sorted = [
            "1",
            "1.1",
            "3.2",
            "3.9",
            "3.10",
            "3.11.2",
            "3.11.2a",
            "3.11.2b",
            "3.11.3",
            "Appendix A",
            "Appendix B",
        ];
        for pair in sorted.windows(2) {
            assert!(number(pair[0]) < number(pair[1]), "{pair:?}");
        }
    }

    #[test]
    fn parents_and_sections() {
        assert_eq!(number("3.11.2a").parent(), Some(number("3.11.2")));
        assert_eq!(number("3").parent(), None);
        assert!(number("3.11.2a").is_part_of(&number("3.11")));
        assert!(!number("3.11").is_part_of(&number("3.11")));
        assert!(!number("3.11").is_part_of(&number("3.1")));
        assert_eq!(number("3.11.2a").section(), "3");
        assert_eq!(number("Appendix B").section(), "Appendix");
    }
}
