//! `baize rules`, run as a person or a program runs it.

use std::path::PathBuf;
use std::process::{Command, Output};

use baize_rules::Rulebook;

fn baize(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_baize")).args(arguments).output().expect("baize runs")
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

/// A rulebook file with this text, in the tests' own directory.
fn file(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("a test can write its file");
    path
}

#[test]
fn asked_for_help_it_says_what_can_be_done() {
    let output = baize(&["--help"]);
    assert!(output.status.success());
    assert!(out(&output).contains("rules"));
    assert_eq!(baize(&["no-such-command"]).status.code(), Some(2));
    assert_eq!(baize(&["rules", "--no-such-flag"]).status.code(), Some(2));
}

#[test]
fn the_list_names_every_game() {
    let output = baize(&["rules"]);
    assert!(output.status.success());
    for rulebook in Rulebook::builtins() {
        assert!(out(&output).contains(&rulebook.id));
        assert!(out(&output).contains(&rulebook.name));
    }
    let json: serde_json::Value = serde_json::from_str(&out(&baize(&["rules", "--json"]))).unwrap();
    assert_eq!(json.as_array().map(Vec::len), Some(Rulebook::builtins().len()));
    assert_eq!(json[0]["operator"], "RWS");
}

#[test]
fn a_game_is_explained_in_plain_text_when_piped() {
    for rulebook in Rulebook::builtins() {
        let output = baize(&["rules", &rulebook.id]);
        assert!(output.status.success());
        let text = out(&output);
        assert!(text.starts_with(&rulebook.name.to_uppercase()));
        assert!(!text.contains('\x1b'), "no colours in a pipe");
        for procedure in &rulebook.procedures {
            assert!(text.contains(procedure.name.name()), "{}", procedure.name.name());
        }
        for award in &rulebook.jackpot.awards {
            assert!(text.contains(&award.name));
        }
        for report in &rulebook.irregularities.reports {
            assert!(text.contains(&format!("{}:", report.kind.code())));
        }
        for point in &rulebook.interpretations {
            assert!(text.contains(&format!("{}:", point.id)));
        }
    }
}

#[test]
fn a_game_is_data_with_json() {
    let json: serde_json::Value =
        serde_json::from_str(&out(&baize(&["rules", "mbs-megalink-stud", "--json"]))).unwrap();
    assert_eq!(json["id"], "mbs-megalink-stud");
    assert_eq!(json["jackpot"]["awards"][2]["pays"]["for-one"], 400);
    assert_eq!(json["settlement"]["higher"]["bet"]["value"]["pays-by-hand"]["royal-flush"], "250 to 1");
}

#[test]
fn an_unknown_game_is_bad_usage_and_the_games_are_named() {
    let output = baize(&["rules", "rws-stud"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(out(&output).is_empty());
    assert!(err(&output).starts_with("there is no game `rws-stud`"));
    for rulebook in Rulebook::builtins() {
        assert!(err(&output).contains(&rulebook.id));
    }
}

#[test]
fn a_house_reads_its_own_rulebook() {
    let text = out(&baize(&["rules", "rws-casino-stud", "--toml"]));
    assert_eq!(Rulebook::builtin_text("rws-casino-stud"), Some(text.as_str()));
    let own =
        text.replacen("250 to 1", "100 to 1", 1).replacen("id = \"rws-casino-stud\"", "id = \"own\"", 1);
    let path = file("own.toml", &own);
    let output = baize(&["rules", "--rulebook", path.to_str().unwrap()]);
    assert!(output.status.success(), "{}", err(&output));
    assert!(out(&output).contains("100 to 1"));
    assert!(!out(&output).contains("250 to 1"));
}

#[test]
fn a_faulty_rulebook_fails_with_every_fault_and_its_line() {
    let text = Rulebook::builtin_text("rws-casino-stud").unwrap();
    let faulty = text.replacen("250 to 1", "250:1", 1).replacen("operator", "operater", 1);
    let path = file("faulty.toml", &faulty);
    let output = baize(&["rules", "--rulebook", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(out(&output).is_empty());
    let shown = err(&output);
    let line = faulty[..faulty.find("250:1").unwrap()].matches('\n').count() + 1;
    assert!(shown.contains(&format!("faulty.toml:{line}:")), "{shown}");
    assert!(shown.contains("did you mean `operator`?"), "{shown}");
    assert!(shown.ends_with("3 faults found; nothing was done\n"), "{shown}");
}

#[test]
fn a_file_that_is_not_there_is_bad_usage() {
    let output = baize(&["rules", "--rulebook", "no-such-file.toml"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).starts_with("no-such-file.toml: "), "{}", err(&output));
    assert_eq!(baize(&["rules", "--toml"]).status.code(), Some(2));
    let both = baize(&["rules", "rws-casino-stud", "--rulebook", "own.toml"]);
    assert_eq!(both.status.code(), Some(2));
}

#[test]
fn a_casino_is_not_opened_with_a_rulebook_that_has_faults() {
    let text = Rulebook::builtin_text(&Rulebook::builtins()[0].id).expect("a text");
    let faulty = file("faulty.toml", &text.replacen("boxes", "bocks", 1));
    let database = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("never-opened.sqlite");
    let database = database.to_str().expect("UTF-8");
    let faulty = faulty.to_str().expect("UTF-8");
    let output = baize(&["serve", "--database", database, "--rulebook", faulty]);
    assert_eq!(output.status.code(), Some(2));
    let told = err(&output);
    assert!(told.contains("faulty.toml:") && told.contains("boxes"), "{told}");
    assert!(!PathBuf::from(database).exists(), "nothing was opened");
    let missing = baize(&["serve", "--database", database, "--rulebook", "no-such-file.toml"]);
    assert_eq!(missing.status.code(), Some(2));
}
