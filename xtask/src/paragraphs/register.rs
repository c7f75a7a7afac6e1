//! One game's register, `rulebooks/paragraphs/GAME.toml`: the paragraphs that its text has.
//!
//! Parsing never stops at the first fault: what can be read is kept and every fault is reported.

use std::collections::BTreeSet;

use serde::Deserialize;
use toml::Spanned;

use super::number::Number;
use crate::problem::Problem;
use crate::workspace::File;

/// A paragraph of a text.
#[derive(Clone, Debug)]
pub struct Paragraph {
    /// Its number in the text.
    pub number: Number,
    /// What it says, in our own words.
    pub says: String,
    /// Why it is not modelled, if it is not.
    pub not_modelled: Option<String>,
    /// Why no scenario asks for it by its number, if none can.
    pub unasked: Option<String>,
    /// Its line in the register, counted from 1.
    pub line: usize,
}

/// The paragraphs of one text, in its order.
#[derive(Clone, Debug, Default)]
pub struct Register {
    /// The register's file.
    pub path: String,
    /// The paragraphs, in the order of the file.
    pub paragraphs: Vec<Paragraph>,
    /// What is wrong with the file.
    pub faults: Vec<Problem>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    #[serde(default)]
    paragraph: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    number: Spanned<String>,
    says: String,
    not_modelled: Option<String>,
    unasked: Option<String>,
}

impl Register {
    /// Reads a register.
    pub fn read(file: &File) -> Self {
        let mut register = Self { path: file.path.clone(), ..Self::default() };
        match toml::from_str::<Document>(&file.text) {
            Ok(document) => document.paragraph.into_iter().for_each(|entry| register.add(file, entry)),
            Err(error) => {
                let offset = error.span().map_or(0, |span| span.start);
                register.faults.push(Problem::at_offset(file, offset, error.message()));
            }
        }
        register.check_order();
        register
    }

    /// Whether the text has this paragraph.
    pub fn has(&self, number: &Number) -> bool {
        self.paragraphs.iter().any(|paragraph| paragraph.number == *number)
    }

    fn add(&mut self, file: &File, entry: Entry) {
        let offset = entry.number.span().start;
        let mut fault = |message: String| self.faults.push(Problem::at_offset(file, offset, message));
        let number: Number = match entry.number.get_ref().parse() {
            Ok(number) => number,
            Err(error) => return fault(format!("{error}")),
        };
        if entry.says.trim().is_empty() {
            fault(format!("{number}: `says` is empty"));
        }
        for (key, reason) in [("not_modelled", &entry.not_modelled), ("unasked", &entry.unasked)] {
            if reason.as_ref().is_some_and(|reason| reason.trim().is_empty()) {
                fault(format!("{number}: `{key}` needs a reason"));
            }
        }
        let line = 1 + file.text.bytes().take(offset).filter(|&byte| byte == b'\n').count();
        let Entry { says, not_modelled, unasked, .. } = entry;
        self.paragraphs.push(Paragraph { number, says, not_modelled, unasked, line });
    }

    fn check_order(&mut self) {
        let mut seen = BTreeSet::new();
        let mut highest: Option<&Number> = None;
        for Paragraph { number, line, .. } in &self.paragraphs {
            if !seen.insert(number) {
                self.faults.push(Problem::at(&self.path, *line, format!("{number} is listed twice")));
            } else if let Some(before) = highest.filter(|before| *before > number) {
                let message = format!("{number} stands after {before}: keep the order of the text");
                self.faults.push(Problem::at(&self.path, *line, message));
            }
            highest = highest.max(Some(number));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(text: &str) -> Vec<String> {
        let register = Register::read(&File::new("r.toml", text));
        register.faults.iter().map(ToString::to_string).collect()
    }

    fn entry(number: &str) -> String {
        format!("[[paragraph]]\nnumber = \"{number}\"\nsays = \"x\"\n")
    }

    #[test]
    fn a_register_in_order_has_no_faults() {
        let text: String = ["3.9", "3.10", "3.11.2", "3.11.2a", "Appendix A"].map(entry).concat();
        assert!(faults(&text).is_empty());
    }

    #[test]
    fn duplicates_and_disorder_are_found_with_their_line() {
        let text: String = ["3.9", "3.10", "3.9", "3.2", "3.11", "3.10 a"].map(entry).concat();
        assert_eq!(
            faults(&text),
            [
                "r.toml:8: 3.9 is listed twice",
                "r.toml:11: 3.2 stands after 3.10: keep the order of the text",
                "r.toml:17: 3.10a stands after 3.11: keep the order of the text",
            ]
        );
    }

    #[test]
    fn a_wrong_entry_is_found_with_its_line() {
        assert_eq!(
            faults(&entry("III")),
            ["r.toml:2: `III` is not a paragraph number such as 3.13, 3.11.2a or Appendix A"]
        );
        assert!(faults(&format!("{}not_modelled = \"furniture\"\n", entry("1"))).is_empty());
        assert_eq!(faults(&format!("{}not_modelled = \" \"\n", entry("1"))).len(), 1);
        assert!(faults(&format!("{}where = \"z\"\n", entry("1")))[0].contains("unknown field `where`"));
    }
}
