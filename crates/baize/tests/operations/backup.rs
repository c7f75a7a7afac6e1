//! Backups of a casino that plays, and what is restored from them.

use std::process::{Command, Stdio};
use std::time::Duration;

use crate::casino::{Casino, Folder, baize, fails, said};
use crate::server::{Server, programs};

fn under_load<T>(database: &str, task: impl FnOnce() -> T) -> T {
    let mut load = baize(&["load", "--tables", "4", "--seconds", "60", "--no-floor", "--database", database]);
    let mut load = load.stdout(Stdio::null()).spawn().unwrap();
    std::thread::sleep(Duration::from_secs(3));
    let done = task();
    let _ = Command::new("kill").args(["-INT", &load.id().to_string()]).status();
    load.wait().unwrap();
    done
}

fn entries(report: &str) -> u64 {
    let report: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(report).unwrap()).unwrap();
    report["state"]["entries"].as_u64().unwrap()
}

#[test]
fn a_running_casino_in_a_file_is_backed_up_and_restored() {
    let folder = Folder::new("backup");
    let (database, file, restored) =
        (folder.file("casino.sqlite"), folder.file("backup"), folder.file("restored.sqlite"));
    under_load(&database, || said(&["backup", &file, "--database", &database]));
    let later = folder.file("later.json");
    std::fs::write(&later, said(&["audit", "--json", "--database", &database])).unwrap();
    let report = format!("{file}.audit.json");
    assert!(entries(&report) > 0 && entries(&report) < entries(&later));
    assert!(said(&["audit", "--database", &database, "--expect", &report]).ends_with("all is well\n"));
    let (code, told) = fails(&["restore", &file, "--database", &database]);
    assert!(code == 2 && told.contains("nothing was overwritten"), "{told}");

    let told = said(&["restore", &file, "--database", &restored, "--known", &later]);
    let missing = entries(&later) - entries(&report);
    assert!(
        told.contains(&format!("{missing} entries of a later audit are missing")) || missing > 999,
        "{told}"
    );
    assert!(said(&["audit", "--database", &restored, "--expect", &report]).ends_with("all is well\n"));
    let journal = said(&["journal", "--stream", "house", "--database", &restored]);
    assert!(journal.contains("\"fact\":\"restored\""), "it is on record: {journal}");

    // A backup that was changed is not restored.
    rusqlite::Connection::open(&file)
        .unwrap()
        .execute_batch("UPDATE entries SET at = at + 1 WHERE number = 2")
        .unwrap();
    let other = folder.file("other.sqlite");
    let (code, told) = fails(&["restore", &file, "--database", &other]);
    assert!(code == 1 && told.contains("BAD"), "{code} {told}");
    assert!(
        !std::path::Path::new(&other).exists()
            && !std::path::Path::new(&folder.file("other.sqlite.part")).exists()
    );
}

/// What a command says on both outputs.
fn told(arguments: &[&str]) -> String {
    let output = crate::casino::run(arguments);
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn a_file_copied_without_its_log_is_reported() {
    let folder = Folder::new("torn");
    let (database, copied) = (folder.file("casino.sqlite"), folder.file("copied.sqlite"));
    // After a planned stop, a copy looks complete.
    Casino::open(&folder, &database, &[]).stop();
    let casino = Casino::open(&folder, &database, &[]);
    casino.join("mei");
    std::fs::copy(&database, &copied).unwrap();
    let backup = folder.file("backup");
    said(&["backup", &backup, "--database", &database]);
    casino.stop();
    assert!(told(&["audit", "--database", &copied]).contains("without its log"));
    let (second, restored) = (folder.file("second"), folder.file("restored.sqlite"));
    assert!(told(&["backup", &second, "--database", &copied]).contains("without its log"));
    assert!(told(&["audit", "--database", &second]).contains("without its log"), "a copy of it says so too");
    assert!(told(&["restore", &copied, "--database", &restored]).contains("without its log"));
    let journal = said(&["journal", "--stream", "house", "--database", &restored]);
    assert!(journal.contains("without its log"), "it is on record: {journal}");

    // A backup is complete.
    let (whole, again) = (folder.file("whole.sqlite"), folder.file("again.sqlite"));
    std::fs::copy(&database, &whole).unwrap();
    said(&["restore", &backup, "--database", &again]);
    for database in [&database, &whole, &backup, &again] {
        let told = told(&["audit", "--database", database]);
        assert!(told.ends_with("all is well\n") && !told.contains("without its log"), "{database}: {told}");
    }
}

/// Stopped at any moment, a backup and a restored casino are complete or absent.
#[test]
fn a_backup_that_is_stopped_leaves_nothing() {
    let folder = Folder::new("stopped-backup");
    let (database, whole) = (folder.file("casino.sqlite"), folder.file("whole"));
    Casino::open(&folder, &database, &[]).stop();
    said(&["backup", &whole, "--database", &database]);
    for delay in [0, 10, 20, 40, 80, 160, 320] {
        let (file, restored) =
            (folder.file(&format!("backup-{delay}")), folder.file(&format!("restored-{delay}")));
        for arguments in
            [["backup", &file, "--database", &database], ["restore", &whole, "--database", &restored]]
        {
            let mut stopped = baize(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            std::thread::sleep(Duration::from_millis(delay));
            // It may have ended.
            let _ = Command::new("kill").args(["-TERM", &stopped.id().to_string()]).status();
            stopped.wait().unwrap();
        }
        for made in [file, restored].iter().filter(|made| std::path::Path::new(made).exists()) {
            assert!(said(&["audit", "--database", made]).ends_with("all is well\n"));
        }
    }
    let left = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
    let left: Vec<_> = left.filter(|name| name.to_string_lossy().contains(".part")).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn faults_of_a_backup_name_its_file_and_leave_nothing() {
    let folder = Folder::new("backup-faults");
    let (database, foreign, restored) =
        (folder.file("casino.sqlite"), folder.file("foreign"), folder.file("restored"));
    Casino::open(&folder, &database, &[]).stop();
    rusqlite::Connection::open(&foreign).unwrap().execute_batch("CREATE TABLE other (a)").unwrap();
    let before = std::fs::read_dir(folder.path()).unwrap().count();
    let (nowhere, trailing) = (folder.file("none/backup"), folder.file("backup/"));
    for (command, words) in [
        (
            ["backup", &nowhere, "--database", &database],
            format!("{}: there is no such folder", folder.file("none")),
        ),
        (["backup", &trailing, "--database", &database], "is a folder: name a file in it".to_owned()),
        (["backup", &format!("{foreign}/backup"), "--database", &database], "not a directory".to_owned()),
        (
            ["restore", &foreign, "--database", &restored],
            format!("not the database of a casino: {foreign}: "),
        ),
    ] {
        let (code, told) = fails(&command);
        assert!(code == 2 && told.contains(&words), "{command:?}: {code} {told}");
    }
    // Every file may have 64 KB here, as on a disk that is full.
    let file = folder.file("backup");
    let limited = format!(
        "trap '' XFSZ; ulimit -f 128; exec {} backup {file} --database {database}",
        env!("CARGO_BIN_EXE_baize")
    );
    let output = Command::new("sh").args(["-c", &limited]).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && told.contains(&file), "{told}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), before, "nothing is left");
}

#[test]
fn an_empty_journal_is_a_fault() {
    let folder = Folder::new("empty-journal");
    let (database, copied) = (folder.file("casino.sqlite"), folder.file("copied.sqlite"));
    // After the first start everything is still in the log.
    let casino = Casino::open(&folder, &database, &[]);
    std::fs::copy(&database, &copied).unwrap();
    casino.stop();
    let empty = "the journal is empty";
    let (backup, restored) = (folder.file("backup"), folder.file("restored.sqlite"));
    let audits: [&[&str]; 3] = [&["audit"], &["backup", &backup], &["restore", &copied]];
    for command in audits {
        let database = if command[0] == "restore" { &restored } else { &copied };
        let output = crate::casino::run(&[command, &["--database", database]].concat());
        let told = [output.stdout, output.stderr].concat();
        let told = String::from_utf8_lossy(&told);
        assert!(told.contains(empty) && told.contains("baize backup"), "{command:?}: {told}");
        assert!(!told.contains("all is well"), "{command:?}: {told}");
        assert_eq!(output.status.code(), Some(1), "{command:?}: {told}");
    }
    assert!(!std::path::Path::new(&restored).exists());
    for command in [["report"].as_slice(), &["journal"], &["verify", "rs-1/1"], &["export", "rs-1/1"]] {
        let (code, told) = fails(&[command, &["--database", &copied]].concat());
        assert!(code == 2 && told.contains(empty) && told.contains(&copied), "{command:?}: {code} {told}");
    }
}

#[test]
fn a_casino_on_postgresql_is_dumped_and_restored() {
    let folder = Folder::new("dump");
    let (database, restored) = (Server::the().database(), Server::the().database());
    let file = folder.file("backup");
    // The programs of the server's own version.
    let path = format!("{}:{}", programs().display(), std::env::var("PATH").unwrap_or_default());
    let with = |arguments: &[&str]| {
        let output = baize(arguments).env("PATH", &path).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    under_load(&database, || with(&["backup", &file, "--database", &database]));
    let report = format!("{file}.audit.json");

    // A backup that does not fit its report, or a restoring that is stopped, leaves nothing on the server.
    let gone = |casino: &str| fails(&["audit", "--database", casino]).1.contains("no database at");
    let right = std::fs::read_to_string(&report).unwrap();
    let house: serde_json::Value = serde_json::from_str(&right).unwrap();
    let house = house["state"]["house"].as_str().unwrap();
    std::fs::write(&report, right.replace(house, &"0".repeat(64))).unwrap();
    let refused = baize(&["restore", &file, "--database", &restored]).env("PATH", &path).output().unwrap();
    assert_eq!(refused.status.code(), Some(1), "{}", String::from_utf8_lossy(&refused.stderr));
    assert!(gone(&restored));
    std::fs::write(&report, right).unwrap();
    for delay in [0, 100, 200, 400, 800] {
        let other = Server::the().database();
        let mut stopped = baize(&["restore", &file, "--database", &other]);
        let stopped = stopped.env("PATH", &path).stdout(Stdio::null()).stderr(Stdio::piped());
        let stopped = stopped.spawn().unwrap();
        std::thread::sleep(Duration::from_millis(delay));
        // It may have ended.
        let _ = Command::new("kill").args(["-TERM", &stopped.id().to_string()]).status();
        let ended = stopped.wait_with_output().unwrap();
        if !ended.status.success() {
            assert!(gone(&other), "after {delay} ms: {}", String::from_utf8_lossy(&ended.stderr));
        }
    }

    let told = with(&["restore", &file, "--database", &restored]);
    assert!(told.contains("the audit is clean"), "{told}");
    assert!(said(&["audit", "--database", &restored, "--expect", &report]).ends_with("all is well\n"));
    let (code, told) = fails(&["restore", &file, "--database", &restored]);
    assert!(code == 2 && told.contains("nothing was overwritten"), "{told}");
}
