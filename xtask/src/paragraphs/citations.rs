//! The paragraphs that a rulebook cites: every key `cites` in it, at any depth, a string or a list of strings, and
//! the entry that contains it.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::number::Number;
use super::register::Register;
use crate::problem::Problem;
use crate::workspace::File;

const KEY: &str = "cites";

/// The keys that distinguish the elements of a list, such as `kind` in `irregularities.reports.misdeal`.
const NAMES: [&str; 5] = ["area", "kind", "raise", "id", "name"];

/// How much of an entry's path is shown: `settlement.higher`, not `settlement.higher.ante`.
const DEPTH: usize = 2;

/// The parts of a rulebook that the register needs.
#[derive(Debug, Default)]
pub struct Rulebook {
    /// The game's short name in marks, such as `RH`.
    pub short: String,
    /// The operator, whose name stands for all of its games in marks.
    pub operator: String,
    /// Each paragraph cited, with the entry that cites it.
    pub cited: Vec<(Number, String)>,
}

impl Rulebook {
    /// Reads a rulebook and reports every citation that its text does not have.
    pub fn read(file: &File, register: &Register, problems: &mut Vec<Problem>) -> Self {
        let mut reader = Reader { file, register, problems, cited: Vec::new() };
        match DeTable::parse(&file.text) {
            Ok(table) => {
                let table = table.get_ref();
                reader.table(table, &[]);
                let word = |key: &str| table.get(key).and_then(|value| value.get_ref().as_str());
                let word = |key: &str| word(key).unwrap_or_default().to_owned();
                Self { short: word("short"), operator: word("operator"), cited: reader.cited }
            }
            Err(error) => {
                let offset = error.span().map_or(0, |span| span.start);
                reader.problem(offset, error.message());
                Self::default()
            }
        }
    }
}

struct Reader<'a> {
    file: &'a File,
    register: &'a Register,
    problems: &'a mut Vec<Problem>,
    cited: Vec<(Number, String)>,
}

impl Reader<'_> {
    fn table(&mut self, table: &DeTable<'_>, path: &[String]) {
        for (key, value) in table {
            if key.get_ref() == KEY {
                self.citation(value, path);
            } else {
                let path = [path, &[key.get_ref().to_string()]].concat();
                self.value(value, &path);
            }
        }
    }

    fn value(&mut self, value: &Spanned<DeValue<'_>>, path: &[String]) {
        if let Some(table) = value.get_ref().as_table() {
            self.table(table, path);
        } else if let Some(array) = value.get_ref().as_array() {
            for item in array {
                self.value(item, &named(path, item));
            }
        }
    }

    fn citation(&mut self, value: &Spanned<DeValue<'_>>, path: &[String]) {
        if let Some(array) = value.get_ref().as_array() {
            array.iter().for_each(|item| self.citation(item, path));
            return;
        }
        let offset = value.span().start;
        let Some(text) = value.get_ref().as_str() else {
            let message = format!("`{KEY}` is a paragraph or a list of paragraphs, each in quotation marks");
            return self.problem(offset, &message);
        };
        match text.parse::<Number>() {
            Ok(number) if self.register.has(&number) => {
                let entry = path.iter().take(DEPTH).map(String::as_str).collect::<Vec<_>>().join(".");
                self.cited.push((number, entry));
            }
            Ok(number) => self.problem(offset, &unknown("cites", &number, self.register)),
            Err(error) => self.problem(offset, &error.to_string()),
        }
    }

    fn problem(&mut self, offset: usize, message: &str) {
        self.problems.push(Problem::at_offset(self.file, offset, message));
    }
}

/// The path of a list's element: `areas.ante` if the element has a one-word name, otherwise that of the list.
fn named(path: &[String], item: &Spanned<DeValue<'_>>) -> Vec<String> {
    let table = item.get_ref().as_table();
    let name = table.and_then(|table| {
        let words = NAMES.iter().filter_map(|key| table.get(*key)?.get_ref().as_str());
        words.into_iter().find(|word| !word.contains(' ')).map(str::to_owned)
    });
    let mut path = path.to_vec();
    if let (Some(last), Some(name)) = (path.last_mut(), name) {
        *last = format!("{last}.{name}");
    }
    path
}

/// The message for a paragraph that a text does not have.
pub fn unknown(verb: &str, number: &Number, register: &Register) -> String {
    format!("{verb} {number}, which {} does not list", register.path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Rulebook, Vec<String>) {
        let entries =
            ["3.9", "3.11.2a"].map(|number| format!("[[paragraph]]\nnumber = \"{number}\"\nsays = \"x\"\n"));
        let register = Register::read(&File::new("r.toml", entries.concat()));
        let mut problems = Vec::new();
        let book = Rulebook::read(&File::new("g.toml", text), &register, &mut problems);
        (book, problems.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn known_citations_have_their_entry() {
        let text = "short = \"TS\"\noperator = \"TOY\"\n[a.b.c]\ncites = [\"3.9\", \"3.11.2 a\"]\n\
                    [[c]]\nkind = \"x\"\ny = { value = 2, cites = \"3.11.2.a\" }\n[[d]]\nname = \"Two words\"\ncites = \"3.9\"\n";
        let (book, problems) = read(text);
        assert!(problems.is_empty());
        assert_eq!((book.short.as_str(), book.operator.as_str()), ("TS", "TOY"));
        let cited: Vec<String> =
            book.cited.iter().map(|(number, entry)| format!("{number} {entry}")).collect();
        assert_eq!(cited, ["3.9 a.b", "3.11.2a a.b", "3.11.2a c.x.y", "3.9 d"]);
    }

    #[test]
    fn unknown_citations_are_found_with_their_line() {
        let text =
            "[a]\ncites = [\n  \"3.9\",\n  \"3.8\",\n]\n[[c]]\nx = [{ cites = \"nine\" }, { cites = 3.9 }]\n";
        assert_eq!(
            read(text).1,
            [
                "g.toml:4: cites 3.8, which r.toml does not list",
                "g.toml:7: `nine` is not a paragraph number such as 3.13, 3.11.2a or Appendix A",
                "g.toml:7: `cites` is a paragraph or a list of paragraphs, each in quotation marks",
            ]
        );
    }

    #[test]
    fn a_broken_rulebook_is_found() {
        assert_eq!(read("x = \n").1.len(), 1);
    }
}
