//! The words of one line, read from left to right.

use std::str::FromStr;

use baize_rules::{BoxNumber, Money, Paragraph, Role};
use baize_table::{Player, Staff};

use super::fault::Fault;
use crate::vocabulary::nearest;

/// A word and the column of its first character.
#[derive(Debug, Clone, Copy)]
pub(super) struct Word<'t> {
    pub(super) text: &'t str,
    pub(super) column: usize,
}

impl Word<'_> {
    /// This fault, at this word.
    pub(super) fn at(self, fault: impl Into<Fault>) -> Misread {
        Misread { column: self.column, fault: fault.into() }
    }

    /// This word as a value.
    pub(super) fn read<T>(self) -> Result<T, Misread>
    where
        T: FromStr,
        Fault: From<T::Err>,
    {
        self.text.parse().map_err(|fault: T::Err| self.at(fault))
    }

    /// The number of a box.
    pub(super) fn seat(self) -> Result<BoxNumber, Misread> {
        self.digits()
            .filter(|seat| *seat > BoxNumber(0))
            .ok_or_else(|| self.at(Fault::Box(self.text.to_owned())))
    }

    /// A small number.
    pub(super) fn number(self) -> Result<u8, Misread> {
        self.digits().ok_or_else(|| self.at(Fault::Number(self.text.to_owned())))
    }

    /// Digits only: `FromStr` of integers would also read `+5`.
    pub(super) fn digits<T: FromStr>(self) -> Option<T> {
        let digits = self.text.bytes().all(|b| b.is_ascii_digit());
        digits.then(|| self.text.parse().ok()).flatten()
    }

    /// The one of `all` whose `code` is this word.
    pub(super) fn one_of<T: Copy>(
        self,
        what: &'static str,
        all: &[T],
        code: impl Fn(T) -> &'static str,
    ) -> Result<T, Misread> {
        all.iter().copied().find(|value| code(*value) == self.text).ok_or_else(|| {
            let known: Vec<&'static str> = all.iter().map(|value| code(*value)).collect();
            let nearest = nearest(self.text, known.iter().copied());
            self.at(Fault::NotOneOf { what, word: self.text.to_owned(), known, nearest })
        })
    }
}

/// A fault and its column.
#[derive(Debug)]
pub(super) struct Misread {
    pub(super) column: usize,
    pub(super) fault: Fault,
}

/// The words of a line that have not been read yet.
#[derive(Debug, Clone)]
pub(super) struct Words<'t> {
    words: Vec<Word<'t>>,
    read: usize,
    /// The column after the last character: where a missing word would stand.
    end: usize,
    /// How this line is written.
    usage: &'static str,
}

impl<'t> Words<'t> {
    /// The words of this line, without its comment.
    pub(super) fn of(line: &'t str) -> Words<'t> {
        let said = line.split('#').next().unwrap_or("");
        let mut words = Vec::new();
        let mut start: Option<(usize, usize)> = None;
        let mut end = 1;
        let mut column = 0;
        for (at, character) in said.char_indices().chain([(said.len(), ' ')]) {
            column += 1;
            if character.is_whitespace() {
                if let Some((from, first)) = start.take() {
                    words.push(Word { text: &said[from..at], column: first });
                    end = column;
                }
            } else if start.is_none() {
                start = Some((at, column));
            }
        }
        Words { words, read: 0, end, usage: "" }
    }

    /// Sets the syntax of the line from here on.
    pub(super) fn written(&mut self, usage: &'static str) {
        self.usage = usage;
    }

    /// The next word, which stays unread.
    pub(super) fn peek(&self) -> Option<Word<'t>> {
        self.words.get(self.read).copied()
    }

    /// The next word, if there is one.
    pub(super) fn take(&mut self) -> Option<Word<'t>> {
        let word = self.peek();
        self.read += usize::from(word.is_some());
        word
    }

    /// The next word, which must be there.
    pub(super) fn need(&mut self, what: &'static str) -> Result<Word<'t>, Misread> {
        self.take().ok_or(Misread { column: self.end, fault: Fault::Missing { what, usage: self.usage } })
    }

    /// Reads the next word if it is this one.
    pub(super) fn skip(&mut self, text: &str) -> bool {
        let there = self.peek().is_some_and(|word| word.text == text);
        self.read += usize::from(there);
        there
    }

    /// Nothing may follow.
    pub(super) fn end(&self) -> Result<(), Misread> {
        match self.peek() {
            None => Ok(()),
            Some(word) => Err(word.at(Fault::Extra { word: word.text.to_owned(), usage: self.usage })),
        }
    }

    /// All words that are left, with one space between them.
    pub(super) fn rest(&mut self) -> String {
        let rest: Vec<&str> = self.words[self.read..].iter().map(|word| word.text).collect();
        self.read = self.words.len();
        rest.join(" ")
    }

    /// The number of a box.
    pub(super) fn seat(&mut self) -> Result<BoxNumber, Misread> {
        self.need("the number of the box")?.seat()
    }

    /// An amount of chips.
    pub(super) fn money(&mut self, what: &'static str) -> Result<Money, Misread> {
        self.need(what)?.read()
    }

    /// A player's name.
    pub(super) fn player(&mut self) -> Result<Player, Misread> {
        Ok(Player::from(self.need("the player's name")?.text))
    }

    /// `by ROLE [NAME]`, or the dealer whose name is not given.
    pub(super) fn staff(&mut self) -> Result<Staff, Misread> {
        let Some(role) = self.role()? else { return Ok(Staff::of(Role::Dealer)) };
        let named = self.peek().is_some_and(|word| word.text != "because");
        let name = if named { self.take().map(|word| word.text.to_owned()) } else { None };
        Ok(Staff { role, name })
    }

    /// `by ROLE`, if it follows.
    pub(super) fn role(&mut self) -> Result<Option<Role>, Misread> {
        if !self.skip("by") {
            return Ok(None);
        }
        let word = self.need("the role")?;
        word.one_of("a role", &Role::ALL, Role::code).map(Some)
    }

    /// `citing P`, if it follows; it ends the line.
    pub(super) fn citing(&mut self) -> Result<Option<Paragraph>, Misread> {
        if !self.skip("citing") {
            return Ok(None);
        }
        let first = self.need("the paragraph")?;
        let rest = self.rest();
        let text = if rest.is_empty() { first.text.to_owned() } else { format!("{} {rest}", first.text) };
        text.parse().map(Some).map_err(|fault: baize_rules::ParagraphError| first.at(fault))
    }
}
