//! `baize exposure`, `baize advise --seen`, `baize rate` and `baize coach`, run as a person or a program runs them.

mod program;

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use baize_rules::Rulebook;
use serde_json::Value;

use program::{file, json, text, usage};

const STUD: &str = "rws-casino-stud";
const HOLDEM: &str = "mbs-holdem-bonus";
const HOLDEM_FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rulebooks/mbs-holdem-bonus.toml");

#[test]
fn an_exposure_as_data() {
    // The pay table of the published figures: a royal flush at 100 to 1.
    let own = Rulebook::builtin(STUD).expect("a built-in game");
    let rulebook = std::fs::read_to_string(
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../rulebooks").join(format!("{}.toml", own.id)),
    );
    let approved = format!("id = \"{STUD}\"");
    let altered = format!("id = \"royal-100\"\nbased_on = \"{STUD}\"");
    let rulebook = rulebook.expect("the rulebook is there").replace("250 to 1", "100 to 1");
    let rulebook = rulebook.replacen(&approved, &altered, 1);
    let rulebook = file("royal-100.toml", &rulebook);
    let seen = json(&["exposure", "--rulebook", &rulebook, "--dealer", "4", "--json"]);
    assert_eq!(seen["game"], "royal-100");
    assert_eq!(seen["seen"]["dealer"], 4);
    assert_eq!(seen["main"]["exact"], true);
    assert_eq!(seen["main"]["ev"]["denominator"], "3986646103440");
    assert!(seen["main"]["ev"]["decimal"].as_str().is_some_and(|ev| ev.starts_with("0.6428158")));
    assert!(seen["base"]["ev"]["decimal"].as_str().is_some_and(|ev| ev.starts_with("-0.052243")));
    assert!(seen["gain"].as_str().is_some_and(|gain| gain.starts_with("0.695")));
    assert!(seen["earnings"]["rounds_to_stand_out"].as_u64().is_some_and(|rounds| rounds > 10));
}

#[test]
fn shared_boxes_are_a_simulation_and_say_so() {
    let simulated = json(&["exposure", STUD, "--boxes", "6", "--deals", "500", "--json"]);
    assert_eq!(simulated["main"]["exact"], false);
    assert_eq!(simulated["main"]["deals"], 500);
    assert!(simulated["main"]["ev"].get("numerator").is_none());
    assert!(text(&["exposure", STUD, "--boxes", "6", "--deals", "200"]).contains("A simulation"));
}

#[test]
fn bad_exposures_are_refused() {
    for (arguments, told) in [
        (&["exposure", STUD][..], "state what is seen"),
        (&["exposure", STUD, "--dealer", "5"], "stud has 4, so give 1 to 4"),
        (&["exposure", STUD, "--turn"], "no community cards"),
        (&["exposure", HOLDEM, "--dealer", "3"], "hold'em has 2, so give 1 to 2"),
        (&["exposure", HOLDEM, "--dealer", "0"], "state what is seen"),
        (&["exposure", HOLDEM, "--flop", "4"], "it has 3"),
        (&["exposure", HOLDEM, "--boxes", "9"], "other boxes"),
        (&["exposure", STUD, "--ranks", "jokers"], "not a set of ranks"),
        (&["exposure", STUD, "--ranks", "A", "--dealer", "0"], "omit --dealer"),
        (&["rate", "some.round", "--rounds", "5"], "need --database"),
        (&["rate", "some.round", "--table", "rh-1"], "need --database"),
        (&["rate", "--study", STUD, "--seeing", "0"], "0 is not in 1"),
        (&["coach", STUD, "--questions", "0"], "0 is not in 1"),
        (&["exposure", STUD, "--boxes", "1", "--deals", "0"], "at least 2 deals"),
        (&["exposure", STUD, "--boxes", "1", "--deals", "1"], "at least 2 deals"),
        (&["exposure", STUD, "--dealer", "1", "--deals", "9"], "every deal is counted"),
        (&["exposure", "no-such-game", "--dealer", "1"], "there is no game"),
        (&["advise", HOLDEM, "7c2d", "--seen", "dealer 7c"], "named twice"),
        (&["advise", HOLDEM, "7c2d", "--seen", "dealer Kd Kh Ks"], "at most 2"),
        (&["advise", HOLDEM, "7c2d", "--board", "Kh7d4s", "--seen", "flop 2c"], "still to come"),
        (&["advise", STUD, "AhKdJc8s3h", "--up", "4c", "--seen", "river 2c"], "stud has no community cards"),
        (&["advise", STUD, "AhKdJc8s3h", "--up", "4c", "--seen", "Kd"], "name the place first"),
        (&["advise", HOLDEM, "7c2d", "--seen", "box 9 2c"], "there is no box 9: boxes are 1 to 7"),
        (
            &["advise", HOLDEM, "7c2d", "--seen", "box 3 2c 3c 4c"],
            "cards of one box: 3 exposed, but there are at most 2",
        ),
        (&["advise", HOLDEM, "7c2d", "--seen", "dealer Kx"], "`Kx`: `x` is not a suit"),
        (&["exposure", HOLDEM, "--dealer", "-1"], "'-1' for '--dealer <N>': give a number such as 1"),
        (&["exposure", STUD, "--boxes", "two"], "'two' for '--boxes <N>': give a number such as 1"),
        (&["coach", STUD, "--rulebook", HOLDEM_FILE], "omit `rws-casino-stud`"),
        (&["simulate", STUD, "--rulebook", HOLDEM_FILE, "--rounds", "1"], "omit `rws-casino-stud`"),
        (&["rate", "--study", HOLDEM, "--rulebook", "no.toml"], "no.toml"),
        (&["coach", STUD, "--keep", "no-folder/lesson"], "no-folder/lesson: No such file"),
        (&["advise", STUD, "AhKdJc8s3h", "--up", "4c", "--seen", "box 2c, dealer 2c"], "named twice"),
        (
            &["advise", HOLDEM, "7c2d", "--seen", "box 2c 3c 4c 5c 6c 8c 9c Tc Jc Qc Kc Ac 3d"],
            "cards of other boxes: 13 exposed, but there are at most 12",
        ),
    ] {
        let error = usage(arguments);
        assert!(error.contains(told), "{arguments:?}: {error}");
    }
}

#[test]
fn advice_with_exposed_cards() {
    // Both of the dealer's cards and the whole board are known: two pairs lose to three Kings.
    let lost = json(&[
        "advise",
        HOLDEM,
        "7c2d",
        "--board",
        "Kh 7d 2s",
        "--seen",
        "dealer Kd Ks, turn 3c, river 4h",
        "--json",
    ]);
    assert_eq!(lost["best"], "check");
    assert_eq!(lost["decisions"][0]["ev"], "-3");
    assert_eq!(lost["decisions"][1]["ev"], "-4");
    // The dealer's other four cards are known and do not qualify: a bet wins the ante whatever the hand.
    let won =
        json(&["advise", STUD, "Kd Jc 8s 3h 2d", "--up", "4c", "--seen", "dealer 5h 7s 9c Td", "--json"]);
    assert_eq!(won["best"], "bet");
    assert_eq!(won["decisions"][1]["ev"], "1");
}

/// Ctrl-C in the middle of a count that would take a day.
#[test]
#[cfg(target_os = "linux")]
fn ctrl_c_prints_what_is_known_so_far() {
    let exposure = Command::new(env!("CARGO_BIN_EXE_baize"))
        .args(["exposure", HOLDEM, "--dealer", "2", "--river", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("baize runs");
    until_it_listens(exposure.id());
    let pressed = Command::new("kill").args(["-INT", &exposure.id().to_string()]).status();
    assert!(pressed.expect("kill runs").success());
    let output = exposure.wait_with_output().expect("it ends");
    let known: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(known["interrupted"], true);
    assert_eq!(known["base"]["exact"], true);
    // There is a figure only if enough was counted for an estimate by then.
    match known.get("main") {
        Some(main) => assert!(main["exact"] == false && main["interval_95"].is_array(), "{known}"),
        None => assert!(known.get("gain").is_none() && known["earnings"].get("an_hour").is_none(), "{known}"),
    }
}

/// Waits until the process catches Ctrl-C, however long the machine takes to get that far; then a moment more, until it also heeds it.
#[cfg(target_os = "linux")]
fn until_it_listens(process: u32) {
    const INTERRUPT: u64 = 1 << 1;
    let catches = || {
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        caught
            .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
            .is_some_and(|mask| mask & INTERRUPT != 0)
    };
    for _ in 0..3_000 {
        if catches() {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    std::thread::sleep(Duration::from_secs(1));
}

/// Box 1 folds a pair, which best play bets; box 2 bets it.
const ROUND: &str = "game rws-casino-stud
open
bet 1 ann ante 50
bet 2 bob ante 50
close
deal 1 2h 2d 9h Jh Kh
deal 2 3h 3d 9s Js Ks
deal dealer Ac Qs 9d 4c 5s
fold 1
bet 2 bob bet 100
reveal dealer
settle
";

#[test]
fn rounds_are_rated() {
    let script = file("rated.round", ROUND);
    let rated = json(&["rate", &script, "--decisions", "--json"]);
    let player = |name: &str| {
        let players = rated["players"].as_array().expect("players");
        players.iter().find(|of| of["player"] == name).cloned().unwrap_or_default()
    };
    assert_eq!(rated["all"]["hands"], 2);
    assert_eq!(
        (&player("ann")["mistakes"], &player("bob")["mistakes"]),
        (&serde_json::Value::from(1), &serde_json::Value::from(0))
    );
    assert_eq!(player("bob")["mistake_cost"], "0.0000");
    // Best play against a Five loses 5.199 % of 50; the fold costs more on top.
    assert_eq!(player("bob")["theoretical_win"], "2.5995");
    assert_eq!(player("ann")["actual_win"], "50.00");
    assert!(text(&["rate", &script, "--decisions"]).contains("fold instead of bet"));
    assert_eq!(json(&["rate", &script, "--player", "bob", "--json"])["all"]["hands"], 1);
    // A script says neither when it was played nor, this one, at which table.
    for by in ["session", "day", "table"] {
        assert!(usage(&["rate", &script, "--by", by]).contains("use --database"));
    }
}

#[test]
fn the_coach_asks_about_mistakes_first() {
    let script = file("coached.round", ROUND);
    let mut coach = Command::new(env!("CARGO_BIN_EXE_baize"))
        .args(["coach", STUD, "--from", &script, "--questions", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("baize runs");
    // An invalid answer is asked again.
    coach.stdin.take().expect("an input").write_all(b"perhaps\nfold\n").expect("it listens");
    let output = coach.wait_with_output().expect("it ends");
    let said = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(said.contains("2♥ 2♦ 9♥ J♥ K♥ against 5♠"), "{said}");
    assert!(said.contains("Answer fold or bet; q ends.\n   fold or bet? "), "{said}");
    assert!(said.contains("No: bet is best") && said.contains("0 of 1 right; the mistakes cost"), "{said}");
}

/// What was wrong is kept in a file and comes back in the next run, before anything else.
#[test]
fn the_coach_keeps_what_was_wrong_from_one_run_to_the_next() {
    let kept = std::env::temp_dir().join(format!("baize-kept-{}", std::process::id()));
    let lesson = |answers: &str, questions: &str| {
        let mut coach = Command::new(env!("CARGO_BIN_EXE_baize"))
            .args(["coach", STUD, "--questions", questions, "--keep", &kept.display().to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("baize runs");
        // It may have ended before it reads anything.
        let _ = coach.stdin.take().expect("an input").write_all(answers.as_bytes());
        coach.wait_with_output().expect("it ends")
    };
    std::fs::write(&kept, "1.0.2h2d9hJhKh.5s.\n").expect("a file");
    let said = String::from_utf8(lesson("fold\n", "1").stdout).expect("UTF-8");
    assert!(said.contains("1. 2♥ 2♦ 9♥ J♥ K♥ against 5♠") && said.contains("No: bet is best"), "{said}");
    assert_eq!(std::fs::read_to_string(&kept).expect("a file"), "3.0.2h2d9hJhKh.5s.\n");
    let said = String::from_utf8(lesson("fold\nfold\nbet\n", "3").stdout).expect("UTF-8");
    assert!(said.contains("3. 2♥ 2♦ 9♥ J♥ K♥ against 5♠"), "{said}");
    let now = std::fs::read_to_string(&kept).expect("a file");
    assert!(now.contains("8.1.2h2d9hJhKh.5s."), "{now}");
    std::fs::write(&kept, "something else\n").expect("a file");
    let refused = lesson("", "1");
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("is not part of a saved lesson"));
    std::fs::remove_file(&kept).expect("it was there");
}

/// RS 5.16: an exposed card of the dealer's becomes the face-up card. The record says what that was worth, for people and as data.
#[test]
fn a_replayed_round_says_what_exposed_cards_were_worth() {
    let scenario = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../scenarios/rws-casino-stud/5.16-exposed-dealer-card-becomes-the-face-up-card.round"
    );
    let data = json(&["replay", scenario, "--json"]);
    let incident = &data["rounds"][0]["incident"];
    assert_eq!(incident["cards"][0], "9d");
    let of_box = &incident["boxes"][0];
    let number =
        |name: &str| of_box[name].as_str().and_then(|text| text.parse::<f64>().ok()).expect("a number");
    assert!(number("worth") >= 0.0 && number("before") >= -1.0 && number("after") >= -1.0, "{incident}");
    let said = text(&["replay", scenario]);
    assert!(
        said.contains("Exposed: 9♦") && said.contains("Box 1: before ") && said.contains(" in money"),
        "{said}"
    );
    // A round without exposed cards says nothing of it.
    let usual = json(&["replay", &file("usual.round", ROUND), "--json"]);
    assert!(usual["rounds"][0].get("incident").is_none());
}

#[test]
fn strategy_cards_are_pages() {
    for (id, tells) in [(STUD, "When to bet"), (HOLDEM, "Before the flop")] {
        let card = text(&["coach", id, "--card"]);
        assert!(card.starts_with("<!DOCTYPE html>") && card.contains(tells) && card.contains("@page"));
    }
}
