//! `baize check --house` as a person meets it: scripts through a whole casino, and what cannot be staged.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const HOLDS: &str = "\
game rws-casino-stud
jackpot meter 250000
jackpot rate 20%
open
bet 1 ann ante 50
bet 1 ann jackpot 5
bet 2 ben ante 100
close
expect jackpot meter 250001
deal 1 2h 5h 9h Jh Kh
deal 2 2c 2d 7s 8s Qd
deal dealer Ac Qs 9d 4c 3s
bet 1 ann bet 100
fold 2
reveal dealer
settle
expect 1 hand flush
expect 1 ante win 50 citing 3.13
expect 1 bet returned 100
expect 1 jackpot win 100 citing 4.2
expect 2 ante lose 100
";

/// A directory of scripts that is removed after the test.
struct Scripts(PathBuf);

impl Scripts {
    fn new(name: &str, files: &[(&str, &str)]) -> Scripts {
        let directory = std::env::temp_dir().join(format!("baize-stage-{name}-{}", std::process::id()));
        fs::create_dir_all(&directory).expect("it can be made");
        for (file, text) in files {
            fs::write(directory.join(file), text).expect("it can be written");
        }
        Scripts(directory)
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_baize"));
        command.arg("check").args(arguments).current_dir(&self.0).output().expect("baize runs")
    }

    /// What is printed, and the exit code.
    fn check(&self, arguments: &[&str], printed: &str, code: i32) {
        let output = self.run(arguments);
        assert_eq!(
            (text(&output.stdout).as_str(), output.status.code()),
            (printed, Some(code)),
            "{arguments:?}"
        );
    }
}

impl Drop for Scripts {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn scripts_that_pass_by_the_rules_pass_in_the_house() {
    let wrong = HOLDS.replace("lose 100", "win 100");
    let scripts = Scripts::new("holds", &[("a.round", HOLDS), ("b.round", &wrong)]);
    let failure = "\
b.round:21: expect 2 ante win 100
  expected: box 2: ante win 100.00
  happened: box 2: ante lose 100.00 (3.12.1)
1 passed, 1 failed
";
    scripts.check(&["a.round", "b.round"], failure, 1);
    scripts.check(&["--house", "a.round", "b.round"], failure, 1);
    scripts.check(&["--house", "-q", "a.round"], "1 passed, 0 failed\n", 0);
    let data = scripts.run(&["--house", "--json", "a.round", "b.round"]);
    let data: serde_json::Value = serde_json::from_slice(&data.stdout).expect("it is data");
    assert_eq!((&data["passed"], &data["failed"]), (&1.into(), &1.into()));
    assert_eq!(data["scripts"][0]["holds"], true);
    let failure = &data["scripts"][1]["failures"][0];
    assert_eq!(
        (&failure["line"], &failure["happened"]),
        (&21.into(), &"box 2: ante lose 100.00 (3.12.1)".into())
    );
}

/// Names that no account can have, a name that could be a card, several tables, and what stands from earlier rounds.
#[test]
fn any_script_finds_its_people_and_tables() {
    let odd = HOLDS.replace("ann", "Zoë!").replace("ben", "As");
    let second = "table north\nopen\nbet 1 ann ante 10\nclose\ndeal 1 2h 5h 9h Jh Kh\ndeal dealer Ac Qs 9d 4c 3s\nfold 1\nsettle";
    let tables = format!("{HOLDS}{second}\nexpect 1 net -10\n");
    let standing = "\
game rws-casino-stud
standing rounds 41
standing no-jackpot
standing barred-box 3
standing barred As
open
bet 1 ann ante 50
bet 1 ann jackpot 5
expect refused
bet 3 ann ante 50
expect refused
bet 2 As ante 50
expect refused
close
deal 1 2h 5h 9h Jh Kh
deal dealer Ac Qs 9d 4c 3s
fold 1
settle
expect 1 net -50
";
    let scripts = Scripts::new("people", &[("a.round", &odd), ("b.round", &tables), ("c.round", standing)]);
    let by_rules = scripts.run(&["."]);
    assert_eq!(text(&by_rules.stdout), "3 passed, 0 failed\n");
    scripts.check(&["--house", "."], "3 passed, 0 failed\n", 0);
}

#[test]
fn a_rulebook_of_ones_own_is_staged_too() {
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rulebooks/rws-casino-stud.toml");
    let own = fs::read_to_string(book).expect("it is there").replace("rws-casino-stud", "our-stud");
    let script = HOLDS.replace("rws-casino-stud", "our-stud");
    let scripts = Scripts::new("own", &[("our.toml", &own), ("a.round", &script)]);
    scripts.check(&["--house", "--rulebook", "our.toml", "a.round"], "1 passed, 0 failed\n", 0);
}

#[test]
fn an_unstageable_script_reports_line_and_reason() {
    let boxes = HOLDS.replace("jackpot rate 20%", "boxes 12");
    let operators = format!("{HOLDS}\ntable north mbs-megalink-stud\nopen\n");
    let role = HOLDS.replace("fold 2", "report power-failure by croupier");
    let scripts = Scripts::new(
        "cannot",
        &[("a.round", &boxes), ("b.round", &operators), ("c.round", &role), ("d.round", HOLDS)],
    );
    for (file, place, reason, code) in [
        ("a.round", "a.round:3: boxes 12\n", "happened: refused: ", 1),
        ("b.round", "b.round:24: open\n", "operator", 1),
        ("c.round", "c.round:14:25: `croupier` is not a role", "report power-failure by croupier\n", 2),
    ] {
        let output = scripts.run(&["--house", file]);
        let told = text(&output.stdout);
        assert!(told.starts_with(place) && told.contains(reason), "{told}");
        assert!(told.ends_with("\n0 passed, 1 failed\n"), "{told}");
        assert_eq!(output.status.code(), Some(code), "{told}");
    }
    // The first run makes the file, the second finds it there.
    scripts.check(&["--house", "--database", "kept.sqlite", "d.round"], "1 passed, 0 failed\n", 0);
    // Where no script can be staged, none of them has failed.
    for (database, told) in [
        ("kept.sqlite", "the database kept.sqlite is not empty: a script is staged on a fresh one\n"),
        ("postgres://x@127.0.0.1:1/x", "postgres://x@127.0.0.1:1/x: the database is not available: "),
    ] {
        let output = scripts.run(&["--house", "--database", database, "d.round"]);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
        assert!(text(&output.stderr).starts_with(told), "{}", text(&output.stderr));
    }
    for wrong in [
        &["--house", "--database", "new.sqlite", "a.round", "d.round"][..],
        &["--house", "--database", "mysql://x", "d.round"],
        &["--database", "new.sqlite", "d.round"],
        &["--json", "--quiet", "d.round"],
    ] {
        assert_eq!(scripts.run(wrong).status.code(), Some(2), "{wrong:?}");
    }
}

#[test]
fn a_script_that_shows_little_is_a_warning_or_a_failure() {
    let silent: String =
        HOLDS.lines().filter(|line| !line.starts_with("expect")).map(|line| format!("{line}\n")).collect();
    let open = "game rws-casino-stud\n\nopen\nbet 1 ann ante 50\nbet 9 ann ante 5\nexpect refused\n";
    let scripts = Scripts::new("loose", &[("a.round", &silent), ("b.round", open)]);
    for house in [&[][..], &["--house"]] {
        let with = |more: &[&'static str]| [house, more].concat();
        let output = scripts.run(&with(&["."]));
        assert_eq!((text(&output.stdout).as_str(), output.status.code()), ("2 passed, 0 failed\n", Some(0)));
        let warned = text(&output.stderr);
        assert!(warned.contains("a.round:1: warning: the script expects nothing\n"), "{warned}");
        assert!(warned.contains("b.round:3: warning: the round that is opened here is not over"), "{warned}");
        let output = scripts.run(&with(&["--strict", "."]));
        assert!(text(&output.stdout).ends_with("\n0 passed, 2 failed\n"), "{}", text(&output.stdout));
        assert_eq!(output.status.code(), Some(1));
    }
}
