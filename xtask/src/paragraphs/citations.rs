//! The paragraphs that a rulebook cites: every key `cites` in it, at any depth, a string or a list of them.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::number::Number;
use super::register::Register;
use crate::problem::Problem;
use crate::workspace::File;

const KEY: &str = "cites";

/// Reports every citation of the rulebook that its text does not have.
pub fn check_rulebook(file: &File, register: &Register, problems: &mut Vec<Problem>) {
    match DeTable::parse(&file.text) {
        Ok(table) => check_table(file, register, table.get_ref(), problems),
        Err(error) => {
            let offset = error.span().map_or(0, |span| span.start);
            problems.push(Problem::at_offset(file, offset, error.message()));
        }
    }
}

fn check_table(file: &File, register: &Register, table: &DeTable<'_>, problems: &mut Vec<Problem>) {
    for (key, value) in table {
        if key.get_ref() == KEY {
            check_citation(file, register, value, problems);
        } else {
            check_value(file, register, value, problems);
        }
    }
}

fn check_value(file: &File, register: &Register, value: &Spanned<DeValue<'_>>, problems: &mut Vec<Problem>) {
    if let Some(table) = value.get_ref().as_table() {
        check_table(file, register, table, problems);
    } else if let Some(array) = value.get_ref().as_array() {
        for item in array {
            check_value(file, register, item, problems);
        }
    }
}

fn check_citation(
    file: &File,
    register: &Register,
    value: &Spanned<DeValue<'_>>,
    problems: &mut Vec<Problem>,
) {
    if let Some(array) = value.get_ref().as_array() {
        for item in array {
            check_citation(file, register, item, problems);
        }
        return;
    }
    let mut problem = |message: String| problems.push(Problem::at_offset(file, value.span().start, message));
    let Some(text) = value.get_ref().as_str() else {
        return problem(format!("`{KEY}` is a paragraph or a list of paragraphs, each in quotation marks"));
    };
    match text.parse::<Number>() {
        Ok(number) if register.has(&number) => {}
        Ok(number) => problem(unknown("cites", &number, register)),
        Err(error) => problem(error.to_string()),
    }
}

/// The message for a paragraph that a text does not have.
pub fn unknown(verb: &str, number: &Number, register: &Register) -> String {
    format!("{verb} {number}, which {} does not list", register.path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let entries = ["3.9", "3.11.2a"]
            .map(|number| format!("[[paragraph]]\nnumber = \"{number}\"\nsays = \"x\"\nlives = \"y\"\n"));
        let register = Register::read(&File::new("r.toml", entries.concat()));
        let mut problems = Vec::new();
        check_rulebook(&File::new("g.toml", text), &register, &mut problems);
        problems.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn known_citations_pass_at_any_depth() {
        let text = "cites = \"3.9\"\n[a.b]\ncites = [\"3.9\", \"3.11.2 a\"]\n[[c]]\nx = { value = 2, cites = \"3.11.2.a\" }\n";
        assert!(found(text).is_empty());
    }

    #[test]
    fn unknown_citations_are_found_with_their_line() {
        let text =
            "[a]\ncites = [\n  \"3.9\",\n  \"3.8\",\n]\n[[c]]\nx = [{ cites = \"nine\" }, { cites = 3.9 }]\n";
        assert_eq!(
            found(text),
            [
                "g.toml:4: cites 3.8, which r.toml does not list",
                "g.toml:7: `nine` is not a paragraph number such as 3.13, 3.11.2a or Appendix A",
                "g.toml:7: `cites` is a paragraph or a list of paragraphs, each in quotation marks",
            ]
        );
    }

    #[test]
    fn a_broken_rulebook_is_found() {
        assert_eq!(found("x = \n").len(), 1);
    }
}
