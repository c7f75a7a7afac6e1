//! A TOML text whose values know their position, and the faults found so far.
//!
//! Parsing never stops at a fault: each value is requested, a fault is recorded if it is not as required, and
//! parsing continues. A [`Table`] reports the keys that were never requested when it is dropped.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt::Display;
use std::ops::Range;
use std::str::FromStr;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::fault::{Fault, Faults, Problem, nearest};
use crate::register::Register;
use crate::{Cites, Paragraph};

/// The position of a value.
#[derive(Debug, Clone, Default)]
pub(super) struct Place {
    /// The byte at which it starts.
    pub(super) at: usize,
    /// The path to it.
    pub(super) path: String,
}

/// A value and its position.
#[derive(Debug, Clone)]
pub(super) struct At<T> {
    pub(super) value: T,
    pub(super) place: Place,
}

/// An optional part.
pub(super) enum Part<T> {
    /// It is absent.
    Absent,
    /// It is present but could not be parsed.
    Faulty,
    /// It is present.
    Read(At<T>),
}

impl<T> Part<T> {
    /// What could be parsed.
    pub(super) fn read(&self) -> Option<&At<T>> {
        match self {
            Part::Read(at) => Some(at),
            Part::Absent | Part::Faulty => None,
        }
    }

    /// What could be parsed, without its position.
    pub(super) fn into_value(self) -> Option<T> {
        match self {
            Part::Read(at) => Some(at.value),
            Part::Absent | Part::Faulty => None,
        }
    }
}

/// A list of tables: those that could be parsed.
#[derive(Debug, Clone)]
pub(super) struct List<T> {
    entries: Vec<At<T>>,
    /// Whether all could be parsed: only then can an entry be reported as missing.
    pub(super) whole: bool,
    /// Where the list starts.
    pub(super) place: Place,
}

impl<T> std::ops::Deref for List<T> {
    type Target = [At<T>];

    fn deref(&self) -> &[At<T>] {
        &self.entries
    }
}

impl<T> List<T> {
    /// The values without their positions.
    pub(super) fn into_values(self) -> Vec<T> {
        self.entries.into_iter().map(|entry| entry.value).collect()
    }
}

/// The text and the faults found in it so far.
pub(super) struct Source<'t> {
    text: &'t str,
    faults: RefCell<Vec<(Place, Problem)>>,
    register: RefCell<Option<&'static Register>>,
}

impl<'t> Source<'t> {
    pub(super) fn new(text: &'t str) -> Source<'t> {
        Source { text, faults: RefCell::default(), register: RefCell::default() }
    }

    /// Sets the register in which paragraphs are looked up.
    pub(super) fn check_against(&self, register: Option<&'static Register>) {
        *self.register.borrow_mut() = register;
    }

    pub(super) fn fault(&self, place: &Place, problem: Problem) {
        self.faults.borrow_mut().push((place.clone(), problem));
    }

    /// Reports inconsistent values.
    pub(super) fn inconsistent(&self, place: &Place, what: impl Into<String>, hint: impl Into<String>) {
        self.fault(place, Problem::Inconsistent { what: what.into(), hint: hint.into() });
    }

    pub(super) fn is_faultless(&self) -> bool {
        self.faults.borrow().is_empty()
    }

    /// All faults, in the order of the text.
    pub(super) fn into_faults(self, file: &str) -> Faults {
        let mut found = self.faults.into_inner();
        found.sort_by_key(|(place, _)| place.at);
        let mut faults: Vec<Fault> = Vec::new();
        for (place, problem) in found {
            let (line, column) = line_and_column(self.text, place.at);
            let fault = Fault { line, column, path: place.path, problem };
            if !faults.contains(&fault) {
                faults.push(fault);
            }
        }
        Faults { file: file.to_owned(), faults }
    }
}

/// The line and the column in characters, both from 1, of the byte at `at`.
fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let mut end = at.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let before = &text[..end];
    let line_start = before.rfind('\n').map_or(0, |n| n + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

/// A value of the text.
#[derive(Clone)]
pub(super) struct Node<'s, 't> {
    source: &'s Source<'t>,
    value: &'s DeValue<'t>,
    place: Place,
}

impl<'s, 't> Node<'s, 't> {
    fn new(source: &'s Source<'t>, value: &'s Spanned<DeValue<'t>>, path: String) -> Node<'s, 't> {
        Node { source, place: Place { at: value.span().start, path }, value: value.get_ref() }
    }

    /// The value with its position.
    pub(super) fn at<T>(&self, value: T) -> At<T> {
        At { value, place: self.place.clone() }
    }

    pub(super) fn bad(&self, words: impl Into<String>) {
        self.source.fault(&self.place, Problem::BadValue(words.into()));
    }

    fn wrong_type(&self, expected: &'static str) {
        let found = match self.value {
            DeValue::String(_) => "a text",
            DeValue::Integer(_) => "a number",
            DeValue::Float(_) => "a number with a point",
            DeValue::Boolean(_) => "true or false",
            DeValue::Datetime(_) => "a date",
            DeValue::Array(_) => "a list",
            DeValue::Table(_) => "a table",
        };
        self.source.fault(&self.place, Problem::WrongType { expected, found });
    }

    pub(super) fn text(&self) -> Option<&'s str> {
        let text = self.value.as_str();
        if text.is_none() {
            self.wrong_type("a text in quotes");
        }
        text
    }

    /// A non-empty text.
    pub(super) fn words(&self) -> Option<String> {
        let text = self.text()?;
        if text.trim().is_empty() {
            self.bad("this text is empty");
            return None;
        }
        Some(text.to_owned())
    }

    /// A whole number in this range.
    pub(super) fn number(&self, range: std::ops::RangeInclusive<u32>) -> Option<u32> {
        let DeValue::Integer(digits) = self.value else {
            self.wrong_type("a whole number");
            return None;
        };
        let number = u32::from_str_radix(digits.as_str(), digits.radix()).ok().filter(|n| range.contains(n));
        if number.is_none() {
            self.bad(format!("{digits} is not a whole number from {} to {}", range.start(), range.end()));
        }
        number
    }

    pub(super) fn flag(&self) -> Option<bool> {
        let flag = self.value.as_bool();
        if flag.is_none() {
            self.wrong_type("true or false");
        }
        flag
    }

    /// A text that parses as a `T`; the error says what would be right.
    pub(super) fn parse<T: FromStr<Err: Display>>(&self) -> Option<T> {
        match self.text()?.parse() {
            Ok(value) => Some(value),
            Err(error) => {
                self.bad(error.to_string());
                None
            }
        }
    }

    /// One of these words.
    pub(super) fn choice<T>(
        &self,
        what: &'static str,
        choices: impl IntoIterator<Item = (&'static str, T)>,
    ) -> Option<T> {
        let word = self.text()?;
        let mut names = Vec::new();
        for (name, value) in choices {
            if name == word {
                return Some(value);
            }
            names.push(name);
        }
        let problem = Problem::NotAChoice { found: word.to_owned(), what, hint: nearest(word, names) };
        self.source.fault(&self.place, problem);
        None
    }

    pub(super) fn table(&self) -> Option<Table<'s, 't>> {
        let DeValue::Table(table) = self.value else {
            self.wrong_type("a table");
            return None;
        };
        Some(Table { source: self.source, table, place: self.place.clone(), asked: RefCell::default() })
    }

    pub(super) fn list(&self) -> Option<Vec<Node<'s, 't>>> {
        let DeValue::Array(list) = self.value else {
            self.wrong_type("a list");
            return None;
        };
        let node = |(n, value)| Node::new(self.source, value, format!("{}[{}]", self.place.path, n + 1));
        Some(list.iter().enumerate().map(node).collect())
    }

    /// A non-empty list, each element parsed by `read`; `None` if one could not be parsed.
    pub(super) fn each<T>(&self, read: impl Fn(&Node<'s, 't>) -> Option<T>) -> Option<Vec<T>> {
        let list = self.list()?;
        if list.is_empty() {
            self.bad("this list is empty");
            return None;
        }
        let read: Vec<Option<T>> = list.iter().map(read).collect();
        read.into_iter().collect()
    }

    /// One paragraph, or a list of one to four.
    fn cites(&self) -> Option<Cites> {
        let nodes = if self.value.is_array() { self.list()? } else { vec![self.clone()] };
        if nodes.is_empty() || nodes.len() > 4 {
            self.bad(format!("{} paragraphs are cited: name one to four", nodes.len()));
            return None;
        }
        let mut cites = Cites::NONE;
        let mut sound = true;
        for node in &nodes {
            match node.parse::<Paragraph>() {
                Some(paragraph) if cites.iter().any(|p| p == paragraph) => {
                    node.bad(format!("paragraph {paragraph} is cited twice"));
                    sound = false;
                }
                Some(paragraph) => {
                    cites = cites.and(Cites::one(paragraph));
                    let register = *self.source.register.borrow();
                    if let Some(register) = register.filter(|r| !r.has(paragraph)) {
                        let problem = Problem::UnknownParagraph {
                            paragraph: paragraph.to_string(),
                            text: register.id.to_owned(),
                            hint: register.near(paragraph),
                        };
                        self.source.fault(&node.place, problem);
                    }
                }
                None => sound = false,
            }
        }
        sound.then_some(cites)
    }
}

/// A table of the text. Keys that were never requested are faults, reported when it is dropped: so request every key
/// before giving up on one.
pub(super) struct Table<'s, 't> {
    source: &'s Source<'t>,
    table: &'s DeTable<'t>,
    place: Place,
    asked: RefCell<BTreeSet<&'static str>>,
}

impl<'s, 't> Table<'s, 't> {
    /// The whole text.
    pub(super) fn root(source: &'s Source<'t>, table: &'s DeTable<'t>) -> Table<'s, 't> {
        Table { source, table, place: Place::default(), asked: RefCell::default() }
    }

    pub(super) fn place(&self) -> &Place {
        &self.place
    }

    pub(super) fn source(&self) -> &'s Source<'t> {
        self.source
    }

    /// The value of this key, if present.
    pub(super) fn get(&self, key: &'static str) -> Option<Node<'s, 't>> {
        self.asked.borrow_mut().insert(key);
        let value = self.table.get(key)?;
        Some(Node::new(self.source, value, join(&self.place.path, key)))
    }

    /// The value of this required key.
    pub(super) fn need(&self, key: &'static str) -> Option<Node<'s, 't>> {
        let node = self.get(key);
        if node.is_none() {
            self.source.fault(&self.place, Problem::MissingKey(key));
        }
        node
    }

    /// The table of this required key.
    pub(super) fn need_table(&self, key: &'static str) -> Option<Table<'s, 't>> {
        self.need(key)?.table()
    }

    /// The table of this key, parsed by `read`, if present.
    pub(super) fn part<T>(&self, key: &'static str, read: impl Fn(&Table<'s, 't>) -> Option<T>) -> Part<T> {
        match self.get(key) {
            None => Part::Absent,
            Some(node) => match node.table().and_then(|table| read(&table)) {
                Some(value) => Part::Read(node.at(value)),
                None => Part::Faulty,
            },
        }
    }

    /// The list of tables of this key, each parsed by `read`. If it is required, it must be present and have an
    /// entry.
    pub(super) fn tables<T>(
        &self,
        key: &'static str,
        needed: bool,
        read: impl Fn(&Table<'s, 't>) -> Option<T>,
    ) -> List<T> {
        let node = if needed { self.need(key) } else { self.get(key) };
        let Some(node) = node else {
            return List { entries: Vec::new(), whole: !needed, place: self.place.clone() };
        };
        let nodes = node.list();
        if needed && nodes.as_ref().is_some_and(Vec::is_empty) {
            node.bad("this list is empty");
        }
        let count = nodes.as_ref().map(Vec::len);
        let read = |node: Node<'s, 't>| read(&node.table()?).map(|value| node.at(value));
        let entries: Vec<At<T>> = nodes.unwrap_or_default().into_iter().filter_map(read).collect();
        let place = entries.first().map_or(node.place, |first| first.place.clone());
        List { whole: count == Some(entries.len()), entries, place }
    }

    /// The paragraphs behind this table.
    pub(super) fn cites(&self) -> Option<Cites> {
        self.need("cites")?.cites()
    }

    /// The paragraphs of a table with no other key: `key = { cites = "3.13" }`.
    pub(super) fn need_cites(&self, key: &'static str) -> Option<Cites> {
        self.need_table(key)?.cites()
    }

    /// The same, for an optional table.
    pub(super) fn get_cites(&self, key: &'static str) -> Option<Cites> {
        self.get(key)?.table()?.cites()
    }

    /// True or false; false if the key is absent.
    pub(super) fn flag(&self, key: &'static str) -> Option<bool> {
        self.get(key).map_or(Some(false), |node| node.flag())
    }
}

impl Drop for Table<'_, '_> {
    fn drop(&mut self) {
        let asked = self.asked.borrow();
        for key in self.table.keys().filter(|key| !asked.contains(key.get_ref().as_ref())) {
            let Range { start, .. } = key.span();
            let place = Place { at: start, path: self.place.path.clone() };
            let free = asked.iter().copied().filter(|name| !self.table.contains_key(*name));
            let word = key.get_ref().as_ref();
            self.source
                .fault(&place, Problem::UnknownKey { key: word.to_owned(), hint: nearest(word, free) });
        }
    }
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}
