//! The coverage as a table for people and as JSON for programs.

use std::fmt::Write;

use serde_json::{Value, json};

use super::Survey;
use super::coverage::{Count, Game, Lives, Status};
use crate::problem::Problem;

/// The coverage table of each game, its uncovered paragraphs, and what fails the check.
pub fn text(survey: &Survey, failures: &[Problem]) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_text(&mut out, survey, failures);
    out
}

fn write_text(out: &mut String, survey: &Survey, failures: &[Problem]) -> std::fmt::Result {
    if survey.games.is_empty() {
        writeln!(out, "there is no paragraph register yet")?;
    }
    for game in &survey.games {
        writeln!(out, "{}", game.id)?;
        writeln!(
            out,
            "  {:<10}{:>12}{:>8}{:>14}{:>11}",
            "section", "paragraphs", "shown", "not modelled", "uncovered"
        )?;
        for (section, count) in game.sections() {
            write_count(out, &section, &count)?;
        }
        write_count(out, "all", &game.total())?;
        let uncovered = uncovered(game);
        if !uncovered.is_empty() {
            writeln!(out, "  uncovered:")?;
            for (number, says) in uncovered {
                writeln!(out, "    {number:<12}{says}")?;
            }
        }
        writeln!(out)?;
    }
    write_summary(out, survey)?;
    if !failures.is_empty() {
        writeln!(out, "to fix:")?;
        for problem in failures {
            writeln!(out, "  {problem}")?;
        }
    }
    Ok(())
}

fn write_count(out: &mut String, label: &str, count: &Count) -> std::fmt::Result {
    let Count { paragraphs, shown, not_modelled, uncovered } = count;
    writeln!(out, "  {label:<10}{paragraphs:>12}{shown:>8}{not_modelled:>14}{uncovered:>11}")
}

/// One line: how many paragraphs of all texts are accounted for, rounded down so that 100 % means all of them.
fn write_summary(out: &mut String, survey: &Survey) -> std::fmt::Result {
    let all: usize = survey.games.iter().map(|game| game.total().paragraphs).sum();
    let uncovered: usize = survey.games.iter().map(|game| game.total().uncovered).sum();
    let covered = all - uncovered;
    match (covered * 100).checked_div(all) {
        Some(percent) => {
            writeln!(out, "{covered} of {all} paragraphs are shown by a scenario or explained: {percent} %")
        }
        None => Ok(()),
    }
}

fn uncovered(game: &Game) -> Vec<(String, &str)> {
    let paragraphs = game.register.paragraphs.iter();
    paragraphs
        .filter(|paragraph| game.status(paragraph) == Status::Uncovered)
        .map(|paragraph| (paragraph.number.to_string(), paragraph.says.as_str()))
        .collect()
}

/// The same as JSON, with every paragraph.
pub fn json(survey: &Survey, failures: &[Problem]) -> String {
    let games: Vec<Value> = survey.games.iter().map(game_json).collect();
    let problems: Vec<Value> = failures
        .iter()
        .map(|problem| json!({ "path": problem.path, "line": problem.line, "message": problem.message }))
        .collect();
    format!("{:#}\n", json!({ "games": games, "problems": problems }))
}

fn game_json(game: &Game) -> Value {
    let sections: Vec<Value> = game.sections().iter().map(|(name, count)| count_json(name, count)).collect();
    let paragraphs: Vec<Value> = game
        .register
        .paragraphs
        .iter()
        .map(|paragraph| {
            let (status, shown_by, reason) = match game.status(paragraph) {
                Status::Shown(by) => ("shown", by.into_iter().map(|place| place.path).collect(), None),
                Status::ShownByParts => ("shown by parts", Vec::new(), None),
                Status::NotModelled(reason) => ("not modelled", Vec::new(), Some(reason)),
                Status::Uncovered => ("uncovered", Vec::new(), None),
            };
            let lives: Vec<String> = match game.lives(paragraph) {
                Lives::In(places) => places.into_iter().map(|place| place.name).collect(),
                Lives::InItsParts | Lives::Nowhere => Vec::new(),
            };
            json!({
                "number": paragraph.number.to_string(),
                "says": paragraph.says,
                "lives": lives,
                "status": status,
                "shown_by": shown_by,
                "reason": reason,
            })
        })
        .collect();
    json!({
        "game": game.id,
        "sections": sections,
        "total": count_json("all", &game.total()),
        "paragraphs": paragraphs,
    })
}

fn count_json(section: &str, count: &Count) -> Value {
    json!({
        "section": section,
        "paragraphs": count.paragraphs,
        "shown": count.shown,
        "not_modelled": count.not_modelled,
        "uncovered": count.uncovered,
    })
}
