//! `baize audit --save` and `--since`, and `baize archive`, as they are called.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod program;

use std::path::{Path, PathBuf};

use baize_house::House;
use program::{baize, err, out, usage};

/// A casino in a folder of its own, without rounds.
struct Casino(PathBuf);

impl Casino {
    fn new(name: &str) -> Casino {
        let folder = std::env::temp_dir().join(format!("baize-records-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let casino = Casino(folder);
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async {
            let house = House::open(&casino.file("casino.sqlite")).await.unwrap();
            house.set_up_default().await.unwrap();
            house.close().await.unwrap();
        });
        assert!(!Path::new(&casino.file("casino.sqlite.console")).exists(), "the console's socket is gone");
        casino
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Casino {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn an_audit_resumes_from_a_saved_checkpoint() {
    let (casino, other) = (Casino::new("own"), Casino::new("other"));
    let (database, state) = (casino.file("casino.sqlite"), casino.file("state.json"));
    let first = baize(&["audit", "--database", &database, "--save", &state]);
    assert!(first.status.success(), "{}", err(&first));
    let rest = baize(&["audit", "--database", &database, "--since", &state, "--save", &state]);
    assert!(rest.status.success(), "{}", err(&rest));
    assert!(out(&rest).contains("note: only entries after the audit of "), "{}", out(&rest));

    let foreign = baize(&["audit", "--database", &other.file("casino.sqlite"), "--since", &state]);
    assert_eq!(foreign.status.code(), Some(1));
    assert!(
        out(&foreign).contains("BAD: the journal: it is not the checkpoint's casino"),
        "{}",
        out(&foreign)
    );

    let text = std::fs::read_to_string(&state).unwrap();
    let altered = casino.file("altered.json");
    std::fs::write(&altered, text.replacen("\"entries\":", "\"entries\":1", 1)).unwrap();
    let said = usage(&["audit", "--database", &database, "--since", &altered]);
    assert!(said.contains(&altered) && said.contains("it was altered"), "{said}");
    let missing = usage(&["audit", "--database", &database, "--since", &casino.file("none.json")]);
    assert!(missing.contains("none.json"), "{missing}");
}

#[test]
fn an_archive_needs_a_date_and_a_casino_that_is_stopped() {
    let casino = Casino::new("archive");
    let database = casino.file("casino.sqlite");
    let nothing = baize(&["archive", "--database", &database, "--before", "2026-05-01"]);
    assert!(nothing.status.success(), "{}", err(&nothing));
    assert_eq!(out(&nothing), "0 bodies moved to 0 archives, 0 bytes\n");
    let back = baize(&["archive", "--database", &database, "--restore"]);
    assert_eq!(out(&back), "0 bodies moved back from 0 archives, 0 bytes\n", "{}", err(&back));
    assert!(usage(&["archive", "--database", &database]).contains("--before"));
    assert!(usage(&["archive", "--database", &database, "--before", "yesterday"]).contains("2026-05-01"));
    assert!(usage(&["load", "--database", &database, "--hosts", "2"]).contains("postgres://"));
}

#[test]
fn simulated_players_play_only_in_a_casino_of_their_own() {
    let casino = Casino::new("load");
    let database = casino.file("casino.sqlite");
    let before = out(&baize(&["journal", "--database", &database]));
    let load = ["load", "--tables", "1", "--seconds", "1", "--no-floor", "--database"];
    let said = usage(&[&load[..], &[&database]].concat());
    assert!(said.starts_with(&format!("{database} holds a casino")), "{said}");
    assert_eq!(out(&baize(&["journal", "--database", &database])), before, "nothing was written");
    // One of an earlier run goes on.
    let own = casino.file("load.sqlite");
    for _ in 0..2 {
        let played = baize(&[&load[..], &[&own]].concat());
        assert!(played.status.success(), "{}", err(&played));
    }
}
