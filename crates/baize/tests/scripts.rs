//! `baize check` and `baize replay` as a person meets them: what is printed, and how they exit.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const HOLDS: &str = "\
game rws-casino-stud
open
bet 1 ann ante 50
close
deal 1 2h 5h 9h Jh Kh
deal dealer Ac Qs 9d 4c 3s
fold 1
reveal dealer
settle
expect 1 ante lose 50 citing 3.12.1
";

fn baize(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_baize"));
    command.args(arguments).env_remove("NO_COLOR");
    command
}

/// A directory of scripts that is removed after the test.
struct Scripts(PathBuf);

impl Scripts {
    fn new(name: &str, files: &[(&str, &str)]) -> Scripts {
        let directory = std::env::temp_dir().join(format!("baize-{name}-{}", std::process::id()));
        for (file, text) in files {
            let path = directory.join(file);
            fs::create_dir_all(path.parent().expect("a file has a directory")).expect("it can be made");
            fs::write(path, text).expect("it can be written");
        }
        Scripts(directory)
    }

    fn run(&self, arguments: &[&str]) -> Output {
        baize(arguments).current_dir(&self.0).output().expect("baize runs")
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
fn check_counts_passes_and_walks_directories() {
    let scripts = Scripts::new(
        "walk",
        &[("a.round", HOLDS), ("below/b.round", HOLDS), ("below/c.txt", "not a script")],
    );
    let output = scripts.run(&["check", "."]);
    assert_eq!(text(&output.stdout), "2 passed, 0 failed\n");
    assert_eq!(output.status.code(), Some(0));
    let output = scripts.run(&["check", "--verbose", "a.round", "below"]);
    assert_eq!(text(&output.stdout), "a.round: passed\nbelow/b.round: passed\n2 passed, 0 failed\n");
}

#[test]
fn check_reports_place_expectation_and_result() {
    let wrong = HOLDS.replace("lose 50", "win 50");
    let refused = format!("{HOLDS}settle\nfold 1\nexpect 1 net 0\n");
    let scripts = Scripts::new("fail", &[("a.round", HOLDS), ("b.round", &wrong), ("c.round", &refused)]);
    let output = scripts.run(&["check", "a.round", "b.round", "c.round"]);
    let expected = "\
b.round:10: expect 1 ante win 50 citing 3.12.1
  expected: box 1: ante win 50.00 citing 3.12.1
  happened: box 1: ante lose 50.00 (3.12.1)
c.round:11: settle
  expected: `settle` is done
  happened: refused: the round is over (1.16)
  and 2 more after that
1 passed, 2 failed
";
    assert_eq!(text(&output.stdout), expected);
    assert_eq!(output.status.code(), Some(1));
    let quiet = scripts.run(&["check", "-q", "a.round", "b.round", "c.round"]);
    assert_eq!((text(&quiet.stdout).as_str(), quiet.status.code()), ("1 passed, 2 failed\n", Some(1)));
}

#[test]
fn check_reports_faults_of_a_text() {
    let scripts = Scripts::new(
        "parse",
        &[("a.round", "game rws-casino-stud\nopen\nbte 1 ann ante 5\nbet 1 ann ante 5.125\n")],
    );
    let output = scripts.run(&["check", "a.round"]);
    let expected = "\
a.round:3:1: `bte` is not a word that a line begins with; did you mean `bet`?
  bte 1 ann ante 5
  ^
a.round:4:16: `5.125` has more than two decimals: the smallest coin is one cent
  bet 1 ann ante 5.125
                 ^
0 passed, 1 failed
";
    assert_eq!(text(&output.stdout), expected);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn check_exits_2_when_it_cannot_be_done() {
    let scripts = Scripts::new("cannot", &[("a.round", HOLDS), ("empty/readme", "")]);
    let output = scripts.run(&["check", "a.round", "none.round", "empty"]);
    assert_eq!(text(&output.stdout), "1 passed, 0 failed\n");
    assert!(text(&output.stderr).contains("none.round: "), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("empty: no *.round files found"), "{}", text(&output.stderr));
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(scripts.run(&["check"]).status.code(), Some(2));
    assert_eq!(scripts.run(&["replay", "none.round"]).status.code(), Some(2));
}

#[test]
fn standard_input_is_read() {
    let mut child =
        baize(&["check", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("baize runs");
    child.stdin.take().expect("it is piped").write_all(HOLDS.as_bytes()).expect("it can be written");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(text(&output.stdout), "1 passed, 0 failed\n");
}

#[test]
fn replay_tells_a_round_and_its_failures() {
    let wrong = HOLDS.replace("lose 50", "win 50");
    let scripts = Scripts::new("replay", &[("a.round", HOLDS), ("b.round", &wrong)]);
    let output = scripts.run(&["replay", "a.round"]);
    let told = text(&output.stdout);
    assert!(told.contains("Box 1 · ann · 2♥ 5♥ 9♥ J♥ K♥ · Flush, King high (K J 9 5 2) · folded"), "{told}");
    assert!(told.contains("Ante    50.00  lose           50.00  3.12.1\n"), "{told}");
    assert!(!told.contains('\x1b'), "no colours in a pipe");
    assert_eq!(output.status.code(), Some(0));
    let output = scripts.run(&["replay", "--json", "b.round"]);
    let data: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is data");
    assert_eq!(data["rounds"][0]["boxes"][0]["net"], "-50.00");
    assert_eq!(data["failures"][0]["line"], 10);
    assert!(text(&output.stderr).contains("b.round:10: expect 1 ante win 50"), "{}", text(&output.stderr));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_rulebook_of_ones_own_can_be_named() {
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rulebooks/rws-casino-stud.toml");
    let own = fs::read_to_string(book).expect("it is there").replace("rws-casino-stud", "our-stud");
    let scripts = Scripts::new(
        "own",
        &[("our.toml", &own), ("a.round", &HOLDS.replace("rws-casino-stud", "our-stud"))],
    );
    assert_eq!(scripts.run(&["check", "a.round", "--rulebook", "our.toml"]).status.code(), Some(0));
    let unknown = scripts.run(&["check", "a.round"]);
    assert!(
        text(&unknown.stdout).contains("no rulebook has the id `our-stud`; there are rws-"),
        "{}",
        text(&unknown.stdout)
    );
    assert_eq!(unknown.status.code(), Some(1));
}

/// A file of another kind is reported in one line.
#[test]
fn binary_or_oversized_files_are_reported_in_one_line() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let (binary, long, faulty) =
        (folder.join("binary.round"), folder.join("long.round"), folder.join("faulty.round"));
    std::fs::write(&binary, b"game x\n\x7fELF\x00\xff\n").expect("it can be written");
    std::fs::write(&long, "nonsense\n".repeat(1_000_000)).expect("it can be written");
    std::fs::write(&faulty, "nonsense\n".repeat(1_000)).expect("it can be written");
    for command in ["check", "fmt", "replay"] {
        for (file, told) in [(&binary, "invalid byte in line 2"), (&long, "more than 4 MB")] {
            let output = baize(&[command, &file.display().to_string()]).output().expect("baize runs");
            let said = text(&output.stderr);
            assert_eq!((output.status.code(), said.lines().count()), (Some(2), 1), "{command}: {said}");
            assert!(said.contains(told), "{command}: {said}");
        }
        let output = baize(&[command, &faulty.display().to_string()]).output().expect("baize runs");
        let said = text(&output.stdout) + &text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{command}: {said}");
        assert!(said.contains("more faults") && said.lines().count() < 100, "{command}: {said}");
    }
}
