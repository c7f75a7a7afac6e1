//! `baize play`, played by lines on the standard input.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use baize_rules::Rulebook;

fn play(arguments: &[&str], lines: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_baize"))
        .arg("play")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("baize runs");
    child.stdin.take().expect("a pipe").write_all(lines.as_bytes()).expect("it reads");
    child.wait_with_output().expect("it ends")
}

fn told(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn every_game_can_be_played_and_its_rounds_kept() {
    for book in Rulebook::builtins() {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("played-{}", book.id));
        let _ = std::fs::remove_dir_all(&folder);
        // Whatever the cards: bet wherever it is possible. A line too many is answered with help.
        let text = told(&play(&[&book.id, "--save", &folder.display().to_string()], "25 jackpot\nb\nb\nb\n"));
        assert!(text.contains(&book.name) && text.contains("Settlement"), "{text}");
        assert!(text.contains("deck fixed as") && text.contains("You leave with"), "{text}");
        let round = folder.join(format!("{}-1-1.round", book.short.to_lowercase()));
        let checked =
            Command::new(env!("CARGO_BIN_EXE_baize")).arg("check").arg(&round).output().expect("baize runs");
        assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stdout));
        // The settlement ends as the script says: what it expects is what was shown.
        let script = std::fs::read_to_string(&round).expect("it was written");
        assert!(script.contains("bet 4 you ante 25") && script.contains("expect"), "{script}");
    }
}

#[test]
fn invalid_input_is_explained_and_asked_again() {
    let text =
        told(&play(&["rws-progressive-holdem"], "flop 5\n3\n2000\n?\n25\nshove\ncheck\nbet 7\nf\nq\n"));
    for wanted in [
        "`flop` is not a bet",
        // Below the minimum, and more than there is.
        "minimum",
        "an ante of 25",
        "`shove` is not a command",
        "you cannot do that now",
        "Settlement",
        "You lose 25.00.",
        "You leave with 975.00: -25.00.",
    ] {
        assert!(text.contains(wanted), "`{wanted}` in:\n{text}");
    }
}

#[test]
fn a_rulebook_of_ones_own_can_be_played() {
    let own = Rulebook::builtin_text("rws-casino-stud")
        .expect("it is built in")
        .replacen("id = \"rws-casino-stud\"", "id = \"house-stud\"\nbased_on = \"rws-casino-stud\"", 1)
        .replacen("\nname = \"Casino Stud Poker\"", "\nname = \"House Stud\"", 1);
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("house-stud.toml").display().to_string();
    std::fs::write(&file, &own).expect("a test can write its file");
    let text = told(&play(&["--rulebook", &file], "10\nf\nq\n"));
    assert!(text.contains("House Stud") && text.contains("You lose 10.00."), "{text}");
    assert!(text.contains("altered from Casino Stud Poker, RWS version 6"), "{text}");
    std::fs::write(&file, own.replacen("250 to 1", "a lot", 1)).expect("a test can write its file");
    let faulty = play(&["--rulebook", &file], "");
    assert_eq!(faulty.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&faulty.stderr).contains("`a lot` is not valid odds"));
}

#[test]
fn leaving_in_the_middle_is_no_failure() {
    let text = told(&play(&["mbs-megalink-stud"], "10\n"));
    assert!(text.contains("The round is abandoned"), "{text}");
    assert!(told(&play(&["mbs-megalink-stud"], "")).contains("You leave with 1,000.00: 0.00."));
}

#[test]
fn a_player_without_chips_is_informed() {
    let text = told(&play(&["mbs-megalink-stud", "--chips", "20"], "20\nf\nq\n"));
    assert!(text.contains("You have 0.00 left: not enough for an ante."), "{text}");
}

#[test]
fn bad_usage() {
    let unknown = play(&["poker"], "");
    assert_eq!(unknown.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("there is no game `poker`"));
    assert_eq!(play(&["rws-progressive-holdem", "--chips", "lots"], "").status.code(), Some(2));
    assert_eq!(play(&[], "").status.code(), Some(2));
}
