//! Databases of older programs are brought up to date, those of newer ones are left alone.
//!
//! The fixtures were written by the programs of their time and cut short by a crash, so that a round is under way: `casino-vN.sql` on SQLite,
//! `casino-vN.pg.sql` on PostgreSQL. Where there is none of a version, the one before is opened as the program of that version did: by its own step.

use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use baize_house::House;

use crate::casino::{Folder, fails, said};
use crate::server::{Server, programs};

/// The first steps of the programs of old, SQLite's and PostgreSQL's: from version 1 to 2, to 3, to 4.
const STEPS: [(&str, &str); 3] = [
    (
        "CREATE TABLE snapshots (
  stream TEXT NOT NULL,
  version INTEGER NOT NULL,
  hash TEXT NOT NULL,
  at INTEGER NOT NULL,
  state TEXT NOT NULL,
  PRIMARY KEY (stream, version)
) STRICT;",
        "CREATE TABLE snapshots (stream text NOT NULL, version bigint NOT NULL, hash text NOT NULL, at bigint NOT NULL, state text NOT NULL,
         PRIMARY KEY (stream, version));",
    ),
    (
        "CREATE TABLE accounts (
  account TEXT PRIMARY KEY,
  cents INTEGER NOT NULL CHECK (cents >= 0 OR account IN ('house', 'cage') OR account LIKE 'owed/%')
) STRICT, WITHOUT ROWID;
INSERT INTO accounts SELECT account, cents FROM balances;
DROP TABLE balances;
ALTER TABLE accounts RENAME TO balances;",
        "ALTER TABLE balances DROP CONSTRAINT balances_short;
         ALTER TABLE balances ADD CONSTRAINT balances_short
           CHECK (cents >= 0 OR account IN ('house', 'cage') OR account LIKE 'owed/%');",
    ),
    ("", "CREATE INDEX entries_time ON entries USING brin (at);"),
];

fn fixture(name: &str) -> String {
    format!("{}/../house/tests/fixtures/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// The key of the casino of a version: 5 has the first sealed decks, 6 the first sealed entries.
fn key(version: u32, path: &str) {
    std::fs::copy(fixture(&format!("casino-v{version}.key")), path).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600)).unwrap();
}

fn made(path: &str, sql: &str) {
    rusqlite::Connection::open(path).unwrap().execute_batch(sql).unwrap();
}

/// A casino in a file as a program of this version left it.
fn in_file(folder: &Folder, version: u32) -> String {
    let database = folder.file(&format!("v{version}.sqlite"));
    let read = |version: u32| std::fs::read_to_string(fixture(&format!("casino-v{version}.sql"))).unwrap();
    if version == 2 || version == 3 {
        let steps = STEPS.iter().take(version as usize - 1).map(|(sqlite, _)| *sqlite);
        let steps: String = steps.collect();
        made(&database, &format!("{}\n{steps}\nPRAGMA user_version = {version};", read(1)));
    } else {
        made(&database, &read(version));
    }
    if version >= 5 {
        key(version, &format!("{database}.key"));
    }
    database
}

/// A casino on PostgreSQL as a program of this version left it.
fn on_server(folder: &Folder, version: u32) -> String {
    let database = Server::the().database();
    let address = Server::the().address(Server::name(&database));
    let of = if version >= 5 { version } else { 1 };
    let filled = Command::new(programs().join("psql"))
        .args([
            "-X",
            "-q",
            "-v",
            "ON_ERROR_STOP=1",
            "-d",
            &address,
            "-f",
            &fixture(&format!("casino-v{of}.pg.sql")),
        ])
        .output()
        .unwrap();
    assert!(filled.status.success(), "{}", String::from_utf8_lossy(&filled.stderr));
    if version >= 5 {
        let file = folder.file(&format!("pg-{version}.key"));
        key(version, &file);
        return format!("{address}?keyfile={file}");
    }
    for (_, step) in STEPS.iter().take(version as usize - 1) {
        Server::the().sql(&database, step);
    }
    Server::the().sql(&database, &format!("UPDATE baize_schema SET version = {version}"));
    database
}

fn opens(database: &str, version: u32) {
    let (now, told) = (House::schema(), said(&["upgrade", "--dry-run", "--database", database]));
    assert!(told.contains(&format!("version {version}, this program has {now}")), "{told}");
    assert!(told.contains("nothing was changed"), "{told}");
    let (code, told) = fails(&["audit", "--database", database]);
    assert!(code == 2 && told.contains("baize upgrade"), "{told}");
    said(&["upgrade", "--database", database]);
    assert!(said(&["audit", "--database", database]).ends_with("all is well\n"), "version {version}");
    assert!(said(&["upgrade", "--database", database]).ends_with("nothing to do\n"));
}

#[test]
fn a_database_of_every_version_opens() {
    let folder = Folder::new("versions");
    for version in 1..House::schema() {
        let database = in_file(&folder, version);
        let before = std::fs::read(&database).unwrap();
        let told = said(&["upgrade", "--dry-run", "--database", &database]);
        assert!(told.ends_with("the audit is clean; nothing was changed\n"), "{told}");
        assert_eq!(std::fs::read(&database).unwrap(), before, "a dry run changes nothing");
        opens(&database, version);
    }
}

#[test]
fn a_database_of_every_version_opens_on_postgresql() {
    let folder = Folder::new("versions-on-postgresql");
    for version in 1..House::schema() {
        opens(&on_server(&folder, version), version);
    }
}

/// What the present schema holds stays readable, also after changes that need no new schema.
#[test]
fn a_database_of_the_present_version_opens() {
    let folder = Folder::new("present");
    for database in [in_file(&folder, House::schema()), on_server(&folder, House::schema())] {
        assert!(said(&["audit", "--database", &database]).ends_with("all is well\n"), "{database}");
        assert!(said(&["upgrade", "--database", &database]).ends_with("nothing to do\n"), "{database}");
    }
}

/// Play continues after the upgrade: interrupted rounds are resolved as after any crash.
#[test]
fn a_casino_of_an_older_version_is_served() {
    let folder = Folder::new("served");
    for version in [1, 4, 5, 6, 7] {
        let database = in_file(&folder, version);
        crate::casino::Casino::open(&folder, &database, &["--drain-seconds", "1"]).stop();
        assert!(said(&["audit", "--database", &database]).ends_with("all is well\n"), "version {version}");
    }
}

/// What root writes beside the casino of another user, that user cannot read.
#[test]
fn a_casino_of_another_user_is_left_alone() {
    let folder = Folder::new("owner");
    let database = in_file(&folder, 6);
    // Only root can give a file away; without that, there is nothing to test.
    if std::os::unix::fs::chown(&database, Some(65_534), None).is_err() {
        return;
    }
    let before = std::fs::read(&database).unwrap();
    for command in [
        &["upgrade"] as &[&str],
        &["key", "rotate"],
        &["archive", "--before", "2026-01-01"],
        &["archive", "--restore"],
    ] {
        let (code, told) = fails(&[command, &["--database", &database]].concat());
        assert!(code == 2 && told.contains("run this command with `sudo -u "), "{command:?}: {told}");
    }
    assert_eq!(std::fs::read(&database).unwrap(), before);
    let left = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, 2, "the database and its key");
    // Reading it is fine.
    said(&["upgrade", "--dry-run", "--database", &database]);
}

#[test]
fn a_newer_database_is_left_alone() {
    let folder = Folder::new("newer");
    let database = folder.file("newer.sqlite");
    made(&database, "PRAGMA user_version = 99; CREATE TABLE entries (x);");
    for command in [
        &["upgrade", "--database", &database][..],
        &["audit", "--database", &database],
        &["serve", "--database", &database],
    ] {
        let (code, told) = fails(command);
        assert!(
            code == 2 && told.contains("restore a backup from before the upgrade"),
            "{command:?}: {told}"
        );
    }
}

/// The casino and its backup stay what they were: only what is restored is brought up to date.
#[test]
fn an_older_casino_in_a_file_is_backed_up_and_restored() {
    let folder = Folder::new("older-backup");
    let database = in_file(&folder, 6);
    let (backup, restored) = (folder.file("backup"), folder.file("restored.sqlite"));
    said(&["backup", &backup, "--database", &database]);
    let kept = std::fs::read(&backup).unwrap();
    said(&["restore", &backup, "--database", &restored]);
    assert!(kept == std::fs::read(&backup).unwrap(), "the backup was changed");
    assert!(said(&["audit", "--database", &restored]).ends_with("all is well\n"));
    for older in [&database, &backup] {
        assert!(said(&["upgrade", "--dry-run", "--database", older]).contains("version 6"));
    }
}
