//! A scenario, as the register sees it: the paragraphs that it shows and those that it cites.
//!
//! This does not parse the round script; `baize check` does.

use super::number::{Number, NumberError};
use crate::problem::Problem;
use crate::workspace::File;

/// A round script under `scenarios/GAME`.
#[derive(Clone, Debug, Default)]
pub struct Scenario {
    /// Its file.
    pub path: String,
    /// The paragraphs that it shows, starting with the one in its name. Each with its line, if it has one.
    pub shows: Vec<(Option<usize>, Number)>,
    /// The paragraphs that it cites, with their lines.
    pub cites: Vec<(usize, Number)>,
    /// What could not be read.
    pub faults: Vec<Problem>,
}

impl Scenario {
    /// Reads a scenario from its file under `scenarios/GAME`.
    pub fn read(file: &File) -> Self {
        let mut scenario = Self { path: file.path.clone(), ..Self::default() };
        let game = file.path.split('/').nth(1).unwrap_or_default();
        match number_of(&file.path) {
            Ok(Some(number)) => scenario.shows.push((None, number)),
            Ok(None) => {}
            Err(error) => {
                let message = format!("{error}: a scenario is named NUMBER-what-it-shows.round");
                scenario.faults.push(Problem::in_file(&file.path, message));
            }
        }
        for (index, line) in file.text.lines().enumerate() {
            scenario.read_line(game, index + 1, line);
        }
        scenario
    }

    /// The file's name without its ending.
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path).trim_end_matches(".round")
    }

    /// Whether an `expect` cites this paragraph or a part of it.
    pub fn asks_for(&self, number: &Number) -> bool {
        self.cites.iter().any(|(_, cited)| cited == number || cited.is_part_of(number))
    }

    fn read_line(&mut self, game: &str, number: usize, line: &str) {
        let (script, comment) = line.split_once('#').unwrap_or((line, ""));
        let words: Vec<&str> = script.split_whitespace().collect();
        if let Some(list) = also_shows(comment) {
            for item in list.split(',') {
                match item.trim().trim_end_matches('.').parse() {
                    Ok(paragraph) => self.shows.push((Some(number), paragraph)),
                    Err(error) => self.fault(number, &error),
                }
            }
        }
        if let Some(at) = words.iter().position(|word| *word == "citing") {
            match words[at + 1..].join(" ").parse() {
                Ok(paragraph) => self.cites.push((number, paragraph)),
                Err(error) => self.fault(number, &error),
            }
        }
        if let ["game", id, ..] = words[..]
            && id != game
        {
            let message = format!("the script plays `{id}` but lies among the scenarios of `{game}`");
            self.faults.push(Problem::at(&self.path, number, message));
        }
    }

    fn fault(&mut self, line: usize, error: &NumberError) {
        self.faults.push(Problem::at(&self.path, line, error.to_string()));
    }
}

/// The paragraph in the file's name: `3.11.2a-slug.round`, `appendix-a-slug.round`. A scenario of one of our
/// interpretations, `I-3-slug.round`, has none.
fn number_of(path: &str) -> Result<Option<Number>, NumberError> {
    let name = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".round");
    let mut words = name.split('-');
    let first = words.next().unwrap_or_default();
    let second = words.next().unwrap_or_default();
    if first.eq_ignore_ascii_case("i") && second.parse::<u32>().is_ok() {
        return Ok(None);
    }
    let number =
        if first.eq_ignore_ascii_case("appendix") { format!("{first} {second}") } else { first.to_owned() };
    number.parse().map(Some)
}

/// The list in a comment `Also shows: 3.2, 3.6`.
fn also_shows(comment: &str) -> Option<&str> {
    const LABEL: &str = "also shows:";
    let comment = comment.trim_start_matches(['#', ' ', '\t']).trim_end();
    comment.get(..LABEL.len())?.eq_ignore_ascii_case(LABEL).then(|| &comment[LABEL.len()..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(path: &str, text: &str) -> Scenario {
        Scenario::read(&File::new(path, text))
    }

    fn shown(scenario: &Scenario) -> Vec<String> {
        scenario.shows.iter().map(|(_, number)| number.to_string()).collect()
    }

    #[test]
    fn the_name_and_a_comment_say_what_is_shown() {
        let scenario =
            read("scenarios/g/3.11.2a-fold.round", "# A fold.\n# Also shows: 3.2, 3.6 b,1.16.\ngame g\n");
        assert_eq!(shown(&scenario), ["3.11.2a", "3.2", "3.6b", "1.16"]);
        assert!(scenario.faults.is_empty());
        assert_eq!(shown(&read("scenarios/g/sub/appendix-b-layout.round", "")), ["Appendix B"]);
    }

    #[test]
    fn citations_are_read_outside_comments() {
        let scenario = read(
            "scenarios/g/3.13-x.round",
            "game g\nexpect 1 ante lose 50 citing 3.11.2 a # citing 9.9\n# citing 8.8\nexpect refused citing 3.5\n",
        );
        let cites: Vec<String> =
            scenario.cites.iter().map(|(line, number)| format!("{line}:{number}")).collect();
        assert_eq!(cites, ["2:3.11.2a", "4:3.5"]);
    }

    #[test]
    fn what_cannot_be_read_is_a_fault() {
        let faults = |path: &str, text: &str| read(path, text).faults.len();
        assert_eq!(faults("scenarios/g/royal-flush.round", ""), 1);
        assert_eq!(faults("scenarios/g/I-3-pooled.round", ""), 0);
        assert_eq!(faults("scenarios/g/3.1-x.round", "game h\n"), 1);
        assert_eq!(faults("scenarios/g/3.1-x.round", "# Also shows: everything\n"), 1);
        assert_eq!(faults("scenarios/g/3.1-x.round", "expect refused citing\n"), 1);
    }
}
