//! Conventions of the command line: exit codes, nothing left behind, plain text in pipes.

use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::casino::{Folder, baize, fails, run, said};

#[test]
fn errors_exit_with_2_and_one_message() {
    let folder = Folder::new("codes");
    let (none, text, taken) = (folder.file("none.sqlite"), folder.file("text"), folder.file("taken"));
    std::fs::write(&text, "this is a text and no database at all, long enough to be looked at").unwrap();
    let script = folder.file("bad.round");
    std::fs::write(&script, "game rws-casino-stud\nfrob\n").unwrap();
    let listening = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let in_use = listening.local_addr().unwrap().to_string();
    let commands: [(&[&str], &str); 21] = [
        (&["audit", "--database", &none], "no database at"),
        (&["report", "--database", &none], "no database at"),
        (&["backup", &taken, "--database", &none], "no database at"),
        (&["upgrade", "--dry-run", "--database", &none], "no database at"),
        (&["staff", "list", "--database", &none], "no database at"),
        (&["key", "rotate", "--database", &none], "no database at"),
        (&["key", "rotate", "--lost", "--database", &none], "no database at"),
        (&["rate", "--database", &none], "no database at"),
        (&["archive", "--before", "2026-01-01", "--database", &none], "no database at"),
        (&["archive", "--restore", "--database", &none], "no database at"),
        (&["replay", &none], "No such file"),
        (&["audit", "--expect", &none], "neither a hash of 64 hexadecimal digits nor a file"),
        (&["audit", "--database", &text], &format!("not the database of a casino: {text}: ")),
        (&["serve", "--database", &none], "add --create"),
        (&["serve", "--database", &text], "not the database of a casino"),
        (&["serve", "--create", "--database", &taken, "--listen", &in_use], "cannot listen on"),
        (&["serve", "--listen", "127.0.0.1"], "it has no port; write 127.0.0.1:8080"),
        (&["serve", "--tls-cert", &text], "--tls-cert needs --tls-key"),
        (&["serve", "--create", "--database", "postgres://127.0.0.1:1/x?connect_timeout=1"], "not available"),
        (&["check", &script], ""),
        (&["restore", &text, "--database", &none], "is not a backup"),
    ];
    for (command, words) in commands {
        let (code, told) = fails(command);
        assert_eq!(code, 2, "{command:?}: {told}");
        assert!(told.contains(words), "{command:?}: {told}");
    }
    let left: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    let left = left.iter().filter_map(|name| name.to_str()).filter(|name| name.starts_with("none"));
    assert_eq!(left.collect::<Vec<_>>(), Vec::<&str>::new(), "nothing half done");
}

#[test]
fn an_interrupted_load_prints_its_results_and_cleans_up() {
    let folder = Folder::new("load");
    for signal in ["INT", "TERM"] {
        let mut load = baize(&["load", "--tables", "2", "--seconds", "60", "--no-floor"]);
        let load = load.env("TMPDIR", folder.path()).stdout(Stdio::piped()).spawn().unwrap();
        let until = Instant::now() + Duration::from_secs(30);
        while std::fs::read_dir(folder.path()).unwrap().next().is_none() {
            assert!(Instant::now() < until, "it does not begin");
            std::thread::sleep(Duration::from_millis(20));
        }
        std::thread::sleep(Duration::from_millis(1_500));
        let id = load.id().to_string();
        assert!(
            std::process::Command::new("kill").args([&format!("-{signal}"), &id]).status().unwrap().success()
        );
        let output = load.wait_with_output().unwrap();
        let told = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && told.starts_with("2 tables, "), "{signal}: {told}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left");
    }
}

/// Ends a command with SIGINT after this time.
fn interrupted(arguments: &[&str], milliseconds: u64) -> std::process::Output {
    let ran = baize(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(milliseconds));
    let id = ran.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    ran.wait_with_output().unwrap()
}

#[test]
fn interrupted_before_the_first_round_there_is_nothing_to_print() {
    // It measures the floor for seconds before it plays.
    let output = interrupted(&["load", "--tables", "1", "--seconds", "60"], 1_500);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "interrupted before a round was played\n");
}

#[test]
fn an_interrupted_simulation_prints_its_results() {
    let output = interrupted(&["simulate", "rws-casino-stud", "--rounds", "1000000000"], 3_000);
    let (told, errors) = (output.stdout, String::from_utf8(output.stderr).unwrap());
    assert!(output.status.success() && errors.starts_with("interrupted after "), "{errors}");
    assert!(String::from_utf8(told).unwrap().starts_with("CASINO STUD POKER: "));
}

/// What was counted by then is printed; where that is nothing, it is told.
#[test]
fn odds_that_are_interrupted_tell_what_is_known() {
    for milliseconds in [500, 3_000] {
        let odds =
            baize(&["odds", "--what-if"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(milliseconds));
        let id = odds.id().to_string();
        assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        let output = odds.wait_with_output().unwrap();
        let (told, errors) = (output.stdout, String::from_utf8(output.stderr).unwrap());
        assert!(errors.starts_with("interrupted"), "{errors}");
        assert_eq!(output.status.code(), Some(if told.is_empty() { 2 } else { 0 }), "{errors}");
    }
}

#[test]
fn numbers_in_a_pipe_are_plain_and_one_is_one() {
    let told = said(&["simulate", "rws-casino-stud", "--rounds", "1", "--seed", "3"]);
    assert!(told.starts_with("CASINO STUD POKER: 1 ROUND\n"), "{told}");
    assert!(told.contains(": 1 box settled in"), "{told}");
    assert!(!told.contains('\u{2212}') && !told.contains('\x1b'), "{told}");
}

#[test]
fn scripts_are_formatted_and_what_may_follow_is_listed() {
    let folder = Folder::new("fmt");
    let file = folder.file("a.round");
    std::fs::write(&file, "# why\ngame   rws-casino-stud\n\n\nopen\nbet 1 ann  ante 50.00\nclose").unwrap();
    assert_eq!(run(&["fmt", "--check", &file]).status.code(), Some(1));
    said(&["fmt", &file]);
    let text = std::fs::read_to_string(&file).unwrap();
    assert_eq!(text, "# why\ngame rws-casino-stud\n\nopen\nbet 1 ann ante 50\nclose\n");
    assert_eq!(run(&["fmt", "--check", &file]).status.code(), Some(0));
    // One that cannot be read does not keep the others from being looked at.
    let odd = folder.file("odd.round");
    std::fs::write(&odd, "game   rws-casino-stud\n").unwrap();
    let checked = run(&["fmt", "--check", &folder.file("none.round"), &odd]);
    assert_eq!(checked.status.code(), Some(2));
    assert_eq!(String::from_utf8(checked.stdout).unwrap(), format!("{odd}\n"));
    let begun = folder.file("begun.round");
    std::fs::write(&begun, "game rws-casino-stud\n").unwrap();
    let next = said(&["check", "--next", &begun]);
    assert!(next.lines().any(|line| line == "open") && next.contains("limit …"), "before a round: {next}");
    let next = said(&["check", "--next", &file]);
    assert!(!next.contains("limit …"), "a round is open: {next}");
    assert!(next.contains("\ndeal 1 CARD…\n") || next.starts_with("deal 1 CARD…\n"), "{next}");
    // Whatever is listed is accepted: the dealer deals, and the box decides.
    std::fs::write(&file, text + "deal 1 2h 5h 9h Jh Kh\ndeal dealer Ac Qs 9d 4c 3s\n").unwrap();
    let next = said(&["check", "--next", &file]);
    for line in next
        .lines()
        .map(|line| line.split("  #").next().unwrap())
        .filter(|line| !line.contains("KIND") && !line.contains("CARD"))
    {
        let longer = format!("{}{line}\nexpect departs\n", std::fs::read_to_string(&file).unwrap());
        let with = folder.file("with.round");
        std::fs::write(&with, longer).unwrap();
        let told = String::from_utf8(run(&["check", &with]).stdout).unwrap();
        assert!(!told.contains("refused"), "{line}: {told}");
    }
    assert!(next.lines().any(|line| line == "fold 1") && next.contains("bet 1 ann bet 100"), "{next}");
}

#[test]
fn man_pages_and_completions_come_from_the_definition() {
    let folder = Folder::new("generate");
    said(&["generate", "man", &folder.file("man")]);
    said(&["generate", "completions", &folder.file("completions")]);
    let page = std::fs::read_to_string(folder.path().join("man/baize-serve.1")).unwrap();
    assert!(page.contains("drain\\-seconds"), "{page}");
    for named in ["BAIZE_DRAIN_SECONDS", "BAIZE_KEY_FILE", "EXIT STATUS"] {
        assert!(page.contains(named), "{named}: {page}");
    }
    for command in ["baize", "baize-backup", "baize-config-show", "baize-check"] {
        assert!(folder.path().join(format!("man/{command}.1")).exists(), "{command}");
    }
    for file in ["baize.bash", "_baize", "baize.fish"] {
        let text = std::fs::read_to_string(folder.path().join("completions").join(file)).unwrap();
        assert!(text.contains("drain-seconds"), "{file}");
    }
}

/// The README's table has every command, and every command has help.
#[test]
fn the_readme_names_every_command() {
    let readme = include_str!("../../../../README.md");
    let help = said(&["--help"]);
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands = listed.take_while(|line| !line.is_empty()).filter(|line| !line.starts_with("   "));
    let commands: Vec<&str> = commands.map(|line| line.split_whitespace().next().unwrap()).collect();
    assert!(commands.len() > 20, "{help}");
    for command in commands {
        assert!(readme.contains(&format!("`baize {command}")), "the README does not name {command}");
        assert!(said(&[command, "--help"]).contains("Usage: baize"), "{command}");
    }
}

/// Each file that is written may have 8 KB here, as on a disk that is nearly full.
#[cfg(unix)]
#[test]
fn files_are_generated_completely_or_not_at_all() {
    let folder = Folder::new("generate-full");
    for what in ["man", "completions"] {
        let into = folder.file(&format!("{what}/deeper"));
        let limited = format!(
            "trap '' XFSZ; ulimit -f 16; exec {} generate {what} {into}",
            env!("CARGO_BIN_EXE_baize")
        );
        let output = std::process::Command::new("sh").args(["-c", &limited]).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.starts_with(&into) && errors.lines().count() == 1, "{errors}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left");
}
