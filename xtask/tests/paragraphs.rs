//! The paragraph register on a small made-up game: what covers what, what fails, what is printed.

use xtask::paragraphs::{Survey, page, report};
use xtask::workspace::File;

fn register(entries: &[(&str, Option<&str>)]) -> File {
    let mut text = String::new();
    for (number, not_modelled) in entries {
        text += &format!("[[paragraph]]\nnumber = \"{number}\"\nsays = \"says {number}\"\n");
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

/// A rulebook with one area for each paragraph.
fn rulebook_citing(numbers: &[&str]) -> File {
    let entry = |(n, number): (usize, &&str)| format!("[area{n}]\ncites = \"{number}\"\n");
    let entries: String = numbers.iter().enumerate().map(entry).collect();
    File::new("rulebooks/toy-stud.toml", format!("short = \"TS\"\noperator = \"TOY\"\n{entries}"))
}

fn rulebook() -> File {
    let text = "short = \"TS\"\noperator = \"TOY\"\n[settlement.fold]\ncites = \"3.9\"\n";
    File::new("rulebooks/toy-stud.toml", text)
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
        rulebook(),
        File::new("crates/table/src/lib.rs", "// TS 3.10.1: why\nfn fold() {}\n"),
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
    files.push(File::new("crates/table/src/x.rs", "// TOY 3.9, 3.5\nfn x() {}\n"));
    files.push(File::new("docs/x.md", "As TS 3.4 says, but not XX 3.4.\n"));
    assert_eq!(
        failures(&files, false),
        [
            "crates/table/src/x.rs:1: names 3.5, which rulebooks/paragraphs/toy-stud.toml does not list",
            "docs/x.md:1: names 3.4, which rulebooks/paragraphs/toy-stud.toml does not list",
            "rulebooks/other.toml: there is no register rulebooks/paragraphs/other.toml to check it against",
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
        rulebook_citing(&["1.1", "1.2.1", "1.3"]),
    ];
    files.push(File::new(page::PATH, page::markdown(&Survey::of(&files))));
    assert_eq!(failures(&files, false), [""; 0]);
    let path = "rulebooks/paragraphs/toy-stud.toml";
    assert_eq!(
        failures(&files, true),
        [
            format!("{path}:2: 1.1 has neither a scenario nor a reason for having none"),
            format!("{path}:5: 1.2 has neither a scenario nor a reason for having none"),
            format!("{path}:8: 1.2.1 has neither a scenario nor a reason for having none"),
            format!("{path}:11: 1.3 is `not_modelled`, but 1.3-chairs shows it"),
            format!("{path}:11: 1.3 is `not_modelled`, but it is implemented in area2"),
        ]
    );
}

#[test]
fn an_unimplemented_paragraph_fails_when_strict() {
    let entries = [("1.1", None), ("1.2", None), ("1.2.1", None), ("1.3", None), ("1.3.1", None)];
    let mut files = vec![
        register(&entries),
        scenario("1.1-a", "# Also shows: 1.2.1, 1.3.1\n"),
        rulebook_citing(&["1.1", "1.2.1"]),
        File::new("crates/table/src/x.rs", "fn x() {\n    // As TS 1.3.1 has it.\n}\n"),
    ];
    files.push(File::new(page::PATH, page::markdown(&Survey::of(&files))));
    let path = "rulebooks/paragraphs/toy-stud.toml";
    let nowhere = "is implemented nowhere: no rulebook entry cites it and no mark in the code names it";
    assert_eq!(
        failures(&files, true),
        [format!("{path}:11: 1.3 {nowhere}"), format!("{path}:14: 1.3.1 {nowhere}")]
    );
}

#[test]
fn a_paragraph_that_decides_is_asked_for() {
    let with = |expected: &str, test: &str, unasked: &str| {
        let mut register = register(&[("5.1", None)]);
        register.text += unasked;
        let mut files = vec![
            register,
            scenario("5.1-x", expected),
            File::new("rulebooks/toy-stud.toml", "short = \"TS\"\n[irregularities.late]\ncites = \"5.1\"\n"),
            File::new("crates/table/tests/late.rs", test),
        ];
        files.push(File::new(page::PATH, page::markdown(&Survey::of(&files))));
        failures(&files, true)
    };
    let path = "rulebooks/paragraphs/toy-stud.toml";
    let reason = "unasked = \"no line can\"\n";
    assert_eq!(
        with("expect ruled continue\n", "", ""),
        [format!(
            "{path}:2: 5.1 is shown by 5.1-x, but no `expect` there cites it, though irregularities.late does"
        )]
    );
    assert_eq!(with("expect ruled continue citing 5.1\n", "", ""), [""; 0]);
    assert_eq!(with("expect ruled continue\n", "// TS 5.1\n#[test]\nfn late() {}\n", ""), [""; 0]);
    assert_eq!(with("expect ruled continue\n", "", reason), [""; 0]);
    assert_eq!(
        with("expect ruled continue citing 5.1\n", "", reason),
        [format!("{path}:2: 5.1 is `unasked`, but a scenario or a test asks for it")]
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
        "| 1.1 | says 1.1 | – | *not modelled:* furniture |",
        "| 3.9 | says 3.9 | [settlement.fold](../rulebooks/toy-stud.toml) | [3.9-fold](../scenarios/toy-stud/3.9-fold.round) |",
        "| 3.10 | says 3.10 | its parts | its parts |",
        "| 3.10.1 | says 3.10.1 | [table::fold](../crates/table/src/lib.rs) | [3.9-fold](../scenarios/toy-stud/3.9-fold.round) |",
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
    assert_eq!(data["games"][0]["paragraphs"][1]["shown_by"][0], "scenarios/toy-stud/3.9-fold.round");
    assert_eq!(data["games"][0]["paragraphs"][0]["reason"], "furniture");
}

#[test]
fn games_can_be_selected() {
    let mut survey = Survey::of(&complete());
    assert_eq!(survey.select(&["toy-stud".to_owned()]), Ok(()));
    let error = survey.select(&["toy-poker".to_owned()]).expect_err("no such game").to_string();
    assert_eq!(error, "there is no paragraph register for `toy-poker`; there is one for: toy-stud");
}
