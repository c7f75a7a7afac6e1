//! The paragraph register on a small made-up game: what covers what, what fails, what is printed.

use xtask::paragraphs::{Survey, page, report};
use xtask::workspace::File;

fn register(entries: &[(&str, Option<&str>)]) -> File {
    let mut text = String::new();
    for (number, not_modelled) in entries {
        text += &format!(
            "[[paragraph]]\nnumber = \"{number}\"\nsays = \"says {number}\"\nlives = \"lives.here\"\n"
        );
        if let Some(reason) = not_modelled {
            text += &format!("not_modelled = \"{reason}\"\n");
        }
    }
    File::new("rulebooks/paragraphs/toy-stud.toml", text)
}

fn scenario(name: &str, text: &str) -> File {
    File::new(format!("scenarios/toy-stud/{name}.round"), format!("game toy-stud\n{text}"))
}

fn failures(files: &[File], strict: bool) -> Vec<String> {
    Survey::of(files).failures(strict).iter().map(ToString::to_string).collect()
}

/// The register, the scenarios and an up-to-date page.
fn complete() -> Vec<File> {
    let mut files = vec![
        register(&[
            ("1.1", Some("furniture")),
            ("3.9", None),
            ("3.10", None),
            ("3.10.1", None),
            ("3.10.2", Some("staff only")),
            ("Appendix A", Some("a drawing")),
        ]),
        scenario("3.9-fold", "# Also shows: 3.10.1\nexpect 1 ante lose 50 citing 3.9\n"),
        File::new("rulebooks/toy-stud.toml", "ante = { multiple = 2, cites = \"3.9\" }\n"),
    ];
    let page = page::markdown(&Survey::of(&files));
    files.push(File::new(page::PATH, page));
    files
}

#[test]
fn a_complete_register_passes_strictly() {
    assert_eq!(failures(&complete(), true), [""; 0]);
}

#[test]
fn a_parent_is_covered_by_its_parts() {
    let survey = Survey::of(&complete());
    let total = survey.games[0].total();
    assert_eq!((total.paragraphs, total.shown, total.not_modelled, total.uncovered), (6, 3, 3, 0));
}

#[test]
fn unknown_paragraphs_fail_always() {
    let mut files = complete();
    files.push(scenario("3.8-nothing", "# Also shows: 3.7\nexpect void citing 3.6\n"));
    files.push(File::new("rulebooks/other.toml", ""));
    assert_eq!(
        failures(&files, false),
        [
            "rulebooks/other.toml: there is no register rulebooks/paragraphs/other.toml to hold it against",
            "scenarios/toy-stud/3.8-nothing.round: shows 3.8, which rulebooks/paragraphs/toy-stud.toml does not list",
            "scenarios/toy-stud/3.8-nothing.round:2: shows 3.7, which rulebooks/paragraphs/toy-stud.toml does not list",
            "scenarios/toy-stud/3.8-nothing.round:3: cites 3.6, which rulebooks/paragraphs/toy-stud.toml does not list",
        ]
    );
}

#[test]
fn gaps_and_contradictions_fail_when_strict() {
    let mut files = vec![
        register(&[("1.1", None), ("1.2", None), ("1.2.1", None), ("1.3", Some("furniture"))]),
        scenario("1.3-chairs", ""),
    ];
    files.push(File::new(page::PATH, page::markdown(&Survey::of(&files))));
    assert_eq!(failures(&files, false), [""; 0]);
    let path = "rulebooks/paragraphs/toy-stud.toml";
    assert_eq!(
        failures(&files, true),
        [
            format!("{path}:2: 1.1 has neither a scenario nor a reason for having none"),
            format!("{path}:6: 1.2 has neither a scenario nor a reason for having none"),
            format!("{path}:10: 1.2.1 has neither a scenario nor a reason for having none"),
            format!("{path}:14: 1.3 is `not_modelled`, and yet scenarios/toy-stud/1.3-chairs.round shows it"),
        ]
    );
}

#[test]
fn an_outdated_page_fails_when_strict() {
    let mut files = complete();
    files.push(scenario("3.9-another", ""));
    assert_eq!(failures(&files, false), [""; 0]);
    assert_eq!(
        failures(&files, true),
        ["docs/paragraphs.md: not up to date: run `cargo xtask paragraphs --write`"]
    );
}

#[test]
fn the_table_names_what_is_uncovered() {
    let survey = Survey::of(&[
        register(&[("1.1", Some("furniture")), ("3.9", None), ("3.10", None)]),
        scenario("3.9-x", ""),
    ]);
    let expected = "\
toy-stud
  section     paragraphs   shown  not modelled  uncovered
  1                    1       0             1          0
  3                    2       1             0          1
  all                  3       1             1          1
  uncovered:
    3.10        says 3.10

2 of 3 paragraphs are shown by a scenario or explained: 66 %
";
    assert_eq!(report::text(&survey, &[]), expected);
}

#[test]
fn the_page_links_scenarios_and_gives_reasons() {
    let page = page::markdown(&Survey::of(&complete()));
    for row in [
        "| [toy-stud](#toy-stud) | 6 | 3 | 3 | 0 |",
        "| 1.1 | says 1.1 | `lives.here` | *not modelled:* furniture |",
        "| 3.9 | says 3.9 | `lives.here` | [3.9-fold](../scenarios/toy-stud/3.9-fold.round) |",
        "| 3.10 | says 3.10 | `lives.here` | its parts |",
        "### Appendices",
    ] {
        assert!(page.contains(row), "{row}\n{page}");
    }
}

#[test]
fn json_has_every_paragraph() {
    let survey = Survey::of(&complete());
    let data: serde_json::Value = serde_json::from_str(&report::json(&survey, &[])).expect("JSON");
    assert_eq!(data["games"][0]["total"]["shown"], 3);
    assert_eq!(data["games"][0]["paragraphs"][1]["scenarios"][0], "scenarios/toy-stud/3.9-fold.round");
    assert_eq!(data["games"][0]["paragraphs"][0]["reason"], "furniture");
}

#[test]
fn games_can_be_selected() {
    let mut survey = Survey::of(&complete());
    assert_eq!(survey.select(&["toy-stud".to_owned()]), Ok(()));
    let error = survey.select(&["toy-poker".to_owned()]).expect_err("no such game").to_string();
    assert_eq!(error, "there is no paragraph register for `toy-poker`; there is one for: toy-stud");
}
