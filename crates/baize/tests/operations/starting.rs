//! A failed start changes nothing, and a stop during the start is a planned stop.

use std::net::TcpListener;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::casino::{Casino, Folder, baize, fails, free_port, said};
use crate::server::Server;
use crate::stopping::{bet, sit, table};

/// A casino with a planned stop during a round at its first table.
fn stopped_in_a_round(folder: &Folder, database: &str) {
    let casino = Casino::open(folder, database, &["--drain-seconds", "0"]);
    let mei = casino.join("mei");
    sit(&casino, &mei);
    let (status, told) = bet(&casino, &mei, "bet-1");
    assert_eq!(status, 200, "{told}");
    casino.stop();
}

/// The round stands where it stood, and nothing was taken for a crash.
fn goes_on(folder: &Folder, database: &str) {
    let casino = Casino::open(folder, database, &["--drain-seconds", "0"]);
    let now = table(&casino);
    assert_eq!(now["phase"], json!("betting"), "{now}");
    casino.stop();
    let journal = said(&["journal", "--database", database]);
    assert!(!journal.contains("\"fact\":\"interrupted\""), "{journal}");
    assert!(said(&["audit", "--database", database]).ends_with("all is well\n"));
}

#[test]
fn a_start_that_fails_voids_no_round() {
    let folder = Folder::new("failed-start");
    let database = folder.file("casino.sqlite");
    stopped_in_a_round(&folder, &database);
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let (code, told) = fails(&["serve", "--database", &database, "--listen", &address]);
    assert!(code == 2 && told.contains("cannot listen on"), "{code} {told}");
    let garbage = folder.file("garbage.pem");
    std::fs::write(&garbage, "no certificate\n").unwrap();
    let listen = free_port().to_string();
    let tls = ["--tls-cert", &garbage, "--tls-key", &garbage];
    let serve = ["serve", "--database", &database, "--listen", &listen];
    let (code, told) = fails(&[&serve[..], &tls[..]].concat());
    assert!(code == 2 && told.contains("for TLS"), "{code} {told}");
    goes_on(&folder, &database);
}

#[test]
fn a_start_that_fails_makes_no_casino() {
    let folder = Folder::new("nothing-made");
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let database = folder.file("new.sqlite");
    let (code, told) = fails(&["serve", "--create", "--database", &database, "--listen", &address]);
    assert!(code == 2 && told.contains("cannot listen on"), "{code} {told}");
    // A disk that is full before the tables are made.
    let full = format!("{database}?max_pages=3");
    let (code, told) = fails(&["serve", "--create", "--database", &full, "--listen", "127.0.0.1:0"]);
    assert!(code == 2 && told.contains("full") && told.contains(&database), "{code} {told}");
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_stop_during_the_start_is_a_planned_stop() {
    let folder = Folder::new("early-stop");
    let database = folder.file("casino.sqlite");
    stopped_in_a_round(&folder, &database);
    let log = format!("{database}-wal");
    for _ in 0..3 {
        let mut casino = Casino::start(&folder, &database, &["--drain-seconds", "0"]);
        let until = Instant::now() + Duration::from_secs(60);
        while std::fs::metadata(&log).map_or(0, |log| log.len()) == 0 {
            assert!(casino.runs() && Instant::now() < until, "it does not start: {}", casino.log());
            std::thread::sleep(Duration::from_millis(1));
        }
        casino.stop();
    }
    goes_on(&folder, &database);
}

#[test]
fn a_closed_log_pipe_does_not_stop_the_casino() {
    let folder = Folder::new("unread-log");
    let database = folder.file("casino.sqlite");
    let mut casino = Casino::start_at(free_port(), &folder, &database, &[], Stdio::piped());
    casino.close_log();
    casino.answers();
    for _ in 0..3 {
        assert!(casino.get("/").starts_with("HTTP/1.1 200"));
    }
    casino.stop();
    assert!(said(&["audit", "--database", &database]).ends_with("all is well\n"));
}

#[test]
fn a_start_waits_for_its_server_if_configured() {
    let folder = Folder::new("waits");
    let database = format!("postgres://baize@{}/baize", free_port());
    let (code, told) = fails(&["serve", "--database", &database]);
    assert!(code == 2 && told.contains("not available"), "{code} {told}");
    let mut casino = Casino::start(&folder, &database, &["--database-wait", "86400"]);
    let until = Instant::now() + Duration::from_secs(60);
    while !casino.log().contains("waiting for the database") {
        assert!(casino.runs() && Instant::now() < until, "{}", casino.log());
        std::thread::sleep(Duration::from_millis(20));
    }
    casino.signal("TERM");
    // A stop during the start is a planned stop.
    assert_eq!(casino.ends().code(), Some(0));
}

#[test]
fn a_server_without_standbys_says_so() {
    let folder = Folder::new("no-standby");
    let casino = Casino::open(&folder, &Server::the().database(), &[]);
    let metrics = casino.get("/metrics");
    assert!(metrics.contains("baize_database_standbys{state=\"sync\"} 0"), "{metrics}");
    casino.stop();
}

#[test]
fn an_empty_file_holds_no_casino() {
    let folder = Folder::new("empty");
    let database = folder.file("empty.sqlite");
    std::fs::write(&database, "").unwrap();
    for command in [&["audit"][..], &["backup", &folder.file("backup")], &["upgrade"]] {
        let (code, told) = fails(&[command, &["--database", &database]].concat());
        assert!(code == 2 && told.contains("no database at"), "{command:?} {code} {told}");
    }
    // At the default place too, an empty file does not become a casino without being asked for.
    let usual = folder.path().join("baize/casino.sqlite");
    std::fs::create_dir(folder.path().join("baize")).unwrap();
    std::fs::write(&usual, "").unwrap();
    let mut serve = baize(&["serve", "--listen", "127.0.0.1:0", "--count-late"]);
    let refused = serve.env("XDG_DATA_HOME", folder.path()).output().unwrap();
    let told = String::from_utf8(refused.stderr).unwrap();
    assert!(refused.status.code() == Some(2) && told.contains("add --create"), "{told}");
    assert_eq!(std::fs::metadata(usual).unwrap().len(), 0);
    // A path through a file is not a missing file.
    let (code, told) = fails(&["audit", "--database", &format!("{database}/casino.sqlite")]);
    assert!(code == 2 && told.contains("Not a directory"), "{code} {told}");
}
