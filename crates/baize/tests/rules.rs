//! `baize rules`, run as a person or a program runs it.

mod program;

use std::path::PathBuf;

use baize_rules::Rulebook;

use program::{baize, err, out};

/// A rulebook file with this text, in the tests' own directory.
fn file(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("a test can write its file");
    path
}

#[test]
fn help_lists_the_commands() {
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
    assert!(
        !out(&output).contains(".. 250 to 1"),
        "the pay table; the reasons of an open point have an example of their own"
    );
}

const ALTERED: &str = "altered from Casino Stud Poker, RWS version 6";

/// The royal flush pays 100 to 1, under this id.
fn royal_at_100(name: &str, id: &str) -> String {
    let text = Rulebook::builtin_text("rws-casino-stud").expect("a built-in game");
    let own = text.replacen("250 to 1", "100 to 1", 1).replacen("id = \"rws-casino-stud\"", id, 1);
    file(name, &own).display().to_string()
}

#[test]
fn a_changed_game_never_passes_for_the_approved_one() {
    let changed = royal_at_100("same-id.toml", "id = \"rws-casino-stud\"");
    let round = file("any.round", "game rws-casino-stud\n").display().to_string();
    let database = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("not-for-a-changed-game.sqlite");
    let database = database.to_str().expect("UTF-8");
    for command in [
        vec!["rules"],
        vec!["odds"],
        vec!["simulate", "--rounds", "10"],
        vec!["play"],
        vec!["jackpot"],
        vec!["check", &round],
        vec!["replay", &round],
        vec!["serve", "--database", database],
    ] {
        let output = baize(&[&command[..], &["--rulebook", &changed]].concat());
        assert_eq!(output.status.code(), Some(2), "{command:?}");
        assert!(out(&output).is_empty(), "{command:?}");
        let told = err(&output);
        assert!(
            told.contains("`rws-casino-stud` is the approved Casino Stud Poker, RWS version 6"),
            "{told}"
        );
    }
    assert!(!PathBuf::from(database).exists(), "nothing was opened");
}

#[test]
fn a_changed_game_names_its_original() {
    let named = royal_at_100("based-on.toml", "id = \"own\"\nbased_on = \"rws-casino-stud\"");
    // Not even one that keeps the name and does not say what it is based on.
    let silent = royal_at_100("silent.toml", "id = \"own\"");
    for path in [&named, &silent] {
        for command in [vec!["rules"], vec!["simulate", "--rounds", "10"]] {
            let output = baize(&[&command[..], &["--rulebook", path]].concat());
            assert!(output.status.success(), "{}", err(&output));
            let told = out(&output).split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
            assert!(told.contains(&ALTERED.to_lowercase()), "{told}");
            assert!(!told.contains("rws, version 6"), "{told}");
            assert!(err(&output).contains(ALTERED), "{}", err(&output));
        }
    }
    // Data says so too.
    let round = file("altered.round", "game own\nopen\nbet 1 ann ante 50\n").display().to_string();
    for command in [
        vec!["replay", &round],
        vec!["odds"],
        vec!["jackpot"],
        vec!["simulate", "--rounds", "10"],
        vec!["exposure", "--dealer", "4"],
        vec!["advise", "As Ad Kh Qc 2d", "--up", "7c"],
    ] {
        let output = baize(&[&command[..], &["--json", "--rulebook", &named]].concat());
        assert!(
            out(&output).contains(ALTERED.trim_start_matches("altered from ")),
            "{command:?} {}",
            out(&output)
        );
    }
}

#[test]
fn the_differences_from_the_approved_game_are_shown_with_their_paragraphs() {
    let same_id = royal_at_100("diff-same.toml", "id = \"rws-casino-stud\"");
    let based_on = royal_at_100("diff-own.toml", "id = \"own\"\nbased_on = \"rws-casino-stud\"");
    for path in [&same_id, &based_on] {
        let output = baize(&["rules", "--diff", path]);
        assert!(output.status.success(), "{}", err(&output));
        let told = out(&output).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(told.contains("against Casino Stud Poker, RWS version 6"), "{told}");
        let line = "settlement.higher.bet.pays-by-hand.royal-flush: 250 to 1 -> 100 to 1 (3.14.1, 4.1)";
        assert!(told.contains(line) && told.ends_with("1 difference."), "{told}");
        let data: serde_json::Value =
            serde_json::from_str(&out(&baize(&["rules", "--diff", path, "--json"]))).unwrap();
        assert_eq!(data[0]["here"], "100 to 1");
    }
    let text = Rulebook::builtin_text("rws-casino-stud").unwrap();
    let ours = text.replacen("id = \"rws-casino-stud\"", "id = \"own\"", 1).replacen(
        "Casino Stud Poker\"",
        "Our Stud\"",
        1,
    );
    let ours = file("diff-nothing.toml", &ours).display().to_string();
    let output = baize(&["rules", "--diff", &ours]);
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).contains("nothing to compare with"), "{}", err(&output));
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
fn a_missing_file_is_bad_usage() {
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
